"""The Python client against a server over stdio: lists the tools and makes every call of expectations.json, in both eras.

    python3 tests/clients/python_client.py target/debug/examples/stdio_server [ARGUMENT…]
"""

import environment

environment.in_venv()

import asyncio
import sys

from mcp import Client, MCPError, StdioServerParameters
from matching import EXPECTATIONS, TOOLS, answer_faults, matches

# What the client negotiates in each of its modes; `auto`, its default, asks with `server/discover` first.
ERAS = {"legacy": ("legacy", "2025-11-25"), "modern": ("auto", "2026-07-28")}


async def era_faults(server: StdioServerParameters, era: str) -> list[str]:
    mode, version = ERAS[era]
    # A call that is not answered in time is a fault like any other.
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        faults = [] if client.protocol_version == version else [f"negotiated {client.protocol_version}, not {version}"]
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        if set(names) != TOOLS or len(names) != len(TOOLS):
            faults.append(f"lists {names}, expectations.json has {sorted(TOOLS)}")
        faults += [f"{tool.name}: no description" for tool in tools if not tool.description]
        for row in EXPECTATIONS:
            faults += [f"{row['tool']} {row['arguments']}: {fault}" for fault in await call_faults(client, row, era)]
        counts = f"{len(names)} tools listed, {len(EXPECTATIONS)} calls made, {len(faults)} faults"
        print(f"python, {client.protocol_version}: {counts}", flush=True)
    return faults


async def call_faults(client: Client, row: dict, era: str) -> list[str]:
    """The client itself refuses what does not match the listed output schema (RuntimeError) or the protocol (ValueError)."""
    try:
        result = await client.call_tool(row["tool"], row["arguments"])
    except MCPError as error:
        if row.get("errorCode") == error.error.code and matches(row["text"], [error.error.message]):
            return []
        return [f"JSON-RPC error {error.error.code}: {error.error.message}"]
    except (RuntimeError, ValueError) as error:
        return [f"the client refuses the result: {error}"]
    if "errorCode" in row:
        return [f"no error {row['errorCode']}, but {result}"]
    return answer_faults(row, result.model_dump(mode="json", by_alias=True, exclude_unset=True), era)


def session_faults(server: StdioServerParameters, era: str) -> list[str]:
    try:
        return asyncio.run(era_faults(server, era))
    except Exception as error:  # nothing could be compared: the client gave up on the server
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return [f"{type(error).__name__}: {error}"]


def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    faults = [f"{era}: {fault}" for era in ERAS for fault in session_faults(server, era)]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))


main()
