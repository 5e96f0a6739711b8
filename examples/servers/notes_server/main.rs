//! A worked server: notes in `SQLite`, methods as tools, an API key for every call, progress and a chart.
//!
//! - `cargo run -p mcp-tool-servers --example notes_server -- --selftest` calls every tool and prints each response.
//! - `NOTES_KEY=… notes_server` serves over stdio, and `notes_server call notes_create --title Milk` calls a tool. The key is
//!   in the environment of the process; without one every call fails and says so. `NOTES_FILE` names the database. Without
//!   it the notes are in memory.

mod access;
mod chart;
mod notes;
mod selftest;

use access::{Access, ApiKey};
use mcp_tool_runtime::{BuildError, Dispatcher, cli::Cli};
use notes::Notes;
use std::env;
use std::process::ExitCode;

/// Builds a dispatcher with the tools of `notes` behind the check of the API key.
fn dispatcher(notes: Notes, access: Access) -> Result<Dispatcher, BuildError> {
    Dispatcher::builder()
        .service(notes)
        .middleware(access)
        .max_concurrency(16)
        .info("notes", env!("CARGO_PKG_VERSION"))
        .instructions("Search before you create a note: it may already exist.")
        .build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    if env::args().nth(1).as_deref() == Some("--selftest") {
        selftest::run().await?;
        return Ok(ExitCode::SUCCESS);
    }
    let notes = Notes::open(env::var("NOTES_FILE").ok().as_deref())?;
    // Over stdio and on the command line, the user of the process is the only one.
    let key = env::var("NOTES_KEY").ok();
    let users: Vec<_> = key.iter().map(|key| (key.as_str(), "you")).collect();
    let cli = Cli::new(dispatcher(notes, Access::new(&users))?);
    let cli = match key {
        Some(key) => cli.with_extension(ApiKey(key)),
        None => cli,
    };
    Ok(cli.run().await)
}
