"""Drives a callslip server as a client built on the official Python SDK, and prints what it saw as one JSON object.

usage: session.py MODE COMMAND [ARGUMENT…]     over stdio; MODE is auto, legacy or a protocol revision; the environment is passed on
       session.py MODE http://…/mcp [TOKEN]    over HTTP
"""

import asyncio
import json
import os
import sys

from contextlib import AsyncExitStack

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def transport(stack, target, rest):
    if not target.startswith("http"):
        return stdio_client(StdioServerParameters(command=target, args=rest, env=dict(os.environ)))
    headers = {"Authorization": f"Bearer {rest[0]}"} if rest else None
    http_client = await stack.enter_async_context(create_mcp_http_client(headers=headers))
    return streamable_http_client(target, http_client=http_client)


async def main() -> None:
    mode, target, *rest = sys.argv[1:]
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(Client(await transport(stack, target, rest), mode=mode))
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
