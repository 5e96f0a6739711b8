"""Compares a result of a tool with a row of expectations.json, everything.json or questions.json.

A row has the `tool`, its `arguments`, and the expected result:

- `value`: the exact value; or `like`: the properties that it must have, among others. Without both: no structured content.
- `text`: the text blocks; omitted if there is one block with the compact JSON of the value.
- `isError`, `meta` (properties of `_meta`, without the prefix), `never` (strings that no text may contain).
- `errorCode`: a JSON-RPC error with this code instead of a result, with its message in `text`.
- `send`: the `_meta` of the request. `progress`: the expected reports, each `[done, total, message]`.
- `content`: all blocks, compared as in `like`; for results with blocks that are not text.
- `wrapped`: before 2026-07-28 the value is wrapped although it is an object, because its schema also accepts other values.
- `inspector`: the inspector makes this call too.

questions.py adds the properties of a row whose tool asks its user.

In `like`, `text` and `meta`, a string `/…/` is a regular expression, and `<boolean>`, `<number>`, `<string>`, `<array>`, `<object>` match
any value of that type.
"""

import json
import re
from pathlib import Path

HERE = Path(__file__).parent
# The rows for the tools of `seeds`, and for all tools of everything_server that ask nothing.
SEEDS = json.loads((HERE / "expectations.json").read_text())
EXPECTATIONS = json.loads((HERE / "everything.json").read_text()) + SEEDS
SEED_TOOLS = {row["tool"] for row in SEEDS if "errorCode" not in row}
PREFIX = "rs.mcp-tool/"
KINDS = {"<boolean>": bool, "<number>": (int, float), "<string>": str, "<array>": list, "<object>": dict}


def answer_errors(row: dict, answer: dict, era: str) -> list[str]:
    """Returns the differences between a row and `answer`, a CallToolResult as sent."""
    errors = []
    if answer.get("isError", False) != row.get("isError", False):
        errors.append(f"isError is {answer.get('isError')}")
    texts = [block["text"] for block in answer.get("content", []) if block["type"] == "text"]
    if "value" in row or "like" in row:
        errors += value_errors(row, answer, texts, era)
    elif "structuredContent" in answer:
        errors.append(f"unexpected structuredContent {answer['structuredContent']}")
    if "text" in row and not matches(row["text"], texts):
        errors.append(f"texts are {texts}")
    if "content" in row and not matches(row["content"], answer.get("content"), subset=True):
        errors.append(f"content is {answer.get('content')}")
    errors += [f"{word!r} in {text!r}" for word in row.get("never", []) for text in texts if word in text]
    meta = {"call_id": "/./", "duration": "<number>"} | row.get("meta", {})
    if not matches({PREFIX + key: wanted for key, wanted in meta.items()}, answer.get("_meta"), subset=True):
        errors.append(f"_meta is {answer.get('_meta')}")
    return errors


def value_errors(row: dict, answer: dict, texts: list, era: str) -> list[str]:
    pattern = row["value"] if "value" in row else row["like"]
    if "structuredContent" not in answer:
        return ["no structuredContent"]
    structured = value = answer["structuredContent"]
    # Before 2026-07-28 structured content must be an object, so all other values are wrapped.
    if era == "legacy" and row.get("wrapped", not isinstance(pattern, dict)):
        if not isinstance(structured, dict) or list(structured) != ["result"]:
            return [f"structuredContent is {structured}, not wrapped"]
        value = structured["result"]
    if not matches(pattern, value, subset="like" in row):
        return [f"structuredContent is {structured}"]
    if "text" in row or "content" in row:
        return []
    # Rule R3: before 2026-07-28 the text block of a string is the string itself.
    if era == "legacy" and isinstance(value, str):
        return [] if texts == [value] else [f"not one block with the text: {texts}"]
    if not (len(texts) == 1 and is_compact_json(texts[0], value)):
        return [f"not one block with the value's compact JSON: {texts}"]
    return []


def matches(pattern, value, subset=False) -> bool:
    if isinstance(pattern, str) and pattern in KINDS:
        return isinstance(value, KINDS[pattern]) and isinstance(value, bool) == (pattern == "<boolean>")
    if isinstance(pattern, str) and len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        return isinstance(value, str) and re.search(pattern[1:-1], value) is not None
    if isinstance(pattern, dict) and isinstance(value, dict):
        return (subset or pattern.keys() == value.keys()) and all(
            key in value and matches(wanted, value[key], subset) for key, wanted in pattern.items()
        )
    if isinstance(pattern, list) and isinstance(value, list):
        return len(pattern) == len(value) and all(matches(*pair, subset) for pair in zip(pattern, value))
    return pattern == value and isinstance(pattern, bool) == isinstance(value, bool)


def is_compact_json(text: str, value) -> bool:
    """Returns whether `text` is `value` as JSON without spaces. A server may sort the properties of one of them, so their order is ignored."""
    try:
        read = json.loads(text)
    except (TypeError, ValueError):
        return False
    return read == value and text == json.dumps(read, separators=(",", ":"), ensure_ascii=False)
