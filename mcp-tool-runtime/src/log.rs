//! Logs what callers must not see: why a call failed or a request was refused, what a task or its engine cannot do, and
//! what the server itself got wrong. With the feature `tracing`, these are events. Without the feature, errors and the
//! most serious warnings are printed to standard error. An argument is never printed, unless the author's own error
//! quotes it. Imports only `json`.

#[cfg(not(feature = "tracing"))]
pub(crate) use standard_error::*;
#[cfg(feature = "tracing")]
pub(crate) use traced::*;

/// The events of `tracing`. The span of a call is in `dispatcher`.
#[cfg(feature = "tracing")]
mod traced {
    use tracing::{Instrument as _, error, info, warn};

    use crate::json::violation::escape_to_one_line;

    const TARGET: &str = "mcp_tool_runtime";

    /// Wraps a function so that it runs in the current span on any thread.
    pub(crate) fn in_current_span<R>(run: impl FnOnce() -> R) -> impl FnOnce() -> R {
        let span = tracing::Span::current();
        move || span.in_scope(run)
    }

    /// Wraps a future so that it runs in the current span on any task.
    pub(crate) fn future_in_current_span<F: Future>(future: F) -> impl Future<Output = F::Output> + use<F> {
        future.in_current_span()
    }

    pub(crate) fn question(key: &str, outcome: &str) {
        info!(target: TARGET, question = key, outcome);
    }

    pub(crate) fn state_refused(tool: &str, reason: &str) {
        warn!(target: TARGET, tool, reason, "a request state was refused");
    }

    pub(crate) fn wrong_page(tool: &str, reason: &str) {
        error!(target: TARGET, tool, "{}", escape_to_one_line(reason));
    }

    pub(crate) fn state_without_principal() {
        warn!(
            target: TARGET,
            "the state of a question is valid for all callers: the request has no `Authorization`, and the builder no `principal`"
        );
    }

    #[cfg(all(feature = "tasks", any(feature = "http", feature = "rmcp")))]
    pub(crate) fn acts_without_principal() {
        warn!(
            target: TARGET,
            "all callers are one to `once`, so one gets the result of another: the builder has no `principal`"
        );
    }

    pub(crate) fn token_refused(resource: &str, reason: &str) {
        info!(target: TARGET, reason, resource, "a bearer token was refused");
    }

    pub(crate) fn token_unchecked(error: &str) {
        error!(target: TARGET, error = %escape_to_one_line(error), "a bearer token could not be checked");
    }

    pub(crate) fn source_refused(reason: &str, method: &str) {
        warn!(target: TARGET, "a request was refused with status 403: {reason}; `{method}` allows it");
    }

    pub(crate) fn message_refused(reason: &str) {
        warn!(target: TARGET, "a message was refused: {reason}");
    }

    pub(crate) fn observer_panicked(tool: &str) {
        error!(target: TARGET, tool, "a function of `on_call` panicked");
    }

    pub(crate) fn engine_failed(error: &str) {
        error!(target: TARGET, "{error}");
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn thread_blocked(tool: &str, time: std::time::Duration) {
        warn!(
            target: TARGET,
            tool,
            "a call blocked its thread for {} ms, past its timeout, which cannot end it: use `#[mcp_tool(blocking)]` or `spawn_blocking`",
            time.as_millis()
        );
    }

    pub(crate) fn task_not_run(tool: &str, task: &str, reason: &str) {
        error!(target: TARGET, tool, task, "a task cannot run: {reason}");
    }
}

/// The same functions as in `traced`, and `call_failed`, for a build without `tracing`.
#[cfg(not(feature = "tracing"))]
mod standard_error {
    use std::io::Write as _;

    use crate::json::violation::escape_to_one_line;

    /// Prints a line. Unlike `eprintln!`, does not panic if nobody reads standard error any more.
    macro_rules! print {
        ($($line:tt)+) => {{
            let _ = writeln!(std::io::stderr(), $($line)+);
        }};
    }

    /// Logs why a call failed, because the caller is not told. With `tracing`, this is an event in the span of the
    /// call.
    pub(crate) fn call_failed(tool: &str, call_id: &str, reason: &str) {
        print!("tool {tool} failed (call_id {call_id}): {}", escape_to_one_line(reason));
    }

    pub(crate) fn in_current_span<R>(run: impl FnOnce() -> R) -> impl FnOnce() -> R {
        run
    }

    pub(crate) fn future_in_current_span<F: Future>(future: F) -> F {
        future
    }

    pub(crate) fn question(_: &str, _: &str) {}

    pub(crate) fn state_refused(_: &str, _: &str) {}

    pub(crate) fn wrong_page(tool: &str, reason: &str) {
        print!("tool {tool}: {}", escape_to_one_line(reason));
    }

    pub(crate) fn state_without_principal() {}

    #[cfg(all(feature = "tasks", any(feature = "http", feature = "rmcp")))]
    pub(crate) fn acts_without_principal() {
        print!("all callers are one to `once`, so one gets the result of another: the builder has no `principal`");
    }

    pub(crate) fn token_refused(_: &str, _: &str) {}

    pub(crate) fn token_unchecked(error: &str) {
        print!("a bearer token could not be checked: {}", escape_to_one_line(error));
    }

    pub(crate) fn source_refused(reason: &str, method: &str) {
        print!("a request was refused with status 403: {reason}; `{method}` allows it");
    }

    pub(crate) fn message_refused(_: &str) {}

    pub(crate) fn observer_panicked(tool: &str) {
        print!("a function of `on_call` panicked after a call of the tool {tool}");
    }

    pub(crate) fn engine_failed(error: &str) {
        print!("{error}");
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn thread_blocked(_: &str, _: std::time::Duration) {}

    pub(crate) fn task_not_run(tool: &str, task: &str, reason: &str) {
        print!("tool {tool}: task {task} cannot run: {reason}");
    }
}
