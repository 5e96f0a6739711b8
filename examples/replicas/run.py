"""Runs three replicas of everything_server behind nginx and kills one of them under load.

    cargo build --release -p mcp-tool-servers --example everything_server
    python3 examples/replicas/run.py target/release/examples/everything_server [SECONDS]

Sends calls over many connections, kills one replica after a third of the time and starts it again after two thirds. Prints how
many requests were sent, answered and lost. None is lost: the replicas keep no state, so each of them can answer any request.
nginx is taken from Debian's packages where the machine has none.
"""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "load"))
import debian

CONNECTIONS = 32
HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "Calculator.Add",
}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Replica:
    def __init__(self, server: str, address: str = "127.0.0.1:0"):
        self.server = server
        self.process = subprocess.Popen([server, "--http", address], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.address = re.search(r"http://([\d.:]+)", self.process.stderr.readline())[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restarted(self) -> "Replica":
        return Replica(self.server, self.address)

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Load:
    """Clients that send one call after the other. Every call has a different result, so that mixed-up responses are found."""

    def __init__(self, port: int):
        self.port, self.finished = port, threading.Event()
        self.sent, self.answered, self.lost = 0, 0, []
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.client, args=(number,)) for number in range(CONNECTIONS)]

    def client(self, number: int):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        for turn in range(sys.maxsize):
            if self.finished.is_set():
                return
            error = self.call(connection, number, turn)
            with self.lock:
                self.sent += 1
                self.answered += error is None
                self.lost += [error] if error else []

    def call(self, connection, number: int, turn: int) -> str | None:
        params = {"name": "Calculator.Add", "arguments": {"a": number, "b": turn}, "_meta": META}
        message = {"jsonrpc": "2.0", "id": turn, "method": "tools/call", "params": params}
        try:
            connection.request("POST", "/mcp", json.dumps(message), HEADERS)
            reply = connection.getresponse()
            text = reply.read().decode()
            answer = json.loads(text)
            correct = answer["id"] == turn and answer["result"]["structuredContent"] == number + turn
            return None if correct else f"wrong response: {text}"
        except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
            connection.close()
            return repr(error)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.finished.set()
        for thread in self.threads:
            thread.join()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def balancer(folder: Path, replicas: list[Replica], port: int) -> subprocess.Popen:
    text = (HERE / "nginx.conf").read_text().replace("PORT;", f"{port};")
    for number, replica in enumerate(replicas, 1):
        text = text.replace(f"REPLICA_{number}", replica.address)
    (folder / "nginx.conf").write_text(text)
    nginx, environment = debian.program("nginx")
    command = [nginx, "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
    for _ in range(100):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return process
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nginx is not ready: {(folder / 'error.log').read_text()}")


def main():
    server, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 9
    replicas = [Replica(server) for _ in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        nginx = balancer(Path(folder), replicas, port)
        try:
            with Load(port) as load:
                time.sleep(seconds / 3)
                before = load.answered
                replicas[1].kill()
                time.sleep(seconds / 3)
                during = load.answered - before
                replicas[1] = replicas[1].restarted()
                time.sleep(seconds / 3)
        finally:
            nginx.send_signal(signal.SIGQUIT)
            nginx.wait(10)
            for replica in replicas:
                replica.stop()
    print(f"replicas: {load.sent} requests sent, {load.answered} answered, {len(load.lost)} lost; {during} of them while a replica was down")
    print(*load.lost[:20], sep="\n", end="\n" if load.lost else "")
    sys.exit(bool(load.lost) or not during)


main()
