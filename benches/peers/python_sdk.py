"""A peer for the serving bench: the official Python SDK's server with two tools written by hand, and nothing else to do.

Usage: python python_sdk.py PORT    (ARCANE_URL and ARCANE_API_KEY say which server; it runs in the environment of tests/clients)
"""

import os
import sys

import httpx2
from mcp.server import MCPServer

http = httpx2.AsyncClient(
    base_url=os.environ["ARCANE_URL"].rstrip("/") + "/api",
    headers={"X-API-Key": os.environ["ARCANE_API_KEY"]},
)
server = MCPServer("peer", log_level="ERROR")


@server.tool()
async def find(query: str) -> dict:
    """Find an action."""
    return {"items": [{"id": "container.list", "query": query}]}


@server.tool()
async def container_counts() -> dict:
    """Count containers by state."""
    return (await http.get("/environments/0/containers/counts")).json()


server.run("streamable-http", port=int(sys.argv[1]), json_response=True, stateless_http=True)
