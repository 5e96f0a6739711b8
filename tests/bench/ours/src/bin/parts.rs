//! Parts of a call that no workload shows alone.
//!
//! | command | answer |
//! | --- | --- |
//! | `parts open` | the bytes that each of 10,000 calls of a tool that never ends keeps, over stdio and over HTTP |
//! | `parts exact check CALLS` | the crate `jsonschema` checks an order and its result, in [`exactly_measured`] |

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use bench_ours::library::dispatcher;
use bench_workloads::serve::{Ready, exactly_measured};
use bench_workloads::{Level, Tool, Workload, allocations, http, orders, requests};
use jsonschema::Validator;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{Dispatcher, mcp_tool, stdio, tools};
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::runtime::{Builder, Runtime};
use tower_service::Service as _;

/// A client may have 1,000 calls at once over stdio.
const CLIENTS: usize = 10;
const CALLS: usize = 1_000;
const CALL: Workload = Workload::Call(Level::Http, Tool::Add);

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Add two numbers, some day.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    OPEN.fetch_add(1, Ordering::Relaxed);
    std::future::pending::<()>().await;
    a + b
}

fn slow() -> Dispatcher {
    Dispatcher::builder().tools(tools![add]).build().expect("sound tools")
}

/// Prints the bytes that each call of `open` keeps.
fn measure(carrier: &str, runtime: &Runtime, open: impl Future<Output = ()>) {
    OPEN.store(0, Ordering::Relaxed);
    let opened = async {
        open.await;
        while OPEN.load(Ordering::Relaxed) < CLIENTS * CALLS {
            tokio::task::yield_now().await;
        }
    };
    let kept = allocations::counted(|| runtime.block_on(opened)).1.kept;
    println!("{carrier} {}", kept / i64::try_from(CLIENTS * CALLS).expect("a small number"));
}

fn open() {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let message = String::from_utf8(requests::message(CALL)).expect("JSON");
    let messages: Vec<_> = (0..CALLS).map(|id| message.replace(r#""id":7"#, &format!(r#""id":{id}"#)) + "\n").collect();
    let mut clients = Vec::with_capacity(CLIENTS);
    measure("stdio", &runtime, async {
        for _ in 0..CLIENTS {
            let (mut client, server) = tokio::io::duplex(1 << 16);
            let (input, output) = tokio::io::split(server);
            tokio::spawn(stdio::Server::new(slow()).serve_on(input, output));
            for message in &messages {
                client.write_all(message.as_bytes()).await.expect("a pipe");
            }
            clients.push(client);
        }
    });
    let mut endpoint = Endpoint::new(slow());
    measure("http", &runtime, async {
        for _ in 0..CLIENTS * CALLS {
            tokio::spawn(endpoint.call(http::requests(CALL, 1).remove(0)));
        }
    });
}

/// The documents of a call of `order`, and what checks them.
struct Checks([(Validator, Value); 2]);

impl Checks {
    fn new() -> Self {
        let dispatcher = dispatcher(Workload::Call(Level::Params, Tool::Order), true);
        let [tool] = dispatcher.list() else { panic!("one tool") };
        let arguments = serde_json::to_value(orders::arguments()).expect("JSON");
        let result = serde_json::to_value(orders::order(orders::arguments())).expect("JSON");
        let validator = |schema| jsonschema::options().offline().build(schema).expect("a schema");
        let output = tool.output_schema.as_ref().expect("an output schema");
        Self([(validator(&tool.input_schema), without_null(arguments)), (validator(output), result)])
    }
}

/// Removes the properties that are `null`. The published schema of the arguments does not accept them, though the tool does.
fn without_null(value: Value) -> Value {
    match value {
        Value::Array(elements) => elements.into_iter().map(without_null).collect(),
        Value::Object(properties) => {
            let properties = properties.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(properties.map(|(key, value)| (key, without_null(value))).collect())
        }
        scalar => scalar,
    }
}

impl Ready for Checks {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            for (validator, value) in &self.0 {
                assert!(validator.is_valid(black_box(value)));
            }
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["open"] => open(),
        ["exact", "check", calls] => exactly_measured(&mut Checks::new(), calls.parse().expect("a number of calls")),
        _ => panic!("unknown command {words:?}"),
    }
}
