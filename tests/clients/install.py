"""Installs a server in clients with `install CLIENT --write`, asks each client for its servers, and takes the entry out again.

    python3 tests/clients/install.py EXAMPLES FOLDER

EXAMPLES is the directory of the built examples. The clients are installed from npm into FOLDER, the newest of each, unless they are there.
Each runs with a home directory of its own, without an account. The others of the table `cli/install/clients.json` are not in a registry:
Claude Desktop, VS Code, Cursor, Windsurf, Zed and Goose.
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
PACKAGES = {
    "claude": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "gemini": "@google/gemini-cli",
    "opencode": "opencode-ai",
    "copilot": "@github/copilot",
    "cline": "cline",
    "mcpb": "@anthropic-ai/mcpb",
}
HOME = Path(tempfile.mkdtemp())
PROJECT = HOME / "project"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": str(HOME), "TERM": "dumb", "NO_COLOR": "1"}
# A variable and a word, to see that they arrive.
WORDS = ("--env", "NOTE=a b", "--", "serve")


def check(holds, what):
    if not holds:
        sys.exit(what)


def run(client, *words):
    """Runs a program of npm in the project, and returns what it prints."""
    command = [str(FOLDER / client / "node_modules" / ".bin" / client), *words]
    done = subprocess.run(command, cwd=PROJECT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def install(name, command="install", *words):
    done = subprocess.run([SERVER, command, name, *words], env=ENVIRONMENT, capture_output=True, text=True)
    check(done.returncode == 0 and done.stdout == "", f"{command} {name}: {done.stderr}")
    return done.stderr


def codex_tools():
    """Returns the tools that Codex has got from each server."""
    command = [str(FOLDER / "codex" / "node_modules" / ".bin" / "codex"), "app-server"]
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


def codex_list():
    tools = codex_tools()
    return f"everything: {len(tools['everything'])} tools" if "value_object" in tools.get("everything", {}) else str(tools)


# The name on our command line, how the client lists its servers, and the words that say that it has one.
CLIENTS = {
    "claude": ("claude-code", lambda: run("claude", "mcp", "list"), ("everything: ", "Connected")),
    "codex": ("codex", codex_list, ("everything: ", "tools")),
    "gemini": ("gemini-cli", lambda: run("gemini", "mcp", "list"), ("everything: ", "Connected")),
    "opencode": ("opencode", lambda: run("opencode", "mcp", "list"), ("everything", "connected")),
    "copilot": ("copilot-cli", lambda: run("copilot", "mcp", "list"), ("everything",)),
    "cline": ("cline", lambda: run("cline", "config", "mcp"), ("everything",)),
}


def test(client):
    name, listed, words = CLIENTS[client]
    told = install(name, "install", "--write", *WORDS)
    check("`everything` is now in " in told, told)
    answer = listed()
    check(all(word in answer for word in words), f"{name}: {answer}")
    check("is already in" in install(name, "install", "--write", *WORDS), f"{name}: not the same")
    check("is no longer in" in install(name, "uninstall"), f"{name}: not taken out")
    answer = listed()
    check(words[0] not in answer, f"{name}: {answer}")
    print(f"{name}: {words[-1] if len(words) > 1 else 'listed'}")


def bundle():
    """Packs a bundle with the program, lets the packer check its manifest, and starts the unpacked server as the manifest says."""
    fields = {"NAME": "everything", "VERSION": "1.0.0", "DESCRIPTION": "All.", "REPOSITORY": "https://github.com/ann/everything"}
    cargo = {f"CARGO_PKG_{name}": text for name, text in fields.items()}
    done = subprocess.run([SERVER, "package", "mcpb"], env=ENVIRONMENT | cargo, capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    folder, unpacked = PROJECT / "bundle", PROJECT / "unpacked"
    (folder / "server").mkdir(parents=True)
    (folder / "manifest.json").write_text(done.stdout)
    shutil.copy(SERVER, folder / "server")
    told = run("mcpb", "validate", "bundle/manifest.json") + run("mcpb", "pack", "bundle", "everything.mcpb")
    check("passes" in told and (PROJECT / "everything.mcpb").exists(), told)
    told = run("mcpb", "unpack", "everything.mcpb", "unpacked")
    manifest = json.loads((unpacked / "manifest.json").read_text())
    config = manifest["server"]["mcp_config"]
    command = config["command"].replace("${__dirname}", str(unpacked))
    version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "install.py", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": version},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run([command, *config.get("args", [])], env=ENVIRONMENT, input=lines, capture_output=True, text=True, timeout=60)
    answers = {answer.get("id"): answer for answer in map(json.loads, done.stdout.splitlines())}
    tools = [tool["name"] for tool in answers[2]["result"]["tools"]]
    check(tools == [tool["name"] for tool in manifest["tools"]], f"{tools}, {manifest['tools']}")
    print(f"package mcpb: packed, unpacked, started: {len(tools)} tools")


# Gemini CLI starts servers only in folders that its user trusts.
PROJECT.mkdir()
trusted = HOME / ".gemini" / "trustedFolders.json"
trusted.parent.mkdir()
trusted.write_text(json.dumps({str(PROJECT): "TRUST_FOLDER"}))
try:
    for client, package in PACKAGES.items():
        folder = FOLDER / client
        if not (folder / "node_modules" / ".bin" / client).exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text('{"private": true}')
            install_package = ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", f"{package}@latest"]
            subprocess.run(install_package, check=True)
        print(package, json.loads((folder / "node_modules" / package / "package.json").read_text())["version"])
        bundle() if client == "mcpb" else test(client)
finally:
    shutil.rmtree(HOME, ignore_errors=True)
print("the clients have the server after `install --write`, and not after `uninstall`; a bundle is valid and starts")
