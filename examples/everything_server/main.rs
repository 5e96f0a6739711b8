//! A tool for each thing that a tool can be, on every transport; the tools of `seeds` are there too.
//!
//! - `everything_server --stdio` and `everything_server --http 127.0.0.1:0` serve with the library's own endpoint,
//! - `--rmcp-stdio` and `--rmcp-http 127.0.0.1:0` with the official Rust SDK.
//!
//! Over HTTP the path is `/mcp` (`--http` also answers `/healthz`), and the address that was bound is printed on stderr. SIGTERM and Ctrl-C let the calls
//! that run come to their end, and then the server ends.

mod blocks;
mod calls;
mod failures;
mod serve;
mod values;

use mcp_tool_examples::seed_tools;
use mcp_tool_runtime::{BuildError, Dispatcher};
use serve::Running;

/// How the server is called with `--help`, or wrongly.
const USAGE: &str = "everything_server --stdio | --http ADDRESS | --rmcp-stdio | --rmcp-http ADDRESS";

fn dispatcher(running: &Running) -> Result<Dispatcher, BuildError> {
    Dispatcher::builder()
        .tools(blocks::all())
        .tools(values::all())
        .tools(failures::all())
        .tools(calls::all())
        .tools(seed_tools::all())
        .layer(running.clone())
        .build()
}

async fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let running = Running::default();
    let dispatcher = dispatcher(&running)?;
    match arguments {
        [way] if way == "--stdio" => serve::stdio(dispatcher).await,
        [way, address] if way == "--http" => serve::http(dispatcher, address).await,
        [way] if way == "--rmcp-stdio" => serve::rmcp_stdio(dispatcher, &running).await,
        [way, address] if way == "--rmcp-http" => serve::rmcp_http(dispatcher, running, address).await,
        _ => Err(USAGE.into()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(run(&arguments));
    // The thread on which the SDK reads standard input must not keep the process.
    runtime.shutdown_background();
    outcome
}
