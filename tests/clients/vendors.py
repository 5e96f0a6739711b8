"""Reads exported tools and results with the packages of the model vendors.

Usage: vendors.py            reads what the test `export` of mcp-tool-tests writes, one JSON value a line
       vendors.py --install  installs the packages, and nothing else

Each definition and each result must be accepted by the vendor's own package. pydantic-ai, which converts schemas for the same
vendors, must agree on which tools can be strict. Where it does not, EXPLAINED says why.
"""

import base64
import json
import re
import sys
from pathlib import Path

import environment

environment.in_venv("vendors", Path(__file__).with_name("vendors.txt"))
if "--install" in sys.argv:
    sys.exit()

import botocore.session
from anthropic import transform_schema
from anthropic.types import MessageParam, ToolParam
from botocore.validate import ParamValidator
from google.genai import types as google
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionToolMessageParam
from openai.types.responses import FunctionToolParam
from openai.types.responses.response_input_param import FunctionCallOutput
from pydantic import TypeAdapter
from pydantic_ai.models._anthropic_schema_limits import exceeded_limit
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import _OpenAIJsonSchemaTransformer as OpenAiTransformer
from pydantic_ai.providers.bedrock import _BedrockAnthropicJsonSchemaTransformer as BedrockTransformer

# Tools that pydantic-ai would make strict and we do not, by the rule that we name.
EXPLAINED = {
    "strict-untyped": "pydantic-ai asks for a type only in the elements of arrays; the API asks for it everywhere",
    "strict-closed": "pydantic-ai closes an object without properties, which then accepts nothing but {}",
    "strict-keyword": "pydantic-ai does not look at `not`, `allOf`, `if` and `dependent…`, which the guide lists as unsupported",
    "strict-size": "pydantic-ai does not count the characters of names and values",
}

SERVICE = botocore.session.get_session().get_service_model("bedrock-runtime")
FAILURES = []
COUNTS = {}


def count(what):
    COUNTS[what] = COUNTS.get(what, 0) + 1


def fail(vendor, what, why):
    FAILURES.append(f"{vendor} {what}: {why}")


def adapter(type_):
    """A validator that also refuses keys that the vendor's type does not have."""
    for one in {type_, *type_.__mro__} if hasattr(type_, "__mro__") else {type_}:
        if hasattr(one, "__required_keys__"):
            one.__pydantic_config__ = {"extra": "forbid"}
    return TypeAdapter(type_)


ADAPTERS = {
    "OpenAI Responses": (adapter(FunctionToolParam), adapter(FunctionCallOutput)),
    "OpenAI Chat": (adapter(ChatCompletionFunctionToolParam), adapter(ChatCompletionToolMessageParam)),
    "Anthropic": (adapter(ToolParam), adapter(MessageParam)),
}


def exhaust(value):
    """Reads lazy iterables, so that their elements are validated too."""
    if isinstance(value, dict):
        return {key: exhaust(inner) for key, inner in value.items()}
    if isinstance(value, (str, bytes, int, float, bool)) or value is None:
        return value
    return [exhaust(inner) for inner in value] if hasattr(value, "__iter__") else value


def with_bytes(value):
    """Bedrock's package takes bytes where JSON has base64."""
    if isinstance(value, dict):
        return {key: base64.b64decode(inner, validate=True) if key == "bytes" else with_bytes(inner) for key, inner in value.items()}
    return [with_bytes(inner) for inner in value] if isinstance(value, list) else value


def bedrock(parameters):
    shape = SERVICE.operation_model("Converse").input_shape
    report = ParamValidator().validate({"modelId": "model", **parameters}, shape)
    if report.has_errors():
        raise ValueError(report.generate_report())
    pattern = SERVICE.shape_for("ToolName").metadata["pattern"]
    for tool in parameters.get("toolConfig", {}).get("tools", []):
        name = tool["toolSpec"]["name"]
        if not re.fullmatch(pattern, name):
            raise ValueError(f"the name {name} does not match {pattern}")


def read_tools(vendor, tools):
    if vendor == "Gemini":
        for tool in tools:
            google.Tool.model_validate(tool)
    elif vendor == "Bedrock":
        bedrock({"messages": [], "toolConfig": {"tools": tools}})
    else:
        for tool in tools:
            exhaust(ADAPTERS[vendor][0].validate_python(tool))


def read_results(vendor, results):
    if vendor == "Gemini":
        for result in results:
            google.Content.model_validate(result)
    elif vendor == "Bedrock":
        bedrock({"messages": with_bytes(results)})
    else:
        for result in results:
            exhaust(ADAPTERS[vendor][1].validate_python(result))


def inner(definition):
    return definition.get("function") or definition.get("toolSpec") or definition


def schema_of(definition):
    definition = inner(definition)
    keys = ("parameters", "input_schema", "parametersJsonSchema")
    return next((definition[key] for key in keys if key in definition), None) or definition["inputSchema"]["json"]


def read_request(line):
    """All tools together, as one request has them."""
    vendor, tools = line["request"], line["tools"]
    read_tools(vendor, tools)
    listed = tools[0]["functionDeclarations"] if vendor == "Gemini" else tools
    names = [inner(tool)["name"] for tool in listed]
    if len(set(names)) != len(names):
        fail(vendor, "request", "two tools have the same name")
    strict = [schema_of(tool) for tool in listed if inner(tool).get("strict")]
    if vendor in ("Anthropic", "Bedrock") and (exceeded := exceeded_limit(strict, None)):
        fail(vendor, "request", exceeded)
    count("requests")
    print(f"{vendor}: a request with {len(listed)} tools, {len(strict)} of them strict")


def copy(schema):
    return json.loads(json.dumps(schema))


def read_definition(line):
    vendor, tool, schema = line["vendor"], line["tool"], line["schema"]
    if line["definition"] is None:
        count("definitions that a vendor refuses, left out")
        return
    read_tools(vendor, [{"functionDeclarations": [line["definition"]]}] if vendor == "Gemini" else [line["definition"]])
    Draft202012Validator.check_schema(schema)
    count("definitions")
    if vendor == "Gemini":
        again = GoogleJsonSchemaTransformer(copy(schema)).walk()
        if again != schema and again != unwrapped(schema):
            fail(vendor, tool, f"pydantic-ai changes it further: {schema} {again}")
    if not line["asked_strict"] or vendor == "Gemini":
        return
    count("decisions about `strict`")
    if vendor.startswith("OpenAI"):
        read_open_ai_strict(line)
    elif line["strict"]:
        again = transform_schema(copy(schema)) if vendor == "Anthropic" else BedrockTransformer(copy(schema), strict=True).walk()
        # Anthropic's package moves every pattern, and the guide lists the patterns that the API supports.
        moved = [f"{{pattern: {pattern}}}" for pattern in patterns(schema)] if vendor == "Anthropic" else []
        if descriptions(again) != sorted(descriptions(schema) + moved):
            fail(vendor, tool, f"the vendor's package moves a constraint into a description: {schema} {again}")


def unwrapped(schema):
    """Puts a reference that is the only branch of a union beside the other keywords, where the guide of Google does not allow it."""
    if isinstance(schema, list):
        return [unwrapped(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: unwrapped(inner) for key, inner in schema.items()}
    if isinstance(branches := schema.get("anyOf"), list) and len(branches) == 1 and "$ref" in branches[0]:
        del schema["anyOf"]
        schema |= branches[0]
    return schema


def read_open_ai_strict(line):
    vendor, tool = line["vendor"], line["tool"]
    subject = line["schema"] if line["strict"] else line["published"]
    transformer = OpenAiTransformer(copy(subject), strict=None)
    transformer.walk()
    if transformer.is_strict_compatible == line["strict"]:
        return
    if line["strict"]:
        fail(vendor, tool, f"pydantic-ai does not call it strict: {subject}")
    elif explained := [rule for rule in line["rules"] if rule in EXPLAINED]:
        count(f"tools that only pydantic-ai makes strict, explained by {explained[0]}")
    else:
        fail(vendor, tool, f"pydantic-ai makes it strict, and we do not: {line['rules']} {subject}")


def descriptions(schema):
    """All descriptions, which the packages add lost constraints to."""
    if isinstance(schema, list):
        return [text for inner in schema for text in descriptions(inner)]
    if not isinstance(schema, dict):
        return []
    own = [schema["description"]] if isinstance(schema.get("description"), str) else []
    return sorted(own + [text for inner in schema.values() for text in descriptions(inner)])


def patterns(schema):
    if isinstance(schema, list):
        return [pattern for inner in schema for pattern in patterns(inner)]
    if not isinstance(schema, dict):
        return []
    own = [schema["pattern"]] if isinstance(schema.get("pattern"), str) else []
    return own + [pattern for inner in schema.values() for pattern in patterns(inner)]


def main():
    for text in sys.stdin:
        line = json.loads(text)
        vendor = line.get("request") or line.get("vendor") or line["answer"]
        try:
            if "request" in line:
                read_request(line)
            elif "answer" in line:
                read_results(vendor, line["results"])
                count("answers")
            else:
                read_definition(line)
        except Exception as error:
            fail(vendor, line.get("tool", "as a whole"), f"{type(error).__name__}: {error}"[:2000])
    for what, number in COUNTS.items():
        print(f"{number} {what}")
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    if not COUNTS.get("definitions") or not COUNTS.get("answers"):
        sys.exit("nothing was read")
    sys.exit(1 if FAILURES else 0)


main()
