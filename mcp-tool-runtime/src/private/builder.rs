//! A method that a builder does not have, defined so that the compile error says what to do.

use std::future::Ready;

use crate::{CallToolResponse, DispatchError, DispatcherBuilder};

/// A request that a builder can answer. No type implements it.
#[diagnostic::on_unimplemented(
    message = "a builder answers no calls",
    label = "only the dispatcher that `build` returns can be called",
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
