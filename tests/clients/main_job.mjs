// What every client does: list, find, run, be refused, confirm, look again.
export async function mainJob(client) {
  const { tools } = await client.listTools();
  const call = (name, args) => client.callTool({ name, arguments: args });
  const execute = (action, params, more = {}) => call("arcane_execute_action", { action, params, ...more });
  const found = await call("arcane_find_action", { query: "restart container" });
  return {
    server: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    tools: tools.map((tool) => tool.name),
    first: found.structuredContent.items[0].id,
    restarted: await execute("container.restart", { containerId: "web" }),
    refused: await execute("container.delete", { containerId: "web", force: true }),
    deleted: await execute("container.delete", { containerId: "web", force: true }, { confirm: true }),
    gone: await execute("container.get", { containerId: "web" }),
  };
}
