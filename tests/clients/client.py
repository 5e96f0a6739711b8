"""The Python client: lists the tools and makes the calls of a file of rows. clients.py documents the arguments and the output.

    python client.py TARGET ERA ROWS
"""

import asyncio
import json
import sys
from pathlib import Path

from mcp import Client, MCPError, StdioServerParameters

# The version that each mode of the client negotiates. `auto`, the default, sends `server/discover` first.
MODES = {"legacy": "legacy", "modern": "auto"}


def say(**line):
    print(json.dumps(line), flush=True)


async def call(client: Client, row: dict) -> dict:
    """The client raises RuntimeError if a result violates the listed output schema, and ValueError if it violates the protocol."""
    progress = []

    async def report(done, total, message):
        progress.append([done, total, message])

    listen = report if "progress" in row else None
    try:
        result = await client.call_tool(row["tool"], row["arguments"], progress_callback=listen, meta=row.get("send"))
    except MCPError as error:
        return {"error": {"code": error.error.code, "message": error.error.message}}
    except (RuntimeError, ValueError) as error:
        return {"refused": str(error)}
    return {"answer": result.model_dump(mode="json", by_alias=True, exclude_unset=True), "progress": progress}


async def session(target: dict, era: str, rows: list[dict]):
    server = target.get("url") or StdioServerParameters(command=target["command"][0], args=target["command"][1:])
    # A call that times out is an error like any other.
    async with Client(server, mode=MODES[era], read_timeout_seconds=30) as client:
        say(version=client.protocol_version)
        tools = (await client.list_tools()).tools
        say(tools=[tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in tools])
        for index, row in enumerate(rows):
            say(row=index, **await call(client, row))


asyncio.run(session(json.loads(sys.argv[1]), sys.argv[2], json.loads(Path(sys.argv[3]).read_text())))
