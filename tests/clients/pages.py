"""Real clients follow the cursors of `large_results` to the end: both TypeScript clients and the Python client, over stdio and HTTP.

    python3 tests/clients/pages.py target/debug/examples/large_results
    python3 tests/clients/pages.py target/release/examples/large_results 1000000

With a number of rows, it measures instead: the time of the first and the last pages, and the memory of the server.
"""

import environment

environment.in_venv()

import asyncio
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from mcp import Client, StdioServerParameters

from serving import served

HERE = Path(__file__).parent
ROWS = 10_000
CLIENTS = [("typescript-1", "legacy"), ("typescript-2", "legacy"), ("typescript-2", "modern"), ("python", "legacy"), ("python", "modern")]
TOOLS = [
    {"tool": "list_orders", "argument": "after", "arguments": {}},
    {"tool": "list_orders", "argument": "after", "arguments": {"customer": 7}},
    {"tool": "search_log", "argument": "after", "arguments": {"text": "status 500"}},
    {"tool": "read_log", "argument": "cursor", "arguments": {}},
]


def next_cursor(page: dict):
    if "structuredContent" in page:
        return page["structuredContent"].get("next_cursor")
    found = re.search(r'`cursor`: "([\w-]+)"$', page["content"][-1]["text"])
    return found and found[1]


async def python(target: dict, era: str):
    server = target.get("url") or StdioServerParameters(command=target["command"][0], args=target["command"][1:], env=dict(os.environ))
    async with Client(server, mode="legacy" if era == "legacy" else "auto") as client:
        for row in TOOLS:
            pages, cursor = [], None
            while True:
                answer = await client.call_tool(row["tool"], row["arguments"] | ({row["argument"]: cursor} if cursor else {}))
                pages.append(answer.model_dump(mode="json", by_alias=True, exclude_unset=True))
                cursor = next_cursor(pages[-1])
                if not cursor:
                    break
            yield {"tool": row["tool"], "pages": pages}


async def lines(target: dict, client: str, era: str):
    if client == "python":
        return [line async for line in python(target, era)]
    home = environment.node_modules().parent
    (home / "pages.mjs").write_text((HERE / "pages.mjs").read_text())
    command = [environment.node(), str(home / "pages.mjs"), json.dumps(target), client, era, json.dumps(TOOLS)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if run.returncode:
        sys.exit(f"{client}, {era}: {run.stderr[-2000:]}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def errors(answers: list[dict], log: str):
    """Compares the joined pages with the whole."""
    items = [[item for page in line["pages"] for item in page.get("structuredContent", {}).get("items", [])] for line in answers]
    joined = "".join(page["content"][0]["text"] for page in answers[3]["pages"])
    if [order["id"] for order in items[0]] != list(range(1, ROWS + 1)):
        yield f"{len(items[0])} orders"
    if [order["id"] for order in items[1]] != [n for n in range(1, ROWS + 1) if n % 100 == 7]:
        yield f"{len(items[1])} orders of one customer"
    if [line["text"] for line in items[2]] != [line for line in log.splitlines() if "status 500" in line]:
        yield f"{len(items[2])} found lines"
    if joined != log:
        yield f"{len(joined)} characters of the log, not {len(log)}"
    if not 5 < len(answers[0]["pages"]) < 100:
        yield f"{len(answers[0]['pages'])} pages"


@contextlib.contextmanager
def files(rows: int):
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"LARGE_RESULTS_FOLDER": folder, "LARGE_RESULTS_ROWS": str(rows)}
        yield Path(folder)


def check(server: str):
    found, pages = [], 0
    with files(ROWS) as folder, served([server, "http", "127.0.0.1:0"]) as (url, _):
        log = (folder / "server.log").read_text()
        for client, era in CLIENTS:
            for target in ({"url": url}, {"command": [server, "serve"]}):
                answers = asyncio.run(lines(target, client, era))
                pages += sum(len(line["pages"]) for line in answers)
                found += [f"{client}, {era}, {', '.join(target)}: {error}" for error in errors(answers, log)]
    print(f"pages: {len(CLIENTS)} clients over stdio and HTTP read {pages} pages of {ROWS} rows and lines, {len(found)} errors")
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


def memory(process: int, name: str) -> int:
    return int(re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1])


def measure(server: str, rows: int):
    with files(rows) as folder:
        with served([server, "http", "127.0.0.1:0"]):
            pass
        # A new process: the first one has written the files.
        with served([server, "http", "127.0.0.1:0"]) as (url, process):
            def call(arguments: dict) -> dict:
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_orders", "arguments": arguments}}
                headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
                request = urllib.request.Request(url, json.dumps(body).encode(), headers)
                return json.load(urllib.request.urlopen(request))["result"]["structuredContent"]

            page = call({})
            before, count, times = memory(process, "VmRSS"), len(page["items"]), []
            while cursor := page.get("next_cursor"):
                start = time.perf_counter()
                page = call({"after": cursor})
                times.append(time.perf_counter() - start)
                count += len(page["items"])
            first, last = (1000 * statistics.median(part) for part in (times[:50], times[-52:-2]))
            print(f"{count} rows in {len(times) + 1} pages, each {first:.2f} ms at the start and {last:.2f} ms at the end (medians of 50)")
            print(f"memory of the server: {before} KiB after the first page, at most {memory(process, 'VmHWM')} KiB")


if len(sys.argv) > 2:
    measure(sys.argv[1], int(sys.argv[2]))
else:
    check(sys.argv[1])
