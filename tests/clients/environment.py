"""Where the client checks find what they run with: installed once into target/clients/, from then on without a network."""

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "target" / "clients"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")

INSPECTOR = "2.12.0"
# The inspector wants Node 22.19; where the machine's is older, the npm registry has one as a package.
NODE, NODE_MINIMUM = "22.23.3", (22, 19)


def in_venv():
    """Starts the running script again in the virtual environment, unless it is there already."""
    venv = HOME / "venv"
    python = venv / "bin" / "python"
    if Path(sys.prefix).resolve() == venv.resolve():
        return
    if install_once(venv, REQUIREMENTS.read_text() + sys.version):
        install(sys.executable, "-m", "venv", venv)
        install(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS)
        finished(venv, REQUIREMENTS.read_text() + sys.version)
    sys.stdout.flush()
    os.execv(python, [str(python), *sys.argv])


def inspector() -> list[str]:
    """The command that starts the inspector's command line."""
    npm = HOME / "npm"
    node, wanted = shutil.which("node"), {"@modelcontextprotocol/inspector": INSPECTOR}
    if node is None or node_version(node) < NODE_MINIMUM:
        package = node_package()
        node = str(npm / "node_modules" / package / "bin" / "node")
        wanted[package] = NODE
    if install_once(npm, json.dumps(wanted)):
        npm.mkdir(parents=True)
        (npm / "package.json").write_text(json.dumps({"private": True, "dependencies": wanted}))
        # npm tells that its own Node is too old for the inspector: true, and no matter, hence only errors.
        install("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=npm)
        finished(npm, json.dumps(wanted))
    launcher = npm / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    return [node, str(launcher), "--cli"]


def node_version(node: str) -> tuple[int, ...]:
    text = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in text.strip().removeprefix("v").split("-")[0].split("."))


def node_package() -> str:
    """The npm package that carries the Node binary of this machine (`node` itself only fetches it in an install script)."""
    arch = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    system = platform.system().lower()
    return f"node-bin-{system}-{arch}" if (system, arch) == ("darwin", "arm64") else f"node-{system}-{arch}"


def install_once(folder: Path, wanted: str) -> bool:
    """Whether `folder` still has to be filled. One that holds something else, or was left half done, is removed."""
    stamp = folder / ".installed"
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    print(f"installing into {folder.relative_to(ROOT)}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    return True


def install(*command, cwd=None):
    # Standard input may be what the script has yet to read; standard output may be what somebody reads of it.
    subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)


def finished(folder: Path, wanted: str):
    (folder / ".installed").write_text(wanted)
