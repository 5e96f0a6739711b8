//! Turns what a function returns into an output, or into an error of the tool.
//!
//! Method resolution finds out what a type implements, so how the type is written never matters. Several traits share
//! one method name. The impl for the type with the most `&`, such as `&&Probe<T>`, has the strictest bounds on `T`, and
//! the impl for `Probe<T>` has none. The call adds references, so rustc tries the strictest impl first and takes the
//! first impl whose bounds hold. The impl without bounds is the fallback: it returns a type that causes a compile error
//! with our own text.
//!
//! The methods of these traits return codecs. The checks of a codec are inherent methods that take `self`: method
//! resolution tries inherent methods first, so a blanket trait of the author cannot replace the checks.
//!
//! This file splits a return type into a success and a failure, and runs the future of a call.
//! [`success`](super::success), [`output`](super::output) and [`failure`](super::failure) probe the two types.

use super::{
    Arguments, ArgumentsCodec, BoxFuture, CallContext, FailureCodec, IntoToolError, Output, Schema, SchemaGenerator,
    SuccessCodec, ToolError,
};
#[cfg(feature = "tokio")]
use crate::log;
use crate::tool::metadata::ResultTypes;

type_markers! {
    /// The return type of a function.
    Returned<R>
    /// A return type that is a `Result`, or an alias of a `Result`.
    Fallible<T, E>
    /// A return type that is not a `Result`.
    Plain<T>
    /// The type `T` of the value that a function returns on success.
    Success<T>
    /// The type `E` of the error that a function returns.
    Failure<E>
}

impl<R> Returned<R> {
    pub const fn of(_: &R) -> Self {
        Self::new()
    }
}

impl<T, E> Returned<Result<T, E>> {
    pub const fn __mcp_tool_split(self) -> Fallible<T, E> {
        Fallible::new()
    }
}

pub trait ProbePlain<T>: Sized {
    fn __mcp_tool_split(self) -> Plain<T> {
        Plain::new()
    }
}

impl<T> ProbePlain<T> for Returned<T> {}

impl<T, E> Fallible<T, E> {
    pub const fn success(self) -> Success<T> {
        Success::new()
    }

    pub const fn failure(self) -> Failure<E> {
        Failure::new()
    }

    pub fn take(self, returned: Result<T, E>) -> Result<T, E> {
        returned
    }

    pub fn codec<S, F>(self, success: S, failure: F) -> FallibleCodec<S, F> {
        FallibleCodec { success, failure }
    }
}

impl<T> Plain<T> {
    pub const fn success(self) -> Success<T> {
        Success::new()
    }

    pub const fn failure(self) -> Failure<Never> {
        Failure::new()
    }

    pub fn take(self, returned: T) -> Result<T, Never> {
        Ok(returned)
    }

    pub fn codec<S, F>(self, success: S, _: F) -> PlainCodec<S> {
        PlainCodec { success }
    }
}

/// The error type of a function that does not return a `Result`.
pub enum Never {}

impl IntoToolError for Never {
    fn into_tool_error(self) -> ToolError {
        match self {}
    }
}

/// Describes a return type for the definition of a tool. To convert the returned value, a codec also implements
/// [`ReturnCodec`].
pub trait ReturnDescription: Copy + Send {
    type Success: SuccessCodec;

    fn success(self) -> Self::Success;

    /// Returns the name of the error type if it implements `std::error::Error` but not `IntoToolError`. The text of
    /// such an error is masked by default.
    fn masked_type(self) -> Option<&'static str> {
        None
    }
}

/// Converts what a function returns into an [`Output`] or a [`ToolError`].
pub trait ReturnCodec<R>: ReturnDescription {
    fn write(self, returned: R, expose_errors: bool) -> Result<Output, ToolError>;
}

/// The codec of a return type that is a `Result`.
#[derive(Clone, Copy)]
pub struct FallibleCodec<S, F> {
    pub(super) success: S,
    pub(super) failure: F,
}

impl<S: SuccessCodec, F: FailureCodec> ReturnDescription for FallibleCodec<S, F> {
    type Success = S;

    fn success(self) -> S {
        self.success
    }

    fn masked_type(self) -> Option<&'static str> {
        self.failure.masked_type()
    }
}

impl<S: SuccessCodec, F: FailureCodec> ReturnCodec<Result<S::Value, F::Error>> for FallibleCodec<S, F> {
    fn write(self, returned: Result<S::Value, F::Error>, expose_errors: bool) -> Result<Output, ToolError> {
        match returned {
            Ok(value) => self.success.output(value),
            Err(error) => Err(self.failure.error(error, expose_errors)),
        }
    }
}

/// The codec of a return type that is not a `Result`.
#[derive(Clone, Copy)]
pub struct PlainCodec<S> {
    pub(super) success: S,
}

impl<S: SuccessCodec> ReturnDescription for PlainCodec<S> {
    type Success = S;

    fn success(self) -> S {
        self.success
    }
}

impl<S: SuccessCodec> ReturnCodec<S::Value> for PlainCodec<S> {
    fn write(self, returned: S::Value, _: bool) -> Result<Output, ToolError> {
        self.success.output(returned)
    }
}

/// Returns what the metadata of a tool says about its return type.
pub fn result_types(codec: impl ReturnDescription, expose_errors: bool) -> ResultTypes {
    ResultTypes {
        structured: codec.success().structured_type(),
        masked_error: codec.masked_type().filter(|_| !expose_errors),
        is_paged: codec.success().is_paged(),
        adds_content: codec.success().adds_content(),
    }
}

/// Returns the function that derives the output schema from the return type.
pub fn output_schema(codec: impl ReturnDescription) -> impl FnMut(&mut SchemaGenerator) -> Option<Schema> {
    move |generator| codec.success().schema(generator)
}

/// Boxes the future of a call. The compile error for a future that is not `Send` shows the comments in this signature.
#[rustfmt::skip]
pub fn boxed<'f, T>(
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; calling `drop` is not enough
    future: impl Future<Output = T> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
) -> BoxFuture<'f, T> {
    Box::pin(future)
}

/// Reads the arguments, calls the function and converts what it returns. The compile error for a future that is not
/// `Send` shows the comments in this signature.
#[rustfmt::skip]
pub fn call<
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; calling `drop` is not enough
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

/// Stops the build if the feature `tokio` is missing. Tools with the key `timeout`, `heartbeat` or `blocking` call this
/// function in a constant.
#[expect(clippy::assertions_on_constants, reason = "the features decide")]
pub const fn require_tokio() {
    assert!(
        cfg!(feature = "tokio"),
        "the keys `timeout`, `heartbeat` and `blocking` need the feature `tokio` of `mcp-tool-runtime`\n\
         help: add it to the dependency: `features = [\"tokio\"]`"
    );
}

/// A function on the blocking pool. If this value is dropped before the function starts, the function never starts.
#[cfg(feature = "tokio")]
struct Running<R>(tokio::task::JoinHandle<R>);

#[cfg(feature = "tokio")]
impl<R> Drop for Running<R> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs a function on the blocking pool. A panic in the function is resumed on the task of the call, which catches it.
///
/// A thread cannot be stopped, so a function that has started goes on after the future is dropped. It can ask
/// [`CallContext::is_cancelled`]. It holds the call's permit until it ends, so `max_concurrency` limits threads too.
#[cfg(feature = "tokio")]
pub async fn blocking<R: Send + 'static>(
    cx: &CallContext,
    function: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    let cx = cx.clone();
    let permit = cx.call_state().permit();
    let run = log::in_current_span(move || {
        let returned = function(&cx);
        drop(permit);
        returned
    });
    let mut running = Running(tokio::task::spawn_blocking(run));
    match (&mut running.0).await {
        Ok(returned) => returned,
        Err(error) => match error.try_into_panic() {
            Ok(payload) => std::panic::resume_unwind(payload),
            Err(error) => Err(ToolError::internal(error)),
        },
    }
}

/// Has the same signature as the function above, so that without the feature `tokio`, the only compile error is that of
/// `require_tokio`.
#[cfg(not(feature = "tokio"))]
pub async fn blocking<R: Send + 'static>(
    _: &CallContext,
    _: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    Err(ToolError::masked("there is no blocking pool".to_owned()))
}
