//! The `OpenAPI` document.

use std::{env, fs};

use mcp_tool_runtime::mcp::Tool;
use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Content, Dispatcher, Excerpt, Extensions, Image, Output, Text, ToolError,
    ToolHandler, ToolMetadata, listing::HasScopes, mcp_tool, tools,
};
use mcp_tool_tests::zoo::zoo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Comment {
    text: String,
    #[serde(default)]
    answers: Vec<Comment>,
}

/// Echo a discussion.
#[mcp_tool(title = "Discuss", example_call(comment = Comment { text: "a".to_owned(), answers: Vec::new() }))]
async fn discuss(comment: Comment) -> Comment {
    comment
}

struct Claims;

impl HasScopes for Claims {
    fn has_scope(&self, _: &str) -> bool {
        true
    }
}

fn with_claims() -> Extensions {
    let mut extensions = Extensions::new();
    extensions.insert(Claims);
    extensions
}

/// Order.
#[deprecated(note = "use `buy`")]
#[mcp_tool(scopes("orders:write"))]
async fn order() {}

/// A number that nobody describes.
#[mcp_tool(output = off)]
async fn undescribed() -> u8 {
    7
}

/// A log.
#[mcp_tool]
async fn log() -> Excerpt {
    Excerpt::lines("ready\n")
}

/// Nothing.
#[mcp_tool(output = off)]
async fn undescribed_nothing() {}

#[test]
fn a_result_without_a_schema_is_described_as_it_is_sent() {
    let document = Dispatcher::builder()
        .tools(tools![undescribed, log, undescribed_nothing])
        .build()
        .expect("three tools")
        .openapi();
    let schema = |path: &str| {
        document["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"].clone()
    };
    assert_eq!(schema("/undescribed"), json!({"description": "Any JSON."}));
    assert_eq!(schema("/log")["anyOf"][0], json!({"type": "string"}));
    assert_eq!(schema("/undescribed_nothing")["type"], "null");
}

#[test]
fn definitions_are_components_and_every_reference_leads_to_one() {
    #[allow(deprecated)]
    let dispatcher = Dispatcher::builder().tools(tools![discuss, order]).visible_by_scopes::<Claims>().build();
    let document = dispatcher.expect("two tools").seen_by(&with_claims()).openapi();
    let operation = &document["paths"]["/discuss"]["post"];
    assert_eq!((&operation["operationId"], &operation["summary"]), (&json!("discuss"), &json!("Discuss")));
    let request = &operation["requestBody"]["content"]["application/json"];
    assert_eq!(request["schema"]["properties"]["comment"], json!({"$ref": "#/components/schemas/discuss.Comment"}));
    assert_eq!(request["examples"]["example1"]["value"], json!({"comment": {"text": "a", "answers": []}}));
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    assert!(!document.to_string().contains("$defs"), "{document}");
    let order = &document["paths"]["/order"]["post"];
    assert_eq!((&order["deprecated"], &order["security"]), (&json!(true), &json!([{"bearer": ["orders:write"]}])));
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    assert!(operation.get("security").is_none());
    // Only a tool with scopes needs a token.
    assert_eq!(order["responses"]["401"], json!({"$ref": "#/components/responses/401"}));
    assert!(document["components"]["responses"]["401"]["headers"].get("WWW-Authenticate").is_some());
    assert!(operation["responses"].get("401").is_none());
    assert_eq!(operation["responses"]["415"], json!({"$ref": "#/components/responses/415"}));
}

/// Nothing.
#[mcp_tool(tags("quiet", "small"))]
async fn nothing() {}

/// Nothing, or an error.
#[mcp_tool(tags("small"))]
async fn nothing_or_error() -> Result<(), ToolError> {
    Ok(())
}

/// A text.
#[mcp_tool]
async fn text() -> Result<Text, ToolError> {
    Ok(Text::new("a"))
}

/// Blocks.
#[mcp_tool]
async fn blocks() -> Vec<Content> {
    vec![Text::new("a").into(), Image::new([1], "image/png").into()]
}

/// Anything.
#[mcp_tool]
async fn anything() -> Output {
    Output::content(Vec::new())
}

#[test]
fn a_result_without_a_schema_is_described() {
    let tools = tools![nothing, nothing_or_error, text, blocks, anything];
    let document = Dispatcher::builder().tools(tools).build().expect("five tools").openapi();
    let schema = |tool: &str| {
        document["paths"][format!("/{tool}")]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
            .clone()
    };
    assert_eq!(
        (schema("nothing")["type"].as_str(), schema("nothing_or_error")["type"].as_str()),
        (Some("null"), Some("null"))
    );
    let content = jsonschema::validator_for(&schema("text")).expect("a schema");
    assert_eq!(schema("text"), schema("blocks"));
    for (value, is_valid) in [
        (json!("a"), true),
        (json!([{"type": "text", "text": "a"}, {"type": "image", "data": "AQ==", "mimeType": "image/png"}]), true),
        (json!(null), false),
        (json!({"type": "text", "text": "a"}), false),
        (json!([{"type": "other"}]), false),
    ] {
        assert_eq!(content.is_valid(&value), is_valid, "{value}");
    }
    assert!(schema("anything").get("type").is_none() && schema("anything").get("anyOf").is_none());
}

#[test]
fn tags_and_security_are_in_the_document() {
    #[allow(deprecated)]
    let dispatcher =
        Dispatcher::builder().tools(tools![nothing, nothing_or_error, order]).visible_by_scopes::<Claims>();
    let document = dispatcher.build().expect("three tools").seen_by(&with_claims()).openapi();
    assert_eq!(document["tags"], json!([{"name": "quiet"}, {"name": "small"}]));
    assert_eq!(document["paths"]["/nothing"]["post"]["tags"], json!(["quiet", "small"]));
    assert_eq!(document["security"], json!([{}, {"bearer": []}]), "tools without scopes");
    let open = Dispatcher::builder().tools(tools![nothing]).build().expect("a tool").openapi();
    assert_eq!(open["security"], json!([]));
}

/// A tool whose schemas have definitions with these names, each with its own description.
struct Defined(&'static str, &'static [&'static str], &'static [&'static str]);

impl ToolHandler for Defined {
    fn definition(&self) -> Tool {
        let schema = |names: &[&str], side: &str| {
            let definition =
                |name: &&str| ((*name).to_owned(), json!({"description": format!("{} {side} {name}", self.0)}));
            let property = |name: &&str| {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                ((*name).to_owned(), json!({"$ref": format!("#/$defs/{escaped}")}))
            };
            json!({
                "type": "object",
                "properties": names.iter().map(property).collect::<Map<_, _>>(),
                "$defs": names.iter().map(definition).collect::<Map<_, _>>(),
            })
        };
        Tool::new(self.0, "Does nothing.", schema(self.1, "argument")).with_output_schema(schema(self.2, "result"))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Output::value(json!({})) })
    }
}

#[test]
fn components_of_different_definitions_have_different_names() {
    let dispatcher = Dispatcher::builder()
        // Both sides have `X`, and the result's would be called like that of the next tool.
        .tool(Defined("a", &["X", "List<X>", "List_X_", "b.c"], &["X", "X.result"]))
        .tool(Defined("a.X", &["result"], &["result"]))
        .tool(Defined("a.b", &["c"], &[]))
        .build()
        .expect("three tools");
    let document = dispatcher.openapi();
    for tool in dispatcher.list() {
        let operation = &document["paths"][format!("/{}", tool.name)]["post"];
        let request = &operation["requestBody"]["content"]["application/json"]["schema"];
        let result = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        for (schema, side) in [(request, "argument"), (result, "result")] {
            for (name, property) in schema["properties"].as_object().expect("properties") {
                let reference = property["$ref"].as_str().expect("a reference");
                let component = document.pointer(reference.trim_start_matches('#')).expect("a component");
                assert_eq!(component["description"], format!("{} {side} {name}", tool.name), "{reference}");
            }
        }
    }
    let names: Vec<_> = document["components"]["schemas"].as_object().expect("schemas").keys().collect();
    assert_eq!(names.len(), 1 + 4 + 2 + 2 + 1, "{names:?}");
    assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))));
}

/// A tool with a schema written by hand.
struct HandWritten(Value);

impl ToolHandler for HandWritten {
    fn definition(&self) -> Tool {
        Tool::new("refer", "Does nothing.", self.0.clone())
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Output::value(json!({})) })
    }
}

#[test]
fn a_reference_with_percent_escapes_leads_to_the_same_schema() {
    let references = [
        "#/%24defs/a",
        "#/%24defs/a/properties/x",
        "#/$defs%2Fa%2Fproperties%2Fx",
        "#/$defs/a/properties/50%25",
        "#/properties/50%25",
        "#/%24defs/List%3CX%3E/items",
    ];
    let mut schema = json!({
        "type": "object",
        "properties": { "50%": { "const": "#/properties/50%25" } },
        "$defs": {
            "a": {
                "const": "#/%24defs/a",
                "properties": { "x": { "enum": &references[1..3] }, "50%": { "const": "#/$defs/a/properties/50%25" } },
            },
            "List<X>": { "items": { "const": "#/%24defs/List%3CX%3E/items" } },
        },
    });
    for (index, reference) in references.into_iter().enumerate() {
        schema["properties"][format!("to{index}")] = json!({ "$ref": reference });
    }
    let document = Dispatcher::builder().tool(HandWritten(schema)).build().expect("a tool").openapi();
    for (index, expected) in references.into_iter().enumerate() {
        let request = &document["paths"]["/refer"]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let reference = request["properties"][format!("to{index}")]["$ref"].as_str().expect("a reference");
        let fragment = reference.strip_prefix('#').expect("a fragment").replace("%25", "%");
        let target = document.pointer(&fragment).unwrap_or_else(|| panic!("{expected}: {reference} leads nowhere"));
        let is_target =
            target["const"] == expected || target["enum"].as_array().is_some_and(|all| all.contains(&expected.into()));
        assert!(is_target, "{expected}: {reference} leads to {target}");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|value| collect(value, references)),
        Value::Object(object) => {
            references.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| collect(value, references));
        }
        _ => {}
    }
}

/// With `OPENAPI_DUMP`, writes the document of the zoo into that file, for `tests/clients/rest.py`.
#[test]
fn every_tool_of_the_zoo_has_an_operation() {
    let tools: Vec<_> = zoo().into_iter().map(|specimen| specimen.handler).collect();
    let count = tools.len();
    let document = Dispatcher::builder().tools(tools).build().expect("the zoo").openapi();
    assert_eq!(document["paths"].as_object().expect("paths").len(), count);
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.iter().all(|reference| document.pointer(reference.trim_start_matches('#')).is_some()));
    if let Ok(path) = env::var("OPENAPI_DUMP") {
        fs::write(path, document.to_string()).expect("a file");
    }
}
