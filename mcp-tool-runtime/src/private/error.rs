//! The traits that an error type must implement, for tools and for `#[derive(IntoToolError)]`.

use std::borrow::Cow;

use super::{Display, Duration, IntoToolError, ToolError};

/// A type that can be the error of a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "a model would have nothing to read",
    note = "help: derive `mcp_tool_runtime::IntoToolError` for it, or implement `std::fmt::Display` (its text is then masked)"
)]
pub trait ErrorOfTool {}

#[diagnostic::do_not_recommend]
impl<E: IntoToolError> ErrorOfTool for E {}

/// A type whose `Display` is the message for a model.
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

/// Creates the masked error of a variant that is `internal`.
pub fn masked(message: String) -> ToolError {
    ToolError::masked(message)
}

/// The value of `retry_after_ms`: a duration, or a number of milliseconds of any integer type.
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

/// The value of `code`: a text, or an integer such as the status of another service.
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
