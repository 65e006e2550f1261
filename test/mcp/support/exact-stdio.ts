import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ExactStdioServerTransport } from "../../../src/mcp.js";
import { createMcpServer, exactServers } from "./exact-servers.js";

const name = process.argv[2] ?? "";
const transport = new ExactStdioServerTransport();
if (name === "v2 serveStdio") serveStdio(() => createMcpServer(), { transport });
else await exactServers[name]?.().connect(transport as never);
