//! A tool with `once` answers its first call when an engine has stored the result.

use std::sync::Arc;
use std::time::Duration;

use mcp_tool_runtime::operations::Outcome;
use mcp_tool_runtime::{CallToolResponse, Dispatcher, Tasks, ToolError, mcp_tool, tools};
use serde_json::json;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::once::{Acts, call, is_replayed};
use super::queue::Queue;
use crate::operations::Records;
use crate::run::built;

/// Pay, when the gate opens.
#[mcp_tool(once = "10m")]
async fn pay(#[mcp_tool(state)] acts: &Acts) -> usize {
    let act = acts.add();
    acts.gate.notified().await;
    act
}

/// Fail, when the gate opens.
#[mcp_tool(once = "10m")]
async fn pay_in_vain(#[mcp_tool(state)] acts: &Acts) -> Result<usize, &'static str> {
    acts.add();
    acts.gate.notified().await;
    Err("no money")
}

fn on(queue: &Queue, acts: &Arc<Acts>) -> Dispatcher {
    let tasks = Tasks::on(queue.clone());
    built(
        Dispatcher::builder().tools(tools![pay, pay_in_vain]).state(Arc::clone(acts)).principal(|_| None).tasks(tasks),
    )
}

/// Calls a tool, and opens its gate while the database is down.
async fn call_during_outage(
    dispatcher: &Dispatcher,
    name: &'static str,
    queue: &Queue,
    acts: &Acts,
) -> JoinHandle<CallToolResponse> {
    let dispatcher = dispatcher.clone();
    let before = acts.count();
    let running = tokio::spawn(async move { call(&dispatcher, name, json!({})).await });
    while acts.count() == before {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    queue.set_down(true);
    acts.gate.notify_one();
    running
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_comes_when_the_result_is_stored() {
    let (acts, queue) = (Arc::<Acts>::default(), Queue::default());
    let dispatcher = on(&queue, &acts);
    acts.gate.notify_one();
    let start = Instant::now();
    let first = call(&dispatcher, "pay", json!({})).await;
    assert!(first.is_success() && !is_replayed(&first));
    assert!(queue.rows()[0].has_ended(), "a process that dies now leaves the result");
    assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_database_that_comes_back_gets_the_result_first() {
    let (acts, queue) = (Arc::<Acts>::default(), Queue::default());
    let dispatcher = on(&queue, &acts);
    let running = call_during_outage(&dispatcher, "pay", &queue, &acts).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(!running.is_finished(), "the result is not stored");
    queue.set_down(false);
    let response = running.await.expect("no panic");
    assert_eq!((response.deserialize::<usize>().ok(), queue.rows()[0].has_ended()), (Some(1), true));
}

#[tokio::test(start_paused = true)]
async fn a_database_that_stays_away_ends_the_wait() {
    let (acts, queue) = (Arc::<Acts>::default(), Queue::default());
    let dispatcher = on(&queue, &acts);
    let start = Instant::now();
    let response = call_during_outage(&dispatcher, "pay", &queue, &acts).await.await.expect("no panic");
    assert!(start.elapsed() < Duration::from_secs(11), "{:?}", start.elapsed());
    let error = response.error().expect("an error");
    assert_eq!((error.code(), error.can_retry()), (Some("result_lost"), true));
    assert!(error.message().starts_with("`pay` has done its work, but its result could not be stored yet"), "{error}");
    queue.set_down(false);
    let again = call(&dispatcher, "pay", json!({})).await;
    assert_eq!((again.deserialize::<usize>().ok(), is_replayed(&again)), (Some(1), true));
    // A failure needs no promise.
    let failed = call_during_outage(&dispatcher, "pay_in_vain", &queue, &acts).await.await.expect("no panic");
    assert_eq!(failed.error().map(ToolError::message), Some("no money"));
    assert_eq!(acts.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_record_has_the_code_that_the_client_reads() {
    let (acts, queue, records) = (Arc::<Acts>::default(), Queue::default(), Records::default());
    let tasks = Tasks::on(queue.clone());
    let builder = Dispatcher::builder().tools(tools![pay]).state(Arc::clone(&acts)).principal(|_| None).tasks(tasks);
    let dispatcher = built(records.of(builder));
    let dead = on(&queue, &acts);
    let running = tokio::spawn(async move { call(&dead, "pay", json!({})).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    running.abort();
    queue.put_back();
    for _ in 0..2 {
        let response = call(&dispatcher, "pay", json!({})).await;
        assert_eq!(response.error().and_then(ToolError::code), Some("outcome_unknown"));
    }
    let ends: Vec<_> = records.take().iter().map(|it| (it.outcome(), it.code().map(str::to_owned))).collect();
    assert_eq!(ends[ends.len() - 1], (Outcome::Replayed, Some("outcome_unknown".to_owned())), "{ends:?}");
}
