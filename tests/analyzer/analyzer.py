"""Asks rust-analyzer for completions and hover in tools, both complete and half-typed ones.

    python3 tests/analyzer/analyzer.py [target directory]

The script writes a small package into the target directory, with the runtime as its only dependency. rust-analyzer builds and expands the
macros. For each source in BODIES it must complete names in the body of the tool as in any other function. For KEYS it must complete the
keys of the attributes, and for HOVERS explain them. All sources have closing brackets, because editors insert them, and because any
unclosed attribute hides the function. Without rust-analyzer the script prints a message and exits with 77, which means skipped.
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
# Resolves only if the attribute was expanded, with or without errors.
HANDLE = "\npub fn handle(_: describe) {}\n"


def function(attribute="#[mcp_tool]", doc="/// Describe a place.\n", parameters="place: Place", body="let name = place.|;"):
    return f"{doc}{attribute}\npub async fn describe({parameters}) -> usize {{\n    {body}\n    0\n}}\n{HANDLE}"


def method(attribute="#[mcp_tool]", doc="/// Describe a place.\n", parameters="place: Place", body="let name = place.|;"):
    inner = f"    {doc}    {attribute}\n    pub async fn describe(&self, {parameters}) -> usize {{\n        {body}\n        0\n    }}\n"
    return f"pub struct Atlas {{\n    pub pages: usize,\n}}\n\n#[mcp_tools]\nimpl Atlas {{\n{inner}}}\n"


# Name, source with the cursor at `|`, expected names among the completions.
PLACE = {"name", "height"}
BODIES = [
    ("a sound function", function(), PLACE),
    ("a body that ends in a dot", function(body="place.|"), PLACE),
    ("a parameter half-typed in the body", function(body="let all = pla|;"), {"place"}),
    ("a key half-typed", function("#[mcp_tool(read_on)]"), PLACE),
    ("a key without its value", function("#[mcp_tool(name = )]"), PLACE),
    ("a value half-typed", function('#[mcp_tool(title = "Desc", timeout = "5")]'), PLACE),
    ("an unknown key", function("#[mcp_tool(cached)]"), PLACE),
    ("no description", function(doc=""), PLACE),
    ("an argument of a type that cannot be read", function(parameters="place: Unreadable"), {"depth"}),
    ("an argument of a type that is not there", function(parameters="place: Place, other: Missing"), PLACE),
    ("a parameter half-typed", function(parameters="place: Place, other: "), PLACE),
    ("an unknown key of a parameter", function(parameters="#[mcp_tool(defaul)] place: Place"), PLACE),
    ("a function that is not async", function().replace("async ", ""), PLACE),
    ("a sound method", method(), PLACE),
    ("a method whose body ends in a dot", method(body="place.|"), PLACE),
    ("the object of a method", method(body="let pages = self.|;"), {"pages"}),
    ("a method with a key half-typed", method("#[mcp_tool(idem)]"), PLACE),
    ("a method without a description", method(doc=""), PLACE),
    ("a method with an argument that cannot be read", method(parameters="place: Unreadable"), {"depth"}),
]

ERROR = """#[derive(Debug, mcp_tool_runtime::IntoToolError)]
#[tool_error(KEYS)]
pub enum Failure {
    VARIANT
    Busy(u64),
}
"""
TOOL_KEYS = {
    "name", "title", "description", "read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint", "icon", "meta",
    "output", "input_schema", "output_schema", "root_union", "text", "budget", "timeout", "task", "blocking", "allow_unknown", "accept_aliases", "expose_errors", "handler",
}  # fmt: skip
PARAMETER_KEYS = {"default", "example", "header", "arguments", "context", "state", "extension"}
ERROR_KEYS = {"can_retry", "retry_after_ms", "additional_prompt_content", "developer_message", "code", "data", "internal", "transparent"}
# The same as BODIES, with the cursor in a key of an attribute. rust-analyzer only expands an attribute macro to complete its first key if
# the key has at least one letter.
KEYS = [
    ("a key half-typed", function("#[mcp_tool(o|)]"), TOOL_KEYS),
    ("a second key half-typed", function('#[mcp_tool(title = "Place", idem|)]'), {"idempotent_hint"}),
    ("a key of an icon", function("#[mcp_tool(icon(s|))]"), {"src", "sizes"}),
    ("a key of a parameter", function(parameters="#[mcp_tool(|)] place: Place"), PARAMETER_KEYS),
    ("a key of a parameter half-typed", function(parameters="#[mcp_tool(exa|)] place: Place"), {"example"}),
    ("a key of a method", method("#[mcp_tool(o|)]"), TOOL_KEYS),
    ("a key of a method's parameter", method(parameters="#[mcp_tool(|)] place: Place"), PARAMETER_KEYS),
    ("a key of a service", method().replace("#[mcp_tools]", "#[mcp_tools(p|)]"), {"prefix", "part", "parts"}),
    ("a key of an error", ERROR.replace("KEYS", "|").replace("VARIANT", ""), ERROR_KEYS),
    ("a key of a variant", ERROR.replace("#[tool_error(KEYS)]\n", "").replace("VARIANT", "#[tool_error(ret|)]"), {"retry_after_ms"}),
]
# Name, source with the cursor in a key, expected text in the hover.
HOVERS = [
    ("a key of a function", function("#[mcp_tool(read_on|ly_hint)]"), "does not change anything"),
    ("a key with a value", function('#[mcp_tool(time|out = "5s")]'), "whole number and one of"),
    ("a key of a parameter", function(parameters='#[mcp_tool(hea|der = "Region")] place: Place'), "Mcp-Param-Region"),
    ("a key of a method", method("#[mcp_tool(idem|potent_hint)]"), "Repeating a call"),
    ("a key of a service", method().replace("#[mcp_tools]", '#[mcp_tools(pre|fix = "x_")]'), "every tool of the block"),
    ("a key of an error", ERROR.replace("KEYS", "inter|nal").replace("VARIANT", ""), "Hides the message"),
]


class Server:
    """A client of a language server, over its standard input and output."""

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
                # The document changed in the meantime, so the request is repeated.
                if error and error["code"] in (-32801, -32802):
                    return self.ask(method, params, deadline)
                if error:
                    sys.exit(f"{method}: {error['message']}")
                return message["result"]

    def wait(self, deadline):
        while not self.quiet:
            self.next(deadline)

    def open(self, uri, text):
        self.uri, self.version = uri, 0
        document = {"uri": uri, "languageId": "rust", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, text):
        self.version += 1
        changed = {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", changed)

    def completions(self, cursor, deadline):
        found = self.ask("textDocument/completion", {"textDocument": {"uri": self.uri}, "position": cursor}, deadline) or []
        return {item["label"] for item in (found["items"] if isinstance(found, dict) else found)}

    def hover(self, cursor, deadline):
        found = self.ask("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": cursor}, deadline)
        return found["contents"]["value"] if found else ""


SETTINGS = {
    "checkOnSave": False,
    "cachePriming": {"enable": False},
    "cargo": {"buildScripts": {"enable": True}, "targetDir": True},
    "procMacro": {"enable": True, "attributes": {"enable": True}},
    "completion": {"autoimport": {"enable": False}, "postfix": {"enable": False}},
}


def analyzer():
    """Returns the command of a rust-analyzer that starts, or the reason why there is none."""
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
    if text.count("|") > 1:
        # The cursor is in an attribute, not in the body.
        text = text.replace("place.|", "place.name")
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
    print(f"{says}: {len(BODIES) + len(KEYS) + len(HOVERS)} questions in {time.monotonic() - started:.0f} s, {len(failed)} failed")
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
    start = {"processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": capabilities, "initializationOptions": SETTINGS}
    server.ask("initialize", start, deadline)
    server.notify("initialized", {})
    server.open((folder / "src" / "lib.rs").as_uri(), TYPES)
    server.wait(deadline)
    failed = []

    def check_completions(name, source, wanted):
        text, cursor = position(TYPES + source)
        server.change(text)
        labels = server.completions(cursor, deadline)
        if not wanted <= labels:
            failed.append(f"{name}: {sorted(wanted - labels)} not among {len(labels)} completions")
        return text.splitlines(), cursor

    for name, source, wanted in BODIES:
        lines, cursor = check_completions(name, source, wanted)
        if HANDLE.strip() in lines:
            handle = {"line": lines.index(HANDLE.strip()), "character": HANDLE.strip().index("describe") + 1}
            if "struct describe" not in server.hover(handle, deadline):
                failed.append(f"{name}: there is no handle")
        # The parameter before the cursor, or `self`.
        line = lines[cursor["line"]]
        column = max(line.rfind("place"), line.rfind("self"))
        if column < 0:
            continue
        shown = server.hover({"line": cursor["line"], "character": column + 1}, deadline)
        kind = "self" if "self" in line else "Unreadable" if "place: Unreadable" in source else "place: Place"
        if kind not in shown:
            failed.append(f"{name}: hover shows {shown[:80]!r}, not {kind!r}")
    for name, source, wanted in KEYS:
        check_completions(f"completion of {name}", source, wanted)
    for name, source, wanted in HOVERS:
        text, cursor = position(TYPES + source)
        server.change(text)
        shown = server.hover(cursor, deadline)
        if wanted not in shown:
            failed.append(f"hover of {name} shows {shown[:200]!r}, not {wanted!r}")
    return failed


if __name__ == "__main__":
    main()
