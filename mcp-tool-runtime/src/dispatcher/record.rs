//! The records of calls: who gets them, and what a call puts into them.

use serde_json::Value;

use super::gate::Gate;
use super::run::Target;
use super::{Dispatcher, DispatcherBuilder};
use crate::json::tape::Tape;
use crate::json::writer::json_length;
use crate::operations::{CallRecord, Carrier, OpenRecord};
use crate::{CallContext, Extensions};

impl DispatcherBuilder {
    /// Calls a function with the [record](CallRecord) of each call, for metrics and audit logs.
    ///
    /// There is one record for each request that a carrier understood as a call, however it ended: even if no tool has
    /// the name, if the arguments are wrong, or if the client gives up. The function runs when the answer is ready,
    /// before it is sent, and blocks the thread of the call, so it must not wait: send the record through a bounded
    /// channel instead. Several functions run in the order in which they were added. A panic in one is logged.
    ///
    /// The guide [`operating`](crate::guide::operating) has recipes for Prometheus, OpenTelemetry and audit logs.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use mcp_tool_runtime::operations::CallRecord;
    /// use mcp_tool_runtime::{json, CallToolRequest, Dispatcher};
    ///
    /// let errors = Arc::new(AtomicU32::new(0));
    /// let counted = Arc::clone(&errors);
    /// let dispatcher = Dispatcher::builder()
    ///     .on_call(move |call: &CallRecord| {
    ///         counted.fetch_add(u32::from(call.outcome().is_error()), Ordering::Relaxed);
    ///     })
    ///     .build()?;
    /// assert!(dispatcher.call(CallToolRequest::new("no_such_tool", json!({}))).await.is_err());
    /// assert_eq!(errors.load(Ordering::Relaxed), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_call(mut self, observer: impl Fn(&CallRecord) + Send + Sync + 'static) -> Self {
        self.setting("on_call");
        self.observers.0.push(Box::new(observer));
        self
    }
}

impl Dispatcher {
    /// Opens the record of a request that a carrier has understood as a call.
    #[inline]
    pub(crate) fn open_record(&self, carrier: Carrier) -> OpenRecord {
        match &self.inner.observers {
            None => OpenRecord::default(),
            Some(observers) => OpenRecord::new(observers, carrier, self.settings()),
        }
    }

    /// Opens the record of a message of the Model Context Protocol, if it is a call.
    #[inline]
    pub(crate) fn open_record_of(&self, method: &str, carrier: Carrier, extensions: &Extensions) -> OpenRecord {
        let mut record = OpenRecord::default();
        if self.inner.observers.is_some() && method == "tools/call" {
            record = self.open_record(carrier);
            record.ask_principal(self.settings(), extensions);
        }
        record
    }

    /// Notes which tool a request names and who sent the request, even if the call does not run.
    #[inline]
    pub(crate) fn record_gate(&self, record: &mut OpenRecord, gate: &Gate<'_>, extensions: &Extensions) {
        if let Some(record) = record.get() {
            record.set_tool(gate.recorded());
        }
        record.ask_principal(self.settings(), extensions);
    }
}

/// The arguments of a call as they were sent: as text, or as a value.
#[derive(Clone, Copy)]
pub(super) enum Sent<'a> {
    /// The length of the text in bytes, and the document that was read from it. The document is `None` if there was no
    /// text, or if the text could not be read.
    Text(usize, Option<&'a Tape<'a>>),
    Value(Option<&'a Value>),
}

impl<'d> Target<'d> {
    /// Notes in the record what is known about a call before its tool runs.
    #[inline]
    pub(super) fn record(&self, record: &mut OpenRecord, cx: &CallContext, sent: Sent<'_>) {
        if record.is_open() {
            self.fill(record, cx, sent);
        }
    }

    #[cold]
    fn fill(&self, record: &mut OpenRecord, cx: &CallContext, sent: Sent<'_>) {
        record.ask_principal(&self.entry.shared.format.settings, cx.attached());
        let Some(record) = record.get() else { return };
        record.set_tool(self.entry.recorded.as_ref());
        record.set_context(cx);
        self.fill_arguments(record, sent);
    }

    /// Notes the size of the arguments, and which of them were sent.
    pub(super) fn fill_arguments(&self, record: &mut CallRecord, sent: Sent<'_>) {
        match sent {
            Sent::Text(bytes, document) => {
                record.argument_bytes = bytes;
                if let Some(properties) = document.and_then(|document| document.root().properties()) {
                    record.set_arguments(properties.map(|(name, _)| name), |name| self.published(name));
                }
            }
            Sent::Value(value) => {
                record.argument_bytes = value.map_or(0, json_length);
                if let Some(properties) = value.and_then(Value::as_object) {
                    record.set_arguments(properties.keys().map(String::as_str), |name| self.published(name));
                }
            }
        }
    }

    /// Returns the published name of an argument. `name` is the name in the request, which may be an alias.
    #[cold]
    fn published<'n>(&self, name: &'n str) -> &'n str
    where
        'd: 'n,
    {
        let alias = self.entry.aliases.iter().find(|(alias, _)| *alias == name);
        alias.map_or(name, |(_, published)| published)
    }
}
