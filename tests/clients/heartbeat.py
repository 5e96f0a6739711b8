"""A call of ten seconds, by clients that give up after two without progress: both TypeScript clients, over stdio and HTTP. It fails without a
heartbeat, and succeeds with one.

    python3 tests/clients/heartbeat.py SERVER    SERVER is long_work
"""

import environment

environment.in_venv()

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
PROGRAM, SECONDS = sys.argv[1], 10


def call(target: dict, client: str, tool: str) -> dict:
    script = environment.node_modules().parent / "heartbeat.mjs"
    script.write_text((HERE / "heartbeat.mjs").read_text())
    command = [environment.node(), str(script), json.dumps(target), client, tool, str(SECONDS)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)


def check(target: dict, client: str, way: str) -> str:
    silent = call(target, client, "wait_silently")
    if "timed out" not in silent.get("error", "") or silent["reports"]:
        raise SystemExit(f"{client} over {way} without a heartbeat: {silent}")
    alive = call(target, client, "wait_with_heartbeat")
    if not alive.get("ok") or alive["reports"] < SECONDS // 2:
        raise SystemExit(f"{client} over {way} with a heartbeat: {alive}")
    return f"{client} over {way}: gives up without a heartbeat, and gets {alive['reports']} reports and the result with one"


server = subprocess.Popen([PROGRAM, "--http"], stdout=subprocess.PIPE, text=True)
try:
    port = server.stdout.readline().strip()
    targets = {"stdio": {"command": [PROGRAM]}, "HTTP": {"url": f"http://127.0.0.1:{port}/mcp"}}
    tries = [(target, client, way) for way, target in targets.items() for client in ("typescript-1", "typescript-2")]
    with ThreadPoolExecutor() as pool:
        for line in pool.map(lambda one: check(*one), tries):
            print(line)
finally:
    server.kill()
    server.wait()
