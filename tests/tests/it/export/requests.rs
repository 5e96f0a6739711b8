//! What all strict tools of one request share.

use mcp_tool_runtime::{
    Dispatcher, Extensions, ToolHandler,
    export::{Export, Strict, Vendor},
    mcp_tool, tools,
};
use serde_json::{Value, json};

use super::{Echo, now, parts, serve};

/// Sixty tools: some with optional arguments, some with unions, some that cannot be strict.
fn sixty() -> Vec<Box<dyn ToolHandler>> {
    let tool = |index: usize| {
        let mut properties = json!({ "id": { "type": "string" } });
        let mut required = vec!["id"];
        for optional in 0..index % 4 {
            properties[format!("o{optional}")] = json!({ "type": "string" });
        }
        if index.is_multiple_of(3) {
            properties["either"] = json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] });
            required.push("either");
        }
        if index.is_multiple_of(7) {
            properties["count"] = json!({ "type": "integer", "minimum": 0 });
            required.push("count");
        }
        let schema =
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        Box::new(Echo::new(&format!("tool_{index}"), schema)) as Box<dyn ToolHandler>
    };
    (0..60).map(tool).collect()
}

fn strict_schemas(export: &Export) -> Vec<Value> {
    let all = export.tools().iter().map(|tool| parts(tool, Vendor::Anthropic));
    all.filter(|(_, _, strict)| *strict).map(|(_, schema, _)| schema).collect()
}

#[test]
fn sixty_tools_keep_the_limits_of_a_request_in_the_same_way_each_time() {
    let export = || serve(sixty()).export(Vendor::Anthropic).strict(Strict::WhereLossless);
    let one = export();
    assert_eq!(one.tools().len(), 60, "every tool is sent");
    let strict = strict_schemas(&one);
    let optional: usize = strict
        .iter()
        .map(|schema| {
            schema["properties"].as_object().expect("properties").len()
                - schema["required"].as_array().expect("names").len()
        })
        .sum();
    let unions = strict.iter().filter(|schema| schema["properties"].get("either").is_some()).count();
    assert!(strict.len() <= 20 && optional <= 24 && unions <= 16, "{} {optional} {unions}", strict.len());
    assert!(strict.len() >= 15, "the limits are used: {} {optional} {unions}", strict.len());
    let text = Value::from(strict).to_string();
    assert!(!text.contains("minimum"), "a tool that cannot be strict is not: {text}");
    assert_eq!(one.tools(), export().tools());
    assert_eq!(one.findings(), export().findings());
    // Each tool that is not strict is named once.
    assert_eq!(one.findings().len() + strict_schemas(&one).len(), 60, "{:?}", one.findings());
    let beyond = one.findings().iter().find(|finding| finding.rule == "strict-request").expect("a finding");
    assert!(beyond.to_string().contains("without `strict`: "), "{beyond}");
}

#[test]
fn open_ai_has_no_limit_for_a_request() {
    let dispatcher = serve(sixty());
    let export = dispatcher.export(Vendor::OpenAiResponses);
    assert!(export.tools().iter().all(|tool| tool["strict"] == true), "{:?}", export.findings());
}

/// Reset everything.
#[mcp_tool(tags("admin"))]
async fn reset() {}

/// Reset one thing.
#[mcp_tool]
async fn reset_one() {}

#[test]
fn a_hidden_tool_is_neither_exported_nor_callable_nor_suggested() {
    struct Admin;
    let dispatcher = Dispatcher::builder()
        .tools(tools![reset, reset_one])
        .visible(|tool, extensions| !tool.tags().contains("admin") || extensions.get::<Admin>().is_some())
        .build()
        .expect("two tools");
    let message = |name: &str| {
        let call = json!({ "id": "1", "type": "function", "function": { "name": name, "arguments": "{}" } });
        json!({ "role": "assistant", "tool_calls": [call] })
    };
    let text = |export: &Export, name: &str| {
        now(export.answer(&message(name))).expect("a message")[0]["content"].as_str().expect("a text").to_owned()
    };
    let mut extensions = Extensions::new();
    let anybody = dispatcher.export(Vendor::OpenAiChat);
    assert_eq!(anybody.tools().len(), 1);
    assert_eq!(dispatcher.seen_by(&extensions).export(Vendor::OpenAiChat).tools(), anybody.tools());
    assert_eq!(text(&anybody, "reset"), text(&anybody, "zeset").replace("zeset", "reset"));
    assert!(!text(&anybody, "rese").contains("`reset`"), "{}", text(&anybody, "rese"));
    extensions.insert(Admin);
    let admin = dispatcher.seen_by(&extensions).export(Vendor::OpenAiChat);
    assert_eq!(admin.tools().len(), 2);
    assert_eq!(text(&admin, "reset"), "Done");
}
