"""The packages that the client checks need: installed once into target/clients/, then used without a network."""

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

# The JavaScript packages of the checks, and a new enough Node.js.
PACKAGES = [HERE / name for name in ("package.json", "package-lock.json")]
NODE_MINIMUM = (22, 19)


def in_venv(name="venv", requirements=REQUIREMENTS):
    """Restarts the running script in a virtual environment with these packages, unless it already runs there."""
    venv = HOME / name
    python = venv / "bin" / "python"
    if Path(sys.prefix).resolve() == venv.resolve():
        return
    if install_once(venv, requirements.read_text() + sys.version):
        # A pip of its own would take longer to install than most packages. Python compiles what a script imports.
        install(sys.executable, "-m", "venv", "--without-pip", venv)
        options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
        install(sys.executable, "-m", "pip", "--python", python, "install", *options, "-r", requirements)
        finished(venv, requirements.read_text() + sys.version)
    sys.stdout.flush()
    os.execv(python, [str(python), *sys.argv])


def node_modules() -> Path:
    """Returns the folder with the packages of package.json."""
    npm = HOME / "npm"
    wanted = "".join(package.read_text() for package in PACKAGES)
    if install_once(npm, wanted):
        npm.mkdir(parents=True)
        for package in PACKAGES:
            shutil.copy(package, npm)
        # npm warns that its own Node.js is too old for some packages. They run with another one, so only errors are shown.
        install("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=npm)
        finished(npm, wanted)
    return npm / "node_modules"


def node() -> str:
    """Returns the Node.js of the machine, or the one from package.json if that is too old."""
    own = shutil.which("node")
    if own is not None and node_version(own) >= NODE_MINIMUM:
        return own
    return str(node_modules() / node_package() / "bin" / "node")


def inspector() -> list[str]:
    """Returns the command that starts the inspector's command line."""
    return [node(), str(node_modules() / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"), "--cli"]


def node_version(node: str) -> tuple[int, ...]:
    text = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in text.strip().removeprefix("v").split("-")[0].split("."))


def node_package() -> str:
    """Returns the npm package with the Node.js binary for this machine (the package `node` only downloads it in an install script)."""
    arch = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    system = platform.system().lower()
    return f"node-bin-{system}-{arch}" if (system, arch) == ("darwin", "arm64") else f"node-{system}-{arch}"


def install_once(folder: Path, wanted: str) -> bool:
    """Returns True if `folder` must be installed. Removes a folder with other contents or from an interrupted installation."""
    stamp = folder / ".installed"
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    print(f"installing into {folder.relative_to(ROOT)}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    return True


def install(*command, cwd=None):
    # The command must not read the script's standard input or write to its standard output.
    subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)


def finished(folder: Path, wanted: str):
    (folder / ".installed").write_text(wanted)
