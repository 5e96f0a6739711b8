//! A page of 10,000 items, cut by the library or by hand: as large as it is by default, or of 30 items.
//!
//! `pages exact paged|whole|paged_30|whole_30 CALLS` makes the calls in [`exactly_measured`], so that callgrind can count the instructions inside it. `pages
//! answer …` prints the result.

use std::pin::pin;
use std::sync::LazyLock;
use std::time::Duration;

use bench_ours::library::{STILL_ID, finished};
use bench_workloads::searches::{Hit, Query, arguments, search};
use bench_workloads::serve::{Ready, exactly_measured};
use mcp_tool_runtime::{CallId, Cursor, Dispatcher, Paged, ProtocolVersion, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;

static HITS: LazyLock<Vec<Hit>> = LazyLock::new(|| search(&Query { limit: Some(10_000), ..arguments() }).hits);

fn list(after: &Cursor<u64>) -> Paged<&'static Hit> {
    let start = after.position().map_or(0, |id| HITS.partition_point(|hit| hit.id <= *id));
    Paged::by(&HITS[start..], |hit| hit.id)
}

/// List what was found.
#[mcp_tool]
async fn paged(after: Cursor<u64>) -> Paged<&'static Hit> {
    list(&after)
}

/// List what was found.
#[mcp_tool(budget = 3_170)]
async fn paged_30(after: Cursor<u64>) -> Paged<&'static Hit> {
    list(&after)
}

#[derive(Serialize, JsonSchema)]
struct Page {
    items: Vec<&'static Hit>,
    next_cursor: Option<String>,
}

fn page(after: Option<&str>, count: usize) -> Page {
    let start = after.map_or(0, |title| HITS.partition_point(|hit| hit.title.as_str() <= title));
    // The list is made as it is for `paged`.
    let mut items: Vec<_> = HITS[start..].iter().collect();
    items.truncate(count);
    // As long as a cursor.
    let next_cursor = items.last().map(|hit| format!("qwHnpxfEdProX8WmATcwMzBjpZGqPP{}", hit.id));
    Page { items, next_cursor }
}

/// List what was found.
#[mcp_tool]
async fn whole(after: Option<&str>) -> Page {
    page(after, 182)
}

/// List what was found.
#[mcp_tool]
async fn whole_30(after: Option<&str>) -> Page {
    page(after, 30)
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
        let builder = Dispatcher::builder().tools(tools![paged, whole, paged_30, whole_30]);
        let dispatcher = builder.call_ids(move || id.clone()).clock(|| Duration::ZERO).build().expect("sound tools");
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
