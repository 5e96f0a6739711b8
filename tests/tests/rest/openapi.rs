//! The `OpenAPI` document.

use std::{env, fs};

use mcp_tool_runtime::{Dispatcher, HasScopes, mcp_tool, tools};
use mcp_tool_tests::zoo::zoo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

/// Order.
#[deprecated(note = "use `buy`")]
#[mcp_tool(scopes("orders:write"))]
async fn order() {}

#[test]
fn definitions_are_components_and_every_reference_leads_to_one() {
    #[allow(deprecated)]
    let dispatcher = Dispatcher::builder().tools(tools![discuss, order]).visible_by_scopes::<Claims>().build();
    let document = dispatcher.expect("two tools").openapi();
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
