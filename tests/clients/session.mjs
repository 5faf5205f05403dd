// Drives a callslip server as a client built on the official TypeScript SDK, and prints what it saw as one JSON object.
// usage: node session.mjs COMMAND [ARGUMENT…]         over stdio; the environment is passed on
//        node session.mjs http://…/mcp [TOKEN]        over HTTP
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { mainJob } from "./main_job.mjs";

const [target, ...rest] = process.argv.slice(2);
const headers = rest[0] ? { Authorization: `Bearer ${rest[0]}` } : {};
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target), { requestInit: { headers } })
  : new StdioClientTransport({ command: target, args: rest, env: process.env });
const client = new Client({ name: "typescript-client", version: "1" });
await client.connect(transport);
const seen = await mainJob(client);
await client.close();
console.log(JSON.stringify(seen));
