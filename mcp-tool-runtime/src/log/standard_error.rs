//! Takes the place of `traced` without the feature `tracing`.

pub(crate) fn in_current_span<R>(run: impl FnOnce() -> R) -> impl FnOnce() -> R {
    run
}

pub(crate) fn future_in_current_span<F: Future>(future: F) -> F {
    future
}

pub(crate) fn question(_: &str, _: &str) {}

pub(crate) fn state_refused(_: &str, _: &str) {}

pub(crate) fn state_without_principal() {}

pub(crate) fn token_refused(_: &str, _: &str) {}

pub(crate) fn token_unchecked(_: &str) {}

pub(crate) fn engine_failed(error: &str) {
    eprintln!("{error}");
}

pub(crate) fn task_not_run(tool: &str, task: &str, reason: &str) {
    eprintln!("tool {tool}: task {task} cannot run: {reason}");
}
