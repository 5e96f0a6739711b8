//! What the operator of a server reads about its calls, and the tools that are served.

mod ends;
mod heartbeat;
mod limits;
mod open_telemetry;
mod records;
mod request_headers;
mod selections;

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::DispatcherBuilder;
use mcp_tool_runtime::operations::{CallRecord, Carrier, Outcome};

/// The records of a dispatcher.
#[derive(Clone, Default)]
pub(crate) struct Records(Arc<Mutex<Vec<CallRecord>>>);

impl Records {
    /// Collects the records of the calls.
    pub(crate) fn of(&self, builder: DispatcherBuilder) -> DispatcherBuilder {
        let records = Arc::clone(&self.0);
        builder.on_call(move |call: &CallRecord| records.lock().expect("no panic").push(call.clone()))
    }

    /// Returns the records since the last time.
    pub(crate) fn take(&self) -> Vec<CallRecord> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }

    /// Returns the only record since the last time.
    pub(crate) fn one(&self) -> CallRecord {
        let mut records = self.take();
        assert_eq!(records.len(), 1, "{records:?}");
        records.remove(0)
    }

    /// Returns the outcomes since the last time.
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.take().iter().map(CallRecord::outcome).collect()
    }

    /// Returns how the calls since the last time arrived and ended.
    pub(crate) fn ends(&self) -> Vec<(Carrier, Outcome)> {
        self.take().iter().map(|record| (record.carrier(), record.outcome())).collect()
    }
}

/// Returns all that a record says.
pub(crate) fn whole(record: &CallRecord) -> String {
    let client = record.client().map(|client| format!("{} {}", client.name(), client.version()));
    let names: Vec<_> = record.argument_names().collect();
    format!(
        "{record:?} {:?} {:?} {:?} {:?} {:?} {:?} {client:?} {names:?} {:?}",
        record.tool(),
        record.code(),
        record.call_id(),
        record.parent(),
        record.task_id(),
        record.principal(),
        record.attributes(),
    )
}
