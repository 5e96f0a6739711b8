//! Hand-written schemas with forms that no derive writes: `build` accepts them, publishes them as they are, and enforces them.

use mcp_tool_runtime::lint::{Client, Severity};
use mcp_tool_runtime::{Dispatcher, ToolHandler};
use serde_json::{Value, json};

use crate::cli::described;
use crate::run::{self, input, lines, message, serve, taking, value};

fn served(schema: Value) -> Dispatcher {
    let tool: Box<dyn ToolHandler> = Box::new(taking("by_hand", schema));
    serve(vec![tool])
}

#[tokio::test]
async fn t15_each_form_is_published_as_it_is() {
    for schema in [
        json!({"type": "object", "required": ["a"]}),
        json!({"type": "object", "properties": {"a": {"required": ["b"]}}}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}, "additionalProperties": true}),
        json!({"type": "object", "properties": {"a": {"type": "array", "items": true}}}),
        json!({"type": "object", "properties": {"a": {"type": "array", "items": false}}}),
        json!({"type": "object", "properties": {"a": true, "b": false}}),
        json!({"type": "object", "properties": {"": {"type": "integer"}}, "required": [""]}),
    ] {
        let dispatcher = served(schema.clone());
        assert_eq!(input(&dispatcher, "by_hand"), schema);
        assert!(described(dispatcher).await.contains("by_hand"), "{schema}");
    }
}

#[test]
fn t15_a_required_name_without_a_property_is_required_and_takes_any_value() {
    let dispatcher =
        served(json!({"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["a", "b"]}));
    assert_eq!(
        lines(&dispatcher, "by_hand", json!({"b": "x"})),
        ["- a: required, but missing", "- b: expected an integer, got a string"]
    );
    let sent = json!({"a": [null], "b": 1});
    assert_eq!(value(&dispatcher, "by_hand", sent.clone()), sent);
}

#[test]
fn t15_an_open_object_takes_any_other_property() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": true}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {}}),
    ] {
        let sent = json!({"b": {"c": null}, "": 1});
        assert_eq!(value(&served(schema), "by_hand", sent.clone()), sent);
    }
}

#[test]
fn t15_boolean_schemas_admit_everything_or_nothing() {
    let schema = json!({"type": "object", "properties": {
        "any": true, "never": false,
        "list": {"type": "array", "items": true}, "empty": {"type": "array", "items": false},
    }});
    let dispatcher = served(schema);
    let sent = json!({"any": [null, 1], "list": [1, "a", null], "empty": []});
    assert_eq!(value(&dispatcher, "by_hand", sent.clone()), sent);
    assert_eq!(
        lines(&dispatcher, "by_hand", json!({"never": 1, "empty": [1]})),
        ["- empty: expected at most 0 elements", "- never: no value is allowed here"]
    );
    // `null` for an optional property that admits it is a value, and absent elsewhere (rule I3).
    assert_eq!(value(&dispatcher, "by_hand", json!({"any": null, "never": null})), json!({"any": null}));
}

#[test]
fn t15_a_property_without_a_name_has_a_path() {
    let schema = json!({
        "type": "object",
        "properties": {"": {"type": "object", "properties": {"": {"type": "integer"}}, "required": [""]}},
        "required": [""],
    });
    let dispatcher = served(schema);
    assert_eq!(value(&dispatcher, "by_hand", json!({"": {"": 1}})), json!({"": {"": 1}}));
    assert_eq!(
        message(&dispatcher, "by_hand", json!({"": {"": "a"}})),
        r#"invalid arguments: [""][""]: expected an integer, got a string"#
    );
    assert_eq!(message(&dispatcher, "by_hand", json!({})), r#"invalid arguments: [""]: required, but missing"#);
    let error = run::error(&dispatcher, "by_hand", json!({"": {"": "a"}}));
    assert!(matches!(error.errors(), [only] if only.pointer() == "//"), "{error:?}");
}

/// A boolean as the schema of a property makes some clients drop all tools.
#[test]
fn lint_names_the_clients_that_refuse_boolean_schemas() {
    let dispatcher =
        served(json!({"type": "object", "properties": {"a": true, "b": {"type": "array", "items": true}}}));
    let findings = dispatcher.lint(Client::ALL);
    let place = "/inputSchema/properties/a";
    let is_found = |client| {
        findings.iter().any(|finding| {
            finding.client() == Some(client) && finding.place == place && finding.severity == Severity::AllRefused
        })
    };
    assert!(is_found(Client::McpLegacy) && is_found(Client::ClaudeCode), "{findings:#?}");
}
