//! Calls that end otherwise than with a result: given up, asked, and refused before they reach the dispatcher.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use mcp_tool_runtime::http::{Endpoint, PlainHttp};
use mcp_tool_runtime::operations::{Carrier, Outcome};
use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{CallToolRequest, Consent, Dispatcher, Extensions, json, mcp_tool, stdio, tools};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tower::ServiceExt as _;

use super::Records;
use crate::run::{built, polled};
use crate::wait::{RunningCalls, within_a_minute};

/// Wait for ever.
#[mcp_tool]
async fn hang(#[mcp_tool(state)] calls: &Arc<RunningCalls>) {
    let _running = calls.start();
    std::future::pending::<()>().await;
}

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Delete a note.
#[mcp_tool]
async fn delete(id: u32, #[mcp_tool(ask = "Delete {id}?")] _sure: Consent) -> u32 {
    id
}

fn server() -> (Dispatcher, Records, Arc<RunningCalls>) {
    let (records, calls) = (Records::default(), Arc::<RunningCalls>::default());
    let builder = Dispatcher::builder()
        .tools(tools![hang, add, delete])
        .state(Arc::new(Arc::clone(&calls)))
        .max_concurrency(1)
        .principal(|extensions: &Extensions| extensions.get::<&str>().map(|user| (*user).to_owned()));
    (built(records.of(builder)), records, calls)
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_future_is_dropped_is_cancelled() {
    let (dispatcher, records, _) = server();
    let mut waiting = Box::pin(dispatcher.call(CallToolRequest::new("add", json!({"a": 1, "b": 2}))));
    {
        let mut running = pin!(dispatcher.call(CallToolRequest::new("hang", json!({})).with_extension("ann")));
        assert!(polled(running.as_mut()).is_none());
        tokio::time::advance(Duration::from_secs(3)).await;
        assert!(polled(waiting.as_mut()).is_none());
        tokio::time::advance(Duration::from_secs(2)).await;
        // A call that was never polled is none.
        drop(dispatcher.call(CallToolRequest::new("add", json!({}))));
        drop(waiting);
    }
    let [waited, ran] = &records.take()[..] else { panic!("two records") };
    assert_eq!((waited.tool(), waited.outcome()), (Some("add"), Outcome::Cancelled));
    assert_eq!((waited.duration(), waited.waited()), (Duration::ZERO, Duration::from_secs(2)));
    assert_eq!((ran.tool(), ran.outcome(), ran.principal()), (Some("hang"), Outcome::Cancelled, Some("ann")));
    assert_eq!((ran.duration(), ran.waited()), (Duration::from_secs(5), Duration::ZERO));
    assert!(ran.call_id().is_some() && ran.argument_bytes() == 2);
}

fn call(id: u32, name: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

#[tokio::test]
async fn what_a_client_of_stdio_gives_up_is_cancelled() {
    let (dispatcher, records, calls) = server();
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    let running = tokio::spawn(stdio::Server::new(dispatcher).serve_on(input, output));
    let (answers, mut requests) = tokio::io::split(near);
    let mut answers = BufReader::new(answers).lines();
    let mut send = async |message: Value| requests.write_all(format!("{message}\n").as_bytes()).await.expect("a write");
    // Nothing but `initialize` is answered first.
    send(call(1, "add", &json!({"a": 1, "b": 2}))).await;
    answers.next_line().await.expect("a line");
    assert_eq!(records.ends(), [(Carrier::Stdio, Outcome::InvalidRequest)]);
    let client = json!({"name": "test", "version": "7"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    send(json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params})).await;
    answers.next_line().await.expect("a line");
    send(call(2, "hang", &json!({}))).await;
    calls.wait_for(1).await;
    send(call(2, "add", &json!({"a": 1, "b": 2}))).await;
    answers.next_line().await.expect("a line");
    assert_eq!(records.outcomes(), [Outcome::InvalidRequest], "the id is taken");
    // It waits for the permit of the other.
    send(call(3, "add", &json!({"a": 1, "b": 2}))).await;
    for id in [3, 2] {
        send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
    }
    calls.wait_for(0).await;
    send(json!({"jsonrpc": "2.0", "id": 4, "method": "ping"})).await;
    answers.next_line().await.expect("a line");
    let cancelled = records.take();
    assert!(cancelled.iter().all(|record| record.outcome() == Outcome::Cancelled), "{cancelled:?}");
    // The other one may not have begun, so less is known of it.
    let hang = cancelled.iter().find(|record| record.tool() == Some("hang")).expect("a record");
    let client = hang.client().expect("a client");
    assert_eq!((cancelled.len(), client.name(), client.version()), (2, "test", "7"));
    // The server stops while a call runs.
    send(call(5, "hang", &json!({}))).await;
    calls.wait_for(1).await;
    running.abort();
    calls.wait_for(0).await;
    assert_eq!(records.outcomes(), [Outcome::Cancelled]);
}

fn post(path: &str, body: &Value) -> Request<Body> {
    Request::post(format!("http://localhost{path}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Body::from(body.to_string()))
        .expect("a request")
}

#[tokio::test]
async fn a_closed_connection_cancels() {
    let (dispatcher, records, calls) = server();
    let progress = json!({"name": "hang", "_meta": {"progressToken": 1}});
    let streamed = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": progress});
    for body in [call(1, "hang", &json!({})), streamed] {
        let open = tokio::spawn(Endpoint::new(dispatcher.clone()).oneshot(post("/", &body)));
        calls.wait_for(1).await;
        open.abort();
        calls.wait_for(0).await;
        assert!(open.await.is_err());
        assert_eq!(records.ends(), [(Carrier::Http, Outcome::Cancelled)]);
    }
    let open = tokio::spawn(PlainHttp::new(dispatcher).oneshot(post("/hang", &json!({}))));
    calls.wait_for(1).await;
    open.abort();
    calls.wait_for(0).await;
    assert!(open.await.is_err());
    assert_eq!(records.ends(), [(Carrier::PlainHttp, Outcome::Cancelled)]);
}

#[tokio::test]
async fn each_round_of_a_question_has_a_record() {
    let (dispatcher, records, _) = server();
    let protocol = Protocol::new(dispatcher);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        "io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "2"},
    });
    let send = async |mut params: Value| -> Value {
        params["_meta"] = meta.clone();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        serde_json::from_slice(&protocol.answer(request.as_bytes()).await.expect("an answer")).expect("JSON")
    };
    let arguments = json!({"id": 7});
    let asked = send(json!({"name": "delete", "arguments": arguments})).await;
    let state = asked["result"]["requestState"].clone();
    let yes = json!({"sure": {"action": "accept", "content": {"confirm": true}}});
    for (state, expected) in [(state, Outcome::Success), (json!("forged"), Outcome::InvalidRequest)] {
        send(json!({"name": "delete", "arguments": arguments, "requestState": state, "inputResponses": yes})).await;
        let found = records.take();
        assert_eq!(found.last().expect("a record").outcome(), expected);
        if let [first, second] = &found[..] {
            assert_eq!((first.outcome(), first.call_id()), (Outcome::Asked, second.call_id()));
        }
        assert!(found.iter().all(|record| record.client().expect("a client").name() == "editor"));
    }
}

#[tokio::test]
async fn a_call_that_does_not_run_names_its_client() {
    let (dispatcher, records, _) = server();
    for (tool, header, expected) in [("ad", "ad", Outcome::UnknownTool), ("add", "sub", Outcome::InvalidRequest)] {
        let mut message = call(1, tool, &json!({"a": 1, "b": 2}));
        message["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "2"},
        });
        let mut request = post("/", &message);
        for (name, value) in
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", header)]
        {
            request.headers_mut().insert(name, value.parse().expect("a header"));
        }
        Endpoint::new(dispatcher.clone()).oneshot(request).await.expect("a response");
        let record = records.one();
        assert_eq!((record.outcome(), record.version()), (expected, Some(mcp_tool_runtime::ProtocolVersion::LATEST)));
        assert_eq!(record.client().expect("a client").name(), "editor");
    }
}

#[tokio::test]
async fn a_record_keeps_little_of_what_a_client_says() {
    let (dispatcher, records, _) = server();
    let protocol = Protocol::new(dispatcher);
    for length in [100, 20_000] {
        let client = json!({"name": "é".repeat(length), "version": "7".repeat(length)});
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": client,
        });
        let params = json!({"name": "add", "arguments": {"a": 1, "b": 2}, "_meta": meta});
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        protocol.answer(request.as_bytes()).await.expect("an answer");
        let record = records.one();
        let client = record.client().expect("a client");
        assert_eq!(client.name(), format!("{}…", "é".repeat(64)));
        assert_eq!(client.version().len(), if length > 128 { 128 + "…".len() } else { length });
        assert_eq!(record.outcome(), Outcome::Success);
    }
}

#[tokio::test]
async fn a_request_that_is_a_call_and_breaks_the_protocol_is_recorded_and_no_other_message_is() {
    let (dispatcher, records, _) = server();
    let protocol = Protocol::new(dispatcher.clone());
    let request = |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let unsupported = json!({"name": "add", "_meta": {"io.modelcontextprotocol/protocolVersion": "1999-01-01"}});
    let broken = [json!({}), json!({"name": 7}), json!([]), unsupported].map(|params| request("tools/call", params));
    for message in &broken {
        protocol.answer(message.to_string().as_bytes()).await.expect("an answer");
        Endpoint::new(dispatcher.clone()).oneshot(post("/", message)).await.expect("a response");
    }
    let both = [(Carrier::Protocol, Outcome::InvalidRequest), (Carrier::Http, Outcome::InvalidRequest)];
    assert_eq!(records.ends(), both.repeat(4));
    // The caller is known all the same.
    for message in &broken {
        let (mut extensions, mut request) = (Extensions::new(), post("/", message));
        extensions.insert("ann");
        request.extensions_mut().insert("ann");
        protocol.answer_with(message.to_string().as_bytes(), extensions).await.expect("an answer");
        Endpoint::new(dispatcher.clone()).oneshot(request).await.expect("a response");
    }
    assert!(records.take().iter().all(|record| record.principal() == Some("ann")));
    for message in [request("tools/list", json!({})), request("ping", json!({})), json!({"jsonrpc": "2.0"}), json!([])]
    {
        protocol.answer(message.to_string().as_bytes()).await.expect("an answer");
        Endpoint::new(dispatcher.clone()).oneshot(post("/", &message)).await.expect("a response");
    }
    assert!(records.take().is_empty());
    assert!(dispatcher.call_json(b"{", mcp_tool_runtime::ProtocolVersion::LATEST).await.is_err());
    assert_eq!(records.ends(), [(Carrier::Rust, Outcome::InvalidRequest)]);

    let plain = PlainHttp::new(dispatcher);
    let with = |method: &str, path: &str, kind: &str, body: &str| {
        let request = Request::builder().method(method).uri(format!("http://localhost/{path}"));
        request.header("content-type", kind).body(Body::from(body.to_owned())).expect("a request")
    };
    for (method, path, kind, body, expected) in [
        ("POST", "add", "application/json", "{", Some(Outcome::InvalidRequest)),
        ("POST", "add", "text/plain", "{}", Some(Outcome::InvalidRequest)),
        ("POST", "add", "application/json", "null", Some(Outcome::InvalidArguments)),
        ("POST", "ad", "application/json", "{}", Some(Outcome::UnknownTool)),
        ("POST", "ad/d", "application/json", "{}", None),
        ("GET", "add", "application/json", "", None),
        ("GET", "", "application/json", "", None),
        ("POST", "", "application/json", "{}", None),
    ] {
        plain.clone().oneshot(with(method, path, kind, body)).await.expect("a response");
        assert_eq!(records.outcomes(), Vec::from_iter(expected), "{method} {path} {body}");
    }
}

#[tokio::test]
async fn the_attributes_have_the_names_of_the_conventions() {
    let (dispatcher, records, _) = server();
    let endpoint = Endpoint::new(dispatcher.clone());
    let send = async |name: &str, arguments: Value| {
        endpoint.clone().oneshot(post("/", &call(1, name, &arguments))).await.expect("a response");
        records.one().attributes()
    };
    let expected = |more: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        let mut all = vec![("mcp.method.name", "tools/call"), ("gen_ai.operation.name", "execute_tool")];
        all.extend(more);
        all.into_iter().map(|(name, value)| (name, value.to_owned())).collect()
    };
    let version = ("mcp.protocol.version", "2025-06-18");
    let network = [("network.transport", "tcp"), ("network.protocol.name", "http")];
    let tool = ("gen_ai.tool.name", "add");
    let [transport, protocol] = network;
    assert_eq!(send("add", json!({"a": 1, "b": 2})).await, expected(&[tool, version, transport, protocol]));
    let failed = ("error.type", "tool_error");
    assert_eq!(send("add", json!({"a": 1})).await, expected(&[tool, failed, version, transport, protocol]));
    let code = [("error.type", "-32602"), ("rpc.response.status_code", "-32602")];
    assert_eq!(send("ad", json!({})).await, expected(&[code[0], code[1], version, transport, protocol]));
    within_a_minute(PlainHttp::new(dispatcher).oneshot(post("/add", &json!({"a": 1, "b": 2})))).await.expect("one");
    let plain = [("gen_ai.operation.name", "execute_tool"), tool, transport, protocol];
    assert!(records.one().attributes().into_iter().eq(plain.map(|(name, value)| (name, value.to_owned()))));
}
