"""Asks rust-analyzer for completions and hover inside tools, in a sound state and in states as they are while somebody types.

    python3 tests/analyzer/analyzer.py [target directory]

A small package is written into the target directory, with the runtime as its one dependency; the server builds the macros and
expands them. In every state the body of the tool has to answer like that of any other function. (Brackets are closed in each:
an attribute that is left open takes the function in, whatever the attribute is, and editors close brackets.) Without a
rust-analyzer the script says so and exits with 77, which means skipped.
"""

import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 600
TYPES = """use mcp_tool_runtime::{mcp_tool, mcp_tools, schemars, serde};

/// A place on earth.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_tool_runtime::serde")]
#[schemars(crate = "mcp_tool_runtime::schemars")]
pub struct Place {
    /// Its name.
    pub name: String,
    pub height: f64,
}

pub struct Unreadable {
    pub depth: u8,
}

"""
# Only there when the attribute has been expanded, with or without mistakes.
HANDLE = "\npub fn handle(_: describe) {}\n"


def function(attribute="#[mcp_tool]", doc="/// Describe a place.\n", parameters="place: Place", body="let name = place.|;"):
    return f"{doc}{attribute}\npub async fn describe({parameters}) -> usize {{\n    {body}\n    0\n}}\n{HANDLE}"


def method(attribute="#[mcp_tool]", doc="/// Describe a place.\n", parameters="place: Place", body="let name = place.|;"):
    inner = f"    {doc}    {attribute}\n    pub async fn describe(&self, {parameters}) -> usize {{\n        {body}\n        0\n    }}\n"
    return f"pub struct Atlas {{\n    pub pages: usize,\n}}\n\n#[mcp_tools]\nimpl Atlas {{\n{inner}}}\n"


# Name, source with `|` where the cursor is, names that must be among the completions there.
PLACE = {"name", "height"}
STATES = [
    ("a sound function", function(), PLACE),
    ("a body that ends in a dot", function(body="place.|"), PLACE),
    ("a parameter half typed in the body", function(body="let all = pla|;"), {"place"}),
    ("a key half typed", function("#[mcp_tool(read_on)]"), PLACE),
    ("a key without its value", function("#[mcp_tool(name = )]"), PLACE),
    ("a value half typed", function('#[mcp_tool(title = "Desc", timeout = "5")]'), PLACE),
    ("an unknown key", function("#[mcp_tool(cached)]"), PLACE),
    ("no description", function(doc=""), PLACE),
    ("an argument of a type that cannot be read", function(parameters="place: Unreadable"), {"depth"}),
    ("an argument of a type that is not there", function(parameters="place: Place, other: Missing"), PLACE),
    ("a parameter half typed", function(parameters="place: Place, other: "), PLACE),
    ("an unknown key of a parameter", function(parameters="#[mcp_tool(defaul)] place: Place"), PLACE),
    ("a function that is not async", function().replace("async ", ""), PLACE),
    ("a sound method", method(), PLACE),
    ("a method whose body ends in a dot", method(body="place.|"), PLACE),
    ("the object of a method", method(body="let pages = self.|;"), {"pages"}),
    ("a method with a key half typed", method("#[mcp_tool(idem)]"), PLACE),
    ("a method without a description", method(doc=""), PLACE),
    ("a method with an argument that cannot be read", method(parameters="place: Unreadable"), {"depth"}),
]


class Server:
    """A language server over its standard streams."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.messages = queue.Queue()
        self.ids = 0
        self.quiet = False
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(stream.read(length)))

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def next(self, deadline):
        message = self.messages.get(timeout=max(0.1, deadline - time.monotonic()))
        if message is None:
            sys.exit("rust-analyzer has ended")
        if message.get("method") == "experimental/serverStatus":
            self.quiet = message["params"]["quiescent"]
            if message["params"]["health"] == "error":
                sys.exit(f"rust-analyzer cannot read the package: {message['params'].get('message')}")
        elif "method" in message and "id" in message:
            settings = [SETTINGS for _ in message.get("params", {}).get("items", [])]
            self.send({"id": message["id"], "result": settings or None})
        return message

    def ask(self, method, params, deadline):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        while True:
            message = self.next(deadline)
            if message.get("id") == self.ids and "method" not in message:
                error = message.get("error")
                # What was asked has changed meanwhile: ask again.
                if error and error["code"] in (-32801, -32802):
                    return self.ask(method, params, deadline)
                if error:
                    sys.exit(f"{method}: {error['message']}")
                return message["result"]

    def wait(self, deadline):
        while not self.quiet:
            self.next(deadline)


SETTINGS = {
    "checkOnSave": False,
    "cachePriming": {"enable": False},
    "cargo": {"buildScripts": {"enable": True}, "targetDir": True},
    "procMacro": {"enable": True, "attributes": {"enable": True}},
    "completion": {"autoimport": {"enable": False}, "postfix": {"enable": False}},
}


def analyzer():
    """The command of a server that starts, or why there is none."""
    command = shutil.which("rust-analyzer")
    if command is None:
        return None, "no rust-analyzer"
    for attempt in range(2):
        found = subprocess.run([command, "--version"], cwd=ROOT, capture_output=True, text=True)
        if found.returncode == 0:
            return command, found.stdout.strip()
        if attempt == 0 and shutil.which("rustup"):
            try:
                add = ["rustup", "component", "add", "rust-analyzer"]
                subprocess.run(add, cwd=ROOT, capture_output=True, timeout=120, check=False)
            except subprocess.TimeoutExpired:
                break
    return None, "no rust-analyzer in the toolchain, and it cannot be added"


def position(text):
    before, after = text.split("|")
    return before + after, {"line": before.count("\n"), "character": len(before.rsplit("\n", 1)[-1])}


def package(target):
    folder = target / "analyzer"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    runtime = json.dumps(str(ROOT / "mcp-tool-runtime"))
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "analyzed"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
        f"[dependencies]\nmcp-tool-runtime = {{ path = {runtime}, default-features = false }}\n"
    )
    shutil.copy(ROOT / "Cargo.lock", folder / "Cargo.lock")
    (folder / "src" / "lib.rs").write_text(TYPES)
    return folder


def main():
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    command, says = analyzer()
    if command is None:
        print(says)
        sys.exit(77)
    started = time.monotonic()
    deadline = started + LIMIT
    folder = package(target)
    server = Server([command], folder)
    try:
        failed = run(server, folder, deadline)
    finally:
        server.process.kill()
        server.process.wait()
    print(f"{says}: {len(STATES)} states in {time.monotonic() - started:.0f} s, {len(failed)} failed")
    for line in failed:
        print(f"  {line}")
    sys.exit(bool(failed))


def run(server, folder, deadline):
    item = {"properties": ["documentation"]}
    capabilities = {
        "textDocument": {"completion": {"completionItem": {"resolveSupport": item}}, "hover": {"contentFormat": ["plaintext"]}},
        "workspace": {"configuration": True},
        "experimental": {"serverStatusNotification": True},
    }
    uri = (folder / "src" / "lib.rs").as_uri()
    start = {"processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": capabilities, "initializationOptions": SETTINGS}
    server.ask("initialize", start, deadline)
    server.notify("initialized", {})
    document = {"uri": uri, "languageId": "rust", "version": 0, "text": TYPES}
    server.notify("textDocument/didOpen", {"textDocument": document})
    server.wait(deadline)
    failed = []
    for version, (name, source, wanted) in enumerate(STATES, 1):
        text, cursor = position(TYPES + source)
        changed = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        server.notify("textDocument/didChange", changed)
        at = {"textDocument": {"uri": uri}, "position": cursor}
        found = server.ask("textDocument/completion", at, deadline) or []
        items = found["items"] if isinstance(found, dict) else found
        labels = {item["label"] for item in items}
        if not wanted <= labels:
            failed.append(f"{name}: {sorted(wanted - labels)} not among {len(labels)} completions")
        lines = text.splitlines()
        if HANDLE.strip() in lines:
            handle = {"line": lines.index(HANDLE.strip()), "character": HANDLE.strip().index("describe") + 1}
            hover = server.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": handle}, deadline)
            if "struct describe" not in (hover["contents"]["value"] if hover else ""):
                failed.append(f"{name}: there is no handle")
        # The parameter before the cursor, or `self`.
        word = lines[cursor["line"]]
        column = max(word.rfind("place"), word.rfind("self"))
        if column < 0:
            continue
        at = {"textDocument": {"uri": uri}, "position": {"line": cursor["line"], "character": column + 1}}
        hover = server.ask("textDocument/hover", at, deadline)
        shown = hover["contents"]["value"] if hover else ""
        kind = "self" if "self" in word else "Unreadable" if "place: Unreadable" in source else "place: Place"
        if kind not in shown:
            failed.append(f"{name}: hover shows {shown[:80]!r}, not {kind!r}")
    return failed


if __name__ == "__main__":
    main()
