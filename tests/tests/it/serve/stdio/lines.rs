//! The stdio transport, over a pair of in-memory streams: every line is answered, and the server goes on.
//!
//! The clock of tokio is paused: the milliseconds that a tool waits only say which call ends first.

use std::sync::Arc;
use std::time::Duration;

use mcp_tool_runtime::operations::Outcome;
use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{CallContext, Dispatcher, ProtocolVersion, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use crate::mcp::messages::invalid_messages;
use crate::run::{built, exact};
use crate::wait::{RunningCalls, within_a_minute};
use crate::wire::{self, MODERN, assert_sound, request, sum};

/// A client of a server in a task of its own.
struct Client {
    requests: WriteHalf<DuplexStream>,
    responses: Lines<BufReader<ReadHalf<DuplexStream>>>,
    server: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn new(dispatcher: Dispatcher) -> Self {
        Self::with(Server::new(dispatcher), std::future::pending())
    }

    fn with(server: Server, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(server.serve_on_until(input, output, shutdown));
        let (responses, requests) = tokio::io::split(ours);
        Self { requests, responses: BufReader::new(responses).lines(), server }
    }

    async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.requests.write_all(line.as_ref()).await.expect("a write");
        self.requests.write_all(b"\n").await.expect("a write");
    }

    async fn receive(&mut self) -> Value {
        let line = within_a_minute(self.responses.next_line()).await.expect("a line").expect("a message");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    async fn request(&mut self, message: &Value) -> Value {
        self.send(message.to_string()).await;
        self.receive().await
    }

    async fn still_serves(&mut self) {
        let answer = self.request(&sum(MODERN)).await;
        assert_eq!((&answer["id"], &answer["result"]["structuredContent"]), (&json!(7), &json!(5)), "{answer}");
        assert_sound(MODERN, "tools/call", &answer);
    }

    /// Closes the input and returns the messages that the server still sends.
    async fn end(mut self) -> Vec<Value> {
        self.requests.shutdown().await.expect("a shutdown");
        let mut rest = Vec::new();
        while let Some(line) = self.responses.next_line().await.expect("a line") {
            rest.push(serde_json::from_str(&line).expect("a message"));
        }
        self.server.await.expect("no panic").expect("no error");
        rest
    }
}

fn initialize(version: &str) -> Value {
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params})
}

#[tokio::test(start_paused = true)]
async fn all_protocol_versions_are_served_side_by_side() {
    let mut client = Client::new(wire::dispatcher());
    let discovered = client.request(&request(MODERN, "server/discover", json!({}))).await;
    assert_sound(MODERN, "server/discover", &discovered);
    for (name, version) in [("2025-06-18", ProtocolVersion::V2025_06_18), ("2025-11-25", ProtocolVersion::V2025_11_25)]
    {
        let answer = client.request(&initialize(name)).await;
        assert_eq!(answer["result"]["protocolVersion"], name);
        assert_sound(version, "initialize", &answer);
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        for method in ["tools/list", "ping"] {
            assert_sound(version, method, &client.request(&request(version, method, json!({}))).await);
        }
        let list = client.request(&request(version, "tools/list", json!({}))).await;
        let expected: Value = serde_json::from_slice(wire::dispatcher().list_json(version)).expect("a list");
        assert_eq!(list["result"], expected);
        assert_eq!(client.request(&sum(version)).await["result"]["structuredContent"], json!({"result": 5}));
        client.still_serves().await;
    }
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_byte_order_mark_before_the_first_message_is_ignored() {
    let mut client = Client::new(wire::dispatcher());
    for is_first in [true, false] {
        client.send(format!("\u{feff}{}", initialize("2025-11-25"))).await;
        let answer = client.receive().await;
        assert_eq!(answer.get("result").is_some(), is_first, "{answer}");
    }
    client.still_serves().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_before_initialize_must_name_its_version() {
    let mut client = Client::new(wire::dispatcher());
    for method in ["tools/list", "tools/call", "server/discover"] {
        let message = request(ProtocolVersion::V2025_06_18, method, json!({"name": "add"}));
        let error = client.request(&message).await["error"].take();
        assert_eq!(error["code"], -32602, "{method}");
        assert!(
            error["message"].as_str().is_some_and(|text| text.contains("or `initialize` must be sent first")),
            "{error}"
        );
    }
    let message = request(ProtocolVersion::V2025_06_18, "ping", json!({}));
    assert_eq!(client.request(&message).await["result"], json!({}));
    client.still_serves().await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_version_or_method_is_an_error() {
    let mut client = Client::new(wire::dispatcher());
    let mut message = request(MODERN, "server/discover", json!({}));
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2099-01-01".into();
    let answer = client.request(&message).await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["requested"]),
        (&json!(-32022), &json!("2099-01-01"))
    );
    assert_sound(MODERN, "server/discover", &answer);
    // Methods of earlier versions only, and an unknown one.
    for method in ["initialize", "ping", "resources/list"] {
        assert_eq!(client.request(&request(MODERN, method, json!({}))).await["error"]["code"], -32601, "{method}");
    }
    client.still_serves().await;
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_no_request_gets_an_error_and_the_server_goes_on() {
    let mut client = Client::new(wire::dispatcher());
    client.request(&initialize("2025-11-25")).await;
    for (message, code, has_id) in invalid_messages() {
        client.send(&message).await;
        let answer = client.receive().await;
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(code), has_id.then_some(&json!(7))));
        assert_sound(MODERN, "", &answer);
    }
    for ignored in
        ["", " \t\r", r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, r#"{"jsonrpc":"2.0","method":"tools/call"}"#]
    {
        client.send(ignored).await;
    }
    client.still_serves().await;
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_too_long_is_refused_and_skipped() {
    let message = sum(MODERN).to_string();
    let mut client =
        Client::with(Server::new(wire::dispatcher()).with_max_line_bytes(message.len()), std::future::pending());
    for length in [message.len() + 1, 100_000] {
        client.send("x".repeat(length)).await;
        let answer = client.receive().await;
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(-32600), None));
        client.still_serves().await;
    }
    client.requests.write_all("x".repeat(100_000).as_bytes()).await.expect("a write");
    assert_eq!(client.end().await[0]["error"]["code"], -32600);
}

/// Python's SDK writes the id before the `params`, and TypeScript's writes it after them.
#[tokio::test(start_paused = true)]
async fn a_request_that_is_too_long_is_refused_by_its_id() {
    let client = || Client::with(Server::new(wire::dispatcher()).with_max_line_bytes(1_000), std::future::pending());
    let text = r#"\" \\"},"id":8,"#.repeat(1_000);
    let params = json!({"name": "sum", "arguments": {"id": 9, "text": text, "list": [{"id": 9}, "]"]}});
    for (id, message) in [
        (json!(7), format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#)),
        (json!(7), format!(r#"{{"params" : {params}, "method":"tools/call" , "jsonrpc":"2.0", "id" : 7}}"#)),
        (json!("a"), format!("\u{feff}{{\"method\":\"ping\",\"params\":{params},\"jsonrpc\":\"2.0\",\"id\":\"a\"}}")),
    ] {
        let mut client = client();
        client.send(&message).await;
        let answer = client.receive().await;
        let error = json!({"code": -32600, "message": "the message has more than 1000 bytes"});
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": id, "error": error}));
        client.still_serves().await;
    }
    // The refusal has the id even if the message is not valid, or has long strings or blanks beside the id.
    let long = "x".repeat(5_000);
    let blank = " ".repeat(100_000);
    for message in [
        format!(r#"{{"id":7,"method":"tools/call","params":{params}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":7,"params":{params}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":5,"params":{params}}}"#),
        format!(r#"{{"jsonrpc":"2.0","method":"ping","params":"{long}\\","id":7}}"#),
        format!(r#"{{"jsonrpc":"2.0","method":"{long}","trace":"{long}","id":7}}"#),
        format!(r#"{{"jsonrpc":"2.0",{blank}"method":"ping", "id" : 7}}"#),
    ] {
        let mut client = client();
        client.send(&message).await;
        assert_eq!(client.receive().await["id"], 7, "{message}");
    }
    let mut client = client();
    client.send(format!(r#"{{"jsonrpc":"2.0","method":"ping","id":"{long}"}}"#)).await;
    assert_eq!(client.receive().await.get("id"), None);
    for ignored in [r#""method":"notifications/progress""#, r#""id":7,"result":{}"#] {
        client.send(format!(r#"{{"jsonrpc":"2.0",{ignored},"params":{params}}}"#)).await;
    }
    client.still_serves().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_too_long_leaves_a_record() {
    let (send, outcomes) = std::sync::mpsc::channel();
    let dispatcher = built(exact().tools(tools![wire::add]).on_call(move |record| {
        let _ = send.send(record.outcome());
    }));
    let mut client = Client::with(Server::new(dispatcher).with_max_line_bytes(1_000), std::future::pending());
    for method in ["tools/list", "tools/call"] {
        let params = json!({"name": "add", "arguments": {"text": "x".repeat(1_000)}});
        client.send(request(MODERN, method, params).to_string()).await;
        assert_eq!(client.receive().await["error"]["code"], -32600);
    }
    assert_eq!(outcomes.try_iter().collect::<Vec<_>>(), [Outcome::InvalidRequest]);
}

#[tokio::test(start_paused = true)]
async fn the_last_line_needs_no_line_break_whether_it_is_complete_or_not() {
    let message = sum(MODERN).to_string();
    let mut client = Client::new(wire::dispatcher());
    client.requests.write_all(&message.as_bytes()[..message.len() / 2]).await.expect("a write");
    let rest = client.end().await;
    assert_eq!((rest.len(), &rest[0]["error"]["code"]), (1, &json!(-32700)));

    let mut client = Client::new(wire::dispatcher());
    client.requests.write_all(message.as_bytes()).await.expect("a write");
    assert_eq!(client.end().await[0]["result"]["structuredContent"], 5);
}

#[tokio::test(start_paused = true)]
async fn section_6_progress_is_sent_before_the_result() {
    let mut client = Client::new(wire::dispatcher());
    let params = json!({"name": "halves", "arguments": {"waits": true}, "_meta": {"progressToken": 3}});
    client.send(request(MODERN, "tools/call", params).to_string()).await;
    for (done, message) in [(1.0, Some("half")), (2.0, None)] {
        let report = client.receive().await;
        assert_sound(MODERN, "", &report);
        let params = &report["params"];
        assert_eq!((params["progress"].as_f64(), params["message"].as_str()), (Some(done), message));
        assert_eq!(params["progressToken"], 3);
    }
    assert_eq!(client.receive().await["result"]["structuredContent"], "done");
}

#[tokio::test(start_paused = true)]
async fn a_message_is_one_line_even_if_a_tool_returns_line_breaks() {
    let mut client = Client::new(built(exact().tool(wire::spread(true)).tools(tools![wire::add])));
    let params = json!({"name": "spread", "_meta": {"progressToken": 3}});
    client.send(request(MODERN, "tools/call", params).to_string()).await;
    assert_eq!(client.receive().await["params"]["message"], "two\nlines");
    assert_eq!(client.receive().await["result"]["structuredContent"], json!({"a": [1, 2]}));
    client.still_serves().await;
}

/// Wait for some milliseconds, or for ever.
#[mcp_tool]
async fn wait(
    ms: Option<u64>,
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] calls: &RunningCalls,
) -> String {
    let _running = calls.start();
    cx.progress(1.0, None, None);
    match ms {
        Some(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
        None => std::future::pending().await,
    }
    "waited".into()
}

/// A dispatcher with `wait` and `add`, and the counts of the calls of `wait`.
fn waiting() -> (Dispatcher, Arc<RunningCalls>) {
    let calls = Arc::new(RunningCalls::default());
    (built(exact().tools(tools![wait, wire::add]).state(Arc::clone(&calls))), calls)
}

fn call(id: &Value, arguments: &Value) -> Value {
    let mut message = request(MODERN, "tools/call", json!({"name": "wait", "arguments": arguments}));
    message["id"] = id.clone();
    message
}

#[tokio::test(start_paused = true)]
async fn calls_run_concurrently_and_are_answered_in_the_order_in_which_they_end() {
    let (dispatcher, calls) = waiting();
    let mut client = Client::new(dispatcher);
    for (id, ms) in [(1, 200), (2, 100), (3, 1)] {
        client.send(call(&json!(id), &json!({"ms": ms})).to_string()).await;
    }
    client.still_serves().await;
    let mut order = Vec::new();
    for _ in 0..3 {
        order.push(client.receive().await["id"].clone());
    }
    assert_eq!(order, [3, 2, 1]);
    assert_eq!(calls.counts().most, 3);
}

#[tokio::test(start_paused = true)]
async fn section_6_a_cancelled_call_is_dropped_and_not_answered() {
    let (dispatcher, calls) = waiting();
    let mut client = Client::new(dispatcher);
    for (id, cancelled) in [(json!(1), "1"), (json!("a\"b"), r#""a\u0022b""#), (json!("1"), r#""1""#)] {
        client.send(call(&id, &json!({})).to_string()).await;
        client.send(call(&json!("other"), &json!({"ms": 30})).to_string()).await;
        calls.wait_for(2).await;
        let cancel = |id: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"r"}}}}"#
            )
        };
        for ignored in [&cancel("99"), &cancel("null"), r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#] {
            client.send(ignored).await;
        }
        client.send(cancel(cancelled)).await;
        assert_eq!(client.receive().await["id"], "other", "{id}");
        calls.wait_for(0).await;
        client.send(cancel(cancelled)).await;
        client.still_serves().await;
    }
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test(start_paused = true)]
async fn an_id_in_use_is_refused() {
    let (dispatcher, calls) = waiting();
    let mut client = Client::new(dispatcher);
    client.send(call(&json!(1), &json!({"ms": 50})).to_string()).await;
    calls.wait_for(1).await;
    let answer = client.request(&call(&json!(1), &json!({"ms": 1}))).await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32600)));
    assert!(client.receive().await.get("result").is_some());
    assert!(client.request(&call(&json!(1), &json!({"ms": 1}))).await.get("result").is_some(), "the id is free again");
}

#[tokio::test(start_paused = true)]
async fn running_calls_are_finished_when_the_input_ends() {
    let (dispatcher, _) = waiting();
    let mut client = Client::new(dispatcher);
    for id in 0..20 {
        client.send(call(&json!(id), &json!({"ms": 20})).to_string()).await;
    }
    assert_eq!(client.end().await.len(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_finishes_running_calls_and_stops_reading() {
    let (dispatcher, calls) = waiting();
    let (sender, shutdown) = tokio::sync::oneshot::channel();
    let mut client = Client::with(Server::new(dispatcher), async move { drop(shutdown.await) });
    client.send(call(&json!(1), &json!({"ms": 50})).to_string()).await;
    calls.wait_for(1).await;
    sender.send(()).expect("the server runs");
    assert_eq!(client.receive().await["id"], 1);
    client.server.await.expect("no panic").expect("no error");
}

/// Whether the input has ended before, and whether the client reads: the server waits ten seconds for its calls.
#[tokio::test(start_paused = true)]
async fn s4_a_shutdown_drops_what_still_runs_after_ten_seconds() {
    for (closes_input, reads) in [(false, true), (true, true), (false, false), (true, false)] {
        let (dispatcher, calls) = waiting();
        let (mut requests, input) = tokio::io::duplex(1 << 16);
        let (output, mut answers) = tokio::io::duplex(64);
        let (sender, shutdown) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(Server::new(dispatcher).serve_on_until(input, output, shutdown));
        let reading = tokio::spawn(async move {
            if reads {
                let _ = tokio::io::copy(&mut answers, &mut tokio::io::sink()).await;
            }
            std::future::pending::<()>().await;
        });
        let lines = format!("{}\n{}\n", call(&json!(1), &json!({})), call(&json!(2), &json!({"ms": 0})));
        requests.write_all(lines.as_bytes()).await.expect("a write");
        calls.wait_until(|counts| counts.started == 2 && counts.running == 1).await;
        let begin = tokio::time::Instant::now();
        if closes_input {
            requests.shutdown().await.expect("a shutdown");
            tokio::time::sleep(Duration::from_secs(30)).await;
            assert!(!server.is_finished(), "only a shutdown drops calls");
        }
        let begin = if closes_input { begin + Duration::from_secs(30) } else { begin };
        sender.send(()).expect("the server runs");
        within_a_minute(server).await.expect("no panic").expect("no error");
        calls.wait_for(0).await;
        assert_eq!(begin.elapsed().as_secs(), 10);
        reading.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_a_server_drops_its_calls() {
    let (dispatcher, calls) = waiting();
    let mut client = Client::new(dispatcher);
    client.send(call(&json!(1), &json!({})).to_string()).await;
    calls.wait_for(1).await;
    client.server.abort();
    assert!(client.server.await.is_err_and(|error| error.is_cancelled()));
    calls.wait_for(0).await;
}

#[tokio::test(start_paused = true)]
async fn an_output_error_ends_the_server_while_the_input_is_open() {
    let (mut requests, input) = tokio::io::duplex(1 << 16);
    let (output, responses) = tokio::io::duplex(64);
    drop(responses);
    let (dispatcher, calls) = waiting();
    let server = tokio::spawn(Server::new(dispatcher).serve_on(input, output));
    requests
        .write_all(format!("{}\n{}\n", call(&json!(1), &json!({})), sum(MODERN)).as_bytes())
        .await
        .expect("a write");
    within_a_minute(server).await.expect("no panic").expect("no error");
    calls.wait_for(0).await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_gets_every_answer() {
    let (ours, theirs) = tokio::io::duplex(64);
    let (input, output) = tokio::io::split(theirs);
    let server = tokio::spawn(Server::new(wire::dispatcher()).serve_on(input, output));
    let (responses, mut requests) = tokio::io::split(ours);
    let writer = tokio::spawn(async move {
        for id in 0..500 {
            let mut message = sum(MODERN);
            message["id"] = json!(id);
            requests.write_all(format!("{message}\n").as_bytes()).await.expect("a write");
        }
        requests.shutdown().await.expect("a shutdown");
    });
    let mut responses = BufReader::with_capacity(16, responses).lines();
    let mut ids = Vec::new();
    while let Some(line) = responses.next_line().await.expect("a line") {
        let answer: Value = serde_json::from_str(&line).expect("a message");
        ids.push(answer["id"].as_u64().expect("an id"));
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..500).collect::<Vec<_>>());
    writer.await.expect("no panic");
    server.await.expect("no panic").expect("no error");
}

/// List numbers.
#[mcp_tool]
async fn numbers() -> mcp_tool_runtime::Paged<u64> {
    mcp_tool_runtime::Paged::new(0..1_000_000)
}

#[tokio::test(start_paused = true)]
async fn a_session_has_the_budget_of_its_client() {
    let builder = exact()
        .tools(tools![numbers])
        .result_budget_for(|client| (client.name() == "c" && client.version() == "1").then_some(300));
    let mut client = Client::new(built(builder));
    client.request(&initialize("2025-11-25")).await;
    let params = json!({"name": "numbers", "arguments": {}});
    let answer = client.request(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    let tokens = crate::run::tokens(&answer["result"]["structuredContent"].to_string());
    assert!((250..=300).contains(&tokens), "{tokens}");
}
