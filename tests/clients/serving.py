"""Starts a server over HTTP, asks it as a client without an SDK does, and stops it as a process manager does."""

import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
from urllib.parse import urlsplit

VERSION = "2026-07-28"


def free_address() -> str:
    """Returns an address that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with socket.socket() as connection:
        return connection.connect_ex((host, int(port))) == 0


def message_in(text: str) -> dict:
    """Returns the message of a body: JSON, or the last event of a stream."""
    events = re.findall(r"^data: ?(\{.*)$", text, re.MULTILINE)
    return json.loads(events[-1] if events else text)


def request(url: str, method: str, params: dict, capabilities: dict | None = None, headers: dict | None = None, timeout: float = 30) -> dict:
    """Sends a request of the newest version. Returns the message that answers it."""
    meta = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": capabilities or {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": VERSION}
    sent |= {"Mcp-Method": method, "Mcp-Name": params.get("name") or params.get("taskId", "")} | (headers or {})
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=timeout)
    try:
        connection.request("POST", urlsplit(url).path, json.dumps(body), sent)
        return message_in(connection.getresponse().read().decode())
    finally:
        connection.close()


@contextlib.contextmanager
def served(command: list[str], code: int = 0):
    """Runs the server during the block, and yields its address and its process. When asked to exit, the server must do so with this code."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        first = server.stderr.readline()
        address = re.search(r"http://\S+", first)
        if address is None:
            raise SystemExit(f"{command}: no address on stderr, but {first!r}")
        # Later output, such as a panic message, must not fill the pipe.
        rest = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
        yield address[0], server.pid
        server.send_signal(signal.SIGTERM)
        if server.wait(10) != code:
            raise SystemExit(f"{command}: exit code {server.returncode} after SIGTERM")
    finally:
        server.kill()
        server.wait()
    rest.wait(10)
