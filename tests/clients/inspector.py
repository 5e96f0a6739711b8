"""The inspector's command line against a server over stdio: lists the tools and makes the calls that expectations.json marks
`inspector`, in both eras.

    python3 tests/clients/inspector.py target/debug/examples/stdio_server [ARGUMENT…]
"""

import json
import subprocess
import sys

import environment
from matching import SEED_TOOLS, SEEDS, answer_errors

# Exit code 5 of the inspector means that the result, which it prints, is an error result.
ANSWERED = (0, 5)


def ask(server: list[str], era: str, *question: str) -> dict:
    command = [*environment.inspector(), *server, "--protocol-era", era, "--format", "json", *question]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if run.returncode not in ANSWERED:
        raise RuntimeError(f"inspector exits with {run.returncode}: {run.stderr.strip()} {run.stdout.strip()}")
    return json.loads(run.stdout)["result"]


def list_errors(server: list[str], era: str) -> list[str]:
    # With --strict the inspector also fails on schemas that some clients refuse.
    tools = {tool["name"]: tool for tool in ask(server, era, "--method", "tools/list", "--strict")["tools"]}
    errors = [f"{name} is not listed" for name in sorted(SEED_TOOLS - tools.keys())]
    for name, tool in tools.items():
        errors += [f"{name} has no {member}" for member in ("description", "inputSchema") if not tool.get(member)]
    return errors


def call_errors(server: list[str], era: str, row: dict) -> list[str]:
    arguments = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in row["arguments"].items()]
    answer = ask(server, era, "--method", "tools/call", "--tool-name", row["tool"], "--tool-arg", *arguments)
    return [f"{row['tool']}: {error}" for error in answer_errors(row, answer, era)]


def main():
    server = sys.argv[1:]
    calls = [row for row in SEEDS if row.get("inspector")]
    errors = []
    for era in ("legacy", "modern"):
        checks = [lambda: list_errors(server, era), *(lambda row=row: call_errors(server, era, row) for row in calls)]
        for check in checks:
            try:
                errors += [f"{era}: {error}" for error in check()]
            except (RuntimeError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
                errors.append(f"{era}: {error!r}")
        print(f"inspector, {era}: tools listed, {len(calls)} calls made", flush=True)
    print(*errors, sep="\n", end="\n" if errors else "")
    sys.exit(bool(errors))


main()
