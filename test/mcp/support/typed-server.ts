/**
 * An MCP server as another language would have it: it takes text and gives text, the arguments of a call come back as the
 * result with every character as it was, and an integer has to be spelled as one.
 */
export class TypedServer {
  /** The arguments of all calls, as they were spelled. */
  readonly received: string[] = [];
  readonly #tools: string;

  /** Tools as JSON text of the list that tools/list answers with. */
  constructor(tools: string) {
    this.#tools = tools;
  }

  /** Answer one message, or nothing where none is due. */
  answer(line: string): string | undefined {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return undefined;
    const reply = (result: string): string => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    if (method === "initialize") {
      const { protocolVersion } = params;
      return reply(
        JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "typed", version: "1" } }),
      );
    }
    if (method === "tools/list") return reply(`{"tools":${this.#tools}}`);
    if (method === "tools/call") return reply(this.#call(params.name, argumentsOf(line)));
    return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`;
  }

  #call(name: string, text: string): string {
    this.received.push(text);
    if (/:-?\d+(?:\.0+(?!\d)|e)/i.test(text)) return `{"isError":true,"content":[{"type":"text","text":"no integer"}]}`;
    // As JSON it repeats the result, which servers do for older clients; as prose it only shows what came.
    const content = [{ type: "text", text: name === "twin" ? text : `received ${text}` }];
    return `{"content":${JSON.stringify(content)},"structuredContent":${text}}`;
  }
}

/** The text of the member "arguments" of a call. */
function argumentsOf(line: string): string {
  const start = line.indexOf('"arguments":') + '"arguments":'.length;
  let depth = 0;
  let inString = false;
  for (let at = start; at < line.length; at++) {
    const char = line[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return line.slice(start, at + 1);
  }
  throw new Error("no arguments");
}
