//! Takes the place of `span` without the feature `tracing`.

use super::TransportContext;
use crate::tasks::StoredCall;
use crate::{CallContext, Extensions, Output, ToolError};

impl TransportContext {
    pub(crate) fn with_request_id(self, _: &str) -> Self {
        self
    }
}

pub(super) fn attach_task(_: &mut Extensions, _: &StoredCall) {}

pub(super) struct CallSpan;

#[expect(clippy::unused_self, reason = "the signatures are those of `span`")]
impl CallSpan {
    pub(super) fn new(_: &CallContext) -> Self {
        Self
    }

    pub(super) fn instrument<F: Future>(&self, work: F) -> F {
        work
    }

    /// Writes to standard error what the caller is not told.
    pub(super) fn record_result(self, cx: &CallContext, result: &Result<Output, ToolError>) {
        if let Err(error) = result
            && error.missing_extension().is_some()
        {
            eprintln!("tool {}: {}", cx.tool_name(), error.developer_message().unwrap_or_default());
        }
    }

    pub(super) fn record_stored(self, _: &CallContext, _: Result<Option<&str>, &ToolError>) {}
}
