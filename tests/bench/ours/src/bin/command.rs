//! A server of 150 tools that is also a command. With the word `nothing` it builds its dispatcher and ends. With `command` it parses
//! the rest with the whole `clap::Command`, as a command line of the user's own does.

use std::process::ExitCode;

use bench_ours::library::dispatcher_of;
use mcp_tool_runtime::cli::Cli;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let cli = Cli::new(dispatcher_of(150));
    match std::env::args().nth(1).as_deref() {
        Some("nothing") => ExitCode::SUCCESS,
        Some("command") => {
            let matches = cli.command().get_matches_from(std::env::args().skip(1));
            cli.execute(&matches).await
        }
        _ => cli.run().await,
    }
}
