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
HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements.txt"

# What the checks written in JavaScript are run with, and a Node that is new enough for them.
PACKAGES = [HERE / name for name in ("package.json", "package-lock.json")]
NODE_MINIMUM = (22, 19)


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


def node_modules() -> Path:
    """The folder with the packages of package.json."""
    npm = HOME / "npm"
    wanted = "".join(package.read_text() for package in PACKAGES)
    if install_once(npm, wanted):
        npm.mkdir(parents=True)
        for package in PACKAGES:
            shutil.copy(package, npm)
        # npm tells that its own Node is too old for some of them: true, and no matter, hence only errors.
        install("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=npm)
        finished(npm, wanted)
    return npm / "node_modules"


def node() -> str:
    """The machine's Node, or where that is too old the one that package.json brings."""
    own = shutil.which("node")
    if own is not None and node_version(own) >= NODE_MINIMUM:
        return own
    return str(node_modules() / node_package() / "bin" / "node")


def inspector() -> list[str]:
    """The command that starts the inspector's command line."""
    return [node(), str(node_modules() / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"), "--cli"]


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
