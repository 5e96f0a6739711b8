//! What is asked of a builder that it cannot do: the compiler then says who can.

use std::future::Ready;

use crate::{CallToolResponse, DispatchError, DispatcherBuilder};

/// A request that a builder would answer. There is none.
#[diagnostic::on_unimplemented(
    message = "a builder answers no calls",
    label = "this goes to a dispatcher, which `build` makes of the builder",
    note = "help: write `.build()?` before `.call(…)`"
)]
pub trait CallOfBuilder {
    fn answer(self) -> Ready<Result<CallToolResponse, DispatchError>>;
}

impl DispatcherBuilder {
    #[doc(hidden)]
    pub fn call<R: CallOfBuilder>(&self, request: R) -> Ready<Result<CallToolResponse, DispatchError>> {
        request.answer()
    }
}

/// A time-out that can be kept without the feature `tokio`. There is none.
#[cfg(not(feature = "tokio"))]
#[diagnostic::on_unimplemented(
    message = "`timeout` needs the feature `tokio` of `mcp-tool-runtime`",
    label = "no timer to hold a call to it",
    note = "help: add it to the dependency: `features = [\"tokio\"]`"
)]
pub trait TimeoutWithoutTokio {
    fn set(self, builder: DispatcherBuilder) -> DispatcherBuilder;
}

#[cfg(not(feature = "tokio"))]
impl DispatcherBuilder {
    #[doc(hidden)]
    pub fn timeout<D: TimeoutWithoutTokio>(self, limit: D) -> Self {
        limit.set(self)
    }
}
