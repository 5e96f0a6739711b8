//! Contract files, and what has changed since they were written.

use serde_json::{Value, json};

use super::super::lock::Lock;

fn parsed(tools: &Value) -> Lock {
    Lock::parse(&json!({ "contract": 1, "tools": tools }).to_string()).expect("a contract")
}

#[test]
fn tools_that_are_not_an_object_are_no_contract() {
    let error = Lock::parse(r#"{ "contract": 1, "tools": [] }"#).expect_err("no contract");
    assert!(error.contains("invalid type: sequence, expected a map"), "{error}");
}

#[test]
fn a_new_tool_with_the_schemas_of_a_gone_one_is_its_new_name_if_no_other_tool_can_be() {
    let tool = |kind: &str| json!({ "arguments": { "type": kind } });
    let then = parsed(&json!({ "kept": tool("object"), "one": tool("object"), "other": tool("string") }));
    let now = parsed(&json!({ "kept": tool("object"), "new": tool("object") }));
    assert_eq!(then.breaks(&now), ["tool `one`: it is renamed to `new`", "tool `other`: it is gone"]);

    let then = parsed(&json!({ "one": tool("object"), "two": tool("object") }));
    assert_eq!(
        then.breaks(&now),
        [
            "tool `one`: it is gone, or renamed to `kept` or `new`",
            "tool `two`: it is gone, or renamed to `kept` or `new`"
        ]
    );
    let now = parsed(&json!({ "new": tool("object") }));
    assert_eq!(
        then.breaks(&now),
        ["tool `one`: it is gone, or renamed to `new`", "tool `two`: it is gone, or renamed to `new`"]
    );
}

#[test]
fn the_choices_of_a_question_may_get_titles() {
    let asking = |choices: Value| {
        let schema = json!({ "type": "object", "properties": { "size": choices }, "required": ["size"] });
        let question = json!({ "kind": "answer", "required": true, "schema": schema });
        parsed(&json!({ "order": { "arguments": { "type": "object" }, "questions": { "size": question } } }))
    };
    let plain = asking(json!({ "type": "string", "enum": ["s", "m"] }));
    let choice = |value: &str, title: &str| json!({ "const": value, "title": title });
    let titled = asking(json!({ "type": "string", "oneOf": [choice("s", "Small"), choice("m", "Medium")] }));
    assert_eq!(plain.breaks(&titled), [""; 0]);
    assert_eq!(titled.breaks(&plain), [""; 0]);
    let fewer = asking(json!({ "type": "string", "oneOf": [choice("s", "Small")] }));
    assert_eq!(titled.breaks(&fewer).len(), 1);
}
