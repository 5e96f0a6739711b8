//! Serves tools whose calls take long, for `tests/clients/tasks.py` and `heartbeat.py`: over stdio, or with `--http` at the port that it prints.

use std::time::Duration;

use axum::Router;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{CallContext, Dispatcher, Tasks, ToolError, mcp_tool, stdio, tools};

/// Wait for some seconds, and return them.
#[mcp_tool(task)]
async fn wait(seconds: u32, #[mcp_tool(context)] cx: &CallContext) -> Result<u32, ToolError> {
    for second in 1..=seconds {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cx.progress(second, seconds, format!("second {second}"));
    }
    if seconds == 4 { Err(ToolError::new("the oven is cold")) } else { Ok(seconds) }
}

/// Wait for two seconds, for clients that support tasks.
#[mcp_tool(task = "required")]
async fn wait_for_task() -> String {
    tokio::time::sleep(Duration::from_secs(2)).await;
    "done".to_owned()
}

/// Wait, and report nothing.
#[mcp_tool]
async fn wait_silently(seconds: u64) -> u64 {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    seconds
}

/// Wait, and report nothing but that the call still runs.
#[mcp_tool(heartbeat = "1s")]
async fn wait_with_heartbeat(seconds: u64) -> u64 {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    seconds
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tasks = Tasks::in_memory().poll_every(Duration::from_millis(200));
    let dispatcher = Dispatcher::builder()
        .tools(tools![wait, wait_for_task, wait_silently, wait_with_heartbeat])
        .tasks(tasks)
        .build()?;
    if std::env::args().any(|word| word == "--http") {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?.port());
        let endpoint = Router::new().route_service("/mcp", Endpoint::new(dispatcher));
        axum::serve(listener, endpoint).await?;
    } else {
        stdio::serve(dispatcher).await?;
    }
    Ok(())
}
