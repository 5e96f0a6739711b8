//! A call over HTTP that its client lets become a task, of a tool that ends at once: a tool with the key `task`, or without it.
//!
//! `tasks exact plain|quick CALLS` makes the calls in [`exactly_measured`], so that callgrind can count the instructions inside it. `tasks
//! answer …` prints the response.

use std::pin::pin;
use std::time::Duration;

use bench_ours::library::{STILL_ID, finished};
use bench_workloads::http::{HttpRequest, body, requests};
use bench_workloads::serve::{Ready, exactly_measured};
use bench_workloads::{Level, Tool, Workload};
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{CallId, Dispatcher, ExactCalls, Tasks, mcp_tool, tools};
use tokio::runtime::{Builder, Runtime};
use tower_service::Service as _;

/// Add two numbers.
#[mcp_tool(name = "add", read_only_hint)]
async fn plain(a: i64, b: i64) -> i64 {
    a + b
}

/// Add two numbers.
#[mcp_tool(name = "add", read_only_hint, task)]
async fn quick(a: i64, b: i64) -> i64 {
    a + b
}

struct Calls {
    endpoint: Endpoint,
    /// Tasks need a runtime to go on after the answer.
    runtime: Runtime,
    stock: Vec<HttpRequest>,
}

impl Calls {
    fn call(&mut self, request: HttpRequest) -> Vec<u8> {
        let _entered = self.runtime.enter();
        let Ok(response) = finished(pin!(self.endpoint.call(request)));
        finished(pin!(body(response))).into()
    }
}

/// Returns requests of a client that supports tasks.
fn asking_for_tasks(calls: u64) -> Vec<HttpRequest> {
    let mut requests = requests(Workload::Call(Level::Http, Tool::Add), calls);
    for request in &mut requests {
        let bytes = finished(pin!(request.body().clone().collect())).expect("a whole body").to_bytes();
        let text = String::from_utf8(bytes.to_vec()).expect("JSON");
        let declared = r#""clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}},"#;
        *request.body_mut() = Full::from(text.replacen(r#""clientCapabilities":{"#, declared, 1));
    }
    requests
}

impl Ready for Calls {
    fn stock(&mut self, calls: u64) {
        self.stock = asking_for_tasks(calls);
    }

    fn is_stocked(&self) -> bool {
        true
    }

    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            let request = self.stock.pop().expect("enough requests");
            std::hint::black_box(self.call(request));
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.call(asking_for_tasks(1).remove(0))
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let calls = |tool: &str| {
        let id = CallId::new(STILL_ID).expect("a valid id");
        let tools = if tool == "quick" { tools![quick] } else { tools![plain] };
        let builder = Dispatcher::builder().tools(tools).tasks(Tasks::in_memory());
        let dispatcher = builder.exact_calls(ExactCalls::new(id, Duration::ZERO)).build().expect("sound tools");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        Calls { endpoint: Endpoint::new(dispatcher), runtime, stock: Vec::new() }
    };
    match *words {
        ["exact", tool, count] => {
            let (mut calls, count) = (calls(tool), count.parse().expect("a number of calls"));
            calls.stock(count + 3);
            calls.run(3);
            exactly_measured(&mut calls, count);
        }
        ["answer", tool] => println!("{}", String::from_utf8(calls(tool).answer()).expect("JSON")),
        _ => panic!("unknown command {words:?}"),
    }
}
