//! The `tracing` span of a call (feature `tracing`), with the names of OpenTelemetry's conventions for MCP.

#[cfg(feature = "tracing")]
pub(super) use traced::{CallSpan, attach_task};
#[cfg(not(feature = "tracing"))]
pub(super) use untraced::{CallSpan, attach_task};

use super::TransportContext;
use crate::tasks::StoredCall;
use crate::{CallContext, Extensions, Output, ToolError};

#[cfg(feature = "tracing")]
mod traced {
    use tracing::field::Empty;
    use tracing::{Instrument as _, Span, debug, error, info_span};

    use super::{CallContext, Extensions, Output, StoredCall, ToolError, TransportContext};
    use crate::json::violation::{escape_to_one_line, truncate_text};

    /// The id of the JSON-RPC request, attached as an extension.
    struct RequestId(String);

    impl TransportContext {
        /// Attaches the id of the request, which the span of the call shows. Does nothing unless spans are recorded.
        pub(crate) fn with_request_id(mut self, id: &str) -> Self {
            if tracing::span_enabled!(target: "mcp_tool_runtime", tracing::Level::INFO) {
                // A client can send an id of any length, so shorten it.
                self.extensions.insert(RequestId(truncate_text(id.trim_matches('"'), 128).into_owned()));
            }
            self
        }
    }

    /// The task that a worker runs, attached as an extension.
    struct RunningTask {
        id: String,
        /// The `traceparent` of the request that created the task.
        traceparent: Option<String>,
    }

    /// Attaches what the span of a stored call says about its task.
    pub(in super::super) fn attach_task(extensions: &mut Extensions, call: &StoredCall) {
        extensions.insert(RunningTask { id: call.task_id.clone(), traceparent: call.traceparent.clone() });
    }

    /// The span of one call. A span that is dropped without a result is recorded as cancelled.
    pub(in super::super) struct CallSpan {
        span: Span,
        has_result: bool,
    }

    impl CallSpan {
        /// Opens a span as a child of the current span.
        pub(in super::super) fn new(cx: &CallContext) -> Self {
            let is_nested = cx.parent().is_some();
            let task = cx.extensions().get::<RunningTask>().filter(|_| !is_nested);
            // `kind` is the OpenTelemetry span kind. A nested call is a step within a client's request, so it is
            // `internal`. A worker is a `consumer` of stored calls: the server that stored the call is the one that
            // serves the request.
            let (name, kind) = match task {
                _ if is_nested => ("execute_tool", "internal"),
                Some(_) => ("execute_tool", "consumer"),
                None => ("tools/call", "server"),
            };
            let is_request = kind == "server";
            let span = info_span!(
                target: "mcp_tool_runtime",
                "tools/call",
                otel.name = format_args!("{name} {}", cx.tool_name()),
                otel.kind = kind,
                otel.status_code = Empty,
                mcp.method.name = is_request.then_some("tools/call"),
                mcp.protocol.version = is_request.then(|| cx.protocol_version().as_str()),
                gen_ai.operation.name = "execute_tool",
                gen_ai.tool.name = cx.tool_name(),
                gen_ai.tool.call.id = cx.call_id().as_str(),
                jsonrpc.request.id = cx.extensions().get().filter(|_| is_request).map(|RequestId(id)| escape_to_one_line(id)).as_deref(),
                mcp.task.id = task.map(|task| &*task.id),
                traceparent = task.and_then(|task| task.traceparent.as_deref()),
                rpc.response.status_code = Empty,
                error.type = Empty,
            );
            Self { span, has_result: false }
        }

        /// Runs the work inside the span, whichever thread polls it.
        pub(in super::super) fn instrument<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
            work.instrument(self.span.clone())
        }

        /// Records the result. An internal error, or an error with a developer message, becomes an event in the span,
        /// since clients do not see the details.
        pub(in super::super) fn record_result(mut self, cx: &CallContext, result: &Result<Output, ToolError>) {
            self.has_result = true;
            if let Err(error) = result {
                self.record_failure(cx, error);
            }
        }

        /// Records that the call was stored as a task, that it could not be stored, or that the task has failed or is
        /// lost. The result goes into the worker's span.
        pub(in super::super) fn record_stored(mut self, cx: &CallContext, stored: Result<Option<&str>, &ToolError>) {
            self.has_result = true;
            match stored {
                Ok(Some(task_id)) => _ = self.span.record("mcp.task.id", task_id),
                Ok(None) => {
                    self.record_error("-32603");
                    self.span.record("rpc.response.status_code", "-32603");
                }
                Err(error) => self.record_failure(cx, error),
            }
        }

        fn record_failure(&self, cx: &CallContext, error: &ToolError) {
            if error.missing_extension().is_some() {
                self.record_error("-32603");
                self.span.record("rpc.response.status_code", "-32603");
            } else {
                self.record_error("tool_error");
            }
            let _entered = self.span.enter();
            let developer_message = error.developer_message();
            if error.is_internal() {
                let error = error.clone().for_caller(cx.tool_name(), cx.call_id().as_str());
                error!(target: "mcp_tool_runtime", developer_message, "{}", escape_to_one_line(error.message()));
            } else if developer_message.is_some() {
                debug!(target: "mcp_tool_runtime", developer_message, "the tool answered with an error");
            }
        }

        fn record_error(&self, error_type: &str) {
            self.span.record("error.type", error_type);
            self.span.record("otel.status_code", "ERROR");
        }
    }

    impl Drop for CallSpan {
        fn drop(&mut self) {
            if !self.has_result {
                self.record_error("cancelled");
            }
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod untraced {
    use super::{CallContext, Extensions, Output, StoredCall, ToolError, TransportContext};

    impl TransportContext {
        pub(crate) fn with_request_id(self, _: &str) -> Self {
            self
        }
    }

    pub(in super::super) fn attach_task(_: &mut Extensions, _: &StoredCall) {}

    pub(in super::super) struct CallSpan;

    #[expect(clippy::unused_self, reason = "the signatures are those of `traced`")]
    impl CallSpan {
        pub(in super::super) fn new(_: &CallContext) -> Self {
            Self
        }

        pub(in super::super) fn instrument<F: Future>(&self, work: F) -> F {
            work
        }

        pub(in super::super) fn record_result(self, cx: &CallContext, result: &Result<Output, ToolError>) {
            print_failure(cx, result.as_ref().err());
        }

        pub(in super::super) fn record_stored(self, cx: &CallContext, stored: Result<Option<&str>, &ToolError>) {
            print_failure(cx, stored.err());
        }
    }

    /// Prints an error whose details the caller does not see.
    fn print_failure(cx: &CallContext, error: Option<&ToolError>) {
        if let Some(error) = error.filter(|error| error.is_internal()) {
            let reason = error.developer_message().unwrap_or_else(|| error.message());
            crate::log::call_failed(cx.tool_name(), cx.call_id().as_str(), reason);
        }
    }
}
