"""Streams of the five vendors, and the messages that the vendors' own packages make of them.

Usage: streams.py            checks that the recorded files are what the packages say today
       streams.py --record   writes them: FIXTURE for the test `export::streams`, and LOOP for the guide and the example `agent_loop`

Each event must be accepted by the vendor's own package. The packages of OpenAI and Anthropic also put the events together. Those of
Google and Amazon leave that to the user, so their messages are written here and accepted by the packages.
"""

import json
import sys
from pathlib import Path

import environment

environment.in_venv("vendors", Path(__file__).with_name("vendors.txt"))

import botocore.session
from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import RawMessageStreamEvent
from botocore.validate import ParamValidator
from google.genai import types as google
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

FIXTURE = Path(__file__).resolve().parents[1] / "tests/it/export/streams.jsonl"
LOOP = Path(__file__).resolve().parents[2] / "mcp-tool-runtime/docs/guide/agent_stream.txt"
SERVICE = botocore.session.get_session().get_service_model("bedrock-runtime")
PIECES = ['{"ci', 'ty": "Par', 'is"}']


def without_nulls(value):
    if isinstance(value, dict):
        return {key: without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


def chat(pieces, reason):
    def chunk(delta, finish_reason=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt", "choices": [choice]}

    def call(index, arguments, **head):
        function = {"arguments": arguments, **({"name": head.pop("name")} if "name" in head else {})}
        return {"tool_calls": [{"index": index, **head, "function": function}]}

    events = [chunk({"role": "assistant", "content": ""}), chunk({"content": "Let me "}), chunk({"content": "see."})]
    events.append(chunk(call(0, "", id="1", type="function", name="place")))
    events.append(chunk(call(1, "", id="2", type="function", name="weather")))
    events += [chunk(call(1, piece)) for piece in pieces]
    events.append(chunk({}, reason))
    events.append({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt", "choices": []})
    state = ChatCompletionStreamState()
    for event in events:
        state.handle_chunk(ChatCompletionChunk.model_validate(event, strict=True))
    message = state.current_completion_snapshot.choices[0].message.to_dict()
    message.pop("parsed", None)
    for made in message["tool_calls"]:
        made.pop("index", None)
        made["function"].pop("parsed_arguments", None)
    return events, [message]


def responses(pieces, reason):
    arguments = "".join(pieces)
    status = "completed" if reason == "completed" else "incomplete"
    text = {"type": "output_text", "text": "Let me see.", "annotations": []}
    output = [
        {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text]},
        {"type": "function_call", "id": "f1", "call_id": "1", "name": "place", "arguments": "", "status": "completed"},
        {"type": "function_call", "id": "f2", "call_id": "2", "name": "weather", "arguments": arguments, "status": status},
    ]
    response = {
        "id": "r", "object": "response", "created_at": 1, "model": "gpt", "output": [], "parallel_tool_calls": True,
        "tool_choice": "auto", "tools": [], "status": "in_progress",
    }
    events = [{"type": "response.created", "response": response}]
    for index, item in enumerate(output):
        started = {**item, "status": "in_progress", **({"arguments": ""} if "arguments" in item else {"content": []})}
        events.append({"type": "response.output_item.added", "output_index": index, "item": started})
        for piece in pieces if item.get("name") == "weather" else []:
            delta = {"item_id": item["id"], "output_index": index, "delta": piece}
            events.append({"type": "response.function_call_arguments.delta", **delta})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    # The second stream ends as servers do that leave the items out.
    ended = {**response, "status": status, "output": output if status == "completed" else []}
    events.append({"type": f"response.{status}", "response": ended})
    events = [{**event, "sequence_number": number} for number, event in enumerate(events)]
    for event in events:
        TypeAdapter(ResponseStreamEvent).validate_python(event)
    Response.model_validate({**response, "output": output})
    return events, output


def anthropic(pieces, reason):
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "m", "type": "message", "role": "assistant", "content": [], "model": "claude", "stop_reason": None,
        "stop_sequence": None, "usage": usage,
    }
    blocks = [
        ({"type": "thinking", "thinking": "", "signature": ""}, [
            {"type": "thinking_delta", "thinking": "Paris, "}, {"type": "thinking_delta", "thinking": "now."},
            {"type": "signature_delta", "signature": "c2ln"},
        ]),
        ({"type": "text", "text": ""}, [{"type": "text_delta", "text": "Let me "}, {"type": "text_delta", "text": "see."}]),
        ({"type": "tool_use", "id": "1", "name": "place", "input": {}}, [{"type": "input_json_delta", "partial_json": ""}]),
        ({"type": "tool_use", "id": "2", "name": "weather", "input": {}},
         [{"type": "input_json_delta", "partial_json": piece} for piece in ["", *pieces]]),
    ]
    events = [{"type": "message_start", "message": message}, {"type": "ping"}]
    for index, (block, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 9}})
    events.append({"type": "message_stop"})
    snapshot, buffers = None, {}
    for event in events:
        if event["type"] == "ping":
            continue
        checked = TypeAdapter(RawMessageStreamEvent).validate_python(event)
        snapshot = accumulate_event(event=checked, current_snapshot=snapshot, json_bufs=buffers)
    content = [{key: value for key, value in block.to_dict().items() if not key.startswith("_") and key != "parsed_output"} for block in snapshot.content]
    return events, [{"role": "assistant", "content": content}]


def gemini(pieces, reason):
    arguments = json.loads("".join(pieces)) if reason == "STOP" else {}
    parts = [
        {"text": "Let me "},
        {"text": "see."},
        {"functionCall": {"id": "1", "name": "place", "args": {}}, "thoughtSignature": "c2ln"},
        {"functionCall": {"id": "2", "name": "weather", "args": arguments}},
    ]
    def chunk(parts, **more):
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, **more}], "modelVersion": "gemini"}
    events = [chunk(parts[:1]), chunk(parts[1:3]), chunk(parts[3:], finishReason=reason), {"usageMetadata": {"totalTokenCount": 9}}]
    for event in events:
        google.GenerateContentResponse.model_validate(event)
    message = {"role": "model", "parts": parts}
    google.Content.model_validate(message)
    return events, [message]


def bedrock(pieces, reason):
    def validate(value, shape):
        report = ParamValidator().validate(value, SERVICE.shape_for(shape))
        if report.has_errors():
            raise ValueError(report.generate_report())

    def block(index, deltas, start=None):
        at = {"contentBlockIndex": index}
        events = [{"contentBlockStart": {"start": start, **at}}] if start else []
        return [*events, *({"contentBlockDelta": {"delta": delta, **at}} for delta in deltas), {"contentBlockStop": at}]

    events = [
        {"messageStart": {"role": "assistant"}},
        *block(0, [{"reasoningContent": {"text": "Paris."}}, {"reasoningContent": {"signature": "c2ln"}}]),
        *block(1, [{"text": "Let me "}, {"text": "see."}]),
        *block(2, [], {"toolUse": {"toolUseId": "1", "name": "place"}}),
        *block(3, [{"toolUse": {"input": piece}} for piece in pieces], {"toolUse": {"toolUseId": "2", "name": "weather"}}),
        {"messageStop": {"stopReason": reason}},
        {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}, "metrics": {"latencyMs": 1}}},
    ]
    for event in events:
        validate(event, "ConverseStreamOutput")
    arguments = json.loads("".join(pieces)) if reason == "tool_use" else {"INVALID_JSON": "".join(pieces)}
    message = {
        "role": "assistant",
        "content": [
            {"reasoningContent": {"reasoningText": {"text": "Paris.", "signature": "c2ln"}}},
            {"text": "Let me see."},
            {"toolUse": {"toolUseId": "1", "name": "place", "input": {}}},
            {"toolUse": {"toolUseId": "2", "name": "weather", "input": arguments}},
        ],
    }
    validate({"output": {"message": message}, "stopReason": reason, "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}, "metrics": {"latencyMs": 1}}, "ConverseResponse")
    return events, [message]


VENDORS = [
    ("OpenAI Responses", responses, "completed", "incomplete"),
    ("OpenAI Chat", chat, "tool_calls", "length"),
    ("Anthropic", anthropic, "tool_use", "max_tokens"),
    ("Gemini", gemini, "STOP", "MAX_TOKENS"),
    ("Bedrock", bedrock, "tool_use", "max_tokens"),
]


def streams():
    for vendor, make, done, cut_off in VENDORS:
        for pieces, reason in [(PIECES, done), (PIECES[:2], cut_off)]:
            events, turn = make(pieces, reason)
            yield {"vendor": vendor, "is_complete": reason == done, "events": events, "turn": without_nulls(turn)}


def agent_loop():
    """The two responses of Anthropic that the example reads, as server-sent events."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "m", "type": "message", "role": "assistant", "content": [], "model": "claude", "stop_reason": None,
        "stop_sequence": None, "usage": usage,
    }

    def call(id_, name, *pieces):
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        return {"type": "tool_use", "id": id_, "name": name, "input": {}}, deltas

    def text(*pieces):
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]

    turns = [
        ([text("Let me ", "see."), call("1", "weather_temperature", '{"city": "Pa', 'ris"}'), call("2", "forget", "")], "tool_use"),
        ([text("It is 22.5 degrees, ", "and I forgot nothing.")], "end_turn"),
    ]
    for blocks, reason in turns:
        yield {"type": "message_start", "message": message}
        for index, (block, deltas) in enumerate(blocks):
            yield {"type": "content_block_start", "index": index, "content_block": block}
            yield from ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
            yield {"type": "content_block_stop", "index": index}
        yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}


def server_sent(event):
    TypeAdapter(RawMessageStreamEvent).validate_python(event)
    return f"event: {event['type']}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"


def main():
    text = "".join(json.dumps(stream, separators=(",", ":")) + "\n" for stream in streams())
    for path, recorded in [(FIXTURE, text), (LOOP, "".join(map(server_sent, agent_loop())))]:
        if "--record" in sys.argv:
            path.write_text(recorded)
        elif path.read_text() != recorded:
            sys.exit(f"{path} is not what the packages say: run streams.py --record")
    print(f"{len(text.splitlines())} streams, {sum(len(json.loads(line)['events']) for line in text.splitlines())} events")


main()
