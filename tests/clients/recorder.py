"""A proxy between a client and a server that records every message and passes its bytes on unchanged.

Over stdio the client starts it with the command `recorder.py FOLDER SERVER [ARGUMENT…]`. Over HTTP it is a server, `recorded(folder, url)`.
Each line of a file in the folder is `{"from": "client" or "server", "message": …}`, in the order of arrival. Each process or recorder
writes its own file.
"""

import contextlib
import http.client
import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit


class Log:
    def __init__(self, folder: Path):
        self.file = (folder / f"{os.getpid()}-{id(self)}.jsonl").open("w")
        self.lock = threading.Lock()

    def write(self, sender: str, text: bytes):
        if not text.strip():
            return
        try:
            message = json.loads(text)
        except ValueError:
            message = {"unreadable": text.decode(errors="replace")}
        with self.lock:
            self.file.write(json.dumps({"from": sender, "message": message}) + "\n")
            self.file.flush()


def messages(body: bytes, content_type: str):
    """Returns the messages of an HTTP body: one document, or the data of events."""
    if not content_type.startswith("text/event-stream"):
        return [body]
    lines = body.splitlines()
    return [line.removeprefix(b"data:").strip() for line in lines if line.startswith(b"data:")]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Sends head and body in one packet, because a second packet would wait until the first is acknowledged.
    wbufsize = -1
    disable_nagle_algorithm = True

    def relay(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.log.write("client", body)
        upstream = http.client.HTTPConnection(self.server.upstream.netloc)
        with contextlib.closing(upstream), contextlib.suppress(BrokenPipeError, ConnectionResetError):
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
            upstream.request(self.command, self.server.upstream.path, body or None, headers)
            reply = upstream.getresponse()
            self.send_response(reply.status)
            for name, value in reply.getheaders():
                if name.lower() not in ("connection", "content-length", "transfer-encoding", "date", "server"):
                    self.send_header(name, value)
            self.pass_on(reply)

    def pass_on(self, reply):
        content_type = reply.getheader("content-type", "")
        if content_type.startswith("text/event-stream"):
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.wfile.flush()
            # Relays line by line, so that an event is passed on as soon as it arrives.
            for line in iter(reply.readline, b""):
                for message in messages(line, content_type):
                    self.server.log.write("server", message)
                self.wfile.write(b"%x\r\n%b\r\n" % (len(line), line))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
            return
        body = reply.read()
        # A body that is not JSON is a refusal without a protocol message.
        if content_type.startswith("application/json"):
            self.server.log.write("server", body)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = relay

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    # Clients make many calls at the same time. The default, 5, resets some of their connections.
    request_queue_size = 128

    def handle_error(self, *_):
        """Ignores connections that the client or the server closed."""


@contextlib.contextmanager
def recorded(folder: Path, url: str):
    """Yields the address of a proxy for `url` that records all messages."""
    server = Server(("127.0.0.1", 0), Handler)
    server.upstream, server.log = urlsplit(url), Log(folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{server.upstream.path}"
    finally:
        server.shutdown()
        server.server_close()


def relay_stdio(folder: Path, command: list[str]) -> int:
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    log = Log(folder)

    def relay(sender: str, source, sink):
        with contextlib.suppress(ValueError):
            for line in source:
                log.write(sender, line)
                # What the server says after its client has gone is recorded too.
                with contextlib.suppress(BrokenPipeError):
                    sink.write(line)
                    sink.flush()
        with contextlib.suppress(BrokenPipeError):
            sink.close()

    threading.Thread(target=relay, args=("client", sys.stdin.buffer, server.stdin), daemon=True).start()
    relay("server", server.stdout, sys.stdout.buffer)
    return server.wait()


if __name__ == "__main__":
    # The thread that reads standard input may still be blocked, so exit without joining it.
    os._exit(relay_stdio(Path(sys.argv[1]), sys.argv[2:]))
