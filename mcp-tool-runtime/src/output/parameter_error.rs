//! An invalid argument.

use serde::Serializer;

/// An invalid argument: its path and what is wrong with it. See
/// [`ToolError::errors`](crate::ToolError::errors).
///
/// ```
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
///
/// /// Sum numbers.
/// #[mcp_tool]
/// async fn sum(numbers: Vec<i64>) -> i64 {
///     numbers.iter().sum()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dispatcher = Dispatcher::builder().tools(tools![sum]).build()?;
/// let response = dispatcher.call(CallToolRequest::new("sum", json!({"numbers": [1, "2"]}))).await?;
/// let error = response.error().expect("a string is not a number");
/// let [wrong] = error.errors() else { panic!("one argument is wrong") };
/// assert_eq!((wrong.parameter(), wrong.pointer()), ("numbers[1]", "/numbers/1"));
/// assert_eq!(wrong.message(), "expected an integer, got a string");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterError {
    pub(crate) parameter: String,
    /// The same path as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl ParameterError {
    /// Returns the path of the argument, such as `filter.tags[0]`.
    #[must_use]
    pub fn parameter(&self) -> &str {
        &self.parameter
    }

    /// Returns the path of the argument as a JSON pointer, such as `/filter/tags/0`.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns a message that says what was expected and which type was sent. It never contains the value.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Serializes `parameter_errors`: a map from parameters to messages.
pub(crate) fn serialize_as_map<S: Serializer>(errors: &[ParameterError], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(errors.iter().map(|error| (&error.parameter, &error.message)))
}
