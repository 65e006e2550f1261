import type { IncomingMessage } from "node:http";
import { type Listening, listen } from "./listen.js";
import type { TypedServer } from "./typed-server.js";

/** Serve a typed server over Streamable HTTP, which answers with one JSON body or with a stream of events. */
export async function listenTyped(server: TypedServer, answerAs: "json" | "events"): Promise<Listening> {
  return listen(async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const answer = server.answer(await readText(request));
    if (answer === undefined) response.writeHead(202).end();
    else if (answerAs === "json") response.writeHead(200, { "content-type": "application/json" }).end(answer);
    else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      // In pieces that end anywhere, as a network has them.
      const events = Buffer.from(`: comment\r\n\r\nid: 1\r\nevent: message\r\ndata: ${answer}\r\n\r\n`);
      for (let at = 0; at < events.length; at += 7) response.write(events.subarray(at, at + 7));
      response.end();
    }
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
