import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Interceptor, StreamRequest, StreamResponse, UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import { mapMessages } from "./map-messages.js";

/** Looks at a message, and gives it or another one in its place. */
export type MessageMapper = (desc: DescMessage, message: Message) => Message;

/** An interceptor that sees every message of a call, of all four kinds of methods. */
export function interceptMessages(mapRequest: MessageMapper, mapResponse: MessageMapper): Interceptor {
  return (next) => async (request) => {
    const { input, output } = request.method;
    const response = await next(withMessages(request, (message) => mapRequest(input, message)));
    return withMessages(response, (message) => mapResponse(output, message));
  };
}

/** The call with its messages mapped; a copy, since it may be shared with interceptors outside of this one. */
function withMessages<Call extends UnaryRequest | StreamRequest | UnaryResponse | StreamResponse>(
  call: Call,
  map: (message: Message) => Message,
): Call {
  if (call.stream) return { ...call, message: mapMessages<Message>(call.message, map) };
  const message = map(call.message);
  return message === call.message ? call : { ...call, message };
}
