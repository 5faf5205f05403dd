"""Drives a callslip server as a client built on the official Python SDK, and prints what it saw as one JSON object.

usage: session.py MODE COMMAND [ARGUMENT…]; MODE is auto, legacy or a protocol revision; the environment is passed on.
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    mode, command, *arguments = sys.argv[1:]
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with Client(stdio_client(server), mode=mode) as client:
        tools = (await client.list_tools()).tools

        async def call(name, **given):
            return (await client.call_tool(name, given)).model_dump(mode="json", by_alias=True, exclude_none=True)

        async def execute(action, params, **more):
            return await call("arcane_execute_action", action=action, params=params, **more)

        found = await call("arcane_find_action", query="restart container")
        seen = {
            "tools": [tool.name for tool in tools],
            "first": found["structuredContent"]["items"][0]["id"],
            "restarted": await execute("container.restart", {"containerId": "web"}),
            "refused": await execute("container.delete", {"containerId": "web", "force": True}),
            "deleted": await execute("container.delete", {"containerId": "web", "force": True}, confirm=True),
            "gone": await execute("container.get", {"containerId": "web"}),
        }
    print(json.dumps(seen))


asyncio.run(main())
