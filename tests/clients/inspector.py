"""The inspector's command line against a server over stdio: lists the tools and makes the calls that expectations.json marks
`inspector`, in both eras.

    python3 tests/clients/inspector.py target/debug/examples/stdio_server [ARGUMENT…]
"""

import json
import subprocess
import sys

import environment
from matching import SEED_TOOLS, SEEDS, answer_faults

# Exit codes of the inspector: 5 says that the result is an error result; it is printed all the same.
ANSWERED = (0, 5)


def ask(server: list[str], era: str, *question: str) -> dict:
    command = [*environment.inspector(), *server, "--protocol-era", era, "--format", "json", *question]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if run.returncode not in ANSWERED:
        raise RuntimeError(f"inspector exits with {run.returncode}: {run.stderr.strip()} {run.stdout.strip()}")
    return json.loads(run.stdout)["result"]


def list_faults(server: list[str], era: str) -> list[str]:
    # With --strict the inspector also fails on a schema that some client is known to refuse.
    tools = {tool["name"]: tool for tool in ask(server, era, "--method", "tools/list", "--strict")["tools"]}
    faults = [f"{name} is not listed" for name in sorted(SEED_TOOLS - tools.keys())]
    for name, tool in tools.items():
        faults += [f"{name} has no {member}" for member in ("description", "inputSchema") if not tool.get(member)]
    return faults


def call_faults(server: list[str], era: str, row: dict) -> list[str]:
    arguments = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in row["arguments"].items()]
    answer = ask(server, era, "--method", "tools/call", "--tool-name", row["tool"], "--tool-arg", *arguments)
    return [f"{row['tool']}: {fault}" for fault in answer_faults(row, answer, era)]


def main():
    server = sys.argv[1:]
    calls = [row for row in SEEDS if row.get("inspector")]
    faults = []
    for era in ("legacy", "modern"):
        checks = [lambda: list_faults(server, era), *(lambda row=row: call_faults(server, era, row) for row in calls)]
        for check in checks:
            try:
                faults += [f"{era}: {fault}" for fault in check()]
            except (RuntimeError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
                faults.append(f"{era}: {error!r}")
        print(f"inspector, {era}: tools listed, {len(calls)} calls made", flush=True)
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))


main()
