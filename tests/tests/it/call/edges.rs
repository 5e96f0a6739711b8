//! What requests and responses have besides the arguments: ids, positions, pointers, lists and bodies.

use http::{Request, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::{Endpoint, Page};
use mcp_tool_runtime::lint::Client;
use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{DispatchError, ProtocolVersion};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::one_argument::taking;
use crate::run;

fn call_json(params: &str) -> Result<Value, DispatchError> {
    let dispatcher = taking(&json!(true));
    let answer = run::now(dispatcher.call_json(params.as_bytes(), run::LATEST))?;
    Ok(serde_json::from_slice(&answer).expect("JSON"))
}

#[test]
fn an_unknown_key_of_the_metadata_is_no_call_id() {
    let params = r#"{ "name": "t", "_meta": { "rs.mcp-tool/call_id": "mine", "com.example/other": "theirs" } }"#;
    assert_eq!(call_json(params).expect("a response")["_meta"]["rs.mcp-tool/call_id"], "mine");
}

#[test]
fn a_number_that_is_no_json_is_found_at_its_first_wrong_byte() {
    for (number, column) in
        [("0", None), ("-0", None), ("01", Some(1)), ("-012", Some(2)), ("-", Some(1)), ("1.", Some(2))]
    {
        let params = format!(r#"{{"name": "t", "arguments": {{"v": {number}}}}}"#);
        let start = params.find(number).expect("the number") + 1;
        let error = call_json(&params).err().map(|error| error.to_string());
        let position = column.map(|column| format!("line 1, column {}", start + column));
        match (error, position) {
            (None, None) => {}
            (Some(error), Some(position)) => assert!(error.ends_with(&position), "{number} {error} {position}"),
            different => panic!("{number} {different:?}"),
        }
    }
}

#[test]
fn the_pointer_to_an_argument_with_a_long_name_is_short() {
    let dispatcher = taking(&json!({ "type": "object", "additionalProperties": false }));
    let error = run::error(&dispatcher, "t", json!({ "v": { "k".repeat(5_000): 1 } }));
    let [parameter] = error.errors() else { panic!("{error:?}") };
    let pointer = parameter.pointer();
    assert!(pointer.starts_with("/v/kkk") && pointer.ends_with('…') && pointer.len() < 1_000, "{}", pointer.len());
}

fn request(version: &str, method: &str, params: &Value) -> String {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

#[test]
fn a_server_with_a_long_name_and_without_tools_answers() {
    let name = "n".repeat(10_000);
    let answer = |protocol: &Protocol, message: &str| -> Value {
        let bytes = run::now(protocol.answer(message.as_bytes())).expect("an answer");
        serde_json::from_slice(&bytes).expect("JSON")
    };
    for version in ProtocolVersion::ALL {
        let empty = Protocol::new(run::built(run::exact()));
        let list = answer(&empty, &request(version.as_str(), "tools/list", &json!({})));
        assert_eq!(list["result"]["tools"], json!([]), "{version}");
        let named = Protocol::new(run::built(
            run::exact().tool(run::taking("t", json!({ "type": "object" }))).info(name.as_str(), "1"),
        ));
        let called = answer(&named, &request(version.as_str(), "tools/call", &json!({ "name": "t" })));
        assert_eq!(called["result"]["isError"], false, "{version}");
    }
}

#[tokio::test]
async fn a_body_has_ended_once_its_document_is_taken() {
    let endpoint = Endpoint::new(taking(&json!(true)));
    let send = async |message: String| {
        let request = Request::post("/").header("host", "localhost").header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header("mcp-protocol-version", "2025-11-25").body(message).expect("a request");
        endpoint.clone().oneshot(request).await.expect("a response")
    };
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accepted = send(notification.to_string()).await;
    assert_eq!(accepted.status(), StatusCode::ACCEPTED);
    assert!(accepted.body().is_end_stream());

    let answered = send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string()).await;
    assert_eq!(answered.status(), StatusCode::OK);
    let mut body = answered.into_body();
    assert!(!body.is_end_stream());
    assert!(body.frame().await.expect("a document").is_ok());
    assert!(body.is_end_stream());
}

#[tokio::test]
async fn the_page_shows_the_findings_of_every_client_but_the_strict_one() {
    // The strict mode of OpenAI refuses the optional argument, and some other clients the name.
    let schema = json!({ "type": "object", "properties": { "v": { "type": "string" } } });
    let dispatcher = run::serve(vec![Box::new(run::taking("a.dotted.name", schema))]);
    let others: Vec<_> = Client::ALL.iter().copied().filter(|client| *client != Client::OpenAiStrict).collect();
    let expected = dispatcher.lint(&others).len();
    assert!(expected > 0 && dispatcher.lint(Client::ALL).len() > expected);
    let request = Request::post("/?tools").body(String::new()).expect("a request");
    let response = Page::new(dispatcher).oneshot(request).await.expect("a response");
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    let overview: Value = serde_json::from_slice(&bytes).expect("JSON");
    let findings = overview["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), expected);
    assert!(findings.iter().all(|finding| finding["client"] != Client::OpenAiStrict.to_string()));
}

#[test]
fn numbers_with_an_exponent_in_the_metadata_are_read() {
    let answer = call_json(r#"{"name": "t", "_meta": {"x": 1e2, "rs.mcp-tool/call_id": "mine"}}"#);
    assert_eq!(answer.expect("a response")["_meta"]["rs.mcp-tool/call_id"], "mine");
    assert!(call_json(r#"{"name": "t", "_meta": {"x": 1e999}}"#).is_err());
}
