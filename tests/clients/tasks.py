"""Drives tasks with the client of FastMCP 4, over stdio and HTTP.

Usage: tasks.py SERVER    SERVER is long_work
"""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import environment

environment.in_venv("tasks", Path(__file__).with_name("tasks.txt"))

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError
from fastmcp_tasks import call_tool_task


async def check(transport, name):
    async with Client(transport) as client:
        tools = {tool.name for tool in await client.list_tools()}
        assert {"wait", "wait_for_task"} <= tools, tools
        start = time.monotonic()
        quick = await client.call_tool("wait", {"seconds": 0})
        assert quick.data == 0 and time.monotonic() - start < 0.5, quick
        # The client polls without its caller.
        assert (await client.call_tool("wait", {"seconds": 3})).data == 3
        assert (await client.call_tool("wait_for_task", {})).data == "done"
        try:
            await client.call_tool("wait", {"seconds": 4})
            raise AssertionError("no error")
        except ToolError as error:
            assert "the oven is cold" in str(error), error
        # The caller polls.
        task = await call_tool_task(client, "wait", {"seconds": 3})
        seen = set()
        while (status := await task.status()).status == "working":
            seen.add(status.status_message)
            await asyncio.sleep(0.2)
        assert status.status == "completed" and "second 2" in seen, (status, seen)
        assert (await task.result()).data == 3
        task = await call_tool_task(client, "wait", {"seconds": 60})
        await task.cancel()
        assert (await task.status()).status == "cancelled"
    print(f"tasks over {name}: ok")


async def main(program):
    await check(StdioTransport(program, []), "stdio")
    server = subprocess.Popen([program, "--http"], stdout=subprocess.PIPE, text=True)
    try:
        await check(f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp", "HTTP")
    finally:
        server.kill()


asyncio.run(main(sys.argv[1]))
