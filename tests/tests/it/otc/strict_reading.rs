//! One reading of documents: a request of Open Tool Calling is read as strictly as one of the Model Context Protocol.

use mcp_tool_runtime::{CallToolRequest, mcp_tool, tools};
use serde_json::Value;

use crate::run;

/// Take anything.
#[mcp_tool]
async fn take(any: Value) -> Value {
    any
}

fn answer(request: &str) -> Result<Value, String> {
    let request: CallToolRequest = serde_json::from_str(request).expect("a request");
    let response = run::send(&run::serve(tools![take]), request);
    match response.error() {
        None => Ok(response.deserialize().expect("a value")),
        Some(error) => Err(error.message().to_owned()),
    }
}

#[test]
fn i4_open_tool_callings_request_takes_no_duplicate_key() {
    for request in [
        r#"{"tool_id":"take","input":{"any":[0,{"b":1,"b":2}]}}"#,
        r#"{"request":{"tool_id":"take@1.0.0","inputs":{"any":[0,{"b":1,"\u0062":2}]}}}"#,
        r#"{"name":"take","arguments":{"any":[0,{"b":1,"b":2}]}}"#,
    ] {
        assert_eq!(answer(request), Err("invalid arguments: any[1]: the key `b` appears twice".to_owned()));
    }
    let input = r#"{"any":[1,-2,2.5,null,true,"x",{"b":[]}]}"#;
    let value: Value = serde_json::from_str(input).expect("JSON");
    assert_eq!(answer(&format!(r#"{{"tool_id":"take","input":{input}}}"#)).as_ref(), Ok(&value["any"]));
}

#[test]
fn i4_open_tool_callings_request_nests_no_deeper_than_another() {
    let deep = |levels: usize| {
        format!(r#"{{"tool_id":"take","input":{{"any":{}{}}}}}"#, "[".repeat(levels), "]".repeat(levels))
    };
    assert!(answer(&deep(100)).is_ok());
    for levels in [125, 1_000, 1_000_000] {
        let refused = answer(&deep(levels)).expect_err("too deep");
        assert!(refused.contains("levels of nesting"), "{refused}");
    }
}

#[test]
fn i1_the_error_of_a_request_repeats_no_value() {
    for request in [
        r#""s3cr3t""#,
        r#"{"tool_id":"take","context":"s3cr3t"}"#,
        r#"{"tool_id":"take","context":{"secrets":"s3cr3t, expected s3cr3t"}}"#,
        r#"{"tool_id":"take","context":{"secrets":[{"id":"a","value":{"s3cr3t":1}}]}}"#,
        r#"{"tool_id":"take","context":{"authorization":[{"id":"a","token":5318008}]}}"#,
    ] {
        let error = serde_json::from_str::<CallToolRequest>(request).expect_err("no request").to_string();
        assert!(!error.contains("s3cr3t") && !error.contains("5318008"), "{error}");
        assert!(error.contains("invalid type") && error.contains("at line 1 column"), "{error}");
    }
}
