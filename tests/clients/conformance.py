"""The official conformance suite against everything_server over HTTP, in every version: all its scenarios, including those that a server
with only tools cannot pass.

    python3 tests/clients/conformance.py target/debug/examples/everything_server

conformance.json lists every scenario, and for each the checks that do not pass, with a reason. It is an error if a check fails, warns or is
skipped without being listed, if a listed check passes, and if a listed scenario does not run.
The suite itself validates each message of the server against the version's schema.json.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
from serving import served

VERSIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
WAYS = {"http": "--http", "rmcp": "--rmcp-http"}
SCENARIOS = json.loads(Path(__file__).with_name("conformance.json").read_text())
PASSED = {"SUCCESS", "INFO"}


def run(address: str, version: str) -> dict[str, list[dict]]:
    """Returns the checks of every scenario of a version."""
    suite = environment.node_modules() / "@modelcontextprotocol/conformance/dist/index.js"
    with tempfile.TemporaryDirectory() as folder:
        options = ["--suite", "all", "--spec-version", version, "--output-dir", folder]
        command = [environment.node(), str(suite), "server", "--url", address, *options]
        # The exit code is ignored, because failures may be listed. A scenario without a result is found below.
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        # The name of a folder is server-SCENARIO-DATE.
        files = {re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name): file for file in Path(folder).glob("*/checks.json")}
        return {scenario: json.loads(file.read_text()) for scenario, file in files.items()}


def not_passed(scenario: dict, way: str, version: str) -> set[str]:
    """Returns the checks that are listed as not passed. A key is CHECK, or with restrictions CHECK@http, CHECK@2025-11-25 or both."""
    keys = (key.split("@") for key in scenario.get("notPassed", {}))
    return {check for check, *where in keys if {way, version}.issuperset(where)}


def errors(ran: dict[str, list[dict]], way: str, version: str) -> list[str]:
    listed = {name for name, scenario in SCENARIOS.items() if version in scenario["versions"]}
    found = [f"{name} is listed and did not run" for name in sorted(listed - ran.keys())]
    found += [f"{name} ran and is not listed" for name in sorted(ran.keys() - listed)]
    for name in sorted(listed & ran.keys()):
        expected = not_passed(SCENARIOS[name], way, version)
        missed = {check["id"]: check for check in ran[name] if check["status"] not in PASSED}
        for check in sorted(missed.keys() - expected):
            found.append(f"{name}: {check}: {missed[check]['status']}: {missed[check].get('errorMessage', '')}")
        found += [f"{name}: {check} is listed as not passed, and passes" for check in sorted(expected - missed.keys())]
        if not ran[name]:
            found.append(f"{name}: nothing was checked")
    return found


def main():
    found = []
    for way, option in WAYS.items():
        with served([sys.argv[1], option, "127.0.0.1:0"]) as (address, _):
            for version in VERSIONS:
                ran = run(address, version)
                wrong = errors(ran, way, version)
                checks = [check for checks in ran.values() for check in checks]
                passed = sum(check["status"] in PASSED for check in checks)
                whole = sum(not not_passed(SCENARIOS.get(name, {}), way, version) for name in ran)
                counts = f"{len(ran)} scenarios, {whole} of them complete; {passed} of {len(checks)} checks passed"
                print(f"conformance, {way}, {version}: {counts}, {len(wrong)} errors", flush=True)
                found += [f"{way}, {version}: {error}" for error in wrong]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
