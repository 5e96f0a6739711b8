"""Puts load on a server over stdio, with a client that stops reading again and again.

    cargo build --release -p mcp-tool-servers --example everything_server
    python3 tests/load/stalling.py target/release/examples/everything_server [SECONDS]

The client sends calls as fast as the server takes them: some fail, some are large. It reads for one second and then does not read for four.
Every request must be answered, once, and the memory of the server must not grow: it stops reading while too much is unread.
"""

import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

READS, STALLS = 1.0, 4.0
# The memory that the allocator keeps varies between runs. The server holds up to 16 MiB of messages.
SLACK = 32 * 1024
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def resident(process: int) -> int:
    """Returns the resident memory in KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1])


def request(number: int) -> bytes:
    """Returns one of four requests in turn: a call, one with unknown arguments, a large one, and a list."""
    kind = number % 4
    params: dict = {"name": "test_simple_text", "arguments": {}, "_meta": META}
    if kind == 1:
        params["arguments"] = {f"unknown{n}": n for n in range(40)}
    elif kind == 2:
        params["arguments"] = {"large": "x" * 20_000}
    method = "tools/list" if kind == 3 else "tools/call"
    if kind == 3:
        params = {"_meta": META}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def main() -> None:
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
    server = subprocess.Popen([sys.argv[1], "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    end = time.monotonic() + seconds
    sent = 0

    def send() -> None:
        nonlocal sent
        while time.monotonic() < end:
            server.stdin.write(request(sent))
            sent += 1
        server.stdin.close()

    sender = threading.Thread(target=send)
    sender.start()
    answered, wrong, samples, stalls = bytearray(), [], [], 0
    started = time.monotonic()
    while line := server.stdout.readline():
        answer = json.loads(line)
        number = answer.get("id")
        if not isinstance(number, int) or ("result" not in answer and "error" not in answer):
            wrong.append(line[:200])
            continue
        answered.extend(bytes(max(0, number + 1 - len(answered))))
        answered[number] += 1
        if time.monotonic() - started > READS and time.monotonic() < end:
            time.sleep(min(STALLS, max(0.0, end - time.monotonic())))
            samples.append(resident(server.pid))
            started = time.monotonic()
            stalls += 1
    sender.join()
    code = server.wait(timeout=60)
    tenth = max(1, len(samples) // 10)
    warm, late = max(samples[tenth : 3 * tenth + 1]), max(samples[-2 * tenth :])
    lost = sent - sum(1 for count in answered if count == 1)
    twice = sum(1 for count in answered if count > 1)
    print(f"{sent:,} requests in {seconds:.0f} s, {stalls} stalls; {lost} lost, {twice} answered twice, {len(wrong)} wrong")
    print(f"memory: {warm / 1024:.1f} MiB warm, {late / 1024:.1f} MiB at the end; exit code {code}")
    print("MiB after each tenth:", *(f"{max(samples[part * tenth : (part + 1) * tenth]) / 1024:.0f}" for part in range(len(samples) // tenth)))
    if lost or twice or wrong or code or late > warm + SLACK:
        sys.exit(f"failed {wrong[:3]}")


main()
