//! Compile errors for the keys and the builder methods that need the feature `tokio`.

/// Called in a constant by tools with the keys `timeout` or `blocking`, so that the error is one of compilation.
#[cfg(feature = "tokio")]
pub const fn require_tokio() {}

/// Called in a constant by tools with the keys `timeout` or `blocking`, so that the error is one of compilation.
#[cfg(not(feature = "tokio"))]
pub const fn require_tokio() {
    panic!(
        "the keys `timeout` and `blocking` need the feature `tokio` of `mcp-tool-runtime`\n\
         help: add it to the dependency: `features = [\"tokio\"]`"
    )
}

/// A time-out that works without the feature `tokio`. No type implements it.
#[cfg(not(feature = "tokio"))]
#[diagnostic::on_unimplemented(
    message = "`timeout` needs the feature `tokio` of `mcp-tool-runtime`",
    label = "there is no timer without it",
    note = "help: add it to the dependency: `features = [\"tokio\"]`"
)]
pub trait TimeoutWithoutTokio {
    fn set(self, builder: crate::DispatcherBuilder) -> crate::DispatcherBuilder;
}

/// A number of calls that works without the feature `tokio`. No type implements it.
#[cfg(not(feature = "tokio"))]
#[diagnostic::on_unimplemented(
    message = "`max_concurrency` needs the feature `tokio` of `mcp-tool-runtime`",
    label = "there is no semaphore without it",
    note = "help: add it to the dependency: `features = [\"tokio\"]`"
)]
pub trait MaxConcurrencyWithoutTokio {
    fn set(self, builder: crate::DispatcherBuilder) -> crate::DispatcherBuilder;
}

#[cfg(not(feature = "tokio"))]
impl crate::DispatcherBuilder {
    #[doc(hidden)]
    pub fn timeout<D: TimeoutWithoutTokio>(self, limit: D) -> Self {
        limit.set(self)
    }

    #[doc(hidden)]
    pub fn max_concurrency<C: MaxConcurrencyWithoutTokio>(self, calls: C) -> Self {
        calls.set(self)
    }
}
