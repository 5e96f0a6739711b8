"""Follows the README as a stranger would: a new package outside the workspace from its code and its dependencies.

Each Rust block with a `fn main` is a program; blocks without one are fragments, which are not built here. A program has the dependencies
of the toml block right before it, else those of the first one. Of them only the runtime's is changed: it comes from this checkout. No
warning is let through.
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


def blocks(readme: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)


def dependency(line: str) -> str:
    read = tomllib.loads(line)
    if RUNTIME not in read:
        return line
    asked = read[RUNTIME] if isinstance(read[RUNTIME], dict) else {}
    spec = {key: asked[key] for key in ("features", "default-features") if key in asked}
    spec["path"] = str(ROOT / RUNTIME)
    return f"{RUNTIME} = {{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in spec.items()) + " }"


def manifest(name: str, toml: str) -> str:
    lines = [dependency(line) for line in toml.splitlines() if line != "[dependencies]"]
    return "\n".join([f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]', *lines, ""])


def packages(readme: str) -> dict[str, list[str]]:
    """The programs by the dependencies that they have."""
    found = blocks(readme)
    tomls = [text for language, text in found if language == "toml" and RUNTIME in text]
    if not tomls:
        sys.exit(f"README.md: no toml block names {RUNTIME}")
    programs = {}
    for (_, before), (language, text) in zip([("", ""), *found], found):
        if language == "rust" and re.search(r"\bfn main\b", text):
            programs.setdefault(before if before in tomls else tomls[0], []).append(text)
    return programs


def main():
    readme = (ROOT / "README.md").read_text()
    found = packages(readme)
    if not found:
        sys.exit("README.md: no Rust block with a fn main")
    for number, (toml, programs) in enumerate(found.items()):
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder)
            (package / "src" / "bin").mkdir(parents=True)
            (package / "Cargo.toml").write_text(manifest(f"stranger_{number + 1}", toml))
            for index, program in enumerate(programs):
                (package / "src" / ("main.rs" if index == 0 else f"bin/readme_{index + 1}.rs")).write_text(program)
            if (ROOT / "Cargo.lock").exists():  # the versions that everything else was tested with
                shutil.copy(ROOT / "Cargo.lock", package)
            # Its own target folder, since other compiler flags would rebuild everything in the shared one. Run from the root, so
            # that rustup takes the toolchain from rust-toolchain.toml.
            command = ["cargo", "build", "--manifest-path", package / "Cargo.toml", "--target-dir", ROOT / "target" / "readme"]
            build = subprocess.run(command, cwd=ROOT, env=os.environ | {"RUSTFLAGS": "-Dwarnings"})
        if build.returncode:
            sys.exit("README.md: its code does not build")
    rust = [text for language, text in blocks(readme) if language == "rust"]
    programs = sum(map(len, found.values()))
    print(f"README: {programs} programs built, {len(rust) - programs} fragments not")


main()
