// Drives a callslip server as a client built on the official TypeScript SDK, and prints what it saw as one JSON object.
// usage: node session.mjs COMMAND [ARGUMENT…]; the environment is passed on.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args, env: process.env });
const client = new Client({ name: "typescript-client", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const call = (name, args) => client.callTool({ name, arguments: args });
const execute = (action, params, more = {}) => call("arcane_execute_action", { action, params, ...more });
const found = await call("arcane_find_action", { query: "restart container" });
const seen = {
  server: client.getServerVersion().name,
  instructions: client.getInstructions(),
  tools: tools.map((tool) => tool.name),
  first: found.structuredContent.items[0].id,
  restarted: await execute("container.restart", { containerId: "web" }),
  refused: await execute("container.delete", { containerId: "web", force: true }),
  deleted: await execute("container.delete", { containerId: "web", force: true }, { confirm: true }),
  gone: await execute("container.get", { containerId: "web" }),
};
await client.close();
console.log(JSON.stringify(seen));
