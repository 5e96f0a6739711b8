//! Finds the codec of an error by what its type implements, and defines the traits that the type must implement.

use std::borrow::Cow;

use super::{Deref, Display, Duration, Failure, IntoToolError, ToolError, type_name};
use crate::output::error::chain;

/// Converts the error that a tool returned into a [`ToolError`].
pub trait FailureCodec: Copy + Send {
    type Error;

    fn masked_type(self) -> Option<&'static str> {
        None
    }

    fn error(self, error: Self::Error, expose: bool) -> ToolError;
}

/// A type that can be the error of a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "a model would have nothing to read",
    note = "help: derive `mcp_tool_runtime::IntoToolError` for it, or implement `std::fmt::Display` (its text is then masked)"
)]
pub trait ErrorOfTool {}

#[diagnostic::do_not_recommend]
impl<E: IntoToolError> ErrorOfTool for E {}

/// A type whose `Display` text is the message for a model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no message for a model",
    label = "does not implement `Display`",
    note = "help: derive `thiserror::Error` for it, or implement `std::fmt::Display`"
)]
pub trait DisplayedError {
    fn displayed(&self) -> String;
}

#[diagnostic::do_not_recommend]
impl<E: Display> DisplayedError for E {
    fn displayed(&self) -> String {
        self.to_string()
    }
}

/// Creates the masked error for a variant with the key `internal`.
pub fn masked(message: String) -> ToolError {
    ToolError::masked(message)
}

/// The value of the key `retry_after_ms`: a `Duration`, or milliseconds as an integer of up to 64 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of milliseconds",
    label = "neither an integer nor a `Duration`",
    note = "help: write a number, as in `retry_after_ms = 5000`"
)]
pub trait Milliseconds {
    fn milliseconds(self) -> u64;
}

macro_rules! milliseconds {
    ($($integer:ty)+) => {$(
        impl Milliseconds for $integer {
            /// A negative number counts as zero.
            fn milliseconds(self) -> u64 {
                u64::try_from(self).unwrap_or(0)
            }
        }
    )+};
}

milliseconds!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Milliseconds for Duration {
    fn milliseconds(self) -> u64 {
        u64::try_from(self.as_millis()).unwrap_or(u64::MAX)
    }
}

/// The value of the key `code`: a string, or an integer such as the status code of another service.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the code of an error",
    label = "neither a text nor an integer",
    note = "help: write a text, as in `code = \"NOT_FOUND\"`"
)]
pub trait ErrorCode {
    fn code(&self) -> String;
}

macro_rules! error_code {
    ($($code:ty)+) => {$(
        impl ErrorCode for $code {
            fn code(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

error_code!(str &str String Cow<'_, str> u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

type_markers! {
    /// A type that implements `IntoToolError`.
    AuthoredError<E>
    /// A type that implements `std::error::Error`.
    StdError<E>
    /// A pointer to an error, such as `anyhow::Error` or `Box<dyn Error>`. The pointer itself does not implement
    /// `Error`.
    PointerToError<E>
    /// A type that implements `Display`, if none of the markers above fits it.
    DisplayError<E>
    /// A type that cannot be the error of a tool.
    UnsupportedError<E>
}

probes! {
    __mcp_tool_error:
    ProbeIntoToolError<E> -> AuthoredError<E>
    ProbeStdError<E> -> StdError<E>
    ProbePointerToError<E> -> PointerToError<E>
    ProbeDisplayError<E> -> DisplayError<E>
    ProbeUnsupportedError<E> -> UnsupportedError<E>
}

impl<E: IntoToolError> ProbeIntoToolError<E> for &&&&Failure<E> {}
impl<E: std::error::Error> ProbeStdError<E> for &&&Failure<E> {}

impl<E> ProbePointerToError<E> for &&Failure<E>
where
    E: Display + Deref,
    E::Target: ErrorObject,
{
}

impl<E: Display> ProbeDisplayError<E> for &Failure<E> {}
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

/// If the tool has the key `expose_errors`, returns an error whose message the model sees. Otherwise, returns a masked
/// error.
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

// Never runs, because generated code first calls `check`, and that call does not compile.
impl<E> FailureCodec for UnsupportedError<E> {
    type Error = E;

    fn error(self, _: E, _: bool) -> ToolError {
        ToolError::masked(String::new())
    }
}
