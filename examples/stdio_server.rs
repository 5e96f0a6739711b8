//! The tools of `seeds`, served over stdio with the official Rust SDK.
//!
//! `cargo run --example stdio_server` speaks the Model Context Protocol on stdin and stdout, in every version that the
//! SDK negotiates. Give the command to a client, for example
//! `npx @modelcontextprotocol/inspector --cli target/debug/examples/stdio_server --method tools/list`.

use mcp_tool_examples::seed_tools;
use mcp_tool_runtime::{Dispatcher, rmcp::Server};
use rmcp::{ServiceExt as _, transport::stdio};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder().tools(seed_tools::all()).build()?;
    let server = Server::new(dispatcher).with_info("seeds", env!("CARGO_PKG_VERSION"));
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
