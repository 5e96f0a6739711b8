"""Shared by the checks of the examples' output: runs them in the environment of the client checks, and reads the specification's schemas."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "clients"))

import environment

environment.in_venv()

from jsonschema import Draft202012Validator

SPEC = os.environ.get("MCP_SPEC_DIR")


def schema(path: str, definition: str | None = None) -> Draft202012Validator | None:
    """Reads a schema of the specification folder, or one definition of it. Returns `None` on a machine without that folder."""
    if SPEC is None:
        return None
    document = json.loads((Path(SPEC) / path).read_text())
    return Draft202012Validator(document | {"$ref": f"#/$defs/{definition}"} if definition else document)


def check_valid(validator: Draft202012Validator | None, document, what: str):
    for error in validator.iter_errors(document) if validator else []:
        sys.exit(f"{what}: not valid at {error.json_path}: {error.message}")


def schemas_read() -> str:
    return "checked against the specification" if SPEC else "no MCP_SPEC_DIR, so not checked against the specification"
