"""Checks recorded messages of a server: each against the schema.json of its version, and results against the rules of the wire."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker

RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "ping": "EmptyResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
}
# The first name that a version's schema knows.
ENVELOPES = {"result": ("JSONRPCResultResponse", "JSONRPCResponse"), "error": ("JSONRPCErrorResponse", "JSONRPCError")}


class Versions:
    """The schemas of all versions, where their documents are; without them only the rules are checked."""

    def __init__(self, folder: str | None):
        self.folder = Path(folder) / "mcp" if folder else None

    @cache
    def document(self, version: str) -> dict:
        return json.loads((self.folder / version / "schema.json").read_text())

    @cache
    def validator(self, version: str, names: tuple[str, ...]):
        document = self.document(version)
        key = "$defs" if "$defs" in document else "definitions"
        name = next(name for name in names if name in document[key])
        kind = Draft202012Validator if key == "$defs" else Draft7Validator
        return kind({"$ref": f"#/{key}/{name}", key: document[key]})

    def faults(self, version: str, names: tuple[str, ...], value) -> list[str]:
        if self.folder is None:
            return []
        errors = self.validator(version, names).iter_errors(value)
        return [f"not a {names[0]} of {version}: {error.json_path}: {error.message[:200]}" for error in errors]


def faults(entries: list[dict], version: str, versions: Versions) -> tuple[list[str], int]:
    """What is wrong with the server's messages of one connection, and how many there were."""
    asked, outputs, found, count = {}, {}, [], 0
    for entry in entries:
        message = entry["message"]
        if entry["from"] == "client":
            if "method" in message and "id" in message:
                asked[message["id"]] = message
            continue
        count += 1
        request = asked.get(message.get("id"), {})
        wrong = message_faults(message, request.get("method"), version, versions)
        if not wrong and "result" in message:
            match request["method"]:
                case "tools/list":
                    outputs |= {tool["name"]: tool.get("outputSchema") for tool in message["result"]["tools"]}
                case "tools/call":
                    wrong = result_faults(message["result"], outputs.get(request["params"]["name"]), version)
        found += [f"{fault}: {json.dumps(message, ensure_ascii=False)[:300]}" for fault in wrong]
    return found, count


def message_faults(message: dict, method: str | None, version: str, versions: Versions) -> list[str]:
    for member, names in ENVELOPES.items():
        if member in message:
            wrong = versions.faults(version, names, message)
            if member == "result" and method not in RESULTS:
                return [*wrong, f"a result of {method}"]
            return wrong + (versions.faults(version, (RESULTS[method],), message["result"]) if member == "result" else [])
    if "method" in message and "id" not in message:
        return versions.faults(version, ("ServerNotification",), message)
    return ["no message that a server sends"]


def result_faults(result: dict, output: dict | None, version: str) -> list[str]:
    """Rules R1, R2, R4, R5 and T13; what texts and values say is compared with the expectations."""
    found = []
    if (result.get("resultType") == "complete") != (version == "2026-07-28"):
        found.append(f"R1: resultType is {result.get('resultType')}")
    structured = "structuredContent" in result
    if result.get("isError"):
        found += ["R4: an error with structuredContent"] if structured else []
    elif (output is not None) != structured:
        found.append("R2: an output schema without structuredContent, or the reverse")
    elif structured:
        errors = Draft202012Validator(output, format_checker=FormatChecker()).iter_errors(result["structuredContent"])
        found += [f"R2: against the listed schema: {error.message[:200]}" for error in errors]
    meta = result.get("_meta", {})
    needed = ["call_id", "duration"] + (["can_retry"] if result.get("isError") else [])
    found += [f"R5: no {key} in _meta" for key in needed if f"rs.mcp-tool/{key}" not in meta]
    # The value itself may be null.
    found += [f"T13: {key} is null" for key, value in result.items() if value is None and key != "structuredContent"]
    return found
