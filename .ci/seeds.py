"""Checks the output of `cargo run --example seeds -- --otc`: one Open Tool Calling response on each line, among them the examples
of the specification."""

import json
import sys
from pathlib import Path

from documents import SPEC, check_valid, schema, schemas_read


def outcome(response: dict) -> dict:
    """The response without the properties that differ from call to call."""
    return {key: value for key, value in response.items() if key not in ("call_id", "duration")}


responses = [json.loads(line) for line in sys.stdin]
validator = schema("otc/CallToolResponse.fixed.schema.json")
for number, response in enumerate(responses, 1):
    check_valid(validator, response, f"seeds: line {number}")

fixtures = sorted(Path(SPEC).glob("otc/fixtures/CallToolResponse-0*.json")) if SPEC else []
if SPEC and not fixtures:
    sys.exit(f"seeds: no example in {SPEC}")
outcomes = [outcome(response) for response in responses]
for fixture in fixtures:
    if outcome(json.loads(fixture.read_text())) not in outcomes:
        sys.exit(f"seeds: no response equals {fixture.name}")
if not responses:
    sys.exit("seeds: printed nothing")
print(f"seeds: {len(responses)} responses, {len(fixtures)} of them examples of the specification,", schemas_read())
