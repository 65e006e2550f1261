import { ExactStdioServerTransport } from "../../../src/mcp.js";
import { exactServers } from "./exact-servers.js";

const create = exactServers[process.argv[2] ?? ""];
if (create === undefined) throw new Error("no such server");
await create().connect(new ExactStdioServerTransport() as never);
