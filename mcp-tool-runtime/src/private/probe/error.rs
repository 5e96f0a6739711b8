//! How an error becomes a `ToolError`: what [`Failure`] implements.

use super::{Failure, PhantomData, always_valid, type_markers};
use crate::output::error::chain;
use crate::private::{Deref, Display, ErrorOfTool, FailureCodec, IntoToolError, ToolError, type_name};

type_markers! {
    /// A type that implements `IntoToolError`.
    AuthoredError<E>
    /// A type that implements `std::error::Error`.
    StdError<E>
    /// A pointer to an error, such as `anyhow::Error` and `Box<dyn Error>`. The pointer itself is not an error.
    PointerToError<E>
    /// A type that implements only `Display`.
    DisplayError<E>
    /// Any other type.
    UnsupportedError<E>
}

pub trait ProbeIntoToolError<E> {
    fn __mcp_tool_error(&self) -> AuthoredError<E> {
        AuthoredError(PhantomData)
    }
}

impl<E: IntoToolError> ProbeIntoToolError<E> for &&&&Failure<E> {}

pub trait ProbeStdError<E> {
    fn __mcp_tool_error(&self) -> StdError<E> {
        StdError(PhantomData)
    }
}

impl<E: std::error::Error> ProbeStdError<E> for &&&Failure<E> {}

pub trait ProbePointerToError<E> {
    fn __mcp_tool_error(&self) -> PointerToError<E> {
        PointerToError(PhantomData)
    }
}

impl<E> ProbePointerToError<E> for &&Failure<E>
where
    E: Display + Deref,
    E::Target: ErrorObject,
{
}

pub trait ProbeDisplayError<E> {
    fn __mcp_tool_error(&self) -> DisplayError<E> {
        DisplayError(PhantomData)
    }
}

impl<E: Display> ProbeDisplayError<E> for &Failure<E> {}

pub trait ProbeUnsupportedError<E> {
    fn __mcp_tool_error(&self) -> UnsupportedError<E> {
        UnsupportedError(PhantomData)
    }
}

impl<E> ProbeUnsupportedError<E> for Failure<E> {}

/// A trait object of `std::error::Error`.
pub trait ErrorObject {
    fn chain(&self) -> String;
}

macro_rules! trait_objects {
    ($($object:ty)+) => {$(
        impl ErrorObject for $object {
            fn chain(&self) -> String {
                chain(self)
            }
        }
    )+};
}

trait_objects! {
    dyn std::error::Error
    dyn std::error::Error + Send
    dyn std::error::Error + Send + Sync
}

always_valid!(AuthoredError<E> StdError<E> PointerToError<E> DisplayError<E>);

/// With the key `expose_errors` the model reads the error; without it the error is masked.
fn exposed_or_masked(error: &dyn Display, chain: String, expose: bool) -> ToolError {
    if expose { ToolError::new(error.to_string()).with_developer_message(chain) } else { ToolError::masked(chain) }
}

impl<E: IntoToolError> FailureCodec for AuthoredError<E> {
    type Error = E;

    fn error(self, error: E, _: bool) -> ToolError {
        error.into_tool_error()
    }
}

impl<E: std::error::Error> FailureCodec for StdError<E> {
    type Error = E;

    fn masked_type(self) -> Option<&'static str> {
        Some(type_name::<E>())
    }

    fn error(self, error: E, expose: bool) -> ToolError {
        exposed_or_masked(&error, chain(&error), expose)
    }
}

impl<E> FailureCodec for PointerToError<E>
where
    E: Display + Deref,
    E::Target: ErrorObject,
{
    type Error = E;

    fn error(self, error: E, expose: bool) -> ToolError {
        exposed_or_masked(&error, error.chain(), expose)
    }
}

impl<E: Display> FailureCodec for DisplayError<E> {
    type Error = E;

    fn error(self, error: E, expose: bool) -> ToolError {
        exposed_or_masked(&error, error.to_string(), expose)
    }
}

impl<E> UnsupportedError<E> {
    pub fn check(self) -> Self
    where
        E: ErrorOfTool,
    {
        self
    }
}

// Never used: `check` does not compile.
impl<E> FailureCodec for UnsupportedError<E> {
    type Error = E;

    fn error(self, _: E, _: bool) -> ToolError {
        ToolError::masked(String::new())
    }
}
