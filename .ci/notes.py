"""Kills the notes server again and again while it writes, and checks that no note is lost after its response was sent.

Usage: notes.py SERVER [ROUNDS]
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SERVER, ROUNDS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8


class Client:
    def __init__(self, file):
        environment = os.environ | {"NOTES_KEY": "key", "NOTES_FILE": file}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.server = subprocess.Popen([SERVER], env=environment, text=True, **pipes)
        self.last = 0
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "killer", "version": "1"}}
        self.request("initialize", client)
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def request(self, method, params):
        """The result, or None if the server was killed."""
        self.last += 1
        try:
            self.send({"id": self.last, "method": method, "params": params})
            line = self.server.stdout.readline()
            return json.loads(line)["result"] if line.endswith("\n") else None
        except BrokenPipeError:
            return None

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": f"notes_{tool}", "arguments": arguments})


def main():
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    answered = {}
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "notes.sqlite")
        for _ in range(ROUNDS):
            client = Client(file)
            killer = threading.Timer(chance.uniform(0.05, 0.4), lambda: client.server.send_signal(signal.SIGKILL))
            killer.start()
            while True:
                title = f"note {len(answered)} {chance.random()}"
                result = client.call("create", title=title)
                if result is None:
                    break
                if result["isError"]:
                    sys.exit(f"notes: {result}")
                answered[result["structuredContent"]["id"]] = title
            killer.join()
            client.server.wait()
        client = Client(file)
        for number, title in answered.items():
            result = client.call("read", id=number)
            if result is None or result["isError"] or result["structuredContent"]["title"] != title:
                sys.exit(f"notes: note {number} is lost after its response was sent (seed {seed}): {result}")
        client.server.stdin.close()
        client.server.wait()
    if not answered:
        sys.exit("notes: no note was written before a kill")
    print(f"notes: {ROUNDS} kills, {len(answered)} notes written, 0 lost (seed {seed})")


main()
