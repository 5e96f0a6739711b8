"""Installs the official test suite of JSON Schema into target/clients/, and prints its folder.

    JSON_SCHEMA_SUITE=$(python3 .ci/schema_suite.py)

The source package of the Python library jsonschema contains the suite. The version is that of tests/clients/requirements.txt.
"""

import shutil
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))

import environment

package = next(line for line in environment.REQUIREMENTS.read_text().split() if line.startswith("jsonschema=="))
folder = environment.HOME / "json-schema-suite"
if environment.install_once(folder, package):
    folder.mkdir(parents=True)
    environment.install(
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", "jsonschema",
        "--dest", folder, package,
    )  # fmt: skip
    source = next(folder.glob("*.tar.gz"))
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    source.unlink()
    shutil.move(next(folder.glob("jsonschema-*")) / "json", folder / "suite")
    environment.finished(folder, package)
print(folder / "suite")
