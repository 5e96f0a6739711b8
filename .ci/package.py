"""Packs the crates as `cargo publish` does, and builds and tests what is in the packages.

python3 .ci/package.py

Packs every member of the workspace, checks the contents of the published packages, and unpacks them outside the repository. The unit tests of
the macros run there, and the runtime is checked with the packed macros and the packed engine. Its doc tests are those of the workspace, so only the pages
that they are in must be in the package.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]
# What cargo adds to every package.
CARGO = {".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"}
PUBLISHED = {
    "mcp-tool-macros": CARGO | {"README.md", "src", *LICENCES},
    "mcp-tool-schema": CARGO | {"README.md", "src", *LICENCES},
    "mcp-tool-runtime": CARGO | {"README.md", "docs", "src", *LICENCES},
}
METADATA = ["description", "documentation", "repository", "readme", "license", "rust_version", "keywords", "categories"]
# crates.io refuses packages above 10 MiB; a source package of this size is no burden on anybody.
MOST_BYTES = 768 * 1024


def cargo(*arguments: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    command = ["cargo", *arguments]
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **(env or {})}, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}failed: {' '.join(command)}")
    return done.stdout


def check_contents(name: str, directory: Path) -> list[str]:
    """What is missing from a package, or should not be in it."""
    found = {path.name for path in directory.iterdir()}
    problems = [f"contains {extra}" for extra in sorted(found - PUBLISHED[name])]
    problems += [f"lacks {missing}" for missing in sorted(PUBLISHED[name] - found)]
    problems += [
        f"{licence} differs from the one at the root of the repository"
        for licence in LICENCES
        if licence in found and (directory / licence).read_bytes() != (ROOT / licence).read_bytes()
    ]
    for source in directory.rglob("src/**/*.rs"):
        for path in re.findall(r'include_str!\("([^"…]+)"\)', source.read_text()):
            if not (source.parent / path).is_file():
                problems.append(f"lacks {path}, which {source.relative_to(directory)} includes")
    if "README.md" in found:
        # crates.io shows this page, and would resolve the link inside the folder of the crate.
        text = re.sub(r"^```.*?^```", "", (directory / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)", text, flags=re.MULTILINE):
            link = target[0] or target[1]
            if not re.match(r"https://|#", link) and link not in found:
                problems.append(f"README.md: the link {link} leads nowhere on crates.io; write an absolute one")
    return problems


def main() -> None:
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--no-deps", "--locked"))
    packages = {package["name"]: package for package in metadata["packages"]}
    target = Path(metadata["target_directory"])
    cargo("package", "--workspace", "--locked", "--no-verify", "--allow-dirty", "--quiet")

    problems = []
    for name, package in packages.items():
        if package["publish"] is None and name not in PUBLISHED:
            problems.append(f"{name}: would be published; set `publish = false`")
    with tempfile.TemporaryDirectory() as temporary:
        unpacked = {}
        for name in PUBLISHED:
            package = packages[name]
            problems += [f"{name}: Cargo.toml has no `{key}`" for key in METADATA if not package[key]]
            packed = target / "package" / f"{name}-{package['version']}.crate"
            if packed.stat().st_size > MOST_BYTES:
                problems.append(f"{name}: the package has {packed.stat().st_size} bytes, more than {MOST_BYTES}")
            with tarfile.open(packed) as archive:
                archive.extractall(temporary, filter="data")
            unpacked[name] = Path(temporary) / f"{name}-{package['version']}"
            # An archive has fixed times, so cargo would take what an earlier run has built for up to date.
            for path in unpacked[name].rglob("*.rs"):
                path.touch()
            problems += [f"{name}: {problem}" for problem in check_contents(name, unpacked[name])]
            print(f"{name}: {packed.stat().st_size // 1024} KiB packed")
        if problems:
            sys.exit("\n".join(problems))

        # The dependencies are those that the workspace has built. The toolchain is its own too: rust-toolchain.toml is not in a package.
        toolchain = re.search(r'^channel = "(.+)"', (ROOT / "rust-toolchain.toml").read_text(), re.MULTILINE)[1]
        env = {"CARGO_TARGET_DIR": str(target), "RUSTUP_TOOLCHAIN": toolchain}
        patches = []
        for name in ["mcp-tool-macros", "mcp-tool-schema"]:
            patches += ["--config", f"patch.crates-io.{name}.path={json.dumps(str(unpacked[name]))}"]
        cargo("check", "--quiet", *patches, cwd=unpacked["mcp-tool-runtime"], env=env)
        output = cargo("test", "--quiet", cwd=unpacked["mcp-tool-macros"], env=env)
        if not re.search(r"[1-9]\d* passed", output):
            sys.exit(f"no test ran in the package of the macros:\n{output}")


main()
