import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createStoryServer } from "./story-server.js";

await createStoryServer(process.argv[2] === "old" ? "old" : "new").connect(new StdioServerTransport());
