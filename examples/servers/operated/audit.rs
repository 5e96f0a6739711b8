//! The audit log: who called what, and how it ended, as lines of JSON.

use std::io::Write;
use std::sync::mpsc;
use std::time::UNIX_EPOCH;

use mcp_tool_runtime::CallId;
use mcp_tool_runtime::operations::CallRecord;
use serde_json::{Value, json};

/// The way to the thread that writes the log, so that no call waits for the disk.
pub(crate) struct Audit(mpsc::SyncSender<Entry>);

enum Entry {
    Call(Box<CallRecord>),
    Reached(mpsc::Sender<()>),
}

impl Audit {
    pub(crate) fn new(mut output: impl Write + Send + 'static) -> Self {
        // Bounded, because the memory must not grow when the disk is slow.
        let (send, entries) = mpsc::sync_channel(10_000);
        std::thread::spawn(move || {
            for entry in entries {
                match entry {
                    Entry::Call(call) => {
                        if let Err(error) = writeln!(output, "{}", line(&call)).and_then(|()| output.flush()) {
                            eprintln!("the audit log cannot be written: {error}");
                        }
                    }
                    // An error means that nobody waits any more.
                    Entry::Reached(done) => done.send(()).unwrap_or_default(),
                }
            }
        });
        Self(send)
    }

    pub(crate) fn observer(&self) -> impl Fn(&CallRecord) + Send + Sync + 'static {
        let send = self.0.clone();
        move |call| {
            if send.try_send(Entry::Call(Box::new(call.clone()))).is_err() {
                eprintln!("the audit log has lost a record");
            }
        }
    }

    /// Waits until the log has all calls so far. The end of the process would lose what the thread has not written.
    pub(crate) fn flush(&self) {
        let (done, flushed) = mpsc::channel();
        if self.0.send(Entry::Reached(done)).is_ok() {
            // An error means that the thread has ended, and nothing more is written.
            flushed.recv().unwrap_or_default();
        }
    }
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
