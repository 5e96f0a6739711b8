//! What needs the feature `tokio`, without it: the compile errors of the builder's methods, and a function that is never called.

use super::{CallContext, ToolError};
use crate::DispatcherBuilder;

/// The same signature without tokio, so that the only compile error is that of `require_tokio`.
pub async fn blocking<R: Send + 'static>(
    _: &CallContext,
    _: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    Err(ToolError::masked("there is no blocking pool".to_owned()))
}

/// A time-out that works without the feature `tokio`. No type implements it.
#[diagnostic::on_unimplemented(
    message = "`timeout` needs the feature `tokio` of `mcp-tool-runtime`",
    label = "there is no timer without it",
    note = "help: add it to the dependency: `features = [\"tokio\"]`"
)]
pub trait TimeoutWithoutTokio {
    fn set(self, builder: DispatcherBuilder) -> DispatcherBuilder;
}

/// A number of calls that works without the feature `tokio`. No type implements it.
#[diagnostic::on_unimplemented(
    message = "`max_concurrency` needs the feature `tokio` of `mcp-tool-runtime`",
    label = "there is no semaphore without it",
    note = "help: add it to the dependency: `features = [\"tokio\"]`"
)]
pub trait MaxConcurrencyWithoutTokio {
    fn set(self, builder: DispatcherBuilder) -> DispatcherBuilder;
}

impl DispatcherBuilder {
    #[doc(hidden)]
    pub fn timeout<D: TimeoutWithoutTokio>(self, limit: D) -> Self {
        limit.set(self)
    }

    #[doc(hidden)]
    pub fn max_concurrency<C: MaxConcurrencyWithoutTokio>(self, calls: C) -> Self {
        calls.set(self)
    }
}
