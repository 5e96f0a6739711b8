"""Real clients against everything_server: each lists the tools and makes every call of the expectations, in each era of the protocol that
it supports (legacy or modern), over stdio and HTTP, with the library's own endpoint and with the official SDK.

    python3 tests/clients/clients.py target/debug/examples/everything_server

A client is a program `CLIENT TARGET ERA ROWS`. The target is `{"url": …}` or `{"command": […]}`. The rows are a file with a list of
`{tool, arguments}`; in a row, `send` is the request's `_meta`, and `progress` requests progress reports. The program prints lines of JSON:
`{"version"}`, `{"tools"}`, then for each row `{"row", "answer", "progress"}`, `{"row", "error": {"code", "message"}}`, or
`{"row", "refused"}` if the client itself refuses the response. This script compares the lines with one table for all clients. It also
records all messages and checks them separately, with the schema.json of the version if MCP_SPEC_DIR is set.
"""

import environment

environment.in_venv()

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import wire
from matching import EXPECTATIONS, TOOLS, answer_errors, matches
from recorder import recorded
from serving import served

HERE = Path(__file__).parent
VERSIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
CLIENTS = [("python", "legacy"), ("python", "modern"), ("typescript-1", "legacy"), ("typescript-2", "legacy"), ("typescript-2", "modern")]
STDIO = {"stdio": "--stdio", "rmcp-stdio": "--rmcp-stdio"}
HTTP = {"http": "--http", "rmcp-http": "--rmcp-http"}


def programs() -> dict[str, list[str]]:
    """Returns the command of each client. Node.js looks for modules beside a file, so the files are copied to the folder with the packages."""
    home = environment.node_modules().parent
    for file in HERE.glob("*.mjs"):
        (home / file.name).write_text(file.read_text())
    node = environment.node()
    return {
        "python": [sys.executable, str(HERE / "client.py")],
        "typescript-1": [node, str(home / "client_v1.mjs")],
        "typescript-2": [node, str(home / "client_v2.mjs")],
    }


def row_errors(row: dict, line: dict, era: str) -> list[str]:
    if "refused" in line:
        return [f"the client refuses the result: {line['refused']}"]
    if "error" in line:
        code, message = line["error"]["code"], line["error"]["message"]
        expected = row.get("errorCode") == code and matches(row["text"], [message])
        return [] if expected else [f"JSON-RPC error {code}: {message}"]
    if "errorCode" in row:
        return [f"no error {row['errorCode']}, but {line['answer']}"]
    found = answer_errors(row, line["answer"], era)
    if "progress" in row and line["progress"] != row["progress"]:
        found.append(f"progress is {line['progress']}")
    return found


def session_errors(lines: list[dict], era: str) -> list[str]:
    """Returns the differences between the output of a client and the expectations."""
    version = next((line["version"] for line in lines if "version" in line), None)
    found = [] if version == VERSIONS[era] else [f"negotiated {version}, not {VERSIONS[era]}"]
    names = [tool["name"] for line in lines for tool in line.get("tools", [])]
    if set(names) != TOOLS or len(names) != len(TOOLS):
        found.append(f"missing or unexpected tools {sorted(set(names) ^ TOOLS)}; {len(names)} tools listed")
    answered = {line["row"]: line for line in lines if "row" in line}
    for index, row in enumerate(EXPECTATIONS):
        wrong = row_errors(row, answered[index], era) if index in answered else ["not called"]
        found += [f"{row['tool']} {row['arguments']}: {error}" for error in wrong]
    return found


def session(program: list[str], target: dict, era: str, rows: Path, folder: Path, versions: wire.Versions) -> tuple[list[str], str]:
    """Runs one client with all tools. Returns the errors, and a summary of the work."""
    run = subprocess.run([*program, json.dumps(target), era, str(rows)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    found = session_errors(lines, era)
    if run.returncode:
        found.append(f"the client exited with {run.returncode}: {run.stderr.strip()[-2000:]}")
    count = 0
    for file in sorted(folder.iterdir()):
        entries = [json.loads(line) for line in file.read_text().splitlines()]
        wrong, messages = wire.errors(entries, VERSIONS[era], versions)
        found, count = found + wrong, count + messages
    if not count:
        found.append("nothing was recorded")
    tools = sum(len(line.get("tools", [])) for line in lines)
    return found, f"{tools} tools listed, {sum('row' in line for line in lines)} calls made, {count} messages checked"


def main():
    server, versions = sys.argv[1], wire.Versions(os.environ.get("MCP_SPEC_DIR"))
    found, commands = [], programs()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.json"
        rows.write_text(json.dumps(EXPECTATIONS))

        def run(way: str, name: str, era: str, target: dict, log: Path):
            start = time.monotonic()
            wrong, done = session(commands[name], target, era, rows, log, versions)
            print(f"{name}, {era}, {way}: {done}, {len(wrong)} errors ({time.monotonic() - start:.1f} s)", flush=True)
            found.extend(f"{name}, {era}, {way}: {error}" for error in wrong)

        for name, era in CLIENTS:
            for way, option in STDIO.items():
                log = Path(tempfile.mkdtemp(dir=folder))
                command = [sys.executable, str(HERE / "recorder.py"), str(log), server, option]
                run(way, name, era, {"command": command}, log)
        for way, option in HTTP.items():
            with served([server, option, "127.0.0.1:0"]) as (address, _):
                for name, era in CLIENTS:
                    log = Path(tempfile.mkdtemp(dir=folder))
                    with recorded(log, address) as url:
                        run(way, name, era, {"url": url}, log)
    if versions.folder is None:
        print("MCP_SPEC_DIR is not set: no message was validated against the schemas of the protocol")
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
