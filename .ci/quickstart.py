"""Checks the output of `cargo run --example quickstart`: a tool definition and two responses of one call, and nothing else."""

import json
import sys
import uuid

from documents import check_valid, schema, schemas_read


def documents(text: str) -> list:
    decoder, found, at = json.JSONDecoder(), [], 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        document, at = decoder.raw_decode(text, at)
        found.append(document)
    return found


def expect(condition: bool, what: str):
    if not condition:
        sys.exit(f"quickstart: {what}")


found = documents(sys.stdin.read())
expect(len(found) == 3, f"prints {len(found)} documents, not 3")
tool, response, result = found
check_valid(schema("mcp/2026-07-28/schema.json", "Tool"), tool, "quickstart: the tool")
check_valid(schema("otc/CallToolResponse.fixed.schema.json"), response, "quickstart: the Open Tool Calling response")
check_valid(schema("mcp/2026-07-28/schema.json", "CallToolResult"), result, "quickstart: the MCP result")

expect({"name", "title", "description", "inputSchema"} <= tool.keys(), f"the tool has only the properties {sorted(tool)}")
expect(response["success"] is True, "the call failed")
expect(uuid.UUID(response["call_id"]).version == 7, f"call_id {response['call_id']} is not a UUID v7")
expect(response["duration"] > 0, f"duration {response['duration']} is not above 0")
expect(result["structuredContent"] == response["value"], "the two responses have different values")
texts = [block["text"] for block in result["content"]]
compact = json.dumps(result["structuredContent"], separators=(",", ":"), ensure_ascii=False)
expect(texts == [compact], f"the text blocks {texts} are not the structured value's compact JSON {compact}")
print("quickstart: 3 documents,", schemas_read())
