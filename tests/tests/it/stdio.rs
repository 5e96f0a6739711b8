//! Standard input and output, as a pair of streams: every line answered, and the loop goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{CallContext, Dispatcher, ProtocolVersion, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use crate::carry::{self, MODERN, assert_sound, eventually, request, sum};
use crate::messages::no_messages;
use crate::run::{built, exact};

/// A client at the other end.
struct Client {
    say: WriteHalf<DuplexStream>,
    hear: Lines<BufReader<ReadHalf<DuplexStream>>>,
    server: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn of(dispatcher: Dispatcher) -> Self {
        Self::with(Server::new(dispatcher).with_info("tests", "1.2.3"), std::future::pending())
    }

    fn with(server: Server, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(server.run(input, output, shutdown));
        let (hear, say) = tokio::io::split(ours);
        Self { say, hear: BufReader::new(hear).lines(), server }
    }

    async fn say(&mut self, line: impl AsRef<[u8]>) {
        self.say.write_all(line.as_ref()).await.expect("written");
        self.say.write_all(b"\n").await.expect("written");
    }

    async fn hear(&mut self) -> Value {
        let line =
            tokio::time::timeout(Duration::from_secs(5), self.hear.next_line()).await.expect("an answer in time");
        let line = line.expect("a line").expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    async fn ask(&mut self, message: &Value) -> Value {
        self.say(message.to_string()).await;
        self.hear().await
    }

    async fn still_serves(&mut self) {
        let answer = self.ask(&sum(MODERN)).await;
        assert_eq!((&answer["id"], &answer["result"]["structuredContent"]), (&json!(7), &json!(5)), "{answer}");
        assert_sound(MODERN, "tools/call", &answer);
    }

    /// Ends the input; what is still said after that.
    async fn end(mut self) -> Vec<Value> {
        self.say.shutdown().await.expect("an end");
        let mut rest = Vec::new();
        while let Some(line) = self.hear.next_line().await.expect("a line") {
            rest.push(serde_json::from_str(&line).expect("a message"));
        }
        self.server.await.expect("no panic").expect("no error");
        rest
    }
}

fn hello(version: &str) -> Value {
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params})
}

#[tokio::test]
async fn both_eras_are_spoken_side_by_side() {
    let mut client = Client::of(carry::dispatcher());
    let discovered = client.ask(&request(MODERN, "server/discover", json!({}))).await;
    assert_sound(MODERN, "server/discover", &discovered);
    for (named, version) in [("2025-06-18", ProtocolVersion::V2025_06_18), ("2025-11-25", ProtocolVersion::V2025_11_25)]
    {
        let agreed = client.ask(&hello(named)).await;
        assert_eq!(agreed["result"]["protocolVersion"], named);
        assert_sound(version, "initialize", &agreed);
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        for method in ["tools/list", "ping"] {
            assert_sound(version, method, &client.ask(&request(version, method, json!({}))).await);
        }
        let list = client.ask(&request(version, "tools/list", json!({}))).await;
        let expected: Value = serde_json::from_slice(carry::dispatcher().list_json(version)).expect("a list");
        assert_eq!(list["result"], expected);
        assert_eq!(client.ask(&sum(version)).await["result"]["structuredContent"], json!({"result": 5}));
        client.still_serves().await;
    }
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn before_anything_is_agreed_on_a_request_names_its_version() {
    let mut client = Client::of(carry::dispatcher());
    for method in ["tools/list", "tools/call", "server/discover"] {
        let message = request(ProtocolVersion::V2025_06_18, method, json!({"name": "add"}));
        let error = client.ask(&message).await["error"].take();
        assert_eq!(error["code"], -32602, "{method}");
        assert!(
            error["message"].as_str().is_some_and(|text| text.contains("or `initialize` must come before")),
            "{error}"
        );
    }
    let message = request(ProtocolVersion::V2025_06_18, "ping", json!({}));
    assert_eq!(client.ask(&message).await["result"], json!({}));
    client.still_serves().await;
}

#[tokio::test]
async fn a_version_is_told_when_another_is_unknown() {
    let mut client = Client::of(carry::dispatcher());
    let mut message = request(MODERN, "server/discover", json!({}));
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2099-01-01".into();
    let answer = client.ask(&message).await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["requested"]),
        (&json!(-32022), &json!("2099-01-01"))
    );
    assert_sound(MODERN, "server/discover", &answer);
    // Of another era, and of nobody.
    for method in ["initialize", "ping", "resources/list"] {
        assert_eq!(client.ask(&request(MODERN, method, json!({}))).await["error"]["code"], -32601, "{method}");
    }
    client.still_serves().await;
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_loop_goes_on() {
    let mut client = Client::of(carry::dispatcher());
    client.ask(&hello("2025-11-25")).await;
    for (message, code, named) in no_messages() {
        client.say(&message).await;
        let answer = client.hear().await;
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(code), named.then_some(&json!(7))));
        assert_sound(MODERN, "", &answer);
    }
    for nothing in
        ["", " \t\r", r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, r#"{"jsonrpc":"2.0","method":"tools/call"}"#]
    {
        client.say(nothing).await;
    }
    client.still_serves().await;
}

#[tokio::test]
async fn a_line_that_is_too_long_is_passed_over() {
    let message = sum(MODERN).to_string();
    let mut client =
        Client::with(Server::new(carry::dispatcher()).with_max_line_bytes(message.len()), std::future::pending());
    for length in [message.len() + 1, 100_000] {
        client.say("x".repeat(length)).await;
        let answer = client.hear().await;
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(-32600), None));
        client.still_serves().await;
    }
    client.say.write_all("x".repeat(100_000).as_bytes()).await.expect("written");
    assert_eq!(client.end().await[0]["error"]["code"], -32600);
}

#[tokio::test]
async fn half_a_message_at_the_end_is_answered_and_a_whole_one_too() {
    let message = sum(MODERN).to_string();
    let mut client = Client::of(carry::dispatcher());
    client.say.write_all(&message.as_bytes()[..message.len() / 2]).await.expect("written");
    let rest = client.end().await;
    assert_eq!((rest.len(), &rest[0]["error"]["code"]), (1, &json!(-32700)));

    let mut client = Client::of(carry::dispatcher());
    client.say.write_all(message.as_bytes()).await.expect("written");
    assert_eq!(client.end().await[0]["result"]["structuredContent"], 5);
}

#[tokio::test]
async fn section_6_progress_is_told_before_the_result() {
    let mut client = Client::of(carry::dispatcher());
    let params = json!({"name": "halves", "arguments": {"waits": true}, "_meta": {"progressToken": 3}});
    client.say(request(MODERN, "tools/call", params).to_string()).await;
    for (done, message) in [(1.0, Some("half")), (2.0, None)] {
        let report = client.hear().await;
        assert_sound(MODERN, "", &report);
        let params = &report["params"];
        assert_eq!((params["progress"].as_f64(), params["message"].as_str()), (Some(done), message));
        assert_eq!(params["progressToken"], 3);
    }
    assert_eq!(client.hear().await["result"]["structuredContent"], "done");
}

#[tokio::test]
async fn a_message_is_one_line_whatever_a_tool_writes() {
    let mut client = Client::of(built(exact().tool(carry::spread(true)).tools(tools![carry::add])));
    let params = json!({"name": "spread", "_meta": {"progressToken": 3}});
    client.say(request(MODERN, "tools/call", params).to_string()).await;
    assert_eq!(client.hear().await["params"]["message"], "two\nlines");
    assert_eq!(client.hear().await["result"]["structuredContent"], json!({"a": [1, 2]}));
    client.still_serves().await;
}

/// How many calls run now, and how many there were at most.
#[derive(Default)]
struct Running {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Place<'a>(&'a Running);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Wait as long as is said, or for ever.
#[mcp_tool]
async fn wait(ms: Option<u64>, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] running: &Running) -> String {
    let _place = Place(running);
    let now = running.now.fetch_add(1, Ordering::SeqCst) + 1;
    running.most.fetch_max(now, Ordering::SeqCst);
    cx.progress(1.0, None, None);
    match ms {
        Some(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
        None => std::future::pending().await,
    }
    "waited".into()
}

fn waiting() -> (Dispatcher, Arc<Running>) {
    let running = Arc::new(Running::default());
    (built(exact().tools(tools![wait, carry::add]).state(Arc::clone(&running))), running)
}

fn call(id: &Value, arguments: &Value) -> Value {
    let mut message = request(MODERN, "tools/call", json!({"name": "wait", "arguments": arguments}));
    message["id"] = id.clone();
    message
}

#[tokio::test]
async fn calls_run_beside_each_other_and_are_answered_as_they_end() {
    let (dispatcher, running) = waiting();
    let mut client = Client::of(dispatcher);
    for (id, ms) in [(1, 200), (2, 100), (3, 1)] {
        client.say(call(&json!(id), &json!({"ms": ms})).to_string()).await;
    }
    client.still_serves().await;
    let mut order = Vec::new();
    for _ in 0..3 {
        order.push(client.hear().await["id"].clone());
    }
    assert_eq!(order, [3, 2, 1]);
    assert_eq!(running.most.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn section_6_a_cancelled_call_is_dropped_and_not_answered() {
    let (dispatcher, running) = waiting();
    let mut client = Client::of(dispatcher);
    for (id, cancelled) in [(json!(1), "1"), (json!("a\"b"), r#""a\u0022b""#), (json!("1"), r#""1""#)] {
        client.say(call(&id, &json!({})).to_string()).await;
        client.say(call(&json!("other"), &json!({"ms": 30})).to_string()).await;
        eventually("running", || running.now.load(Ordering::SeqCst) == 2).await;
        let cancel = |id: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"r"}}}}"#
            )
        };
        for odd in [&cancel("99"), &cancel("null"), r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#] {
            client.say(odd).await;
        }
        client.say(cancel(cancelled)).await;
        assert_eq!(client.hear().await["id"], "other", "{id}");
        eventually("dropped", || running.now.load(Ordering::SeqCst) == 0).await;
        client.say(cancel(cancelled)).await;
        client.still_serves().await;
    }
    assert_eq!(client.end().await, [Value::Null; 0]);
}

#[tokio::test]
async fn an_id_that_still_runs_is_refused() {
    let (dispatcher, running) = waiting();
    let mut client = Client::of(dispatcher);
    client.say(call(&json!(1), &json!({"ms": 50})).to_string()).await;
    eventually("running", || running.now.load(Ordering::SeqCst) == 1).await;
    let answer = client.ask(&call(&json!(1), &json!({"ms": 1}))).await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32600)));
    assert!(client.hear().await.get("result").is_some());
    assert!(client.ask(&call(&json!(1), &json!({"ms": 1}))).await.get("result").is_some(), "it is free again");
}

#[tokio::test]
async fn at_the_end_of_the_input_running_calls_are_finished() {
    let (dispatcher, _) = waiting();
    let mut client = Client::of(dispatcher);
    for id in 0..20 {
        client.say(call(&json!(id), &json!({"ms": 20})).to_string()).await;
    }
    assert_eq!(client.end().await.len(), 20);
}

#[tokio::test]
async fn a_shutdown_finishes_running_calls_and_reads_no_more() {
    let (dispatcher, running) = waiting();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let mut client = Client::with(Server::new(dispatcher), async move { drop(stopped.await) });
    client.say(call(&json!(1), &json!({"ms": 50})).to_string()).await;
    eventually("running", || running.now.load(Ordering::SeqCst) == 1).await;
    stop.send(()).expect("a server");
    assert_eq!(client.hear().await["id"], 1);
    client.server.await.expect("no panic").expect("no error");
}

#[tokio::test]
async fn a_server_that_is_dropped_drops_its_calls() {
    let (dispatcher, running) = waiting();
    let mut client = Client::of(dispatcher);
    client.say(call(&json!(1), &json!({})).to_string()).await;
    eventually("running", || running.now.load(Ordering::SeqCst) == 1).await;
    client.server.abort();
    assert!(client.server.await.is_err_and(|ended| ended.is_cancelled()));
    eventually("dropped", || running.now.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test]
async fn an_output_that_fails_ends_the_server_though_the_input_goes_on() {
    let (mut say, input) = tokio::io::duplex(1 << 16);
    let (output, hear) = tokio::io::duplex(64);
    drop(hear);
    let (dispatcher, running) = waiting();
    let server = tokio::spawn(Server::new(dispatcher).serve_on(input, output));
    say.write_all(format!("{}\n{}\n", call(&json!(1), &json!({})), sum(MODERN)).as_bytes()).await.expect("written");
    tokio::time::timeout(Duration::from_secs(5), server).await.expect("an end").expect("no panic").expect("no error");
    eventually("dropped", || running.now.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_every_answer() {
    let (ours, theirs) = tokio::io::duplex(64);
    let (input, output) = tokio::io::split(theirs);
    let server = tokio::spawn(Server::new(carry::dispatcher()).serve_on(input, output));
    let (hear, mut say) = tokio::io::split(ours);
    let writer = tokio::spawn(async move {
        for id in 0..500 {
            let mut message = sum(MODERN);
            message["id"] = json!(id);
            say.write_all(format!("{message}\n").as_bytes()).await.expect("written");
        }
        say.shutdown().await.expect("an end");
    });
    let mut hear = BufReader::with_capacity(16, hear).lines();
    let mut ids = Vec::new();
    while let Some(line) = hear.next_line().await.expect("a line") {
        let answer: Value = serde_json::from_str(&line).expect("a message");
        ids.push(answer["id"].as_u64().expect("an id"));
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..500).collect::<Vec<_>>());
    writer.await.expect("no panic");
    server.await.expect("no panic").expect("no error");
}
