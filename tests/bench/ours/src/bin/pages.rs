//! A page that the library or a hand-written function cuts from 10,000 items. There are three:
//!
//! - a page of the default size, with small items;
//! - the same with 30 large items (`…_large`);
//! - a page of 30 small items (`…_30`).
//!
//! `pages exact paged|whole|paged_large|whole_large|paged_30|whole_30 CALLS` makes the calls in [`exactly_measured`], so that callgrind can
//! count the instructions inside it. `pages answer …` prints the result.

use std::pin::pin;
use std::sync::LazyLock;
use std::time::Duration;

use bench_ours::library::{STILL_ID, finished};
use bench_workloads::searches::{Hit, Query, arguments, search};
use bench_workloads::serve::{Ready, exactly_measured};
use mcp_tool_runtime::{CallId, Cursor, Dispatcher, ExactCalls, Paged, ProtocolVersion, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;

static HITS: LazyLock<Vec<Hit>> = LazyLock::new(|| search(&Query { limit: Some(10_000), ..arguments() }).hits);

/// A search with the hits that belong to it.
#[derive(Serialize, JsonSchema)]
struct Search {
    id: u64,
    query: &'static str,
    hits: Vec<&'static Hit>,
}

static SEARCHES: LazyLock<Vec<Search>> = LazyLock::new(|| {
    let hits = HITS.iter().cycle();
    let query = "what they say of the annual report";
    (0..10_000).map(|id| Search { id, query, hits: hits.clone().skip(id as usize).take(6).collect() }).collect()
});

trait Item: Sized {
    fn id(&self) -> u64;
}

impl Item for Hit {
    fn id(&self) -> u64 {
        self.id
    }
}

impl Item for Search {
    fn id(&self) -> u64 {
        self.id
    }
}

fn after<T: Item>(items: &'static [T], id: Option<u64>) -> &'static [T] {
    &items[id.map_or(0, |id| items.partition_point(|item| item.id() <= id))..]
}

fn list<T: Item + Sync>(items: &'static [T], cursor: &Cursor<u64>) -> Paged<&'static T> {
    Paged::by(after(items, cursor.position().copied()), |item| item.id())
}

/// List what was found.
#[mcp_tool]
async fn paged(after: Cursor<u64>) -> Paged<&'static Hit> {
    list(&HITS, &after)
}

/// List what was found.
#[mcp_tool]
async fn paged_large(after: Cursor<u64>) -> Paged<&'static Search> {
    list(&SEARCHES, &after)
}

/// List what was found.
#[mcp_tool(budget = 3_170)]
async fn paged_30(after: Cursor<u64>) -> Paged<&'static Hit> {
    list(&HITS, &after)
}

#[derive(Serialize, JsonSchema)]
struct Page<T: 'static> {
    items: Vec<&'static T>,
    next_cursor: Option<String>,
}

fn page<T: Item>(items: &'static [T], id: Option<u64>, count: usize) -> Page<T> {
    // The list is made as it is for `paged`.
    let mut items: Vec<_> = after(items, id).iter().collect();
    items.truncate(count);
    // As long as a cursor.
    let next_cursor = items.last().map(|item| format!("qwHnpxfEdProX8WmATcwMzBjpZGqPP{}", item.id()));
    Page { items, next_cursor }
}

/// List what was found.
#[mcp_tool]
async fn whole(after: Option<u64>) -> Page<Hit> {
    page(&HITS, after, 182)
}

/// List what was found.
#[mcp_tool]
async fn whole_large(after: Option<u64>) -> Page<Search> {
    page(&SEARCHES, after, 30)
}

/// List what was found.
#[mcp_tool]
async fn whole_30(after: Option<u64>) -> Page<Hit> {
    page(&HITS, after, 30)
}

struct Calls(Dispatcher, Vec<u8>);

impl Ready for Calls {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            std::hint::black_box(self.answer());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        finished(pin!(self.0.call_json(&self.1, ProtocolVersion::LATEST))).expect("a known tool")
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let calls = |tool: &str| {
        let id = CallId::new(STILL_ID).expect("a valid id");
        let builder = Dispatcher::builder().tools(tools![paged, whole, paged_large, whole_large, paged_30, whole_30]);
        let dispatcher = builder.exact_calls(ExactCalls::new(id, Duration::ZERO)).build().expect("sound tools");
        Calls(dispatcher, format!(r#"{{"name":"{tool}","arguments":{{}}}}"#).into_bytes())
    };
    match *words {
        ["exact", tool, count] => {
            let mut calls = calls(tool);
            calls.run(3);
            exactly_measured(&mut calls, count.parse().expect("a number of calls"));
        }
        ["answer", tool] => println!("{}", String::from_utf8(calls(tool).answer()).expect("JSON")),
        _ => panic!("unknown command {words:?}"),
    }
}
