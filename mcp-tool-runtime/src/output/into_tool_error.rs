//! The trait of errors that a model may read.

use crate::ToolError;

/// Converts an error whose text is written for a model.
///
/// [`ToolError`], `String`, `&'static str` and types with `#[derive(IntoToolError)]` implement this trait. A tool may also
/// return any other error that implements [`Display`](std::fmt::Display), but such an error is masked, because its text was not
/// written for a model.
///
/// ```
/// use mcp_tool_runtime::{IntoToolError, ToolError};
///
/// struct Closed {
///     until: u8,
/// }
///
/// impl IntoToolError for Closed {
///     fn into_tool_error(self) -> ToolError {
///         ToolError::new(format!("the shop is closed until {} o'clock", self.until)).with_can_retry(true)
///     }
/// }
///
/// assert!(Closed { until: 9 }.into_tool_error().can_retry());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "a model would have nothing to read",
    note = "help: derive `mcp_tool_runtime::IntoToolError` for it"
)]
pub trait IntoToolError {
    /// Converts the error into a [`ToolError`].
    fn into_tool_error(self) -> ToolError;
}

impl IntoToolError for ToolError {
    fn into_tool_error(self) -> ToolError {
        self
    }
}

impl IntoToolError for String {
    fn into_tool_error(self) -> ToolError {
        ToolError::new(self)
    }
}

impl IntoToolError for &str {
    fn into_tool_error(self) -> ToolError {
        ToolError::new(self)
    }
}

impl<E: IntoToolError> IntoToolError for Box<E> {
    fn into_tool_error(self) -> ToolError {
        (*self).into_tool_error()
    }
}
