"""Fuzzes the tools over plain HTTP with schemathesis, which makes requests from the OpenAPI document.

Usage: fuzzing.py EVERYTHING_SERVER ZOO_PAGE [EXAMPLES]    EXAMPLES is the number of random requests for each tool

With EXAMPLES it also makes requests from the boundary values of each keyword, which takes minutes.

schemathesis also loads this file, for the check `the_document_decides`.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request
from functools import cache
from pathlib import Path

import environment

CHECKS = "status_code_conformance,content_type_conformance,response_headers_conformance,unsupported_method,allow_header_conformance"
PROBLEM = "#/components/schemas/Problem"


def main():
    environment.in_venv("rest", Path(__file__).with_name("rest.txt"))
    import serving

    everything_server, zoo_page, *examples = sys.argv[1:]
    with serving.served([everything_server, "--http", "127.0.0.1:0"]) as (address, _):
        fuzz(address.removesuffix("/mcp"), examples, [])
    with serving.served([zoo_page], -signal.SIGTERM) as (address, _):
        address = address.removesuffix("/deep/path")
        fuzz(address, examples, json.load(urllib.request.urlopen(f"{address}/stricter")))


def fuzz(address, examples, stricter):
    command = [Path(sys.executable).parent / "schemathesis", "run", "openapi.json", "--url", f"{address}/tools"]
    command += ["--phases", "coverage,fuzzing" if examples else "fuzzing", "--generation-deterministic", "--no-shrink", "--continue-on-failure", "--no-color"]
    command += ["--max-examples", *(examples or ["1"]), "--checks", f"{CHECKS},the_document_decides"]
    # It takes up to a minute.
    command += ["--exclude-path", "/wait"]
    variables = os.environ | {"SCHEMATHESIS_HOOKS": "fuzzing", "PYTHONPATH": str(Path(__file__).parent), "STRICTER": json.dumps(stricter)}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "openapi.json").write_bytes(urllib.request.urlopen(f"{address}/tools/openapi.json").read())
        done = subprocess.run(command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    report = done.stdout
    print(report[report.rfind("API Operations:") :] if done.returncode == 0 else report)
    if done.returncode != 0:
        sys.exit(f"{address}: schemathesis found something")


@cache
def validator(reference):
    document = json.loads(Path("openapi.json").read_text())
    return jsonschema_rs.Draft202012Validator({**document, "$ref": reference}, validate_formats=True)


def without_nulls(value):
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


def has_wide_integer(value):
    if isinstance(value, (dict, list)):
        return any(map(has_wide_integer, value.values() if isinstance(value, dict) else value))
    return isinstance(value, (int, float)) and abs(value) > 2**53


def the_document_decides(ctx, response, case):
    """The schema of the arguments decides which are accepted, and the response conforms to its schema.

    The checks of schemathesis for this do not know that `null` is accepted for an optional argument, and they misread tuples: they rewrite
    `prefixItems` as a list of `items`, which the dialect of the document does not have.
    """
    if response.status_code in (405, 415):
        return
    operation = f"#/paths/{case.path.replace('/', '~1')}/post"
    name = case.path.removeprefix("/")
    status = response.status_code
    schema = f"{operation}/responses/200/content/application~1json/schema" if status == 200 else PROBLEM
    validator(schema).validate(response.json())
    assert status not in (500, 504) or name.startswith("fail"), "a server error that the tool does not make"
    try:
        arguments = json.loads((response.request.body or b"").strip() or "{}")
    except ValueError:
        assert status == 400, "the body is not JSON"
        return
    accepts = validator(f"{operation}/requestBody/content/application~1json/schema").is_valid
    if status == 422:
        is_expected = name in json.loads(os.environ["STRICTER"]) or has_wide_integer(arguments)
        assert is_expected or not accepts(arguments), "valid arguments are refused"
    else:
        assert accepts(arguments) or accepts(without_nulls(arguments)), "invalid arguments are accepted"


if __name__ == "__main__":
    main()
else:
    import jsonschema_rs
    import schemathesis

    schemathesis.check(the_document_decides)
