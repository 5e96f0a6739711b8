"""Starts everything_server over HTTP, and ends it as a process manager does."""

import contextlib
import re
import signal
import subprocess


@contextlib.contextmanager
def served(command: list[str]):
    """Runs the server for as long as the block does; gives its address and its process. It must end by itself when it is asked to."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        first = server.stderr.readline()
        address = re.search(r"http://\S+", first)
        if address is None:
            raise SystemExit(f"{command}: no address on stderr, but {first!r}")
        # What it writes later, a panic say, must not fill the pipe.
        rest = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
        yield address[0], server.pid
        server.send_signal(signal.SIGTERM)
        if server.wait(10) != 0:
            raise SystemExit(f"{command}: exit code {server.returncode} after SIGTERM")
    finally:
        server.kill()
        server.wait()
    rest.wait(10)
