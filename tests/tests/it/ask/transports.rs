//! Questions over stdio, HTTP, and the protocol without a transport.

use std::sync::Arc;

use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::serde_json::{self, Value};
use mcp_tool_runtime::{Dispatcher, json, stdio, tools};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tower::ServiceExt as _;

use crate::ask::tools::{Log, accept, builder, delete_note};

/// A client over stdio.
pub(crate) struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    output: WriteHalf<DuplexStream>,
}

impl Client {
    pub(crate) fn of(dispatcher: Dispatcher) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(stdio::Server::new(dispatcher).serve_on(input, output));
        let (input, output) = tokio::io::split(ours);
        Self { lines: BufReader::new(input).lines(), output }
    }

    pub(crate) async fn legacy(dispatcher: Dispatcher, version: &str, capabilities: Value) -> Self {
        let mut client = Self::of(dispatcher);
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": info });
        client.send(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        assert_eq!(client.next().await["result"]["protocolVersion"], version);
        client
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    async fn send_text(&mut self, message: &str) {
        self.output.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }

    pub(crate) async fn call(&mut self, id: u32, name: &str, arguments: Value) {
        let params = json!({ "name": name, "arguments": arguments });
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
    }

    pub(crate) async fn next(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("the server writes").expect("a message");
        serde_json::from_str(&line).expect("JSON")
    }

    pub(crate) async fn answer(&mut self, question: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await;
    }
}

pub(crate) fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {message}"))
}

#[tokio::test]
async fn stdio_asks_an_earlier_client_while_the_call_is_open() {
    for (version, has_mode) in [("2025-06-18", false), ("2025-11-25", true)] {
        let dispatcher = builder().build().expect("valid tools");
        let mut client = Client::legacy(dispatcher, version, json!({ "elicitation": {} })).await;
        client.call(1, "book", json!({ "table": 5 })).await;
        let question = client.next().await;
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(question["params"].get("mode").is_some(), has_mode);
        // An answer that is not valid, then a valid one.
        client.answer(&question, accept(json!({ "name": "Ann" }))).await;
        let again = client.next().await;
        assert_ne!(again["id"], question["id"]);
        assert!(again["params"]["message"].as_str().expect("a text").contains("seats: required"), "{again}");
        client.answer(&again, accept(json!({ "name": "Ann", "seats": 2 }))).await;
        let day = client.next().await;
        let schema = &day["params"]["requestedSchema"]["properties"]["day"];
        assert_eq!(schema.get("enumNames").is_some(), !has_mode, "{schema}");
        client.answer(&day, accept(json!({ "day": "today" }))).await;
        assert_eq!(text(&client.next().await), "Ann at table 5, Given(Today)");
        for (result, expected) in [
            (json!({ "action": "decline" }), "the user declined: Delete note 7 for good?"),
            (json!({ "action": "cancel" }), "the user closed the question without an answer: Delete note 7 for good?"),
            (accept(json!({ "confirm": false })), "the user declined: Delete note 7 for good?"),
            (
                json!({ "action": "yes" }),
                "this needs an answer from the user, and this client cannot ask: Delete note 7 for good?",
            ),
        ] {
            client.call(2, "delete_note", json!({ "id": 7 })).await;
            let question = client.next().await;
            client.answer(&question, result).await;
            assert_eq!(text(&client.next().await), expected);
        }
        client.call(3, "delete_note", json!({ "id": 7 })).await;
        let question = client.next().await;
        let error = json!({ "code": -32601, "message": "no" });
        client.send(json!({ "jsonrpc": "2.0", "id": question["id"], "error": error })).await;
        assert!(text(&client.next().await).starts_with("this needs an answer"));
    }
}

/// Some libraries write both members.
#[tokio::test]
async fn stdio_takes_an_answer_with_an_error_of_null() {
    let dispatcher = builder().build().expect("valid tools");
    let mut client = Client::legacy(dispatcher, "2025-11-25", json!({ "elicitation": {} })).await;
    client.call(1, "delete_note", json!({ "id": 7 })).await;
    let question = client.next().await;
    let result = json!({ "action": "decline" });
    client.send(json!({ "jsonrpc": "2.0", "id": question["id"], "error": null, "result": result })).await;
    assert_eq!(text(&client.next().await), "the user declined: Delete note 7 for good?");
}

/// Either may be what the user meant.
#[tokio::test]
async fn stdio_takes_an_answer_with_a_key_twice_for_none() {
    let mut client =
        Client::legacy(builder().build().expect("valid tools"), "2025-11-25", json!({ "elicitation": {} })).await;
    for result in [
        r#"{"action":"decline","action":"accept","content":{"confirm":true}}"#,
        r#"{"action":"accept","content":{"confirm":false,"confirm":true}}"#,
        r#"{"action":"accept","content":{"confirm":"x"},"content":{"confirm":true}}"#,
    ] {
        client.call(2, "delete_note", json!({ "id": 7 })).await;
        let question = client.next().await;
        client.send_text(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, question["id"])).await;
        assert!(text(&client.next().await).starts_with("this needs an answer"), "{result}");
    }
}

#[tokio::test]
async fn stdio_takes_an_answer_that_is_too_long_for_none() {
    let dispatcher = builder().max_argument_bytes(1_000).build().expect("valid tools");
    let mut client = Client::legacy(dispatcher, "2025-11-25", json!({ "elicitation": {} })).await;
    client.call(2, "delete_note", json!({ "id": 7 })).await;
    let question = client.next().await;
    client.answer(&question, accept(json!({ "confirm": true, "id": "x".repeat(4_000) }))).await;
    assert!(text(&client.next().await).starts_with("this needs an answer"));
}

/// What is odd in one part of an `initialize` does not hide the others.
#[tokio::test]
async fn stdio_asks_a_client_whose_name_no_text_can_hold() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    for info in [r#"{"name":"\ud800","version":"1"}"#, r#"{"name":"a","version":"1","x":1e999}"#, &deep] {
        let mut client = Client::of(builder().build().expect("valid tools"));
        client
            .send_text(&format!(
                r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{"elicitation":{{}}}},"clientInfo":{info}}}}}"#
            ))
            .await;
        assert_eq!(client.next().await["result"]["protocolVersion"], "2025-06-18", "{info}");
        client.call(1, "delete_note", json!({ "id": 7 })).await;
        let question = client.next().await;
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert!(question["params"].get("mode").is_none(), "it is a client of 2025-06-18");
    }
}

#[tokio::test]
async fn stdio_does_not_ask_a_client_without_forms() {
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let mut client = Client::legacy(builder().build().expect("valid tools"), "2025-11-25", capabilities).await;
        client.call(1, "delete_note", json!({ "id": 7 })).await;
        assert!(text(&client.next().await).starts_with("this needs an answer"));
    }
    let off = builder().disable_questions_for(|client| client.name() == "test").build().expect("valid tools");
    let mut client = Client::legacy(off, "2025-11-25", json!({ "elicitation": {} })).await;
    client.call(1, "decide", json!({})).await;
    assert_eq!(text(&client.next().await), "Unavailable Unavailable");
    let panics = builder().disable_questions_for(|_| panic!("disable_questions_for")).build().expect("valid tools");
    let mut client = Client::legacy(panics, "2025-11-25", json!({ "elicitation": {} })).await;
    client.call(1, "decide", json!({})).await;
    assert_eq!(text(&client.next().await), "Unavailable Unavailable");
}

#[tokio::test]
async fn a_question_ends_with_its_call_and_with_the_input() {
    let log = Arc::new(Log::default());
    let dispatcher =
        Dispatcher::builder().tools(tools![delete_note]).state(Arc::clone(&log)).build().expect("valid tools");
    let mut client = Client::legacy(dispatcher, "2025-11-25", json!({ "elicitation": {} })).await;
    client.call(1, "delete_note", json!({ "id": 7 })).await;
    let question = client.next().await;
    let params = json!({ "requestId": 1 });
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    let cancelled = client.next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    client.answer(&question, accept(json!({ "confirm": true }))).await;

    client.call(2, "delete_note", json!({ "id": 8 })).await;
    let question = client.next().await;
    client.output.shutdown().await.expect("the input ends");
    let cancelled = client.next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    assert_eq!(text(&client.next().await), "the user closed the question without an answer: Delete note 8 for good?");
    assert!(log.lines().is_empty());
}

#[tokio::test]
async fn answers_of_fifty_calls_are_not_mixed_up() {
    let mut client =
        Client::legacy(builder().build().expect("valid tools"), "2025-11-25", json!({ "elicitation": {} })).await;
    for id in 1..=50 {
        client.call(id, "book", json!({ "table": id + 10 })).await;
    }
    let (mut done, mut open) = (0, Vec::new());
    while done < 50 {
        let message = client.next().await;
        if message.get("method").is_none() {
            let id = message["id"].as_u64().expect("a number");
            assert_eq!(text(&message), format!("Guest {} at table {}, Declined", id + 10, id + 10));
            done += 1;
        } else {
            open.push(message);
        }
        // Answered in another order than asked.
        while open.len() > usize::from(done == 0) * 20 {
            let question = open.remove(open.len() / 2);
            let words = question["params"]["message"].as_str().expect("a text").to_owned();
            if let Some(table) = words.strip_prefix("Who comes to table ") {
                let table: u32 = table.trim().trim_end_matches('?').parse().expect("a number");
                client.answer(&question, accept(json!({ "name": format!("Guest {table}"), "seats": 1 }))).await;
            } else {
                client.answer(&question, json!({ "action": "decline" })).await;
            }
        }
    }
}

const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}"#;

pub(crate) fn modern(id: u32, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = serde_json::from_str(META).expect("JSON");
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

#[tokio::test]
async fn stdio_answers_a_modern_client_with_the_question() {
    let mut client = Client::of(builder().build().expect("valid tools"));
    client.send(modern(1, json!({ "name": "delete_note", "arguments": { "id": 7 } }))).await;
    let first = client.next().await;
    assert_eq!(first["result"]["resultType"], "input_required");
    client
        .send(modern(
            2,
            json!({ "name": "delete_note", "arguments": { "id": 7 }, "requestState": first["result"]["requestState"],
                "inputResponses": { "sure": accept(json!({ "confirm": true })) } }),
        ))
        .await;
    assert_eq!(client.next().await["result"]["isError"], false);
}

pub(crate) async fn post(endpoint: &Endpoint, message: &Value, authorization: &str) -> (u16, Value) {
    let request = http::Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", message["params"]["name"].as_str().expect("a name"))
        .header("authorization", authorization)
        .body(http_body_util::Full::new(bytes::Bytes::from(message.to_string())))
        .expect("a request");
    let response = endpoint.clone().oneshot(request).await.expect("infallible");
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&body).expect("JSON"))
}

#[tokio::test]
async fn the_endpoint_asks_on_any_replica_and_knows_the_caller_by_the_authorization() {
    let replica = || Endpoint::new(builder().state_keys("notes", [[3; 32]]).build().expect("valid tools"));
    let call = json!({ "name": "delete_note", "arguments": { "id": 7 } });
    let (status, first) = post(&replica(), &modern(1, call.clone()), "Bearer ann").await;
    assert_eq!((status, &first["result"]["resultType"]), (200, &json!("input_required")));
    let mut again = call.clone();
    again["requestState"] = first["result"]["requestState"].clone();
    again["inputResponses"] = json!({ "sure": accept(json!({ "confirm": true })) });
    let (status, done) = post(&replica(), &modern(2, again.clone()), "Bearer ann").await;
    assert_eq!((status, &done["result"]["isError"]), (200, &json!(false)));
    let (status, refused) = post(&replica(), &modern(3, again), "Bearer bob").await;
    assert_eq!(status, 200);
    assert_eq!(
        refused["error"],
        json!({ "code": -32602, "message": "Invalid or expired requestState", "data": { "reason": "invalid_request_state" } })
    );
    let mut without = modern(4, call);
    without["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let (status, error) = post(&replica(), &without, "Bearer ann").await;
    assert_eq!(status, 400);
    assert_eq!(error["error"]["code"], -32021);
    assert_eq!(error["error"]["data"], json!({ "requiredCapabilities": { "elicitation": {} } }));
}

/// The pair of requests in the guide `asking`.
#[tokio::test]
async fn an_answer_can_be_sent_by_hand() {
    let endpoint = Endpoint::new(builder().build().expect("valid tools"));
    let (_, first) = post(&endpoint, &modern(1, json!({ "name": "delete_note", "arguments": { "id": 7 } })), "").await;
    let question = &first["result"]["inputRequests"]["sure"];
    assert_eq!(
        (&question["method"], &question["params"]["message"]),
        (&json!("elicitation/create"), &json!("Delete note 7 for good?"))
    );
    assert_eq!(question["params"]["requestedSchema"]["required"], json!(["confirm"]), "{question}");
    let again = json!({
        "name": "delete_note", "arguments": { "id": 7 }, "requestState": first["result"]["requestState"],
        "inputResponses": { "sure": { "action": "accept", "content": { "confirm": true } } },
    });
    let (_, done) = post(&endpoint, &modern(2, again), "").await;
    assert_eq!(done["result"]["isError"], false, "{done}");
}

#[tokio::test]
async fn a_state_of_a_mebibyte_is_refused_over_every_transport() {
    let long = "v1.".to_owned() + &"A".repeat(1 << 20);
    let yes = json!({ "sure": accept(json!({ "confirm": true })) });
    let params =
        json!({ "name": "delete_note", "arguments": { "id": 7 }, "requestState": long, "inputResponses": yes });
    let expected = json!({ "code": -32602, "message": "Invalid or expired requestState", "data": { "reason": "invalid_request_state" } });
    let endpoint = Endpoint::new(builder().build().expect("valid tools"));
    let (status, refused) = post(&endpoint, &modern(1, params.clone()), "Bearer ann").await;
    assert_eq!((status, &refused["error"]), (200, &expected));
    let mut client = Client::of(builder().build().expect("valid tools"));
    client.send(modern(1, params)).await;
    assert_eq!(client.next().await["error"], expected);
}
