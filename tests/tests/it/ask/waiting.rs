//! Calls that wait for their user: how many there may be, and the permit that they hold afterwards.

use std::pin::pin;
use std::sync::Arc;

use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{
    Ask, CallToolRequest, Consent, Dispatcher,
    ask::{Reply, Scripted},
    mcp_tool, tools,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::{Notify, Semaphore};

/// Return the length of a text.
#[mcp_tool]
async fn measure(text: String, #[mcp_tool(ask = "Measure?")] _sure: Consent) -> usize {
    text.len()
}

fn call(id: u32) -> String {
    let params = json!({ "name": "measure", "arguments": { "text": "a" } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

/// Returns the first message of a client that shows forms.
fn initialize() -> String {
    let client = json!({ "name": "test", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string()
}

#[tokio::test]
async fn five_hundred_questions_may_be_open_and_one_more_is_not_asked() {
    const MOST: u32 = 500;
    let dispatcher = Dispatcher::builder().tools(tools![measure]).build().expect("a tool");
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    tokio::spawn(Server::new(dispatcher).serve_on(input, output));
    let (answers, mut requests) = tokio::io::split(ours);
    let mut answers = BufReader::new(answers).lines();
    let mut ask = async |message: &str| -> Value {
        requests.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
        let line = answers.next_line().await.expect("the server writes").expect("a message");
        serde_json::from_str(&line).expect("JSON")
    };
    ask(&initialize()).await;
    let mut open = Vec::new();
    for id in 1..=MOST {
        let question = ask(&call(id)).await;
        assert_eq!(question["method"], "elicitation/create", "{id}");
        open.push(question["id"].clone());
    }
    let refused = ask(&call(MOST + 1)).await;
    assert_eq!((&refused["id"], &refused["result"]["isError"]), (&json!(MOST + 1), &json!(true)));
    // A question that is answered makes room for another one.
    let declined = json!({ "jsonrpc": "2.0", "id": open[0], "result": { "action": "decline" } });
    assert_eq!(ask(&declined.to_string()).await["id"], 1);
    assert_eq!(ask(&call(MOST + 2)).await["method"], "elicitation/create");
}

/// Wait for the gate after a question.
#[mcp_tool]
async fn ask_then_wait(#[mcp_tool(ask = "Go?")] _sure: Consent, #[mcp_tool(state)] gate: &Notify) {
    gate.notified().await;
}

/// Return at once.
#[mcp_tool]
async fn look() {}

#[tokio::test]
async fn a_call_holds_its_permit_again_after_a_question() {
    let gate = Arc::new(Notify::new());
    let builder = Dispatcher::builder().tools(tools![ask_then_wait, look]).state(Arc::clone(&gate));
    let dispatcher = builder.max_concurrency(1).build().expect("tools");
    let user = Scripted::new().reply("sure", Reply::yes());
    let request = CallToolRequest::new("ask_then_wait", json!({})).with_asker(user.clone());
    let mut first = pin!(dispatcher.call(request));
    for _ in 0..10 {
        assert!(crate::run::polled(first.as_mut()).is_none());
    }
    assert_eq!(user.asked().len(), 1);
    let mut second = pin!(dispatcher.call(CallToolRequest::new("look", json!({}))));
    assert!(crate::run::polled(second.as_mut()).is_none(), "the first call has the permit");
    gate.notify_one();
    assert!(first.await.expect("a response").is_success());
    assert!(second.await.expect("a response").is_success());
}

#[test]
fn a_state_without_answers_is_checked_like_one_with_answers() {
    let dispatcher = Dispatcher::builder().tools(tools![measure]).build().expect("a tool");
    for answers in [Value::Null, json!({})] {
        let request = json!({
            "name": "measure", "arguments": { "text": "a" }, "requestState": "forged", "inputResponses": answers,
        });
        let request: CallToolRequest = serde_json::from_value(request).expect("a request");
        let error = crate::run::now(dispatcher.call(request)).expect_err("a state of nobody");
        assert_eq!(error.to_string(), "Invalid or expired requestState");
    }
}

/// Look up what the question shows, as soon as the gate is open.
async fn look_up(gate: &Semaphore) -> Ask<Consent> {
    drop(gate.acquire().await);
    Ask::new("Pay 5 €?")
}

/// Pay, slowly.
#[mcp_tool(timeout = "1s")]
async fn pay(#[mcp_tool(ask = look_up(gate).await)] _sure: Consent, #[mcp_tool(state)] gate: &Semaphore) {
    let _paying = gate.acquire().await;
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_times_out_before_its_tool_runs_can_be_repeated() {
    for permits in [0, 1] {
        let dispatcher =
            Dispatcher::builder().tools(tools![pay]).state(Semaphore::new(permits)).build().expect("a tool");
        let user = Scripted::new().reply("sure", Reply::yes());
        let response = dispatcher.call(CallToolRequest::new("pay", json!({})).with_asker(user)).await.expect("a call");
        let error = response.error().expect("a timeout");
        assert_eq!((error.message(), error.can_retry()), ("tool `pay` timed out after 1 s", permits == 0));
    }
}
