"""Checks recorded messages of a server: all messages against the schema.json of their version, and results against the rules."""

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
# The first name that exists in the schema of the version is used.
ENVELOPES = {"result": ("JSONRPCResultResponse", "JSONRPCResponse"), "error": ("JSONRPCErrorResponse", "JSONRPCError")}


class Versions:
    """The schemas of all versions. Without their documents only the rules are checked."""

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

    def errors(self, version: str, names: tuple[str, ...], value) -> list[str]:
        if self.folder is None:
            return []
        errors = self.validator(version, names).iter_errors(value)
        return [f"not a {names[0]} of {version}: {error.json_path}: {error.message[:200]}" for error in errors]


def listed_outputs(entries: list[dict]) -> dict[str, dict | None]:
    """Returns the output schemas of all listed tools."""
    lists = (entry["message"].get("result", {}).get("tools", []) for entry in entries if entry["from"] == "server")
    return {tool["name"]: tool.get("outputSchema") for tools in lists for tool in tools}


def errors(entries: list[dict], outputs: dict[str, dict | None], version: str, versions: Versions) -> tuple[list[str], int]:
    """Returns the errors in the server's messages of one connection, and the number of messages."""
    asked, found, count = {}, [], 0
    for entry in entries:
        message = entry["message"]
        if entry["from"] == "client":
            if "method" in message and "id" in message:
                asked[message["id"]] = message
            continue
        count += 1
        if "method" in message and "id" in message:
            wrong = question_errors(message, version, versions)
            found += [f"{error}: {json.dumps(message, ensure_ascii=False)[:300]}" for error in wrong]
            continue
        request = asked.get(message.get("id"), {})
        wrong = message_errors(message, request.get("method"), version, versions)
        if not wrong and "result" in message and request["method"] == "tools/call":
            wrong = result_errors(message["result"], outputs.get(request["params"]["name"]), version)
        found += [f"{error}: {json.dumps(message, ensure_ascii=False)[:300]}" for error in wrong]
    return found, count


def message_errors(message: dict, method: str | None, version: str, versions: Versions) -> list[str]:
    for member, names in ENVELOPES.items():
        if member in message:
            wrong = versions.errors(version, names, message)
            if member == "result" and method not in RESULTS:
                return [*wrong, f"a result of {method}"]
            if member == "error":
                return wrong
            is_question = message["result"].get("resultType") == "input_required"
            return wrong + versions.errors(version, ("InputRequiredResult" if is_question else RESULTS[method],), message["result"])
    if "method" in message and "id" not in message:
        return versions.errors(version, ("ServerNotification",), message)
    return ["no message that a server sends"]


def question_errors(message: dict, version: str, versions: Versions) -> list[str]:
    """Checks a request of the server. Since 2026-07-28 it sends none."""
    if version == "2026-07-28" or message["method"] != "elicitation/create":
        return ["a request that this server does not send"]
    return versions.errors(version, ("ElicitRequest",), message)


def result_errors(result: dict, output: dict | None, version: str) -> list[str]:
    """Checks rules R1, R2, R4, R5 and T13. The expectations cover the contents of texts and values."""
    found = []
    if result.get("resultType") == "input_required" and version == "2026-07-28":
        found += ["R1: content in a result that asks"] if "content" in result or "structuredContent" in result else []
        found += [] if result.get("requestState") and result.get("inputRequests") else ["a question without its state"]
        return found + ([] if "rs.mcp-tool/call_id" in result.get("_meta", {}) else ["R5: no call_id in _meta"])
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
    # The value itself may be `null`.
    found += [f"T13: {key} is null" for key, value in result.items() if value is None and key != "structuredContent"]
    return found
