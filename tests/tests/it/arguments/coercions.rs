//! Coercions of more values than one error lists, so that only the schema shows which ones they are.

use mcp_tool_runtime::Dispatcher;
use serde_json::{Value, json};

use crate::run;

/// More than the violations of all rounds together.
const MANY: usize = 300;

fn lax(schema: &Value) -> Dispatcher {
    let schema = json!({ "type": "object", "properties": { "v": schema } });
    run::built(run::exact().lax(true).tool(run::taking("t", schema)))
}

#[test]
fn i3_lax_reads_many_texts_of_each_type() {
    for (elements, text, value) in [
        (json!({ "type": "boolean" }), "true", json!(true)),
        (json!({ "type": "boolean" }), " False ", json!(false)),
        (json!({ "type": "integer" }), "-3", json!(-3)),
        (json!({ "type": "number" }), "1.5", json!(1.5)),
        (json!({ "type": "number" }), "3", json!(3)),
        (json!({ "type": "array" }), "[1]", json!([1])),
        (json!({ "type": "object" }), r#"{"a": 1}"#, json!({ "a": 1 })),
        (json!({ "type": ["null", "integer"] }), "3", json!(3)),
        (json!({ "enum": [true] }), "true", json!(true)),
        (json!({ "enum": [2, "1"] }), "2", json!(2)),
        (json!({ "enum": [1.5, null] }), "1.5", json!(1.5)),
        (json!({ "const": [1] }), "[1]", json!([1])),
        (json!({ "const": { "a": 1 } }), r#"{"a": 1}"#, json!({ "a": 1 })),
        (json!({ "allOf": [{ "type": ["integer", "string"] }, { "type": ["integer", "null"] }] }), "3", json!(3)),
        (json!({ "anyOf": [{ "type": "integer" }, { "const": "a" }] }), "3", json!(3)),
        (json!({ "oneOf": [{ "type": "boolean" }, { "type": "null" }] }), "true", json!(true)),
    ] {
        let dispatcher = lax(&json!({ "type": "array", "items": elements }));
        assert_eq!(
            run::value(&dispatcher, "t", json!({ "v": vec![text; MANY] })),
            json!({ "v": vec![value; MANY] }),
            "{elements} {text}"
        );
    }
}

#[test]
fn i3_lax_leaves_a_text_that_the_schema_accepts() {
    for (elements, text) in [
        (json!({ "type": ["boolean", "string"] }), "true"),
        (json!({ "enum": [1, "1"] }), "1"),
        (json!({ "anyOf": [{ "type": "integer" }, { "const": "3" }] }), "3"),
        (json!({ "allOf": [{ "type": ["integer", "string"] }, { "enum": ["3", 3] }] }), "3"),
    ] {
        let dispatcher = lax(&json!({ "type": "array", "items": elements }));
        // The other element makes the arguments invalid, so that they are coerced at all.
        let schema = json!({ "type": "array", "prefixItems": [{ "type": "integer" }], "items": elements });
        let other = lax(&schema);
        assert_eq!(run::value(&dispatcher, "t", json!({ "v": [text] })), json!({ "v": [text] }), "{elements}");
        assert_eq!(run::value(&other, "t", json!({ "v": ["5", text] })), json!({ "v": [5, text] }), "{elements}");
    }
}

#[test]
fn i3_many_nulls_of_optional_properties_are_absent_and_others_are_not() {
    let object = |required: &Value| {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "boolean" }, "b": { "type": ["null", "array"] } }, "required": required });
        run::serve(vec![Box::new(run::taking(
            "t",
            json!({ "type": "object", "properties": { "v": { "type": "array", "items": schema } } }),
        ))])
    };
    let sent = json!({ "v": vec![json!({ "a": null, "b": null }); MANY] });
    let read = json!({ "v": vec![json!({ "b": null }); MANY] });
    assert_eq!(run::value(&object(&json!([])), "t", sent.clone()), read);
    assert!(run::call(&object(&json!(["a"])), "t", sent).error().is_some());
}

#[test]
fn i3_lax_changes_values_inside_of_others_before_further_ones() {
    let list = json!({ "type": "array", "items": { "type": "array", "items": { "type": ["integer", "array"] } } });
    let dispatcher = lax(&json!({ "type": "object", "properties": { "a": list, "b": list } }));
    assert_eq!(
        run::value(&dispatcher, "t", json!({ "v": { "a": [["5", "[6, 7]", 8], "[9]"], "b": [["1"]] } })),
        json!({ "v": { "a": [[5, [6, 7], 8], [9]], "b": [[1]] } })
    );
}

#[test]
fn i3_a_text_that_cannot_be_coerced_is_reported_as_it_was_sent() {
    let dispatcher = lax(&json!({ "type": "integer" }));
    for text in ["true", "false", "1.5", "[1]", "x"] {
        let message = run::message(&dispatcher, "t", json!({ "v": text, "w": 1 }));
        assert_eq!(message, "invalid arguments: v: expected an integer, got a string", "{text}");
    }
}

#[test]
fn i3_lax_leaves_a_text_where_all_schemas_together_accept_no_other_type() {
    let dispatcher = lax(&json!({ "allOf": [{ "type": "string" }, { "enum": ["a", 5] }] }));
    let message = run::message(&dispatcher, "t", json!({ "v": "5" }));
    assert_eq!(message, r#"invalid arguments: v: expected one of "a", 5, got another string"#);
}
