"""Arcane through FastMCP: tools made from the API's OpenAPI document, found by its BM25 search.

Usage: python fastmcp_search.py DOCUMENT [MAX_RESULTS]    (0 results: no search, every tool in the list; ARCANE_URL and ARCANE_API_KEY say which server; fastmcp is pinned in
requirements.txt beside this file)
"""

import json
import os
import sys

import httpx
from fastmcp import FastMCP
from fastmcp.server.transforms.search import BM25SearchTransform


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    base = os.environ["ARCANE_URL"].rstrip("/")
    # The document says where the server stands below its address.
    prefix = next(iter(document.get("servers", [{}])), {}).get("url", "/api")
    if not prefix.startswith("/"):
        prefix = "/api"
    client = httpx.AsyncClient(base_url=base + prefix, headers={"X-API-Key": os.environ["ARCANE_API_KEY"]})
    server = FastMCP.from_openapi(document, client=client, name="arcane")
    if most > 0:
        server.add_transform(BM25SearchTransform(max_results=most))
    server.run(show_banner=False)


main()
