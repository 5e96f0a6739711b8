//! A worked server: notes in `SQLite`, methods as tools, an API key for every call, progress and a chart.
//!
//! - `cargo run -p mcp-tool-servers --example notes_server -- --selftest` calls every tool and prints each response.
//! - `NOTES_KEY=… notes_server [FILE]` serves over stdio. Without `FILE` the notes are in memory. The client sets the key
//!   in the environment of the process it starts; without a key every call fails and says so.

mod access;
mod chart;
mod notes;
mod selftest;

use access::Access;
use mcp_tool_runtime::{BuildError, Dispatcher, rmcp::Server};
use notes::Notes;
use rmcp::{ServiceExt as _, transport::stdio};

/// Builds a dispatcher with the tools of `notes` behind the check of the API key.
fn dispatcher(notes: Notes, access: Access) -> Result<Dispatcher, BuildError> {
    Dispatcher::builder().service(notes).layer(access).max_concurrency(16).build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some("--selftest") {
        return selftest::run().await;
    }
    let notes = Notes::open(argument.as_deref())?;
    let access = Access::from_environment();
    let server = Server::new(dispatcher(notes, access)?)
        .with_info("notes", env!("CARGO_PKG_VERSION"))
        .with_instructions("Search before you create a note: it may already exist.");
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
