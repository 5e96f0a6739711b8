//! Gives each exported definition and each result to the vendors' own packages, with the command in `EXPORT_ORACLE`.
//!
//! The command reads JSON from its standard input, one value a line. `tests/clients/vendors.py` is such a command.

use std::env;
use std::io::{BufWriter, Write};
use std::process::{Command, Stdio};

use mcp_tool_runtime::{
    Audio, Content, Dispatcher, EmbeddedResource, Image, ResourceLink, Structured, Text, ToolHandler,
    export::{Strict, Vendor},
    mcp_tool, tools,
};
use mcp_tool_tests::{size, zoo::zoo};
use serde_json::{Value, json};

use super::{Echo, definitions, hand_written, now, parts, serve};

/// Everything that a tool can show.
#[mcp_tool]
async fn show() -> Vec<Content> {
    vec![
        Text::new("all of it").into(),
        Text::new("").into(),
        Image::new(b"\x89PNG", "image/png").into(),
        Audio::new(b"RIFF", "audio/wav").into(),
        ResourceLink::new("file:///a.md", "a.md").into(),
        EmbeddedResource::text("memo://1", "milk").into(),
        EmbeddedResource::blob("memo://2", [0, 159]).with_mime_type("image/jpeg").into(),
    ]
}

/// A value and a picture.
#[mcp_tool]
async fn value(kind: u8) -> Structured<Value> {
    let value = match kind {
        0 => json!({ "name": "Paris" }),
        1 => json!([1, 2]),
        2 => json!(null),
        _ => json!("text"),
    };
    Structured::new(value).with_content(Image::new(b"GIF89a", "image/gif"))
}

/// Nothing.
#[mcp_tool]
async fn nothing() -> Vec<Content> {
    Vec::new()
}

/// Fail.
#[mcp_tool]
async fn fail() -> Result<(), &'static str> {
    Err("it is closed")
}

fn message(vendor: Vendor) -> Value {
    let calls = [
        ("show", json!({})),
        ("value", json!({ "kind": 0 })),
        ("value", json!({ "kind": 1 })),
        ("value", json!({ "kind": 2 })),
        ("value", json!({ "kind": 3 })),
        ("nothing", json!({})),
        ("fail", json!({})),
        ("unknown", json!({})),
        ("show", json!({ "a": 1 })),
    ];
    let calls = calls.iter().enumerate().map(|(index, (name, arguments))| {
        let id = format!("call_{index}");
        match vendor {
            Vendor::OpenAiResponses => {
                json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments.to_string() })
            }
            Vendor::OpenAiChat => {
                json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } })
            }
            Vendor::Anthropic => json!({ "type": "tool_use", "id": id, "name": name, "input": arguments }),
            Vendor::Gemini => json!({ "functionCall": { "id": id, "name": name, "args": arguments } }),
            _ => json!({ "toolUse": { "toolUseId": id, "name": name, "input": arguments } }),
        }
    });
    let calls: Vec<_> = calls.collect();
    match vendor {
        Vendor::OpenAiResponses => calls.into(),
        Vendor::OpenAiChat => json!({ "role": "assistant", "content": null, "tool_calls": calls }),
        Vendor::Gemini => json!({ "role": "model", "parts": calls }),
        _ => json!({ "role": "assistant", "content": calls }),
    }
}

#[test]
fn the_vendors_packages_read_every_definition_and_every_result() {
    let Ok(command) = env::var("EXPORT_ORACLE") else {
        println!("EXPORT_ORACLE is not set: the vendors' packages are not asked");
        return;
    };
    let mut words = command.split_whitespace();
    let mut child =
        Command::new(words.next().expect("a command")).args(words).stdin(Stdio::piped()).spawn().expect("the command");
    let mut lines = BufWriter::new(child.stdin.take().expect("its input"));
    let mut write = |line: Value| writeln!(lines, "{line}").expect("the command reads its input");
    let by_hand = |(name, schema)| Box::new(Echo::new(&format!("by_hand_{name}"), schema)) as Box<dyn ToolHandler>;
    let all = || {
        let of_zoo = zoo().into_iter().map(|specimen| specimen.handler);
        of_zoo.chain(hand_written::schemas().into_iter().map(by_hand)).collect::<Vec<_>>()
    };
    for vendor in Vendor::ALL {
        for strict in [Strict::Off, Strict::WhereLossless] {
            let dispatcher = serve(all());
            let export = dispatcher.export(*vendor).strict(strict);
            // All tools together, as in one request.
            write(json!({ "request": vendor.to_string(), "tools": export.tools() }));
            // Each tool alone, so that no limit of a request decides whether it is strict.
            for handler in all().into_iter().step_by(size(4, 1)) {
                let alone = Dispatcher::builder().tools([handler]).build().expect("one tool");
                let export = alone.export(*vendor).strict(strict);
                let published = &alone.list()[0];
                let found = definitions(export.tools(), *vendor);
                let strict_schema = found.first().map(|definition| parts(definition, *vendor));
                write(json!({
                    "vendor": vendor.to_string(),
                    "asked_strict": strict == Strict::WhereLossless,
                    "tool": published.name,
                    "published": published.input_schema,
                    "definition": found.first(),
                    "schema": strict_schema.as_ref().map(|(_, schema, _)| schema),
                    "strict": strict_schema.is_some_and(|(_, _, strict)| strict),
                    "rules": export.findings().iter().map(|finding| finding.rule).collect::<Vec<_>>(),
                }));
            }
        }
        let export = serve(tools![show, value, nothing, fail]).export(*vendor);
        let message = message(*vendor);
        let results = now(export.answer(&message)).expect("a message");
        write(json!({ "answer": vendor.to_string(), "message": message, "results": results }));
    }
    drop(lines);
    let ended = child.wait().expect("the command");
    assert!(ended.success(), "{ended}");
}
