//! A client that sends requests over stdio and does not read the answers cannot make the server hold more and more of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{Dispatcher, mcp_tool, serde_json, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf};
use tokio::task::JoinHandle;

/// Give a text back.
#[mcp_tool]
async fn echo(text: String) -> String {
    text
}

/// Return a long text.
#[mcp_tool]
async fn long(#[mcp_tool(state)] begun: &AtomicUsize) -> String {
    begun.fetch_add(1, Ordering::Relaxed);
    "x".repeat(100_000)
}

/// Starts a server whose client sends `calls` of a tool. Returns what the client has not read, and the task that sends.
fn serve(dispatcher: Dispatcher, calls: usize, params: &Value) -> (ReadHalf<DuplexStream>, JoinHandle<()>) {
    let (client, server) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(server);
    tokio::spawn(Server::new(dispatcher).serve_on(input, output));
    let (answers, mut requests) = tokio::io::split(client);
    let request = json!({"jsonrpc": "2.0", "id": "ID", "method": "tools/call", "params": params}).to_string();
    let sending = tokio::spawn(async move {
        for id in 0..calls {
            let request = request.replace("ID", &id.to_string());
            requests.write_all(format!("{request}\n").as_bytes()).await.expect("a write");
        }
        requests.shutdown().await.expect("a shutdown");
    });
    (answers, sending)
}

fn params(name: &str, arguments: &Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"name": name, "arguments": arguments, "_meta": meta})
}

/// Waits until nothing can go on without the test: only then does the paused clock advance.
async fn until_idle() {
    tokio::time::sleep(Duration::from_secs(3600)).await;
}

async fn read_all(answers: ReadHalf<DuplexStream>) -> usize {
    let (mut answers, mut count) = (BufReader::new(answers).lines(), 0);
    while let Some(answer) = answers.next_line().await.expect("a line") {
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        count += 1;
    }
    count
}

#[tokio::test(start_paused = true)]
async fn s2_the_server_stops_reading_while_unread_answers_have_16_mib() {
    const CALLS: usize = 1_000;
    let dispatcher = Dispatcher::builder().tools(tools![echo]).build().expect("a tool");
    let params = params("echo", &json!({"text": "x".repeat(30_000)}));
    let (answers, sending) = serve(dispatcher, CALLS, &params);
    until_idle().await;
    assert!(!sending.is_finished(), "60 MB of answers wait for the client");
    assert_eq!(read_all(answers).await, CALLS, "every request is answered once the client reads");
}

#[tokio::test(start_paused = true)]
async fn s2_calls_that_have_not_begun_wait_while_unread_answers_have_16_mib() {
    const CALLS: usize = 900;
    let begun = Arc::new(AtomicUsize::new(0));
    let dispatcher = Dispatcher::builder().tools(tools![long]).state(Arc::clone(&begun)).build().expect("a tool");
    let (answers, _sending) = serve(dispatcher, CALLS, &params("long", &json!({})));
    until_idle().await;
    let begun = begun.load(Ordering::Relaxed);
    // A text is in its answer twice.
    assert!((80..100).contains(&begun), "{begun} calls with answers of 200 kB");
    assert_eq!(read_all(answers).await, CALLS, "every request is answered once the client reads");
}
