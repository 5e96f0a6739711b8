//! One tool for each thing a tool can do, and the tools of the example `seeds`, on every transport.
//!
//! `cargo run -p mcp-tool-servers --example everything_server -- --http 127.0.0.1:8080` starts it.
//!
//! - `--stdio` and `--http ADDRESS` serve with this library's own server.
//! - `--rmcp-stdio` and `--rmcp-http ADDRESS` serve with the official Rust SDK.
//! - Everything else is a command: `list`, `call value_object`, `--help`.
//!
//! Over HTTP the path is `/mcp`. `--http` also serves `/tools` (plain HTTP), `/page` (a page to try the tools) and `/healthz`. The
//! server prints its address on stderr. On SIGTERM or Ctrl-C it finishes the running calls and exits.

mod blocks;
mod calls;
mod failures;
mod questions;
mod serve;
mod values;

use mcp_tool_examples::seed_tools;
use mcp_tool_runtime::{BuildError, Dispatcher, cli::Cli};
use serve::RunningCalls;
use std::process::ExitCode;

fn dispatcher(running: &RunningCalls) -> Result<Dispatcher, BuildError> {
    Dispatcher::builder()
        .tools(blocks::all())
        .tools(values::all())
        .tools(failures::all())
        .tools(calls::all())
        .tools(questions::all())
        .tools(seed_tools::all())
        .state(questions::Deleted::default())
        .middleware(running.clone())
        .info("everything", env!("CARGO_PKG_VERSION"))
        .instructions("Each tool shows one thing a tool can do.")
        .build()
}

async fn run(arguments: &[String]) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let running = RunningCalls::default();
    let dispatcher = dispatcher(&running)?;
    match arguments {
        [mode] if mode == "--stdio" => serve::stdio(dispatcher).await?,
        [mode, address] if mode == "--http" => serve::http(dispatcher, address).await?,
        [mode] if mode == "--rmcp-stdio" => serve::rmcp_stdio(dispatcher, &running).await?,
        [mode, address] if mode == "--rmcp-http" => serve::rmcp_http(dispatcher, running, address).await?,
        _ => return Ok(Cli::new(dispatcher).run().await),
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(run(&arguments));
    // The SDK reads stdin on a thread that ends only with stdin. Do not wait for it.
    runtime.shutdown_background();
    outcome
}
