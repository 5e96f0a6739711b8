//! More calls than the server runs, or than it has memory for: only further calls are refused, and everything else is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{CallContext, Consent, Dispatcher, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, BufWriter, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use crate::run::{built, exact};
use crate::wait::{RunningCalls, within_a_minute};

/// The number of calls that run at the same time.
const MOST: usize = 1_000;

struct Client {
    requests: WriteHalf<DuplexStream>,
    messages: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    /// Starts a server, and a client of 2025-11-25 that shows forms. The pipe has room for this many bytes.
    async fn start(dispatcher: Dispatcher, pipe: usize) -> Self {
        let (ours, theirs) = tokio::io::duplex(pipe);
        let (input, output) = tokio::io::split(theirs);
        // `Server::serve` puts the same buffer before standard output.
        let output = BufWriter::with_capacity(1 << 16, output);
        tokio::spawn(Server::new(dispatcher).serve_on(input, output));
        let (messages, requests) = tokio::io::split(ours);
        let mut client = Self { requests, messages: BufReader::new(messages).lines() };
        let info = json!({ "name": "test", "version": "1" });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": info });
        client.send(&json!({ "jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params })).await;
        assert_eq!(client.next().await["id"], "first");
        client
    }

    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        within_a_minute(self.requests.write_all(line.as_bytes())).await.expect("the server reads");
    }

    async fn call(&mut self, id: usize, name: &str, arguments: &Value) {
        let params = json!({ "name": name, "arguments": arguments });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
    }

    async fn cancel(&mut self, id: usize) {
        let params = json!({ "requestId": id });
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    }

    async fn line(&mut self) -> String {
        within_a_minute(self.messages.next_line()).await.expect("a line").expect("a message")
    }

    async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await).expect("JSON")
    }

    async fn is_refused(&mut self, id: usize) {
        let refused = self.next().await;
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(id), &json!(-32603)), "{refused}");
        let text = refused["error"]["message"].as_str().expect("a text");
        assert!(text.contains("too many calls are running"), "{text}");
    }

    async fn is_alive(&mut self) {
        self.send(&json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" })).await;
        assert_eq!(self.next().await, json!({ "jsonrpc": "2.0", "id": "ping", "result": {} }));
    }
}

/// Never return.
#[mcp_tool]
async fn hang(text: Option<String>, #[mcp_tool(state)] calls: &RunningCalls) {
    let _running = calls.start();
    std::future::pending::<()>().await;
    drop(text);
}

/// Wait for a moment.
#[mcp_tool]
async fn wait(millis: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    millis
}

/// Never return after a question.
#[mcp_tool]
async fn ask(#[mcp_tool(ask = "Go on?")] _sure: Consent) {}

/// Report progress for longer than a test needs. Without an end, a test that fails would run for ever.
#[mcp_tool]
async fn report(#[mcp_tool(context)] cx: &CallContext) {
    for step in 0..1_000_000 {
        cx.progress(f64::from(step), None, None);
        if step % 100 == 0 {
            tokio::task::yield_now().await;
        }
    }
}

/// Shows whether [`block`] runs, and lets a test end it.
#[derive(Default)]
struct Blocked {
    calls: RunningCalls,
    is_over: AtomicBool,
}

/// Block the thread until the test says so.
#[mcp_tool]
async fn block(#[mcp_tool(state)] blocked: &Blocked) {
    let _running = blocked.calls.start();
    while !blocked.is_over.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
}

fn dispatcher() -> (Dispatcher, Arc<RunningCalls>) {
    let calls = Arc::new(RunningCalls::default());
    let builder = exact().tools(tools![hang, wait, ask, report]).state(Arc::clone(&calls)).max_argument_bytes(8 << 20);
    (built(builder), calls)
}

#[tokio::test(start_paused = true)]
async fn s2_while_1000_calls_hang_a_further_one_is_refused_and_the_rest_is_read() {
    let (dispatcher, calls) = dispatcher();
    let mut client = Client::start(dispatcher, 1 << 16).await;
    for id in 0..MOST {
        client.call(id, "hang", &json!({})).await;
    }
    calls.wait_for(MOST).await;
    for id in MOST..3 * MOST {
        client.call(id, "wait", &json!({ "millis": 1 })).await;
        client.is_refused(id).await;
    }
    client.is_alive().await;
    // A cancelled call makes room for one more.
    client.cancel(7).await;
    calls.wait_for(MOST - 1).await;
    client.call(7, "wait", &json!({ "millis": 1 })).await;
    assert_eq!(client.next().await["result"]["structuredContent"], json!({ "result": 1 }));
    assert_eq!(calls.counts().started, MOST);
}

#[tokio::test(start_paused = true)]
async fn s2_while_calls_with_16_mib_hang_a_further_one_is_refused_and_the_rest_is_read() {
    let (dispatcher, calls) = dispatcher();
    let mut client = Client::start(dispatcher, 1 << 16).await;
    for id in 0..3 {
        client.call(id, "hang", &json!({ "text": "x".repeat(6 << 20) })).await;
    }
    calls.wait_for(3).await;
    client.call(3, "wait", &json!({ "millis": 1 })).await;
    client.is_refused(3).await;
    client.is_alive().await;
    client.cancel(1).await;
    calls.wait_for(2).await;
    client.call(4, "wait", &json!({ "millis": 1 })).await;
    assert_eq!(client.next().await["id"], 4);
}

#[tokio::test(start_paused = true)]
async fn s2_calls_that_end_soon_are_not_refused_however_many_are_sent_at_once() {
    const CALLS: usize = 5_000;
    let (dispatcher, _) = dispatcher();
    let Client { mut requests, mut messages } = Client::start(dispatcher, 1 << 16).await;
    let sending = tokio::spawn(async move {
        for id in 0..CALLS {
            let params = json!({ "name": "wait", "arguments": { "millis": id % 50 } });
            let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
            requests.write_all(format!("{call}\n").as_bytes()).await.expect("the server reads");
        }
        requests
    });
    for _ in 0..CALLS {
        let line = within_a_minute(messages.next_line()).await.expect("a line").expect("a message");
        assert!(line.contains("\"result\""), "{line}");
    }
    drop(sending.await);
}

#[tokio::test(start_paused = true)]
async fn s2_answers_to_questions_are_read_while_1000_calls_run() {
    let (dispatcher, calls) = dispatcher();
    let mut client = Client::start(dispatcher, 1 << 16).await;
    let mut questions = Vec::new();
    for id in 0..MOST / 2 {
        client.call(id, "ask", &json!({})).await;
        questions.push(client.next().await["id"].clone());
    }
    for id in MOST / 2..MOST {
        client.call(id, "hang", &json!({})).await;
    }
    calls.wait_for(MOST / 2).await;
    client.call(MOST, "wait", &json!({ "millis": 1 })).await;
    client.is_refused(MOST).await;
    for (id, question) in questions.iter().enumerate() {
        let result = json!({ "action": "accept", "content": { "confirm": true } });
        client.send(&json!({ "jsonrpc": "2.0", "id": question, "result": result })).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn s3_each_withdrawn_question_is_taken_back_however_slow_the_client_reads() {
    const QUESTIONS: usize = 400;
    let (dispatcher, _) = dispatcher();
    // Everything that the client sends goes through the pipe, and little of what the server sends.
    let mut client = Client::start(dispatcher, 1 << 11).await;
    let mut open = Vec::new();
    for id in 0..QUESTIONS {
        client.call(id, "ask", &json!({})).await;
        open.push(client.next().await["id"].clone());
    }
    for id in 0..QUESTIONS {
        client.cancel(id).await;
    }
    for _ in 0..QUESTIONS {
        let message = client.next().await;
        assert_eq!(message["method"], "notifications/cancelled", "{message}");
        open.retain(|id| *id != message["params"]["requestId"]);
    }
    assert_eq!(open, [Value::Null; 0]);
}

#[tokio::test(start_paused = true)]
async fn s2_messages_are_read_beside_calls_that_report_without_end() {
    const CALLS: usize = 4;
    let (dispatcher, _) = dispatcher();
    let mut client = Client::start(dispatcher, 1 << 20).await;
    for id in 0..CALLS {
        let params = json!({ "name": "report", "arguments": {}, "_meta": { "progressToken": id } });
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
    }
    for id in 0..10 {
        client.send(&json!({ "jsonrpc": "2.0", "id": id + CALLS, "method": "ping" })).await;
        let mut reports = 0;
        // The reports are not parsed: a slow client would let the pipe fill up, and the server would read while it waits to write, so the test
        // could not fail.
        while !client.line().await.contains(r#""result":{}"#) {
            reports += 1;
            assert!(reports < 20_000, "the ping is not read");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn section_6_a_cancelled_call_that_still_ends_leaves_a_new_one_with_its_id_alone() {
    /// Ends the blocked call also if the test fails: the runtime would wait for it.
    struct Release(Arc<Blocked>);

    impl Drop for Release {
        fn drop(&mut self) {
            self.0.is_over.store(true, Ordering::Release);
        }
    }

    let (calls, blocked) = (Arc::new(RunningCalls::default()), Arc::new(Blocked::default()));
    let release = Release(Arc::clone(&blocked));
    let builder = exact().tools(tools![hang, block]).state(Arc::clone(&calls)).state(Arc::clone(&blocked));
    let mut client = Client::start(built(builder), 1 << 16).await;
    client.call(7, "block", &json!({})).await;
    blocked.calls.wait_for(1).await;
    client.cancel(7).await;
    client.is_alive().await;
    client.call(7, "hang", &json!({})).await;
    calls.wait_for(1).await;
    drop(release);
    blocked.calls.wait_for(0).await;
    for _ in 0..100 {
        client.is_alive().await;
    }
    client.cancel(7).await;
    calls.wait_for(0).await;
}
