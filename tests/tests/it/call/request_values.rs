//! Requests that are values.

use mcp_tool_runtime::CallToolRequest;
use serde_json::json;

#[test]
fn a_request_that_is_no_object_is_refused_in_plain_words() {
    let expected = "expected an object with `name` and `arguments`, or with `tool_id` and `input`";
    for (request, found) in [
        (json!("add"), "invalid type: string"),
        (json!(["add", {}]), "invalid type: sequence"),
        (json!(null), "invalid type: null"),
        (json!({"request": 7}), "invalid type: integer"),
        (json!({"request": ["Calculator.Add@1.0.0"]}), "invalid type: sequence"),
    ] {
        let error = serde_json::from_value::<CallToolRequest>(request).expect_err("no object").to_string();
        assert_eq!(error, format!("{found}, {expected}"));
    }
}
