"""The rows of questions.json: calls of tools that ask the user.

A row has the properties that matching.py describes, and:

- `asked`: the questions that must arrive, each once, with the reply of the user. `after` is how long the user thinks, in milliseconds.
- `unasked`: the expected result if nobody can be asked, and the tool decides what to do. Without it the call must fail.
- `silent`: a client that cannot ask makes the call.
- `timeout`: the milliseconds after which the client gives up. `abort`: the client cancels the call as soon as a question arrives. `ended`:
  the client must not get an answer. `closed`: the questions that must be closed before the user has answered.
- `exit`: the client's process ends as soon as a question arrives. This is the last row.
- `times`: the number of calls, all at the same time. `<n>` in the row is the number of the call.
- `legacy`, `modern`: properties for one era.
"""

import json
from pathlib import Path

ROWS = json.loads(Path(__file__).with_name("questions.json").read_text())
CANNOT_ASK = "this needs an answer from the user, and this client cannot ask: "
MISSING_CAPABILITY = -32021


def rows(era: str, way: str) -> list[dict]:
    """Returns the rows for one connection."""
    found = []
    for row in ROWS:
        numbered = [numbers(row, number) | {"together": True} for number in range(row["times"])] if "times" in row else [row]
        found += [resolved(row, era, way) for row in numbered]
    return found


def numbers(value, number: int):
    """Replaces `<n>`. A string that is nothing else becomes the number."""
    match value:
        case dict():
            return {numbers(key, number): numbers(inner, number) for key, inner in value.items()}
        case list():
            return [numbers(inner, number) for inner in value]
        case "<n>":
            return number
        case str():
            return value.replace("<n>", str(number))
    return value


def resolved(row: dict, era: str, way: str) -> dict:
    row = {key: value for key, value in row.items() if key not in ("legacy", "modern")} | row.get(era, {})
    # The endpoint keeps no sessions, so it cannot ask a client of an earlier version.
    can_ask = not row.get("silent") and (era, way) != ("legacy", "http")
    if can_ask or not row.get("asked"):
        return {"asked": {}} | row
    first = next(iter(row["asked"]))
    call = {key: row[key] for key in ("tool", "arguments", "silent", "together") if key in row}
    if "unasked" in row:
        expected = row["unasked"]
    elif era == "legacy":
        expected = {"isError": True, "text": [CANNOT_ASK + first], "meta": {"code": "unavailable", "can_retry": False}}
    else:
        expected = {"errorCode": MISSING_CAPABILITY, "text": ["/elicitation/"]}
    return call | {"asked": {}} | expected


def errors(row: dict, line: dict) -> list[str]:
    """Compares what happened to the questions of a call."""
    found = []
    if sorted(line.get("asked", [])) != sorted(row["asked"]):
        found.append(f"asked were {line.get('asked')}")
    if line.get("closed", []) != row.get("closed", []):
        found.append(f"closed were {line.get('closed')}")
    return found
