//! Whatever way a tool takes into a dispatcher, the keys `task`, `budget` and `accept_aliases` come with it, also into the worker of an
//! engine.

use std::time::Duration;

use mcp_tool_runtime::{
    Dispatcher, DispatcherBuilder, IntoService as _, Paged, Tasks, ToolHandler, json, mcp_tool, mcp_tools, middleware,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::client::Client;
use super::queue::Queue;
use crate::listing::wrapped::Wrapper;
use crate::run::{built, exact};

#[derive(Deserialize, JsonSchema)]
struct Range {
    #[serde(alias = "until")]
    end: u64,
}

/// Count.
#[mcp_tool(task, budget = 100, accept_aliases)]
async fn count(range: Range, seconds: u64, _note: Option<String>) -> Paged<u64> {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    Paged::new(0..range.end)
}

struct Desk;

#[mcp_tools(budget = 100, accept_aliases)]
impl Desk {
    /// Count.
    #[mcp_tool(task)]
    async fn count(&self, range: Range, seconds: u64, note: Option<String>) -> Paged<u64> {
        count(range, seconds, note).await
    }
}

/// Each way, with the name that the tool then has.
fn ways() -> Vec<(&'static str, DispatcherBuilder)> {
    let builder = Dispatcher::builder;
    let layer = || middleware::from_fn(|request, cx, next| Box::pin(next.run(request, cx)));
    let boxed = || -> Box<dyn ToolHandler> { Box::new(count {}) };
    vec![
        ("count", builder().tool(count {})),
        ("count", builder().tools([boxed()])),
        ("count", builder().tool(Wrapper(count {}))),
        ("count", builder().tool(Wrapper(Wrapper(boxed())).with_description("List."))),
        ("list", builder().tool(count {}.with_name("list").with_tags(["new"]).with_middleware(layer()))),
        ("count", builder().tool(Wrapper(count {}).without("note"))),
        ("count", builder().tool(count {}.with_fixed("note", "fixed"))),
        ("count", builder().merge(builder().tool(count {}))),
        (
            "a_b_count",
            builder()
                .merge_with_prefix("a_", builder().merge_with_prefix("b_", builder().tool(count {}.without("note")))),
        ),
        ("count", builder().service(Desk.with_middleware(layer()))),
        ("desk_count", builder().service_with_prefix("desk_", Desk.with_tags(["new"]))),
        ("m_desk_count", builder().merge_with_prefix("m_", builder().service_with_prefix("desk_", Desk))),
    ]
}

async fn is_carried(name: &str, client: &Client) {
    let id = client.start(name, json!({"range": {"until": 1_000_000}, "seconds": 5})).await;
    let task = client.end(&id).await;
    let page = &task["result"]["structuredContent"];
    let size = crate::run::tokens(&page.to_string());
    assert!(page.is_object() && (50..=150).contains(&size), "{name}: {task}");
}

#[tokio::test(start_paused = true)]
async fn the_newer_keys_of_a_tool_come_with_it() {
    for (name, builder) in ways() {
        let dispatcher = built(exact().merge(builder).tasks(Tasks::in_memory()));
        is_carried(name, &Client::new(&dispatcher)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_newer_keys_of_a_tool_hold_in_the_worker_of_an_engine() {
    for ((name, front), (_, worker)) in ways().into_iter().zip(ways()) {
        let queue = Queue::default();
        let builder = |builder| exact().merge(builder);
        let client = Client::new(&built(builder(front).tasks(Tasks::on(queue.clone()))));
        let worker = built(builder(worker)).worker(queue);
        tokio::spawn(async move { worker.run().await.expect("no error") });
        is_carried(name, &client).await;
    }
}
