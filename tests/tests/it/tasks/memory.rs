//! Tasks in memory.

use std::time::Duration;

use mcp_tool_runtime::{CallContext, Dispatcher, Tasks, ToolError, json, mcp_tool, tools};

use super::client::Client;

/// Wait, and return the time.
#[mcp_tool(task)]
async fn wait(seconds: u64, #[mcp_tool(context)] cx: &CallContext) -> Result<u64, ToolError> {
    cx.progress(1.0, 2.0, "half".to_owned());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    if seconds == 13 { Err(ToolError::new("13 is unlucky")) } else { Ok(seconds) }
}

fn server(tasks: Tasks) -> Dispatcher {
    Dispatcher::builder().tools(tools![wait]).tasks(tasks).build().expect("valid tools")
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_long_becomes_a_task() {
    let dispatcher = server(Tasks::in_memory());
    let client = Client::new(&dispatcher);
    let task = client.call("wait", json!({"seconds": 5})).await;
    println!("{task:#}");
    let id = task["taskId"].as_str().unwrap();
    println!("{:#}", client.get(id).await);
    println!("{:#}", client.end(id).await);
    println!("{:#}", client.call("wait", json!({"seconds": 0})).await);
}
