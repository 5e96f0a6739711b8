//! The records of calls that outlast their request.

use std::time::Duration;

use mcp_tool_runtime::operations::{Carrier, Outcome};
use mcp_tool_runtime::{Dispatcher, Tasks, json};

use super::client::Client;
use super::engine::with_context;
use super::queue::Queue;
use super::tools::{Log, builder};
use crate::operations::Records;
use crate::run::built;

fn server(records: &Records, tasks: Tasks) -> Dispatcher {
    built(records.of(with_context(builder(&Log::default()))).tasks(tasks))
}

#[tokio::test(start_paused = true)]
async fn a_task_of_this_process_leaves_one_record_when_it_ends() {
    let records = Records::default();
    let dispatcher = server(&records, Tasks::in_memory());
    let client = Client::new(&dispatcher).of_user("ann");
    let id = client.start("wait", json!({"seconds": 5})).await;
    assert!(records.take().is_empty());
    client.end(&id).await;
    let record = records.one();
    assert_eq!((record.task_id(), record.outcome()), (Some(&*id), Outcome::Success));
    assert_eq!((record.carrier(), record.principal()), (Carrier::Protocol, Some("ann")));
    assert_eq!(record.duration(), Duration::from_secs(5));
    let id = client.start("wait", json!({"seconds": 5})).await;
    client.result("tasks/cancel", json!({"taskId": id})).await;
    tokio::task::yield_now().await;
    assert_eq!(records.outcomes(), [Outcome::Cancelled]);
    // A client without tasks cannot call a tool that requires them.
    Client::without_tasks(&dispatcher).send("tools/call", json!({"name": "render"})).await;
    assert_eq!(records.outcomes(), [Outcome::InvalidRequest]);
    let dispatcher = server(&records, Tasks::in_memory().max_tasks(1));
    let client = Client::new(&dispatcher);
    client.start("wait", json!({"seconds": 5})).await;
    client.call("wait", json!({"seconds": 5})).await;
    assert_eq!(records.outcomes(), [Outcome::Limited]);
}

#[tokio::test(start_paused = true)]
async fn a_stored_call_leaves_a_record_where_it_is_stored_and_one_of_each_run() {
    let (front, back, queue) = (Records::default(), Records::default(), Queue::default());
    let client = Client::new(&server(&front, Tasks::on(queue.clone()))).of_user("ann");
    let worker = built(back.of(with_context(builder(&Log::default())))).worker(queue.clone());
    tokio::spawn(async move { worker.run().await.expect("no error") });
    let id = client.start("wait", json!({"seconds": 5})).await;
    let stored = front.one();
    assert_eq!((stored.outcome(), stored.carrier()), (Outcome::Queued, Carrier::Protocol));
    assert_eq!((stored.task_id(), stored.tool(), stored.attempt()), (Some(&*id), Some("wait"), 1));
    client.end(&id).await;
    let ran = back.one();
    assert_eq!((ran.outcome(), ran.carrier(), ran.attempt()), (Outcome::Success, Carrier::Worker, 1));
    assert_eq!((ran.task_id(), ran.principal(), ran.call_id()), (Some(&*id), Some("ann"), stored.call_id()));
    assert!(ran.argument_names().eq(["seconds"]));
    // It dies in the middle, and another worker does not run it again.
    let id = client.start("wait", json!({"seconds": 5})).await;
    queue.put_back();
    client.end(&id).await;
    let found = back.take();
    assert!(found.iter().all(|record| record.argument_names().eq(["seconds"])), "{found:?}");
    let ends: Vec<_> = found.iter().map(|record| (record.attempt(), record.outcome())).collect();
    assert!(ends.contains(&(2, Outcome::Cancelled)), "{ends:?}");
    front.take();
    // What the front refuses is not stored.
    queue.set_down(true);
    client.call("wait", json!({"seconds": 5})).await;
    client.call("wait", json!({"seconds": "x"})).await;
    assert_eq!(front.outcomes(), [Outcome::Masked, Outcome::InvalidArguments]);
}
