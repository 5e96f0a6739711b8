//! Definitions without `strict`, and what is changed in them.

use mcp_tool_runtime::lint::Severity;
use mcp_tool_runtime::{
    export::{Strict, Vendor},
    mcp_tool, tools,
};
use serde_json::{Value, json};

use super::{Echo, definitions, echoing, parts, serve};

/// Read a file.
#[mcp_tool(name = "files.read")]
async fn read(path: String, #[serde(default)] limit: u32) -> String {
    format!("{path} {limit}")
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "path": { "type": "string" }, "limit": { "type": "integer", "minimum": 0, "maximum": u32::MAX, "default": 0 } },
        "required": ["path"],
        "additionalProperties": false
    })
}

#[test]
fn each_vendor_gets_its_own_form() {
    let dispatcher = serve(tools![read]);
    let text = "Read a file.";
    for (vendor, expected) in [
        (
            Vendor::OpenAiResponses,
            json!({ "type": "function", "name": "files_read", "description": text, "parameters": schema(), "strict": false }),
        ),
        (
            Vendor::OpenAiChat,
            json!({
                "type": "function",
                "function": { "name": "files_read", "description": text, "parameters": schema(), "strict": false }
            }),
        ),
        (Vendor::Anthropic, json!({ "name": "files_read", "description": text, "input_schema": schema() })),
        (
            Vendor::Gemini,
            json!({ "functionDeclarations": [{ "name": "files.read", "description": text, "parametersJsonSchema": schema() }] }),
        ),
        (
            Vendor::Bedrock,
            json!({ "toolSpec": { "name": "files_read", "description": text, "inputSchema": { "json": schema() } } }),
        ),
    ] {
        let export = dispatcher.export(vendor).strict(Strict::Off);
        assert_eq!(export.tools(), [expected], "{vendor}");
    }
    assert!(Vendor::ALL.iter().all(|vendor| serve([]).export(*vendor).tools().is_empty()));
}

#[test]
fn a_changed_name_is_reported() {
    let dispatcher = serve(tools![read]);
    let export = dispatcher.export(Vendor::Anthropic);
    let [finding] = export.findings() else { panic!("{:?}", export.findings()) };
    assert_eq!(
        (finding.vendor(), finding.client(), finding.tool.as_deref()),
        (Some(Vendor::Anthropic), None, Some("files.read"))
    );
    assert_eq!((finding.rule, finding.place.as_str(), finding.severity), ("tool-name", "/name", Severity::Advice));
    let text = finding.to_string();
    let expected = "`files.read` is sent to Anthropic under another name because of /name: the name contains `.`; it is \
                    `files_read` there; rename the tool";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("https://") && !finding.date.is_empty(), "{text}");
    assert_eq!(dispatcher.export(Vendor::Gemini).findings(), []);
}

#[test]
fn two_names_that_would_be_equal_differ_and_are_reported() {
    let object = json!({ "type": "object" });
    let echo = |name: &str| Box::new(Echo::new(name, object.clone())) as Box<dyn mcp_tool_runtime::ToolHandler>;
    let dispatcher = serve([echo("a_b"), echo("a.b")]);
    let export = dispatcher.export(Vendor::OpenAiChat).strict(Strict::Off);
    let names: Vec<_> = export.tools().iter().map(|tool| parts(tool, Vendor::OpenAiChat).0).collect();
    assert!(names[0] == "a_b" && names[1].starts_with("a_b_"), "{names:?}");
    let [finding] = export.findings() else { panic!("{:?}", export.findings()) };
    assert_eq!(finding.tool.as_deref(), Some("a.b"));
    assert!(finding.problem.starts_with("it would be the name of `a_b` too; it is `a_b_"), "{finding}");
}

#[test]
fn a_tool_that_a_vendor_refuses_is_left_out_and_reported() {
    let union = json!({
        "type": "object",
        "properties": {},
        "oneOf": [
            { "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] },
            { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }
        ]
    });
    let dispatcher = echoing("find", union.clone());
    for vendor in [Vendor::OpenAiResponses, Vendor::OpenAiChat, Vendor::Anthropic] {
        let export = dispatcher.export(vendor).strict(Strict::WhereLossless);
        assert_eq!(export.tools(), [] as [Value; 0], "{vendor}");
        let [finding] = export.findings() else { panic!("{:?}", export.findings()) };
        assert_eq!((finding.rule, finding.severity), ("root-union", Severity::Refused));
        assert!(finding.to_string().starts_with(&format!("`find` is not sent to {vendor} because of /inputSchema: ")));
    }
    assert_eq!(parts(&dispatcher.export(Vendor::Bedrock).tools()[0], Vendor::Bedrock).1, union);

    let odd = echoing("odd", json!({ "type": "object", "properties": { "größe": { "type": "string" } } }));
    assert_eq!(odd.export(Vendor::Anthropic).tools(), [] as [Value; 0]);
    assert_eq!(odd.export(Vendor::Anthropic).findings()[0].rule, "argument-name");
    assert_eq!(odd.export(Vendor::OpenAiChat).tools().len(), 1);
}

#[test]
fn open_ai_gets_at_most_128_tools() {
    let object = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let many = (0..130).map(|index| {
        Box::new(Echo::new(&format!("tool_{index}"), object.clone())) as Box<dyn mcp_tool_runtime::ToolHandler>
    });
    let dispatcher = serve(many);
    let export = dispatcher.export(Vendor::OpenAiResponses);
    assert_eq!(export.tools().len(), 128);
    let left_out: Vec<_> = export.findings().iter().filter_map(|finding| finding.tool.as_deref()).collect();
    assert_eq!(left_out, ["tool_128", "tool_129"]);
    assert_eq!((export.exported_name("tool_128"), export.exported_name("tool_127").is_some()), (None, true));
    assert_eq!(dispatcher.export(Vendor::Anthropic).tools().len(), 130);
}

#[test]
fn what_gemini_refuses_is_said_in_another_way() {
    let dispatcher = echoing(
        "all",
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "All",
            "type": "object",
            "properties": {
                "title": { "type": "string", "title": "Title", "format": "date-time", "x-mcp-header": "Title" },
                "kind": { "const": "all" },
                "ratio": { "type": ["number", "null"], "exclusiveMinimum": 0 },
                "map": { "type": "object", "propertyNames": { "pattern": "^[a-z]+$" }, "additionalProperties": { "not": {} } }
            }
        }),
    );
    let export = dispatcher.export(Vendor::Gemini);
    let [definition] = definitions(export.tools(), Vendor::Gemini).try_into().expect("one");
    assert_eq!(
        parts(&definition, Vendor::Gemini).1,
        json!({
            "type": "object",
            "properties": {
                "title": { "type": "string", "description": "(format: date-time)" },
                "kind": { "type": "string", "enum": ["all"] },
                "ratio": {
                    "description": "(exclusiveMinimum: 0)", "anyOf": [{ "type": "number" }, { "type": "null" }]
                },
                "map": {
                    "type": "object",
                    "additionalProperties": false,
                    "description": "(schema of the keys: {\"pattern\":\"^[a-z]+$\"})"
                }
            }
        })
    );
    let [finding] = export.findings() else { panic!("{:?}", export.findings()) };
    assert_eq!(finding.severity, Severity::Lost);
    assert_eq!(
        finding.problem.as_str(),
        "only the descriptions mention `format of /properties/title`, `exclusiveMinimum of /properties/ratio`, \
         `propertyNames of /properties/map`"
    );
}

#[test]
fn a_required_name_that_a_pattern_describes_stays_acceptable() {
    let dispatcher = echoing(
        "count",
        json!({
            "type": "object",
            "required": ["x-a"],
            "patternProperties": { "^x-": { "type": "string" } },
            "additionalProperties": { "type": "integer" }
        }),
    );
    let export = dispatcher.export(Vendor::Anthropic);
    assert_eq!(export.tools()[0]["input_schema"]["properties"], json!({ "x-a": {} }));
}
