//! The audit log: who called what, and how it ended, as lines of JSON.

use std::io::Write;
use std::sync::mpsc;
use std::time::UNIX_EPOCH;

use mcp_tool_runtime::CallId;
use mcp_tool_runtime::operations::CallRecord;
use serde_json::{Value, json};

/// Returns the function that logs a call. A thread of its own writes, so that no call waits for the disk.
pub(crate) fn log(mut output: impl Write + Send + 'static) -> impl Fn(&CallRecord) + Send + Sync + 'static {
    let (send, records) = mpsc::channel::<CallRecord>();
    std::thread::spawn(move || {
        for call in records {
            let written = writeln!(output, "{}", line(&call)).and_then(|()| output.flush());
            if let Err(error) = written {
                eprintln!("the audit log cannot be written: {error}");
            }
        }
    });
    move |call| drop(send.send(call.clone()))
}

/// Returns the line of a call. A record has no value of an argument or a result, so there is nothing to redact.
fn line(call: &CallRecord) -> Value {
    let client = call.client().map(|client| format!("{} {}", client.name(), client.version()));
    json!({
        "at": call.started_at().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64(),
        "who": call.principal(),
        "with": client,
        "carrier": call.carrier().as_str(),
        "tool": call.tool(),
        "arguments": call.argument_names().collect::<Vec<_>>(),
        "outcome": call.outcome().as_str(),
        "code": call.code(),
        "call_id": call.call_id().map(CallId::as_str),
        "task_id": call.task_id(),
        "seconds": call.duration().as_secs_f64(),
    })
}
