//! The code and the data of an error.

use std::collections::BTreeMap;

use mcp_tool_runtime::{IntoToolError, ProtocolVersion, ToolError, mcp_tool, tools};
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, built, call, exact, serve};

#[derive(Serialize)]
struct Range {
    first: u32,
    last: u32,
}

/// Delete a note.
#[mcp_tool]
async fn delete(id: u32) -> Result<(), ToolError> {
    let error = ToolError::new(format!("there is no note {id}")).with_code("NOT_FOUND");
    Err(error.with_data(Range { first: 1, last: 5 }).with_additional_prompt_content("list the notes"))
}

/// Fail with a masked error.
#[mcp_tool]
async fn crash() -> Result<(), ToolError> {
    Err(ToolError::internal("the password is wrong").with_code("E7"))
}

#[test]
fn code_and_data_are_entries_of_meta_in_every_version() {
    let response = call(&serve(tools![delete]), "delete", json!({"id": 7}));
    for version in ProtocolVersion::ALL {
        let result = run::mcp(&response, version);
        assert_eq!(result["_meta"]["rs.mcp-tool/code"], "NOT_FOUND");
        assert_eq!(result["_meta"]["rs.mcp-tool/data"], json!({"first": 1, "last": 5}));
    }
}

#[test]
fn code_and_data_are_in_the_bytes_of_a_result() {
    let dispatcher = serve(tools![delete]);
    for version in ProtocolVersion::ALL {
        let params = br#"{"name": "delete", "arguments": {"id": 7}}"#;
        let bytes = run::now(dispatcher.call_json(params, version)).expect("a result");
        let result: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(result["_meta"]["rs.mcp-tool/code"], "NOT_FOUND");
        assert_eq!(result["_meta"]["rs.mcp-tool/data"]["last"], 5);
        assert_eq!(result["_meta"].as_object().map(serde_json::Map::len), Some(5));
    }
}

#[test]
fn open_tool_calling_has_code_and_data_beside_the_fields_of_the_error() {
    for expose in [false, true] {
        let dispatcher = built(exact().tools(tools![delete]).expose_developer_messages(expose));
        let error = &run::otc(&call(&dispatcher, "delete", json!({"id": 7})))["error"];
        assert_eq!(
            error,
            &json!({
                "message": "there is no note 7",
                "additional_prompt_content": "list the notes",
                "code": "NOT_FOUND",
                "data": {"first": 1, "last": 5},
            })
        );
    }
}

#[test]
fn no_text_contains_the_code_or_the_data() {
    let response = call(&serve(tools![delete, crash]), "delete", json!({"id": 7}));
    let texts = run::json(&response.content());
    assert_eq!(texts.as_array().map(Vec::len), Some(2));
    for part in ["NOT_FOUND", "first", "last"] {
        assert!(!texts.to_string().contains(part), "{texts}");
    }
    assert!(!response.error().expect("an error").to_string().contains("NOT_FOUND"));
}

#[test]
fn a_masked_error_keeps_its_code() {
    let response = call(&serve(tools![crash]), "crash", json!({}));
    let error = response.error().expect("an error");
    assert_eq!((error.message(), error.code()), ("internal error in tool `crash` (call_id call-1)", Some("E7")));
    assert_eq!(run::mcp(&response, run::LATEST)["_meta"]["rs.mcp-tool/code"], "E7");
}

#[test]
fn an_error_without_code_and_data_has_no_entries_for_them() {
    /// Fail.
    #[mcp_tool]
    async fn fail() -> Result<(), String> {
        Err("no".to_owned())
    }

    let response = call(&serve(tools![fail]), "fail", json!({}));
    let error = response.error().expect("an error");
    assert_eq!((error.code(), error.data()), (None, None));
    let result = run::mcp(&response, run::LATEST);
    let keys: Vec<_> = result["_meta"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["rs.mcp-tool/can_retry", "rs.mcp-tool/call_id", "rs.mcp-tool/duration"]);
    assert_eq!(run::otc(&response)["error"], json!({"message": "no"}));
}

#[test]
fn data_that_json_cannot_represent_is_left_out_and_the_developer_message_says_so() {
    let not_finite = ToolError::new("no").with_developer_message("why").with_data([1.0, f64::NAN]);
    assert_eq!(not_finite.data(), None);
    let expected = "why; the data of the error is left out: it cannot be written as JSON: `[1]` is not finite";
    assert_eq!(not_finite.developer_message(), Some(expected));
    let keys = ToolError::new("no").with_data(BTreeMap::from([((1, 2), 3)]));
    assert_eq!(keys.data(), None);
    let text = keys.developer_message().expect("a note");
    assert!(text.starts_with("the data of the error is left out: it cannot be written as JSON: "), "{text}");
}

#[test]
fn data_that_is_larger_than_a_result_may_be_is_left_out() {
    /// Fail with much data.
    #[mcp_tool]
    async fn fail(bytes: usize) -> Result<(), ToolError> {
        Err(ToolError::new("no").with_data("x".repeat(bytes)))
    }

    let dispatcher = built(exact().tools(tools![fail]).max_result_bytes(100));
    let fits = run::error(&dispatcher, "fail", json!({"bytes": 98}));
    assert_eq!(fits.data().and_then(Value::as_str).map(str::len), Some(98));
    let response = call(&dispatcher, "fail", json!({"bytes": 99}));
    let error = response.error().expect("an error");
    let expected = "the data of the error is left out: it has 101 bytes, and at most 100 are sent";
    assert_eq!((error.message(), error.data(), error.developer_message()), ("no", None, Some(expected)));
    assert!(run::mcp(&response, run::LATEST)["_meta"].get("rs.mcp-tool/data").is_none());
}

#[derive(Debug, thiserror::Error, IntoToolError)]
#[tool_error(code = "UPSTREAM")]
enum Failure {
    #[error("no sheet is called {name:?}")]
    #[tool_error(code = "NOT_FOUND", data = json!({"name": name, "known": known}), additional_prompt_content = "not {name}")]
    Missing { name: String, known: Vec<String> },
    #[error("the service answered {0}")]
    #[tool_error(code = _0, data = _1)]
    Refused(u16, String),
    #[error("the service is busy")]
    Busy,
    #[error("the key {0} was refused")]
    #[tool_error(internal, code = format!("E{_0}"))]
    Secret(u8),
    #[error(transparent)]
    #[tool_error(transparent)]
    Inner(Inner),
}

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("inner")]
struct Inner;

#[test]
fn the_derive_sets_code_and_data_of_each_variant() {
    let error = Failure::Missing { name: "May".to_owned(), known: vec!["June".to_owned()] }.into_tool_error();
    assert_eq!(error.code(), Some("NOT_FOUND"));
    assert_eq!(error.data(), Some(&json!({"name": "May", "known": ["June"]})));
    assert_eq!((error.message(), error.additional_prompt_content()), ("no sheet is called \"May\"", Some("not May")));

    let error = Failure::Refused(418, "teapot".to_owned()).into_tool_error();
    assert_eq!((error.code(), error.data()), (Some("418"), Some(&json!("teapot"))));
}

#[test]
fn the_code_of_the_type_is_that_of_variants_without_one() {
    assert_eq!(Failure::Busy.into_tool_error().code(), Some("UPSTREAM"));
    assert_eq!(Failure::Busy.into_tool_error().data(), None);
    // The error of the field applies as it is.
    assert_eq!(Failure::Inner(Inner).into_tool_error().code(), None);
}

#[test]
fn a_masked_variant_keeps_its_code() {
    let error = Failure::Secret(7).into_tool_error();
    assert_eq!((error.message(), error.code()), ("internal error", Some("E7")));
}
