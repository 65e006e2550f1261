import { createServer, type Server } from "node:http";
import { contentSecurityPolicy, type PageFile } from "./build-page.js";

/** Headers of every answer: the policy, also where the page has none of its own, and nothing guessed or remembered. */
const headers: { readonly [name: string]: string } = {
  "content-security-policy": `${contentSecurityPolicy}; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** A server for the files of the page and nothing else, which is not listening yet. */
export function servePage(files: ReadonlyMap<string, PageFile>): Server {
  return createServer((request, response) => {
    const file = files.get(fileName(request.url ?? "/"));
    if (file === undefined) return void response.writeHead(404, headers).end();
    if (request.method !== "GET" && request.method !== "HEAD") {
      return void response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
    }
    response.writeHead(200, { ...headers, "content-type": file.type, "content-length": file.bytes.length });
    response.end(request.method === "HEAD" ? undefined : file.bytes);
  });
}

function fileName(url: string): string {
  const path = url.replace(/[?#].*/, "").slice(1);
  return path === "" ? "index.html" : path;
}
