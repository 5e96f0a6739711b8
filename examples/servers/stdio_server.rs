//! The tools of the example `seeds` over stdio, served with the official Rust SDK.
//!
//! `cargo run -p mcp-tool-servers --example stdio_server` reads requests from stdin and writes responses to stdout, in
//! every protocol version that the SDK negotiates. Pass the command to a client, for example
//! `npx @modelcontextprotocol/inspector --cli target/debug/examples/stdio_server --method tools/list`.

use mcp_tool_examples::seed_tools;
use mcp_tool_runtime::{Dispatcher, rmcp::Server};
use rmcp::{ServiceExt as _, transport::stdio};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder().tools(seed_tools::all()).info("seeds", env!("CARGO_PKG_VERSION")).build()?;
    let server = Server::new(dispatcher);
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
