"""Starts a server over HTTP, and stops it as a process manager does."""

import contextlib
import re
import signal
import subprocess


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
