//! Progress reports that a tool makes faster than a transport writes them.

use mcp_tool_runtime::rmcp::Server;
use mcp_tool_runtime::{CallContext, mcp_tool, tools};
use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::run;

/// Report this many steps at once.
#[mcp_tool]
async fn report(steps: u32, #[mcp_tool(context)] cx: &CallContext) {
    for step in 1..=steps {
        cx.progress(step, None, None);
    }
}

/// Returns the steps that a client of the SDK's transport is told about.
async fn reported(steps: u32) -> Vec<Value> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let server = Server::new(run::serve(tools![report]));
    tokio::spawn(async move {
        if let Ok(running) = server.serve(theirs).await {
            let _ = running.waiting().await;
        }
    });
    let (answers, mut requests) = tokio::io::split(ours);
    let mut answers = BufReader::new(answers).lines();
    let client = json!({ "name": "test", "version": "1" });
    let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let params = json!({ "name": "report", "arguments": { "steps": steps }, "_meta": { "progressToken": "mine" } });
    for message in [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }),
    ] {
        requests.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }
    let mut found = Vec::new();
    loop {
        let line = answers.next_line().await.expect("a line").expect("the server lives");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message["id"] == 1 {
            return found;
        }
        found.extend(message["params"].get("progress").cloned());
    }
}

#[tokio::test(start_paused = true)]
async fn section_6_reports_wait_for_the_transport_and_the_newest_replaces_the_last() {
    let expected =
        |steps: &mut dyn Iterator<Item = u32>| -> Vec<_> { steps.map(|step| json!(f64::from(step))).collect() };
    assert_eq!(reported(5).await, expected(&mut (1..=5)));
    // One is being written, and 64 wait.
    assert_eq!(reported(65).await, expected(&mut (1..=65)));
    assert_eq!(reported(100).await, expected(&mut (1..=64).chain([100])));
}
