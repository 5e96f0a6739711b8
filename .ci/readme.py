"""Follows the README as a stranger would: a new package outside the workspace from its code and its dependencies.

The first Rust block with a `fn main` is src/main.rs, further ones are binaries beside it; blocks without one are fragments, which
are not built here. Of the dependencies only the runtime's is changed: it comes from this checkout. No warning is let through.
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


def blocks(readme: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)


def dependency(line: str) -> str:
    read = tomllib.loads(line)
    if RUNTIME not in read:
        return line
    asked = read[RUNTIME] if isinstance(read[RUNTIME], dict) else {}
    spec = {key: asked[key] for key in ("features", "default-features") if key in asked}
    spec["path"] = str(ROOT / RUNTIME)
    return f"{RUNTIME} = {{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in spec.items()) + " }"


def manifest(readme: str) -> str:
    lines = next((block.splitlines() for block in blocks(readme, "toml") if RUNTIME in block), None)
    if lines is None:
        sys.exit(f"README.md: no toml block names {RUNTIME}")
    lines = [dependency(line) for line in lines if line != "[dependencies]"]
    return "\n".join(['[package]\nname = "stranger"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]', *lines, ""])


def main():
    readme = (ROOT / "README.md").read_text()
    rust = blocks(readme, "rust")
    programs = [block for block in rust if re.search(r"\bfn main\b", block)]
    if not programs:
        sys.exit("README.md: no Rust block with a fn main")
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder)
        (package / "src" / "bin").mkdir(parents=True)
        (package / "Cargo.toml").write_text(manifest(readme))
        for number, program in enumerate(programs):
            (package / "src" / ("main.rs" if number == 0 else f"bin/readme_{number + 1}.rs")).write_text(program)
        if (ROOT / "Cargo.lock").exists():  # the versions that everything else was tested with
            shutil.copy(ROOT / "Cargo.lock", package)
        # Its own target folder, since other compiler flags would rebuild everything in the shared one. Run from the root, so
        # that rustup takes the toolchain from rust-toolchain.toml.
        command = ["cargo", "build", "--manifest-path", package / "Cargo.toml", "--target-dir", ROOT / "target" / "readme"]
        build = subprocess.run(command, cwd=ROOT, env=os.environ | {"RUSTFLAGS": "-Dwarnings"})
    if build.returncode:
        sys.exit("README.md: its code does not build")
    print(f"README: {len(programs)} programs built, {len(rust) - len(programs)} fragments not")


main()
