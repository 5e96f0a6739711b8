//! Results that fit: a table of a million rows in `SQLite`, and a log file of 100 MB.
//!
//! ```sh
//! cargo run -p mcp-tool-servers --example large_results -- call list_orders --customer 7       # the first page
//! cargo run -p mcp-tool-servers --example large_results -- call --all list_orders --customer 7 # all of them
//! cargo run -p mcp-tool-servers --example large_results -- serve                               # over stdio
//! cargo run -p mcp-tool-servers --example large_results -- http 127.0.0.1:8080                 # over HTTP
//! ```
//!
//! The first start writes both files, into a folder for temporary files or into `LARGE_RESULTS_FOLDER`. `LARGE_RESULTS_ROWS` is
//! the number of rows and lines.

mod log;
mod orders;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use axum::Router;
use mcp_tool_runtime::{Dispatcher, cli::Cli, http::Endpoint, tools};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let folder = env::var_os("LARGE_RESULTS_FOLDER").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| env::temp_dir().join("mcp-tool-large-results"));
    let rows = env::var("LARGE_RESULTS_ROWS").map_or(Ok(1_000_000), |rows| rows.parse())?;
    std::fs::create_dir_all(&folder)?;
    let dispatcher = Dispatcher::builder()
        .service(orders::Orders::open(&folder.join("orders.db"), rows)?)
        .tools(tools![log::read_log, log::search_log])
        .state(log::Log::open(&folder.join("server.log"), rows)?)
        .build()?;

    if let Some("http") = env::args().nth(1).as_deref() {
        let address = env::args().nth(2).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
        let listener = TcpListener::bind(&address).await?;
        eprintln!("listening on http://{}/mcp", listener.local_addr()?);
        let application = Router::new().route_service("/mcp", Endpoint::new(dispatcher));
        let shutdown = async { drop(terminated().await) };
        axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(Cli::new(dispatcher).run().await)
}

/// Waits for the signal of a process manager, or for Ctrl-C.
async fn terminated() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
