"""The Python client: lists the tools and makes the calls of a file of rows. clients.py documents the arguments and the output.

    python client.py TARGET ERA ROWS
"""

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult

# The version that each mode of the client negotiates. `auto`, the default, sends `server/discover` first.
MODES = {"legacy": "legacy", "modern": "auto"}


def say(**line):
    print(json.dumps(line), flush=True)


class Call:
    """A running call: the questions that arrived, and those that were closed before they were answered."""

    def __init__(self, row: dict):
        self.row, self.asked, self.closed = row, [], []
        self.scope = anyio.CancelScope()
        self.is_idle = anyio.Event()


class User:
    """Answers the questions of running calls as their rows say."""

    def __init__(self):
        self.calls: list[Call] = []

    async def answer(self, _, params) -> ElicitResult:
        call = next((call for call in self.calls if params.message in call.row["asked"]), None)
        if call is None:
            say(unexpected=params.message)
            return ElicitResult(action="cancel")
        call.asked.append(params.message)
        reply = dict(call.row["asked"][params.message])
        if call.row.get("exit"):
            os._exit(0)
        call.is_idle = anyio.Event()
        if call.row.get("abort"):
            call.scope.cancel()
        try:
            await anyio.sleep(reply.pop("after", 0) / 1000)
        except anyio.get_cancelled_exc_class():
            call.closed.append(params.message)
            raise
        finally:
            call.is_idle.set()
        return ElicitResult(**reply)


async def make(client: Client, user: User, row: dict) -> dict:
    """The client raises RuntimeError if a result violates the listed output schema, and ValueError if it violates the protocol."""
    progress, call = [], Call(row)

    async def report(done, total, message):
        progress.append([done, total, message])

    user.calls.append(call)
    listen = report if "progress" in row else None
    limit = row["timeout"] / 1000 if "timeout" in row else None
    made = {"ended": "cancelled"}
    try:
        with call.scope:
            answer = await client.call_tool(
                row["tool"], row["arguments"], progress_callback=listen, meta=row.get("send"), read_timeout_seconds=limit
            )
            made = {"answer": answer.model_dump(mode="json", by_alias=True, exclude_unset=True), "progress": progress}
    except MCPError as error:
        made = {"ended": str(error)} if row.get("ended") else {"error": {"code": error.error.code, "message": error.error.message}}
    except (RuntimeError, ValueError) as error:
        made = {"refused": str(error)}
    if call.asked:
        # A question that is closed ends a little later than its call.
        await call.is_idle.wait()
    user.calls.remove(call)
    return made | {"asked": call.asked, "closed": call.closed}


async def session(target: dict, era: str, rows: list[dict]):
    server = target.get("url") or StdioServerParameters(command=target["command"][0], args=target["command"][1:])
    user = User()
    async with contextlib.AsyncExitStack() as clients:
        # A call that times out is an error like any other.
        options = {"mode": MODES[era], "read_timeout_seconds": 30}
        client = await clients.enter_async_context(Client(server, elicitation_callback=user.answer, **options))
        silent = None
        say(version=client.protocol_version)
        tools = (await client.list_tools()).tools
        say(tools=[tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in tools])

        async def one(index: int, chosen: Client, row: dict):
            say(row=index, **await make(chosen, user, row))

        together = []
        for index, row in enumerate(rows):
            if row.get("together"):
                together.append(one(index, client, row))
                continue
            if together:
                await asyncio.gather(*together)
                together.clear()
            if row.get("silent"):
                silent = silent or await clients.enter_async_context(Client(server, **options))
            await one(index, silent if row.get("silent") else client, row)


asyncio.run(session(json.loads(sys.argv[1]), sys.argv[2], json.loads(Path(sys.argv[3]).read_text())))
