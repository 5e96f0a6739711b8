//! Tasks in memory: when a call becomes one, who sees it, and when it is gone.

use std::time::Duration;

use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{CallId, Dispatcher, ExactCalls, Tasks, json};
use serde_json::Value;

use super::client::{Client, modern};
use super::tools::{Log, builder};
use crate::run::{built, polled};

fn server(tasks: Tasks) -> (Dispatcher, Log) {
    let log = Log::default();
    (built(builder(&log).tasks(tasks)), log)
}

/// Removes what differs from call to call.
fn without_times(mut result: Value) -> Value {
    result["_meta"].as_object_mut().expect("an object").retain(|key, _| key.starts_with("io."));
    result
}

#[tokio::test(start_paused = true)]
async fn k1_a_call_becomes_a_task_only_if_its_request_and_its_tool_say_so() {
    let (dispatcher, _) = server(Tasks::in_memory());
    let client = Client::new(&dispatcher);
    let call = async |client: &Client, name: &str| {
        let result = client.call(name, json!({"seconds": 5})).await;
        result["resultType"].as_str().unwrap_or("legacy").to_owned()
    };
    assert_eq!(call(&client, "wait").await, "task");
    assert_eq!(call(&client, "wait_here").await, "complete", "the tool");
    assert_eq!(call(&Client::without_tasks(&dispatcher), "wait").await, "complete", "the client");
    // The capability of 2025-11-25, and its parameter.
    let mut legacy = Client::without_tasks(&dispatcher);
    legacy.meta["io.modelcontextprotocol/clientCapabilities"]["tasks"] = json!({"requests": {"tools": {"call": {}}}});
    assert_eq!(call(&legacy, "wait").await, "complete");
    let params = json!({"name": "wait", "arguments": {"seconds": 5}, "task": {"ttl": 60_000}});
    assert_eq!(legacy.result("tools/call", params).await["resultType"], "complete");
    for version in ["2025-06-18", "2025-11-25"] {
        let mut old = Client::new(&dispatcher);
        old.meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
        assert_eq!(call(&old, "wait").await, "legacy");
    }
    let plain = built(builder(&Log::default()));
    assert_eq!(call(&Client::new(&plain), "wait").await, "complete", "the dispatcher");
}

#[tokio::test(start_paused = true)]
async fn k2_a_task_can_be_found_before_its_id_is_sent() {
    let (dispatcher, _) = server(Tasks::in_memory());
    let client = Client::new(&dispatcher);
    let task = client.call("wait", json!({"seconds": 5})).await;
    let id = task["taskId"].as_str().expect("an id");
    assert!(id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{id}");
    assert_eq!((&task["status"], &task["statusMessage"]), (&json!("working"), &json!("half")));
    assert_eq!((&task["ttlMs"], &task["pollIntervalMs"]), (&Value::Null, &json!(1_000)));
    let mut found = client.get(id).await;
    assert_eq!(found["resultType"], "complete");
    found["resultType"] = json!("task");
    assert_eq!(found, task);
}

#[tokio::test(start_paused = true)]
async fn k3_what_is_wrong_before_the_tool_runs_is_answered_at_once() {
    let (dispatcher, _) = server(Tasks::in_memory().answer_within(Duration::ZERO));
    let client = Client::new(&dispatcher);
    let refused = client.call("wait", json!({"seconds": "x"})).await;
    assert_eq!((&refused["resultType"], &refused["isError"]), (&json!("complete"), &json!(true)));
    let unknown = client.send("tools/call", json!({"name": "wai", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let missing = client.send("tools/call", json!({"name": "who_am_i", "arguments": {}})).await;
    assert_eq!(missing["error"]["code"], -32603, "{missing}");
    assert_eq!(client.call("wait", json!({"seconds": 1})).await["resultType"], "task");
}

#[tokio::test(start_paused = true)]
async fn k4_a_call_that_ends_soon_is_answered_like_any_other() {
    let (dispatcher, log) = server(Tasks::in_memory());
    let plain = built(builder(&log));
    for (name, arguments) in [("wait", json!({"seconds": 0})), ("wait", json!({})), ("wait", json!({"second": 1}))] {
        let quick = Client::new(&dispatcher).call(name, arguments.clone()).await;
        let expected = Client::new(&plain).call(name, arguments).await;
        assert_eq!(without_times(quick), without_times(expected));
    }
}

#[tokio::test(start_paused = true)]
async fn k5_the_result_of_a_task_is_the_one_that_the_call_would_have_had() {
    let log = Log::default();
    let tools = || builder(&log).exact_calls(ExactCalls::new(CallId::new("call-1").expect("an id"), Duration::ZERO));
    let (dispatcher, plain) = (built(tools().tasks(Tasks::in_memory())), built(tools()));
    for (name, arguments) in [("wait", json!({"seconds": 5})), ("fail", json!({})), ("explode", json!({}))] {
        let client = Client::new(&dispatcher);
        let task = client.end(&client.start(name, arguments.clone()).await).await;
        assert_eq!(task["status"], "completed", "{task}");
        let expected = Client::new(&plain).call(name, arguments).await;
        assert_eq!(task["result"]["_meta"]["rs.mcp-tool/call_id"], expected["_meta"]["rs.mcp-tool/call_id"]);
        assert_eq!(without_times(task["result"].clone()), without_times(expected));
        let duration = task["result"]["_meta"]["rs.mcp-tool/duration"].as_f64();
        assert!(duration.is_some(), "{task}");
        // It is kept for ten minutes after its end.
        let ttl = task["ttlMs"].as_u64().expect("a number");
        assert!((600_000..660_000).contains(&ttl), "{ttl}");
    }
}

#[tokio::test(start_paused = true)]
async fn k6_a_task_of_another_caller_an_expired_one_and_an_unknown_one_are_the_same() {
    let (dispatcher, _) = server(Tasks::in_memory().keep_for(Duration::from_secs(60)));
    let ann = Client::new(&dispatcher).of_user("ann");
    let id = ann.start("wait", json!({"seconds": 5})).await;
    let unknown = json!({"code": -32602, "message": "there is no such task"});
    let ask = async |client: &Client, id: &str| {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let answer = client.send(method, json!({"taskId": id, "inputResponses": {}})).await;
            assert_eq!(answer["error"], unknown, "{method}");
        }
    };
    ask(&Client::new(&dispatcher).of_user("bob"), &id).await;
    ask(&Client::new(&dispatcher), &id).await;
    ask(&ann, "0123456789abcdef0123456789abcdef").await;
    ask(&ann, "x").await;
    assert_eq!(ann.end(&id).await["status"], "completed");
    tokio::time::sleep(Duration::from_secs(58)).await;
    assert_eq!(ann.get(&id).await["status"], "completed");
    tokio::time::sleep(Duration::from_secs(3)).await;
    ask(&ann, &id).await;
}

#[tokio::test(start_paused = true)]
async fn k8_a_cancelled_task_drops_its_tool() {
    let (dispatcher, log) = server(Tasks::in_memory());
    let client = Client::new(&dispatcher);
    let id = client.start("wait", json!({"seconds": 50})).await;
    let acknowledged = client.result("tasks/cancel", json!({"taskId": id})).await;
    assert_eq!(acknowledged["resultType"], "complete");
    assert_eq!(acknowledged.as_object().expect("an object").len(), 2, "only with its _meta: {acknowledged}");
    let task = client.get(&id).await;
    assert_eq!(task["status"], "cancelled");
    assert!(task.get("result").is_none() && task.get("error").is_none() && task["ttlMs"].is_u64(), "{task}");
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(log.lines(), ["wait is over"]);

    // A task that has ended stays as it is.
    let id = client.start("wait", json!({"seconds": 5})).await;
    client.end(&id).await;
    client.result("tasks/cancel", json!({"taskId": id})).await;
    assert_eq!(client.get(&id).await["status"], "completed");
}

#[tokio::test]
async fn k8_a_blocking_tool_sees_that_its_task_is_cancelled() {
    let (dispatcher, log) = server(Tasks::in_memory().answer_within(Duration::from_millis(10)));
    let client = Client::new(&dispatcher);
    let id = client.start("block", json!({})).await;
    client.result("tasks/cancel", json!({"taskId": id})).await;
    for _ in 0..1_000 {
        if !log.lines().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(log.lines(), ["cancelled"]);
    assert_eq!(client.get(&id).await["status"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn k9_the_id_of_each_task_is_new() {
    let (dispatcher, _) = server(Tasks::in_memory().answer_within(Duration::ZERO));
    let client = Client::new(&dispatcher);
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..100 {
        assert!(ids.insert(client.start("wait", json!({"seconds": 5})).await));
    }
}

#[tokio::test(start_paused = true)]
async fn k13_the_status_message_is_the_last_progress() {
    let (dispatcher, _) = server(Tasks::in_memory());
    let client = Client::new(&dispatcher);
    for (name, arguments, expected) in [("wait", json!({"seconds": 5}), "half"), ("fail", json!({}), "3")] {
        let id = client.start(name, arguments).await;
        assert_eq!(client.get(&id).await["statusMessage"], expected);
        assert!(client.end(&id).await.get("statusMessage").is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn k14_a_call_over_the_bounds_gets_an_error_that_says_when_to_try_again() {
    let tasks = Tasks::in_memory().max_tasks(3).max_tasks_per_principal(2).keep_for(Duration::from_secs(60));
    let (dispatcher, log) = server(tasks);
    let (ann, bob) = (Client::new(&dispatcher).of_user("ann"), Client::new(&dispatcher).of_user("bob"));
    let refused = async |client: &Client| {
        let result = client.call("wait", json!({"seconds": 0})).await;
        assert_eq!(result["isError"], true, "{result}");
        (result["content"][0]["text"].clone(), result["_meta"]["rs.mcp-tool/retry_after_ms"].clone())
    };
    for _ in 0..2 {
        ann.start("wait", json!({"seconds": 5})).await;
    }
    let text =
        "too many tasks are running, or too many results are kept, so this call was not started; try again in 1 s";
    assert_eq!(refused(&ann).await, (json!(text), json!(1_000)));
    let started = log.lines().len();
    let last = bob.start("wait", json!({"seconds": 5})).await;
    assert_eq!(refused(&bob).await.0, text);
    assert_eq!(log.lines().len(), started, "the tool does not run");
    // Tasks that have ended count until they are dropped.
    bob.end(&last).await;
    let (text, after) = refused(&bob).await;
    let seconds = after.as_u64().expect("a number") / 1_000;
    assert!((50..=60).contains(&seconds), "{text} {after}");
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    assert_eq!(bob.call("wait", json!({"seconds": 0})).await["isError"], false);
    assert_eq!(ann.call("wait", json!({"seconds": 0})).await["isError"], false);
}

#[tokio::test(start_paused = true)]
async fn k14_results_are_bounded_by_their_bytes() {
    let tasks = Tasks::in_memory().max_bytes(1).keep_for(Duration::from_secs(60));
    let (dispatcher, _) = server(tasks);
    let client = Client::new(&dispatcher);
    let running =
        [client.start("wait", json!({"seconds": 5})).await, client.start("wait", json!({"seconds": 5})).await];
    for id in &running {
        assert_eq!(client.end(id).await["status"], "completed");
    }
    let refused = client.call("wait", json!({"seconds": 0})).await;
    assert!(refused.to_string().contains("too many tasks are running"), "{refused}");
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(client.call("wait", json!({"seconds": 0})).await["isError"], false);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_a_permit_gets_its_handle() {
    let log = Log::default();
    let dispatcher = built(builder(&log).tasks(Tasks::in_memory()).max_concurrency(1));
    let client = Client::new(&dispatcher);
    let first = client.start("wait", json!({"seconds": 50})).await;
    let second = client.start("wait", json!({"seconds": 50})).await;
    assert_eq!(client.end(&first).await["status"], "completed");
    assert_eq!(client.end(&second).await["status"], "completed");
}

#[tokio::test(start_paused = true)]
async fn the_timeout_of_a_task_starts_with_its_tool() {
    let dispatcher = built(builder(&Log::default()).tasks(Tasks::in_memory()).max_concurrency(1));
    let client = Client::new(&dispatcher);
    let long = client.start("wait", json!({"seconds": 50})).await;
    let (nap, late) = (client.start("nap", json!({})).await, client.start("nap", json!({})).await);
    client.end(&long).await;
    for id in [nap, late] {
        let result = client.end(&id).await["result"].take();
        assert_eq!(result["structuredContent"], 1_000, "{result}");
    }
    // A client that waits for the result waits no longer than the timeout.
    client.start("wait", json!({"seconds": 50})).await;
    let waited = Client::without_tasks(&dispatcher).call("nap", json!({})).await;
    assert_eq!(
        waited["content"][0]["text"], "tool `nap` timed out after 3 s. The same call may succeed later.",
        "{waited}"
    );
}

#[tokio::test(start_paused = true)]
async fn k14_a_task_that_is_dropped_cannot_be_cancelled() {
    let (dispatcher, _) = server(Tasks::in_memory().keep_for(Duration::ZERO));
    let client = Client::new(&dispatcher);
    let id = client.start("wait", json!({"seconds": 5})).await;
    // A second is the minimum.
    assert_eq!(client.end(&id).await["status"], "completed");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(client.send("tasks/cancel", json!({"taskId": id})).await["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn k14_quick_calls_leave_their_places() {
    let (dispatcher, _) = server(Tasks::in_memory().max_tasks(1).max_tasks_per_principal(1));
    let client = Client::new(&dispatcher).of_user("ann");
    for _ in 0..5 {
        assert_eq!(client.call("wait", json!({"seconds": 0})).await["isError"], false);
    }
}

#[tokio::test(start_paused = true)]
async fn k15_a_client_that_leaves_before_it_has_the_id_cancels_the_call() {
    let (dispatcher, log) = server(Tasks::in_memory().max_tasks(1));
    let client = Client::new(&dispatcher);
    {
        let mut call = Box::pin(client.call("wait", json!({"seconds": 50})));
        assert!(polled(call.as_mut()).is_none());
        assert!(log.lines().is_empty());
    }
    assert_eq!(log.lines(), ["wait is over"]);
    // Its place is free, and later the task goes on without its client.
    let id = client.start("wait", json!({"seconds": 50})).await;
    assert_eq!(client.end(&id).await["result"]["structuredContent"], 50);
}

#[tokio::test(start_paused = true)]
async fn k18_a_server_that_shuts_down_waits_for_its_tasks_and_then_cancels_them() {
    let (dispatcher, log) = server(Tasks::in_memory());
    let client = Client::new(&dispatcher);
    let quick = client.start("wait", json!({"seconds": 5})).await;
    let slow = client.start("wait", json!({"seconds": 50})).await;
    let start = tokio::time::Instant::now();
    dispatcher.finish_tasks(Duration::from_secs(10)).await;
    assert_eq!(start.elapsed().as_secs(), 10);
    assert_eq!(client.get(&quick).await["status"], "completed");
    let slow = client.get(&slow).await;
    assert_eq!((&slow["status"], &slow["statusMessage"]), (&json!("cancelled"), &json!("the server was shut down")));
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(log.lines().len(), 2);
    // Nothing is left to wait for.
    let start = tokio::time::Instant::now();
    dispatcher.finish_tasks(Duration::from_secs(10)).await;
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[test]
fn without_a_tokio_runtime_the_client_waits() {
    let (dispatcher, _) = server(Tasks::in_memory().answer_within(Duration::ZERO));
    let mut params = json!({"name": "render", "arguments": {"no": 1}});
    params["_meta"] = modern(&json!({"io.modelcontextprotocol/tasks": {}}));
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let answer = crate::run::now(Protocol::new(dispatcher).answer(call.as_bytes())).expect("an answer");
    let answer: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
}
