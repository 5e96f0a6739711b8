"""Asks everything_server to end, over each transport: while a call runs, which must be answered, and as soon as the server listens. The server
must exit with 0.

    python3 tests/clients/ending.py target/debug/examples/everything_server
"""

import http.client
import json
import signal
import subprocess
import sys
import time
from urllib.parse import urlsplit

VERSION = "2025-11-25"
INITIALIZE = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "ending", "version": "1"}}
# The tool reports progress as soon as it runs. The signal is sent after that report.
CALL = {"name": "wait", "arguments": {"millis": 600}, "_meta": {"progressToken": 1}}
MESSAGES = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": CALL},
]


def stdio(server: subprocess.Popen, interrupt) -> list[str]:
    """Sends all messages, then the signal while the call runs. Returns the lines that the server writes after that."""
    for message in MESSAGES:
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        if message.get("id") == 1:
            server.stdout.readline()
    next(line for line in server.stdout if "notifications/progress" in line)
    interrupt()
    # Standard input stays open: only the signal ends the server.
    return server.stdout.read().splitlines()


def over_http(server: subprocess.Popen, interrupt) -> list[str]:
    address = urlsplit(server.stderr.readline().split()[-1])
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    for message in MESSAGES:
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        connection.request("POST", address.path, json.dumps(message), headers)
        reply = connection.getresponse()
        if message["method"] == "tools/call":
            next(line for line in reply if b"notifications/progress" in line)
            interrupt()
        text = reply.read().decode()
        if session := reply.getheader("mcp-session-id"):
            headers |= {"mcp-session-id": session}
        headers |= {"mcp-protocol-version": VERSION}
    return [line.removeprefix("data:").strip() for line in text.splitlines()]


WAYS = {
    "--stdio": ([], stdio),
    "--rmcp-stdio": ([], stdio),
    "--http": (["127.0.0.1:0"], over_http),
    "--rmcp-http": (["127.0.0.1:0"], over_http),
}


def listens(server: subprocess.Popen, way: str):
    """Waits until the server has answered its client's first message, or has bound its port."""
    if way.endswith("http"):
        server.stderr.readline()
    else:
        server.stdin.write(json.dumps(MESSAGES[0]) + "\n")
        server.stdin.flush()
        server.stdout.readline()


def early_error(way: str, number: signal.Signals) -> str | None:
    server = start(way)
    try:
        listens(server, way)
        server.send_signal(number)
        status = server.wait(60)
    finally:
        server.kill()
    return f"it listened only: exit code {status}" if status else None


def start(way: str) -> subprocess.Popen:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.argv[1], way, *WAYS[way][0]], text=True, **pipes)


def error(way: str, number: signal.Signals) -> str | None:
    server = start(way)
    try:
        begin = time.monotonic()
        lines = WAYS[way][1](server, lambda: server.send_signal(number))
        answers = [json.loads(line) for line in lines if line.startswith("{")]
        status = server.wait(60)
    finally:
        server.kill()
    if not any(answer.get("result", {}).get("structuredContent") == {"result": 600} for answer in answers):
        return f"the running call was not answered (exit code {status}): {lines}"
    if time.monotonic() - begin < 0.6:
        return "it did not wait"
    return f"exit code {status}" if status else None


def main():
    found = []
    for way in WAYS:
        for number in (signal.SIGTERM, signal.SIGINT):
            for wrong in (early_error(way, number), error(way, number)):
                if wrong:
                    found.append(f"{way}, {number.name}: {wrong}")
    print(f"ending: {4 * len(WAYS)} servers asked to end, half of them in the middle of a call, {len(found)} errors")
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
