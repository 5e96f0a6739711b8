"""Validates the OpenAPI documents, and calls tools with a client that is generated from one of them.

Usage: rest.py SERVER [DOCUMENT]    SERVER is everything_server, DOCUMENT a further document to validate
"""

import importlib
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import environment

environment.in_venv("rest", Path(__file__).with_name("rest.txt"))

import serving
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

# Operation, the arguments, the status, and a part of the result.
CALLS = [
    ("value_object", {}, 200, "1.5"),
    ("value_integer", {}, 200, ""),
    ("value_text", {}, 200, ""),
    ("value_boolean", {}, 200, ""),
    ("value_array", {}, 200, "["),
    ("value_nothing", {}, 200, "null"),
    ("in_region", {"region": "eu"}, 200, "eu"),
    ("wait", {"millis": 1}, 200, "1"),
    ("wait", {"millis": 60_001}, 422, "#/millis"),
    ("test_error_handling", {}, 400, "detail"),
    ("fail_busy", {}, 503, "busy"),
    ("fail_masked", {}, 500, "internal error"),
    ("fail_panicking", {}, 500, "internal error"),
]


def generate(document, folder):
    """Generates a Python package, and imports it."""
    (folder / "openapi.json").write_text(json.dumps(document))
    (folder / "config.yml").write_text("project_name_override: generated\npackage_name_override: generated\npost_hooks: []\n")
    command = [str(Path(sys.executable).parent / "openapi-python-client"), "generate", "--meta", "none", "--fail-on-warning"]
    command += ["--path", folder / "openapi.json", "--config", folder / "config.yml", "--output-path", folder / "generated"]
    subprocess.run(command, check=True, cwd=folder)
    sys.path.insert(0, str(folder))
    return importlib.import_module("generated")


def main():
    documents = [json.loads(Path(path).read_text()) for path in sys.argv[2:]]
    with serving.served([sys.argv[1], "--http", "127.0.0.1:0"]) as (address, _):
        base = address.removesuffix("/mcp") + "/tools"
        documents.append(json.load(urllib.request.urlopen(base + "/openapi.json")))
        for document in documents:
            validate(document, cls=OpenAPIV31SpecValidator)
            print(f"an OpenAPI document with {len(document['paths'])} operations is valid")
        with tempfile.TemporaryDirectory() as folder:
            call_tools(documents[-1], Path(folder), base)


def call_tools(document, folder, base):
    wanted = {f"/{name}" for name, *_ in CALLS}
    missing = wanted - set(document["paths"])
    if missing:
        sys.exit(f"no operation for {missing}")
    # A client for the tools that are called, with all that their schemas refer to.
    document["paths"] = {path: item for path, item in document["paths"].items() if path in wanted}
    client = generate(document, folder).Client(base_url=base)
    for name, arguments, status, part in CALLS:
        module = importlib.import_module(f"generated.api.default.{name}")
        models = importlib.import_module("generated.models")
        body_type = next((getattr(models, key) for key in dir(models) if key.lower() == f"{name}body".replace("_", "")), None)
        body = body_type.from_dict(arguments) if body_type else arguments
        response = module.sync_detailed(client=client, body=body)
        text = response.content.decode()
        if response.status_code != status or part not in text:
            sys.exit(f"{name} {arguments}: {response.status_code} {text}")
        if not response.headers.get("mcp-tool-call-id"):
            sys.exit(f"{name}: no call id")
    good = sum(status == 200 for _, _, status, _ in CALLS)
    print(f"a generated client has called {len(CALLS)} tools: {good} succeeded, {len(CALLS) - good} failed as expected")


main()
