"""Makes the same calls to the tracker of `examples/migration` before and after its move to mcp-tool, and prints every difference.

Usage: migration.py BEFORE AFTER

Each difference must have an explanation in `EXPLANATIONS`, each explanation a row in the guide `from_rmcp`, and each explanation a difference.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

GUIDE = Path(__file__).parent.parent / "mcp-tool-runtime/docs/guide/from_rmcp.md"
VERSIONS = ["2025-11-25", "2026-07-28"]
ABSENT = "absent"

# What is called, each by a new server, with the calls before it. The name of a call is unique.
CLOSE = ("close_issue", {"id": 2})
CALLS = {
    "create an issue": ("create_issue", {"title": "The chair wobbles", "priority": "low", "labels": ["chair"], "estimate": 2}),
    "create with defaults": ("create_issue", {"title": "The roof leaks"}),
    "create with null": ("create_issue", {"title": "The clock is late", "labels": None, "estimate": None}),
    "null for a default": ("create_issue", {"title": "The tap drips", "priority": None}),
    "an empty title": ("create_issue", {"title": ""}),
    "an estimate out of range": ("create_issue", {"title": "The wall is bare", "estimate": 1000}),
    "an unknown argument": ("create_issue", {"title": "The bell is loud", "label": ["bell"]}),
    "no title": ("create_issue", {}),
    "several mistakes": ("create_issue", {"title": 1, "priority": "urgent", "labels": [2]}),
    "arguments in a list": ("create_issue", ["The bell is loud"]),
    "get an issue": ("get_issue", {"id": 1}),
    "an integer as a float": ("get_issue", {"id": 1.0}),
    "an integer as a text": ("get_issue", {"id": "1"}),
    "an issue that is not there": ("get_issue", {"id": 999}),
    "list issues": ("list_issues", {}),
    "list some issues": ("list_issues", {"status": "open", "label": "door", "limit": 1}),
    "list none": ("list_issues", {"label": "nothing"}),
    "a limit that is too large": ("list_issues", {"limit": 300}),
    "close an issue": CLOSE,
    "close it again": (CLOSE, CLOSE),
    "close what is not there": ("close_issue", {"id": 999}),
    "comment": ("comment", {"id": 1, "text": "It still does."}),
    "comment on nothing": ("comment", {"id": 999, "text": "Hello?"}),
    "assign": ("assign", {"id": 1, "to": "Ada"}),
    "assign to nobody": (("assign", {"id": 1, "to": "Ada"}), ("assign", {"id": 1})),
    "rename a label": ("rename_label", {"from": "door", "to": "doors"}),
    "a mean": ("mean_estimate", {"label": "door"}),
    "a mean of nothing": ("mean_estimate", {"label": "nothing"}),
    "the last comment": (("comment", {"id": 1, "text": "Oil it."}), ("last_comment", {"id": 1})),
    "a bug in the tool": ("last_comment", {"id": 2}),
    "search": ("search", {"text": "lamp", "sort": {"by": "id"}}),
    "import": ("import_issues", {"titles": ["one", "two"]}),
    "export": ("export_issues", {}),
    "no arguments": ("export_issues", None),
    "a chart": ("chart", {}),
    "who asks": ("whoami", {}),
    "forget drafts": ("forget_drafts", {}),
    "a tool that is not there": ("close_isue", {"id": 1}),
}

SCHEMA = "^/tools/[^/]+/(in|out)putSchema"


def is_null_removed(before, after):
    return before == [after, "null"] or isinstance(before, list) and {"type": "null"} in before and after is ABSENT


# The first cell of a row in the guide, where that difference is, and a function of the two values that narrows it down. The first that fits
# explains a difference.
EXPLANATIONS = [
    ("title", "^/tools/[^/]+/(annotations/)?title$", None),
    ("lifetime of the list", "^/list/(ttlMs|cacheScope)$", None),
    ("dialect", rf"{SCHEMA}/\$schema$", lambda before, after: after is ABSENT),
    ("results that are not objects", "^/tools/list_issues/outputSchema(/type|/items|/properties|/required)?$", None),
    ("unknown arguments", "^/tools/[^/]+/inputSchema/additionalProperties$", lambda before, after: after is False),
    ("open objects", "^/tools/search/", None),
    ("formats of numbers", rf"{SCHEMA}.*/format$", lambda before, after: re.match("u?int|float|double", before)),
    ("bounds of integers", rf"{SCHEMA}.*/(minimum|maximum)$", lambda before, after: before is ABSENT),
    ("`null` for an optional argument", rf"{SCHEMA}.*/(type|anyOf)$", is_null_removed),
    ("enums", rf"{SCHEMA}.*/(priority|status)/(description|type|enum)$", None),
    ("references", rf"{SCHEMA}.*/(\$defs|\$ref)$", lambda before, after: after is ABSENT),
    ("references", "^/tools/list_issues/outputSchema/items/", lambda before, after: before is ABSENT),
    ("description of a result", "^/tools/[^/]+/outputSchema/description$", lambda before, after: before is ABSENT),
    ("`_meta` of a result", "^/calls/.*/result/_meta$", lambda before, after: before is ABSENT),
    ("`null` for an argument with a default", "^/calls/null for a default/result", None),
    ("constraints", "^/calls/(an empty title|an estimate out of range)/", None),
    ("unknown arguments", "^/calls/an unknown argument/", None),
    ("wrong arguments", "^/calls/(no title|several mistakes|an integer as a text|a limit that is too large)/result/content", None),
    ("arguments that are not an object", "^/calls/arguments in a list", None),
    ("`1.0` for an integer", "^/calls/an integer as a float/", None),
    ("`Err(ErrorData)`", "^/calls/(an issue that is not there|close what is not there)", None),
    ("results that are not objects", "^/calls/list [^/]*/result/structuredContent", None),
    ("a number that is not finite", "^/calls/a mean of nothing/", None),
    ("a panic", "^/calls/a bug in the tool", None),
    ("`()`", "^/calls/forget drafts/result/content$", None),
    ("an unknown tool", "^/calls/a tool that is not there/error/", None),
]


class Client:
    """A client over stdio, in one version of the protocol."""

    def __init__(self, command, version):
        self.version, self.last = version, 0
        # A backtrace would delay the answer after a panic.
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.server = subprocess.Popen([command], env=os.environ | {"RUST_BACKTRACE": "0"}, text=True, **pipes)
        if version < "2026":
            info = {"name": "migration", "version": "1"}
            self.request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": info})
            self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def request(self, method, params):
        """Sends a request and returns everything that comes until its answer."""
        self.last += 1
        prefix = "io.modelcontextprotocol/"
        meta = {"progressToken": "p", "com.example/user": "Ada"} if method == "tools/call" else {}
        if self.version >= "2026":
            info = {"name": "migration", "version": "1"}
            own = {"protocolVersion": self.version, "clientInfo": info, "clientCapabilities": {}}
            meta |= {prefix + key: value for key, value in own.items()}
        self.meta = {"_meta": meta} if meta else {}
        number = self.last
        self.send({"id": number, "method": method, "params": params | self.meta})
        return self.answer(number)

    def answer(self, number):
        """Everything that comes until the answer to a request. The server has not answered it when it has answered fifty later ones."""
        notifications = []
        for _ in range(50):
            self.last += 1
            self.send({"id": self.last, "method": "tools/list", "params": self.meta})
            found = None
            while line := self.server.stdout.readline():
                message = json.loads(line)
                if "method" in message:
                    notifications.append(message["params"])
                elif message["id"] == number:
                    kind = "result" if "result" in message else "error"
                    found = {kind: message[kind]} | ({"notifications": notifications} if notifications else {})
                elif message["id"] == self.last:
                    break
            if found:
                return found
        return {"no answer": True}

    def close(self):
        self.server.stdin.close()
        self.server.wait(10)


def answers(command, version):
    """All definitions, and the answer to every call."""
    client = Client(command, version)
    listed = client.request("tools/list", {})["result"]
    client.close()
    tools = {tool.pop("name"): tool for tool in listed.pop("tools")}
    found = {"list": listed, "tools": tools, "calls": {}}
    for name, calls in CALLS.items():
        client = Client(command, version)
        for tool, arguments in calls if isinstance(calls[0], tuple) else [calls]:
            params = {"name": tool} | ({} if arguments is None else {"arguments": arguments})
            found["calls"][name] = client.request("tools/call", params)
        client.close()
    return found


def differences(before, after, path=""):
    """Pairs of values that differ, each with its path. A value on one side only is paired with `ABSENT`."""
    if isinstance(before, dict) and isinstance(after, dict):
        # An error is no result, and no answer is neither.
        if path.startswith("/calls/") and path.count("/") == 2 and before.keys() != after.keys():
            yield path, before, after
            return
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key, ABSENT), after.get(key, ABSENT), f"{path}/{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, pair in enumerate(zip(before, after)):
            yield from differences(*pair, f"{path}/{index}")
    elif before != after:
        yield path, before, after


def shown(value):
    text = value if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 200 else f"{text[:200]}…"


def main():
    before, after = sys.argv[1:3]
    used, faults, count = set(), [], 0
    for version in VERSIONS:
        for path, *pair in differences(answers(before, version), answers(after, version)):
            count += 1
            fits = lambda row: re.search(row[1], path) and (row[2] is None or row[2](*pair))
            title = next((row[0] for row in EXPLANATIONS if fits(row)), None)
            used.add(title)
            print(f"{version} {path}: {shown(pair[0])} → {shown(pair[1])} [{title or 'NOT EXPLAINED'}]")
            if title is None:
                faults.append(f"not explained: {version} {path}")
    guide = GUIDE.read_text()
    titles = {title for title, _, _ in EXPLANATIONS}
    faults += [f"explained, but no such difference: {title}" for title in sorted(titles - used)]
    faults += [f"not a row of {GUIDE.name}: {title}" for title in sorted(titles) if f"\n| {title} |" not in guide]
    if faults:
        sys.exit("\n".join(["", *faults]))
    print(f"migration: {len(CALLS)} calls in {len(VERSIONS)} versions, {count} differences, {len(titles)} explanations")


main()
