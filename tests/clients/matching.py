"""Compares what a tool answered with a row of expectations.json.

A row names the `tool` and its `arguments`, and of the answer:

- `value`: the tool's value, exactly; or `like`: members that it must have, others may be there too. Neither: no structured content.
- `text`: the text blocks; left out where they are one block with the compact JSON of the value.
- `isError`, `meta` (members of `_meta`, without the prefix), `never` (what no text may contain).
- `errorCode`: instead of an answer, a JSON-RPC error with this code, its message in `text`.
- `inspector`: the inspector makes this call too.

In `like`, `text` and `meta`, a string `/…/` is a regular expression, and `<number>`, `<string>`, `<array>`, `<object>` stand for
any value of the kind.
"""

import json
import re
from pathlib import Path

EXPECTATIONS = json.loads(Path(__file__).with_name("expectations.json").read_text())
TOOLS = {row["tool"] for row in EXPECTATIONS if "errorCode" not in row}
PREFIX = "rs.mcp-tool/"
KINDS = {"<number>": (int, float), "<string>": str, "<array>": list, "<object>": dict}


def answer_faults(row: dict, answer: dict, era: str) -> list[str]:
    """What is wrong with `answer`, a CallToolResult as on the wire."""
    faults = []
    if answer.get("isError", False) != row.get("isError", False):
        faults.append(f"isError is {answer.get('isError')}")
    texts = [block.get("text") for block in answer.get("content", [])]
    if "value" in row or "like" in row:
        faults += value_faults(row, answer, texts, era)
    elif "structuredContent" in answer:
        faults.append(f"unwanted structuredContent {answer['structuredContent']}")
    if "text" in row and not matches(row["text"], texts):
        faults.append(f"texts are {texts}")
    faults += [f"{word!r} in {text!r}" for word in row.get("never", []) for text in texts if word in text]
    meta = {"call_id": "/./", "duration": "<number>"} | row.get("meta", {})
    if not matches({PREFIX + key: wanted for key, wanted in meta.items()}, answer.get("_meta"), subset=True):
        faults.append(f"_meta is {answer.get('_meta')}")
    return faults


def value_faults(row: dict, answer: dict, texts: list, era: str) -> list[str]:
    pattern = row["value"] if "value" in row else row["like"]
    structured = value = answer.get("structuredContent")
    # Before 2026-07-28 only objects are allowed, so everything else travels in one.
    if era == "legacy" and not isinstance(pattern, dict):
        if not isinstance(structured, dict) or list(structured) != ["result"]:
            return [f"structuredContent is {structured}, not wrapped"]
        value = structured["result"]
    if not matches(pattern, value, subset="like" in row):
        return [f"structuredContent is {structured}"]
    if "text" not in row and not (len(texts) == 1 and is_compact_json(texts[0], value)):
        return [f"not one block with the value's compact JSON: {texts}"]
    return []


def matches(pattern, value, subset=False) -> bool:
    if isinstance(pattern, str) and pattern in KINDS:
        return isinstance(value, KINDS[pattern]) and not isinstance(value, bool)
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
    """Whether `text` is `value` as JSON without blanks. The order of members is free: a server may sort one of the two."""
    try:
        read = json.loads(text)
    except (TypeError, ValueError):
        return False
    return read == value and text == json.dumps(read, separators=(",", ":"), ensure_ascii=False)
