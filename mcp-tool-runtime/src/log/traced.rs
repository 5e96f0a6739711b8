//! The events of `tracing`. The span of a call is in `dispatcher`.

use tracing::{Instrument as _, error, info, warn};

use crate::json::violation::escape_to_one_line;

const TARGET: &str = "mcp_tool_runtime";

/// Makes a function that runs inside the present span, on whatever thread it is called.
pub(crate) fn in_current_span<R>(run: impl FnOnce() -> R) -> impl FnOnce() -> R {
    let span = tracing::Span::current();
    move || span.in_scope(run)
}

/// Makes a future that runs inside the present span, on whatever task it is polled.
pub(crate) fn future_in_current_span<F: Future>(future: F) -> impl Future<Output = F::Output> + use<F> {
    future.in_current_span()
}

pub(crate) fn question(key: &str, outcome: &str) {
    info!(target: TARGET, question = key, outcome);
}

pub(crate) fn state_refused(tool: &str, reason: &str) {
    warn!(target: TARGET, tool, reason, "a request state was refused");
}

pub(crate) fn state_without_principal() {
    warn!(
        target: TARGET,
        "the state of a question is valid for all callers: the request has no `Authorization`, and the builder no `principal`"
    );
}

pub(crate) fn token_refused(resource: &str, reason: &str) {
    info!(target: TARGET, reason, resource, "a bearer token was refused");
}

pub(crate) fn token_unchecked(error: &str) {
    error!(target: TARGET, error = %escape_to_one_line(error), "a bearer token could not be checked");
}

pub(crate) fn engine_failed(error: &str) {
    error!(target: TARGET, "{error}");
}

pub(crate) fn task_not_run(tool: &str, task: &str, reason: &str) {
    error!(target: TARGET, tool, task, "a task cannot run: {reason}");
}
