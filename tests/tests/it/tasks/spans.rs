//! The spans of a call on an engine: one of the front that stores it, and one of the worker that runs it.

use mcp_tool_runtime::{CallContext, Dispatcher, DispatcherBuilder, Tasks, json, mcp_tool, tools};
use serde_json::Value;

use super::client::Client;
use super::queue::Queue;
use crate::dispatcher::spans::{Fields, Seen, watched};
use crate::run::built;

const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

/// Work for a minute.
#[mcp_tool(task)]
async fn work(#[mcp_tool(context)] cx: &CallContext) -> Result<String, String> {
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    Ok(cx.call_id().to_string())
}

fn builder() -> DispatcherBuilder {
    Dispatcher::builder().tools(tools![work])
}

/// Runs something as the client of a front, within a subscriber.
fn seen<T>(queue: &Queue, traceparent: Value, run: impl AsyncFnOnce(Client) -> T) -> (T, Seen) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    watched(|| {
        runtime.block_on(async {
            let mut client = Client::new(&built(builder().tasks(Tasks::on(queue.clone()))));
            client.meta["traceparent"] = traceparent;
            run(client).await
        })
    })
}

fn spans<'s>(seen: &'s Seen, kind: &str) -> Vec<&'s Fields> {
    seen.spans.values().filter(|fields| fields.get("otel.kind").is_some_and(|of| of == kind)).collect()
}

#[test]
fn the_span_of_the_worker_names_the_call_and_the_task_and_the_trace_of_the_request() {
    let queue = Queue::default();
    let ((id, call_id), seen) = seen(&queue, json!(TRACEPARENT), async |client| {
        let id = client.start("work", json!({})).await;
        let worker = built(builder()).worker(queue.clone());
        tokio::spawn(async move { worker.run().await.expect("no error") });
        (id.clone(), client.end(&id).await["result"]["structuredContent"].clone())
    });
    let [front] = *spans(&seen, "server") else { panic!("{seen:?}") };
    let [worker] = *spans(&seen, "consumer") else { panic!("{seen:?}") };
    assert_eq!(front["otel.name"], "tools/call work");
    assert_eq!(front["mcp.method.name"], "tools/call");
    assert_eq!((front["mcp.task.id"].as_str(), front.get("error.type")), (&*id, None));
    assert_eq!(json!(front["gen_ai.tool.call.id"]), call_id);

    let expected = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.call.id", call_id.as_str().expect("a text")),
        ("gen_ai.tool.name", "work"),
        ("mcp.task.id", &id),
        ("name", "tools/call"),
        ("otel.kind", "consumer"),
        ("otel.name", "execute_tool work"),
        ("traceparent", TRACEPARENT),
    ];
    assert_eq!(worker, &expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
}

#[test]
fn a_traceparent_is_stored_only_if_it_is_one() {
    let longer = format!("{TRACEPARENT}-00");
    let upper = TRACEPARENT.to_uppercase();
    for text in ["", "00", &longer, &upper, &TRACEPARENT.replace('a', "\n"), &TRACEPARENT.replace('-', "_")] {
        let queue = Queue::default();
        seen(&queue, json!(text), async |client| client.start("work", json!({})).await);
        assert_eq!(queue.rows()[0].call.traceparent, None, "{text:?}");
    }
    let queue = Queue::default();
    seen(&queue, json!(TRACEPARENT), async |client| client.start("work", json!({})).await);
    assert_eq!(queue.rows()[0].call.traceparent.as_deref(), Some(TRACEPARENT));
}

#[test]
fn the_span_of_the_front_says_that_a_call_was_not_stored() {
    let queue = Queue::default();
    queue.set_down(true);
    let (answer, seen) = seen(&queue, Value::Null, async |client| client.call("work", json!({})).await);
    assert_eq!(answer["isError"], true);
    let [front] = *spans(&seen, "server") else { panic!("{seen:?}") };
    assert_eq!((front["error.type"].as_str(), front.get("mcp.task.id")), ("tool_error", None));
}

#[test]
fn a_client_that_leaves_before_it_has_the_id_is_in_the_span_of_the_front() {
    let queue = Queue::default();
    let ((), seen) = seen(&queue, Value::Null, async |client| {
        let call = client.call("work", json!({}));
        tokio::time::timeout(std::time::Duration::from_millis(10), call).await.expect_err("the call waits");
    });
    let [front] = *spans(&seen, "server") else { panic!("{seen:?}") };
    assert_eq!(front["error.type"], "cancelled");
}
