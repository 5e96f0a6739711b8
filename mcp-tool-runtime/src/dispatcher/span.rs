//! What `tracing` learns of a call (feature `tracing`), in the words of OpenTelemetry's conventions for the protocol.

use tracing::field::Empty;
use tracing::{Instrument as _, Span, debug, error, info_span};

use crate::{CallContext, Output, ToolError};

/// The id of the request that brought the call, among its extensions.
pub(crate) struct RequestId(pub(crate) String);

/// The span of one call.
pub(super) struct CallSpan {
    span: Span,
    is_answered: bool,
}

impl CallSpan {
    /// A span under the current one.
    pub(super) fn new(cx: &CallContext) -> Self {
        let span = info_span!(
            target: "mcp_tool_runtime",
            "tools/call",
            otel.name = format_args!("tools/call {}", cx.tool_name()),
            otel.kind = "server",
            otel.status_code = Empty,
            mcp.method.name = "tools/call",
            mcp.protocol.version = cx.protocol_version().as_str(),
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = cx.tool_name(),
            gen_ai.tool.call.id = cx.call_id().as_str(),
            jsonrpc.request.id = cx.extensions().get().map(|RequestId(id)| &**id),
            rpc.response.status_code = Empty,
            error.type = Empty,
        );
        Self { span, is_answered: false }
    }

    /// The work inside the span, whatever thread polls it.
    pub(super) fn around<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        work.instrument(self.span.clone())
    }

    /// Notes how the call ended. What no client reads is told here, in the span.
    pub(super) fn answered(mut self, cx: &CallContext, outcome: &Result<Output, ToolError>) {
        self.is_answered = true;
        let Err(error) = outcome else { return };
        if error.missing_extension().is_some() {
            self.failed("-32603");
            self.span.record("rpc.response.status_code", "-32603");
        } else {
            self.failed("tool_error");
        }
        let _inside = self.span.enter();
        let developer_message = error.developer_message();
        if error.is_internal() {
            let error = error.clone().named(cx.tool_name(), cx.call_id());
            error!(target: "mcp_tool_runtime", developer_message, "{}", error.message());
        } else if developer_message.is_some() {
            debug!(target: "mcp_tool_runtime", developer_message, "the tool answered with an error");
        }
    }

    fn failed(&self, kind: &str) {
        self.span.record("error.type", kind);
        self.span.record("otel.status_code", "ERROR");
    }
}

impl Drop for CallSpan {
    fn drop(&mut self) {
        if !self.is_answered {
            self.failed("cancelled");
        }
    }
}
