import { createInterface } from "node:readline";
import { TypedServer } from "./typed-server.js";

// What a tool is called is what it does wrong.
const server = new TypedServer('[{"name":"echo","inputSchema":{"type":"object"}}]');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  switch (params?.name) {
    case "die":
      process.exit(1);
      break;
    case "hang":
      break;
    case "babble":
      process.stdout.write('listening on 127.0.0.1\n\n{"jsonrpc":"2.0"}\nnull\n[1,2]\n9007199254740993\n{"id":');
      process.stdout.write(`\n${server.answer(line)}\r\n`);
      break;
    case "flood":
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"text":"${"x".repeat(100_000)}"}}\n`);
      break;
    default: {
      const answer = server.answer(line);
      if (answer !== undefined) process.stdout.write(`${answer}\n`);
    }
  }
}
