"""Follows the README and the guides like a new user, word by word.

    python3 .ci/readme.py [apart] README      builds the programs of the README, and asks the first one
    python3 .ci/readme.py [apart] guides      checks the programs of the guides, and runs the tests in them

A Rust block with a `fn main` is a program. It gets the dependencies of the last toml block before it, or else of the first one after it. They must be
complete: the only change is that the runtime comes from this checkout. Warnings are errors. Blocks without a `fn main` are left to the doc tests.

With `apart`, each set of dependencies is an empty package outside the workspace, and the commands of the README are run. That builds the same crates
again and again, with other features. Without it, the programs are one more member of a copy of the workspace, where those crates are built already.
There a program may use the features that others ask for, but no crate that it does not name.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = "mcp-tool-runtime"
GUIDES = ROOT / RUNTIME / "docs" / "guide"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
IS_APART = sys.argv[1:2] == ["apart"]
# What the copy of the workspace links to.
MEMBERS = ["mcp-tool-macros", "mcp-tool-schema", RUNTIME, "tests", "examples"]
# cargo gives the crates the features that `tests` and `lints` have built them with if the same packages, one of them with its dependencies for
# tests, and the same features are selected.
SELECTED = {
    "build": ["--workspace", "--bins", "--example", "quickstart"],
    "check": ["--workspace", "--bins", "--example", "quickstart", "--all-features"],
    "test": ["--workspace", "--bins"],
}
# The commands that the README promises to someone with a fresh checkout, within its first lines.
COMMANDS = ["cargo run --example quickstart", "cargo test --workspace"]
WITHIN = 60
# The programs have no contract yet: their tests write one.
ENVIRONMENT = {"MCP_TOOL_CONTRACT": "write"}


def blocks(text: str) -> list[tuple[str, str]]:
    """The language and the text of each fenced block; lines that rustdoc hides lose their mark."""
    found = re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(language, re.sub(r"^#( |$)", "", body, flags=re.MULTILINE) if language == "rust" else body) for language, body in found]


def local(toml: str, home: Path) -> str:
    """The dependencies, with the runtime from this folder."""
    lines = []
    for line in toml.splitlines():
        read = tomllib.loads(line) if line.startswith(RUNTIME) else {}
        if RUNTIME in read:
            asked = read[RUNTIME] if isinstance(read[RUNTIME], dict) else {}
            spec = {key: asked[key] for key in ("features", "default-features") if key in asked}
            spec["path"] = str(home / RUNTIME)
            line = f"{RUNTIME} = {{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in spec.items()) + " }"
        lines.append(line)
    return "\n".join(lines)


def dependencies(toml: str) -> list[tuple[str, dict]]:
    tables = tomllib.loads(toml)
    found = [*tables.get("dependencies", {}).items(), *tables.get("dev-dependencies", {}).items()]
    return [(name, {"version": asked} if isinstance(asked, str) else asked) for name, asked in found]


def joined(tomls: list[str]) -> str:
    """One list with all dependencies and all features."""
    together = {}
    for name, asked in (dependency for toml in tomls for dependency in dependencies(toml)):
        known = together.setdefault(name, asked | {"features": [], "default-features": False})
        known["features"] = sorted({*known["features"], *asked.get("features", [])})
        known["default-features"] |= asked.get("default-features", True)
    lines = (f"{name} = {{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in asked.items()) + " }" for name, asked in together.items())
    return "\n".join(["[dependencies]", *lines])


def programs(page: Path) -> dict[str, list[str]]:
    """The programs of a page by their dependencies."""
    found, read = {}, blocks(page.read_text())
    # Programs before the first toml block take that one.
    toml = next((body for language, body in read if language == "toml" and RUNTIME in body), None)
    if toml is None:
        sys.exit(f"{page.name}: no toml block")
    for language, body in read:
        if language == "toml" and RUNTIME in body:
            toml = body
        elif language == "rust" and re.search(r"\bfn main\b", body):
            found.setdefault(toml, []).append(body)
    if not found:
        sys.exit(f"{page.name}: no program with a fn main")
    return found


def cargo(command: str, page: Path, toml: str, bodies: list[str]):
    """Writes the package of some programs, and runs a command of cargo on it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stranger" / "src" / "bin").mkdir(parents=True)
        lock, selected, home = folder / "stranger", [], ROOT
        if not IS_APART:
            lock, selected, home = folder, SELECTED[command], folder
            for member in MEMBERS:
                (folder / member).symlink_to(ROOT / member)
            workspace = (ROOT / "Cargo.toml").read_text().replace("members = [", 'members = ["stranger", ', 1)
            (folder / "Cargo.toml").write_text(workspace)
        shutil.copy(ROOT / "Cargo.lock", lock)  # the versions that everything else was tested with
        manifest = folder / "stranger" / "Cargo.toml"
        manifest.write_text(f'[package]\nname = "stranger"\nversion = "0.1.0"\nedition = "2024"\n\n{local(toml, home)}\n\n[lints.rust]\nwarnings = "deny"\n')
        for number, body in enumerate(bodies):
            (manifest.parent / "src" / ("main.rs" if number == 0 else f"bin/program_{number + 1}.rs")).write_text(body)
        # Run from the root, so that rustup takes the toolchain from rust-toolchain.toml.
        line = ["cargo", command, *selected, "--quiet", "--manifest-path", manifest, "--target-dir", TARGET]
        if subprocess.run(line, cwd=ROOT, env=os.environ | ENVIRONMENT).returncode:
            sys.exit(f"{page.name}: `cargo {command}` fails for a program")


def ask(server: Path):
    """The README's first program is a server; one call must be answered."""
    version = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"name": "split_bill", "arguments": {"total": 1250, "guests": 3}, "_meta": version}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    done = subprocess.run([server], input=json.dumps(message) + "\n", capture_output=True, text=True, timeout=60)
    try:
        value = json.loads(done.stdout)["result"]["structuredContent"]
    except (ValueError, KeyError):
        value = None
    if done.returncode or value != 417:
        sys.exit(f"README.md: its server answers {done.stdout!r} to {message}\n{done.stderr}")


def readme():
    page = ROOT / "README.md"
    first = "\n".join(page.read_text().splitlines()[:WITHIN])
    for command in COMMANDS:
        if not re.search(rf"^{re.escape(command)}\b", first, re.MULTILINE):
            sys.exit(f"README.md: `{command}` is not in its first {WITHIN} lines")
    count = 0
    for toml, bodies in programs(page).items():
        cargo("build", page, toml, bodies)
        if count == 0:
            ask(TARGET / "debug" / "stranger")
        count += len(bodies)
    # The tests themselves are another stage.
    for command in (COMMANDS[0] + " --quiet", COMMANDS[1] + " --no-run --quiet") if IS_APART else ():
        if subprocess.run(command.split(), cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"README.md: `{command}` fails")
    print(f"README: {count} programs built, one of them asked")


def guides():
    """Checks a package for all programs with the same dependencies, whatever pages they are on, or one for all programs."""
    together, count = {}, 0
    pages = sorted(GUIDES.glob("*.md"))
    for page in pages:
        for toml, bodies in programs(page).items():
            together.setdefault(toml, (page, []))[1].extend(bodies)
            count += len(bodies)
    packages = [(page, toml, bodies) for toml, (page, bodies) in together.items()]
    crates = {name.replace("-", "_") for toml in together for name, _ in dependencies(toml)}
    for page, toml, bodies in packages:
        named = {name.replace("-", "_") for name, _ in dependencies(toml)}
        for missing in crates - named:
            # Not if it comes from another crate: `use mcp_tool_runtime::{json, serde_json};`.
            others = [body for body in bodies if not re.search(rf"\buse [^;]*[{{:,]\s*{missing}\b", body)]
            if any(re.search(rf"(?<![\w:]){missing}::", body) for body in others):
                sys.exit(f"{page.name}: the dependencies of a program lack {missing}")
    one = (pages[0], joined(list(together)), [body for _, _, bodies in packages for body in bodies])
    for page, toml, bodies in packages if IS_APART else [one]:
        cargo("check", page, toml, bodies)
    for page, toml, bodies in packages:
        for body in bodies:
            if "#[test]" in body:
                cargo("test", page, toml, [body])
    print(f"guides: {count} programs on {len(pages)} pages checked, with {len(together)} sets of dependencies in {len(packages) if IS_APART else 1} packages")


match sys.argv[1 + IS_APART :]:
    case ["README"]:
        readme()
    case ["guides"]:
        guides()
    case _:
        sys.exit(__doc__)
