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

/** A copy with other messages: what belongs to a call may be shared with interceptors outside of this one. */
function withMessages<Call extends UnaryRequest | StreamRequest | UnaryResponse | StreamResponse>(
  call: Call,
  map: (message: Message) => Message,
): Call {
  // The type of the messages hangs on `stream`, which is copied along.
  const message = call.stream ? mapMessages<Message>(call.message, map) : map(call.message);
  return { ...call, message };
}
