"""Programs from Debian's packages: the installed ones, or else unpacked into target/debian, which does not need root."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "target" / "debian"
# The packages with each program and the libraries that a minimal system lacks.
PACKAGES = {
    "nginx": ["nginx", "nginx-common"],
    "wrk": ["wrk", "libluajit-5.1-2", "libluajit-5.1-common"],
}


def program(name: str) -> tuple[str, dict[str, str]]:
    """Returns the path of a program, and the environment variables that it needs."""
    if own := shutil.which(name):
        return own, dict(os.environ)
    folder = HOME / name
    if not folder.is_dir():
        print(f"unpacking {name} into {folder.relative_to(ROOT)}", file=sys.stderr)
        packages = HOME / f"{name}-packages"
        packages.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-q", *PACKAGES[name]], cwd=packages, stdout=sys.stderr, check=True)
        for package in packages.glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", package, f"{folder}.part"], check=True)
        Path(f"{folder}.part").rename(folder)
    found = next(path for part in ("usr/bin", "usr/sbin") if (path := folder / part / name).is_file())
    libraries = ":".join(str(path) for path in folder.glob("usr/lib/*") if path.is_dir())
    return str(found), os.environ | {"LD_LIBRARY_PATH": libraries}
