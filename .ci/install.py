"""Puts the entries that `install` prints where they belong, and asks the clients to start the server.

    python3 .ci/install.py EXAMPLES FOLDER

EXAMPLES is the directory of the built examples. The newest Claude Code, Codex and Gemini CLI are installed from npm into FOLDER. Each
runs with a home directory of its own, without an account: it only starts the server and lists its tools. Claude Desktop, VS Code
and Cursor are not in the registries.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SERVER = str(Path(sys.argv[1]).resolve() / "everything_server")
FOLDER = Path(sys.argv[2]).resolve()
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex", "gemini": "@google/gemini-cli"}
HOME = Path(tempfile.mkdtemp())
PROJECT = HOME / "project"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": str(HOME), "TERM": "dumb"}
# A variable and a word, to see that they arrive.
WORDS = ("--env", "NOTE=a b", "--", "serve")


def check(holds, what):
    if not holds:
        sys.exit(what)


def run(client, *words):
    """Runs a client in the project, and returns what it prints."""
    command = [str(FOLDER / "node_modules" / ".bin" / client), *words]
    done = subprocess.run(command, cwd=PROJECT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def put(client, file):
    """Writes the entry for a client into a file."""
    entry = subprocess.run([SERVER, "install", client, *WORDS], capture_output=True, text=True, check=True)
    where = str(file).replace(str(HOME), "~") if PROJECT not in file.parents else str(file.relative_to(PROJECT))
    check(f" {where} (" in entry.stderr, f"{client}: {where} is not in\n{entry.stderr}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(entry.stdout)
    return where


def claude():
    file = HOME / ".claude.json"
    where = put("claude-code", file)
    told = run("claude", "mcp", "list")
    check("everything: " in told and "Connected" in told, f"{where}: {told}")
    print(f"claude-code: {where}: connected")
    # The servers of a project wait for a yes of the user, which Claude Code keeps in its own file.
    file.write_text("{}")
    where = put("claude-code", PROJECT / ".mcp.json")
    told = run("claude", "mcp", "list")
    check("everything: " in told and "Pending approval" in told, f"{where}: {told}")
    approved = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["everything"]}
    file.write_text(json.dumps({"projects": {str(PROJECT): approved}}))
    told = run("claude", "mcp", "list")
    check("everything: " in told and "Connected" in told, f"{where}: {told}")
    print(f"claude-code: {where}: connected after a yes")


def codex_tools():
    """Returns the tools that Codex has got from each server."""
    command = [str(FOLDER / "node_modules" / ".bin" / "codex"), "app-server"]
    with subprocess.Popen(
        command, cwd=PROJECT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        for message in [
            {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "install.py", "version": "1"}}},
            {"method": "initialized"},
            {"id": 2, "method": "mcpServerStatus/list", "params": {}},
        ]:
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
        messages = (json.loads(line) for line in server.stdout)
        answer = next(message for message in messages if message.get("id") == 2)
        server.kill()
    return {server["name"]: server["tools"] for server in answer["result"]["data"]}


def codex():
    file = HOME / ".codex" / "config.toml"
    where = put("codex", file)
    tools = codex_tools()
    check("value_object" in tools.get("everything", {}), f"{where}: {tools}")
    print(f"codex: {where}: {len(tools['everything'])} tools")
    file.write_text(f"[projects.{json.dumps(str(PROJECT))}]\ntrust_level = \"trusted\"\n")
    where = put("codex", PROJECT / ".codex" / "config.toml")
    told = run("codex", "mcp", "list")
    check(SERVER in told, f"{where}: {told}")
    print(f"codex: {where}: listed")


def gemini():
    trusted = HOME / ".gemini" / "trustedFolders.json"
    trusted.parent.mkdir(exist_ok=True)
    trusted.write_text(json.dumps({str(PROJECT): "TRUST_FOLDER"}))
    for file in [HOME / ".gemini" / "settings.json", PROJECT / ".gemini" / "settings.json"]:
        where = put("gemini-cli", file)
        told = run("gemini", "mcp", "list")
        check("everything: " in told and "Connected" in told, f"{where}: {told}")
        file.unlink()
        print(f"gemini-cli: {where}: connected")


FOLDER.mkdir(parents=True, exist_ok=True)
subprocess.run(
    ["npm", "install", "--prefix", FOLDER, "--no-audit", "--no-fund", "--loglevel=error", *(f"{name}@latest" for name in PACKAGES.values())],
    check=True,
)
PROJECT.mkdir()
try:
    for client, test in (("claude", claude), ("codex", codex), ("gemini", gemini)):
        package = FOLDER / "node_modules" / PACKAGES[client] / "package.json"
        print(PACKAGES[client], json.loads(package.read_text())["version"])
        test()
finally:
    shutil.rmtree(HOME, ignore_errors=True)
print("the clients start the server from the entries that `install` prints; Claude Desktop, VS Code and Cursor: not tried")
