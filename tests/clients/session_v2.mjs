// The same on the second TypeScript SDK, which speaks the stateless revision as well.
// usage: node session_v2.mjs legacy|auto http://…/mcp [TOKEN]
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mainJob } from "./main_job.mjs";

const [mode, url, token] = process.argv.slice(2);
const headers = token ? { Authorization: `Bearer ${token}` } : {};
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
const client = new Client({ name: "typescript-client-2", version: "1" }, { versionNegotiation: { mode } });
await client.connect(transport);
const seen = await mainJob(client);
await client.close();
console.log(JSON.stringify(seen));
