import { createInterface } from "node:readline";
import { TypedServer } from "./typed-server.js";
import { schemaText } from "./values.js";

const tool = (name: string): string => `{"name":"${name}","inputSchema":${schemaText},"outputSchema":${schemaText}}`;
const server = new TypedServer(`[${tool("echo")},${tool("twin")}]`);
for await (const line of createInterface({ input: process.stdin })) {
  const answer = server.answer(line);
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
}
