"""A call of ten seconds, by clients that give up after two without progress, over stdio and HTTP. It fails without a heartbeat, and succeeds with one.

    python3 tests/clients/heartbeat.py SERVER    SERVER is long_work

Both TypeScript clients have such a time-out. That of the Python client ends a call after a fixed time, whatever is reported, so both calls fail. There,
a program sets a deadline of its own, which its `progress_callback` moves.
"""

import environment

environment.in_venv()

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters

HERE = Path(__file__).parent
PROGRAM, SECONDS, LIMIT = sys.argv[1], 10, 2


# Written once, because all clients read it at the same time.
SCRIPT = environment.node_modules().parent / "heartbeat.mjs"
SCRIPT.write_text((HERE / "heartbeat.mjs").read_text())


def typescript(target: dict, client: str, tool: str) -> dict:
    command = [environment.node(), str(SCRIPT), json.dumps(target), client, tool, str(SECONDS)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)


async def python(target: dict, client: str, tool: str) -> dict:
    reports, has_deadline = 0, client == "python with a deadline"
    server = target.get("url") or StdioServerParameters(command=target["command"][0])
    async with Client(server) as session:
        with anyio.CancelScope() as scope:

            async def report(*_):
                nonlocal reports
                reports += 1
                if has_deadline:
                    scope.deadline = anyio.current_time() + LIMIT

            scope.deadline = anyio.current_time() + LIMIT if has_deadline else float("inf")
            limit = None if has_deadline else LIMIT
            try:
                answer = await session.call_tool(tool, {"seconds": SECONDS}, progress_callback=report, read_timeout_seconds=limit)
                return {"ok": not answer.is_error, "reports": reports}
            except MCPError as error:
                return {"error": str(error), "reports": reports}
        return {"error": "timed out", "reports": reports}


def call(target: dict, client: str, tool: str) -> dict:
    return asyncio.run(python(target, client, tool)) if client.startswith("python") else typescript(target, client, tool)


def check(target: dict, client: str, way: str) -> str:
    silent = call(target, client, "wait_silently")
    if "timed out" not in silent.get("error", "").lower() or silent["reports"]:
        raise SystemExit(f"{client} over {way} without a heartbeat: {silent}")
    alive = call(target, client, "wait_with_heartbeat")
    if client == "python" and "timed out" in alive.get("error", "").lower() and alive["reports"]:
        return f"{client} over {way}: gives up after {LIMIT} s, also with a heartbeat, of which it gets {alive['reports']} reports"
    if not alive.get("ok") or alive["reports"] < SECONDS // 2:
        raise SystemExit(f"{client} over {way} with a heartbeat: {alive}")
    return f"{client} over {way}: gives up without a heartbeat, and gets {alive['reports']} reports and the result with one"


server = subprocess.Popen([PROGRAM, "--http"], stdout=subprocess.PIPE, text=True)
try:
    port = server.stdout.readline().strip()
    targets = {"stdio": {"command": [PROGRAM]}, "HTTP": {"url": f"http://127.0.0.1:{port}/mcp"}}
    clients = ("typescript-1", "typescript-2", "python", "python with a deadline")
    tries = [(target, client, way) for way, target in targets.items() for client in clients]
    with ThreadPoolExecutor(len(tries)) as pool:
        for line in pool.map(lambda one: check(*one), tries):
            print(line)
finally:
    server.kill()
    server.wait()
