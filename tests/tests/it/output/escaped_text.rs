//! Checks of results, which are made on the text that was written, with its escapes.

use mcp_tool_runtime::Dispatcher;
use serde_json::{Value, json};

use crate::run;

/// Returns a dispatcher with one tool, whose result `v` has this schema.
fn giving(schema: &Value) -> Dispatcher {
    let schema = json!({ "type": "object", "properties": { "v": schema } });
    run::serve(vec![Box::new(run::giving("t", schema))])
}

fn returns(schema: &Value, value: &Value) -> bool {
    run::call(&giving(schema), "t", json!({ "value": { "v": value } })).error().is_none()
}

#[test]
fn r2_a_text_with_escapes_is_checked_as_the_text_that_it_means() {
    for text in ["a\"b", "a\nb", "a\\b", "a\u{1}b"] {
        let value = json!(text);
        for accepted in [
            json!({ "maxLength": 3 }),
            json!({ "pattern": "^a[^n]b$" }),
            json!({ "const": text }),
            json!({ "enum": ["x", text] }),
            json!({ "format": "unknown", "type": "string" }),
        ] {
            assert!(returns(&accepted, &value), "{accepted} {value}");
        }
        for refused in [
            json!({ "maxLength": 2 }),
            json!({ "minLength": 4 }),
            json!({ "pattern": "^ab$" }),
            json!({ "const": "ab" }),
            json!({ "const": 1 }),
            json!({ "enum": ["x", 1] }),
            json!({ "format": "date" }),
        ] {
            assert!(!returns(&refused, &value), "{refused} {value}");
        }
    }
}
