//! A worked server: notes in `SQLite`, with methods as tools, a key that every call needs, progress and a chart.
//!
//! - `cargo run --example notes_server -- --selftest` drives its own dispatcher through all tools and prints each
//!   result.
//! - `NOTES_KEY=… notes_server [FILE]` serves over stdio; the notes are kept in memory unless a file is named. A client
//!   that has no key is told so: the key comes from the environment of the process that the client starts.

mod access;
mod chart;
mod notes;
mod selftest;

use access::Access;
use mcp_tool_runtime::{BuildError, Dispatcher, rmcp::Server};
use notes::Notes;
use rmcp::{ServiceExt as _, transport::stdio};

/// The tools of the notes behind the check of the key.
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
        .with_instructions("Search before you create: a note may be there already.");
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
