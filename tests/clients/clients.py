"""Real clients against everything_server: each lists the tools and makes every call of the expectations, in each era of the protocol that
it supports (legacy or modern), over stdio and HTTP, with the library's own endpoint and with the official SDK.

    python3 tests/clients/clients.py target/debug/examples/everything_server [few] [WORD…]

Words restrict what runs, for example `typescript-2 legacy rmcp-http`. With `few`, only the client `typescript-2` calls the official SDK.

A client is a program `CLIENT TARGET ERA ROWS`. The target is `{"url": …}` or `{"command": […]}`. The rows are a file with a list of
`{tool, arguments}`; in a row, `send` is the request's `_meta`, and `progress` requests progress reports. questions.py describes what a row
says about the questions of its tool; consecutive rows with `together` are called at the same time. The program prints lines of JSON:
`{"version"}`, `{"tools"}`, then for each row `{"row", "answer", "progress"}`, `{"row", "error": {"code", "message"}}`, `{"row", "ended"}`
if the row wants the client to give up, or `{"row", "refused"}` if the client itself refuses the response; `asked` and `closed` are the
questions that arrived, and those that were closed before they were answered. `{"unexpected"}` is a question that belongs to no row. This
script compares the lines with one table for all clients. It also records all messages and checks them separately, with the schema.json of
the version if MCP_SPEC_DIR is set.
"""

import environment

environment.in_venv()

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import questions
import wire
from matching import EXPECTATIONS, answer_errors, matches
from recorder import recorded
from serving import request, served

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
    found = questions.errors(row, line)
    if "ended" in line or "ended" in row:
        return found if row.get("ended") and "ended" in line else [*found, f"not ended, or unexpectedly: {line}"]
    return found + outcome_errors(row, line, era)


def outcome_errors(row: dict, line: dict, era: str) -> list[str]:
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


def session_errors(lines: list[dict], way: str, era: str, rows: list[dict]) -> list[str]:
    """Returns the differences between the output of a client and the expectations."""
    version = next((line["version"] for line in lines if "version" in line), None)
    found = [] if version == VERSIONS[era] else [f"negotiated {version}, not {VERSIONS[era]}"]
    # A client resumes the stream of a call that it has cancelled, and rmcp 3.9.0 sends the last event of a resumed stream again.
    known = {message for line in lines for message in line.get("closed", [])} if way == "rmcp-http" else set()
    unexpected = [line["unexpected"] for line in lines if "unexpected" in line]
    found += [f"unexpected question: {message}" for message in unexpected if message not in known]
    names = [tool["name"] for line in lines for tool in line.get("tools", [])]
    tools = {row["tool"] for row in rows if "errorCode" not in row}
    if set(names) != tools or len(names) != len(tools):
        found.append(f"missing or unexpected tools {sorted(set(names) ^ tools)}; {len(names)} tools listed")
    answered = {line["row"]: line for line in lines if "row" in line}
    for index, row in enumerate(rows):
        if row.get("exit"):
            wrong = ["the client has not exited"] if index in answered else []
        else:
            wrong = row_errors(row, answered[index], era) if index in answered else ["not called"]
        found += [f"{row['tool']} {row['arguments']}: {error}" for error in wrong]
    return found


def session(program: list[str], target: dict, way: str, era: str, folder: Path, versions: wire.Versions) -> tuple[list[str], str]:
    """Runs one client with all tools. Returns the errors, and a summary of the work."""
    rows = [{"asked": {}} | row for row in EXPECTATIONS] + questions.rows(era, way)
    # Errors go to a file: servers over stdio inherit it, and one may outlive its client by some seconds.
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file, tempfile.TemporaryFile("w+") as stderr:
        json.dump(rows, file)
        file.flush()
        command = [*program, json.dumps(target), era, file.name]
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True, timeout=120)
        stderr.seek(0)
        complaint = stderr.read().strip()
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    found = session_errors(lines, way, era, rows)
    if run.returncode:
        found.append(f"the client exited with {run.returncode}: {complaint[-2000:]}")
    if (way, era) == ("stdio", "legacy"):
        found += end_errors(folder)
    count, connections = 0, [recorded_entries(file) for file in sorted(folder.iterdir())]
    # Not every connection of a client lists the tools that it calls.
    outputs = {name: schema for entries in connections for name, schema in wire.listed_outputs(entries).items()}
    for entries in connections:
        wrong, messages = wire.errors(entries, outputs, VERSIONS[era], versions)
        found, count = found + wrong, count + messages
    if not count:
        found.append("nothing was recorded")
    tools = sum(len(line.get("tools", [])) for line in lines)
    asked = sum(len(line.get("asked", [])) for line in lines)
    calls = sum("row" in line for line in lines)
    return found, f"{tools} tools listed, {calls} calls made, {asked} questions asked, {count} messages checked"


def recorded_entries(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]


def end_errors(folder: Path) -> list[str]:
    """After the client's process has ended, the call that waits for its user must end too. The server answers it before it exits."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        entries = [entry for file in folder.iterdir() for entry in recorded_entries(file)]
        if any("the user closed the question without an answer: Delete item 22?" in json.dumps(entry) for entry in entries):
            return []
        time.sleep(0.02)
    return ["the last call was not answered after the client had ended"]


def deleted_errors(url: str) -> list[str]:
    """After all clients: the item whose question no client has answered is still there."""
    answer = request(url, "tools/call", {"name": "is_deleted", "arguments": {"id": 22}})
    return [] if answer["result"]["structuredContent"] is False else [f"the item of a client that has ended: {answer}"]


def main():
    server, words, versions = sys.argv[1], set(sys.argv[2:]), wire.Versions(os.environ.get("MCP_SPEC_DIR"))
    are_few = "few" in words
    words.discard("few")
    found, commands = [], programs()
    with tempfile.TemporaryDirectory() as folder:

        def run(way: str, name: str, era: str, target: dict, log: Path):
            if not words <= {way, name, era} or (are_few and way.startswith("rmcp") and name != "typescript-2"):
                return
            start = time.monotonic()
            wrong, done = session(commands[name], target, way, era, log, versions)
            print(f"{name}, {era}, {way}: {done}, {len(wrong)} errors ({time.monotonic() - start:.1f} s)", flush=True)
            found.extend(f"{name}, {era}, {way}: {error}" for error in wrong)

        def over_stdio(way: str, name: str, era: str):
            log = Path(tempfile.mkdtemp(dir=folder))
            command = [sys.executable, str(HERE / "recorder.py"), str(log), server, STDIO[way]]
            run(way, name, era, {"command": command}, log)

        def over_http(way: str, address: str, name: str, era: str):
            log = Path(tempfile.mkdtemp(dir=folder))
            with recorded(log, address) as url:
                run(way, name, era, {"url": url}, log)

        # A client waits most of the time: for its user, and for processes that start and end.
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda work: over_stdio(*work), [(way, *client) for client in CLIENTS for way in STDIO]))
            for way, option in HTTP.items():
                with served([server, option, "127.0.0.1:0"]) as (address, _):
                    list(pool.map(lambda client: over_http(way, address, *client), CLIENTS))
                    found += [f"{way}: {error}" for error in deleted_errors(address)]
    if versions.folder is None:
        print("MCP_SPEC_DIR is not set: no message was validated against the schemas of the protocol")
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
