//! The future of a call.

use super::{Arguments, ArgumentsCodec, BoxFuture, Output, ReturnCodec, ToolError};

/// Boxes the future of a call. For a future that is not `Send` the compile error shows the comments of this function.
#[rustfmt::skip]
pub fn boxed<'f, T>(
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; `drop` alone does not end it
    future: impl Future<Output = T> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
) -> BoxFuture<'f, T> {
    Box::pin(future)
}

/// Reads the arguments, calls the function and writes what it returns. For a future that is not `Send` the compile error shows the
/// comments of this function.
#[rustfmt::skip]
pub fn call<
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; `drop` alone does not end it
    'f, A, R, Called: Future<Output = R> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
>(
    arguments: Arguments<'f>,
    arguments_codec: impl ArgumentsCodec<A> + 'f,
    return_codec: impl ReturnCodec<R> + 'f,
    expose_errors: bool,
    function: impl FnOnce(A) -> Called + Send + 'f,
) -> BoxFuture<'f, Result<Output, ToolError>> {
    Box::pin(async move {
        let arguments = arguments_codec.read(&arguments)?;
        let returned = function(arguments).await;
        return_codec.write(returned, expose_errors)
    })
}
