//! The kinds of errors, the errors of single arguments, and the trait for errors whose text is written for a model.

use std::time::Duration;

use serde::Serializer;

use crate::ToolError;

/// The kind of a [`ToolError`]. [`ToolError::for_caller`] adds the tool's name to the messages of `Masked`, `Panicked`,
/// `InvalidResult` and `TooLarge`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ToolErrorKind {
    /// An error of no other kind, usually one that the tool's author created.
    #[default]
    Author,
    /// The arguments are invalid. If there are no parameter errors, the arguments as a whole are wrong.
    Arguments,
    /// An internal error of the tool. A model does not see its text.
    Masked,
    /// The tool panicked. A model reads the same text as for a `Masked` error.
    Panicked,
    /// The tool's result cannot be sent.
    InvalidResult,
    /// The tool's result has this many bytes, which is more than the dispatcher sends.
    TooLarge(usize),
    /// The tool's result has this many bytes, and more tokens than its budget allows.
    OverBudget(usize),
    /// A rule refuses the call.
    Refused,
    /// The caller has made too many calls, or there are too many tasks.
    Limited,
    /// The server did not attach an extension that the tool needs. This is an error of the server, not of the tool.
    MissingExtension(&'static str),
    /// The client cannot show the form of a question.
    MissingCapability,
    /// A `Masked`, `Panicked`, `InvalidResult` or `TooLarge` error after [`ToolError::for_caller`].
    ServerError,
    TimedOut,
    /// The timeout expired before the tool could start.
    Late,
}

impl ToolError {
    pub(crate) fn kind(&self) -> ToolErrorKind {
        self.0.kind
    }

    /// Creates the error of a result that cannot be sent. `problem` says what is wrong and where, without repeating the
    /// value.
    pub(crate) fn invalid_result(problem: impl Into<String>) -> Self {
        Self::of(problem.into(), ToolErrorKind::InvalidResult)
    }

    /// Creates the error for a call that a limit on calls or tasks refuses.
    pub(crate) fn limited(text: String, wait: Duration) -> Self {
        Self::of(text, ToolErrorKind::Limited).with_retry_after(wait).with_code("limited")
    }

    /// Sets the kind of an error whose text is already complete.
    pub(crate) fn with_kind(mut self, kind: ToolErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Turns the error into an error about invalid arguments.
    pub(crate) fn with_parameter_errors(mut self, errors: Vec<ParameterError>) -> Self {
        self.0.kind = ToolErrorKind::Arguments;
        self.0.parameter_errors = errors;
        self
    }

    /// Renames a parameter in the parameter errors and in the message. Each name is passed twice: as written in a path,
    /// and as written in a pointer.
    pub(crate) fn with_renamed_parameter(mut self, from: [&str; 2], to: [&str; 2]) -> Self {
        let mut renamed = Vec::new();
        for error in &mut self.0.parameter_errors {
            let Some(rest) = error.pointer.strip_prefix('/').and_then(|pointer| pointer.strip_prefix(from[1])) else {
                continue;
            };
            if rest.is_empty() || rest.starts_with('/') {
                error.pointer = format!("/{}{rest}", to[1]);
                let path = error.parameter.strip_prefix(from[0]).map(|rest| format!("{}{rest}", to[0]));
                let path = path.unwrap_or_else(|| error.parameter.clone());
                renamed.push((std::mem::replace(&mut error.parameter, path.clone()), path));
            }
        }
        // In the message, each error begins a line, possibly after the prefix `- ` or `invalid arguments: `.
        let lines = self.0.message.split_inclusive('\n').map(|line| {
            let start =
                ["- ", "invalid arguments: "].into_iter().find(|start| line.starts_with(start)).unwrap_or_default();
            let rest = &line[start.len()..];
            let found = renamed.iter().find_map(|(from, to)| Some((to, rest.strip_prefix(&**from)?)));
            match found.filter(|(_, rest)| rest.starts_with(": ")) {
                Some((to, rest)) => format!("{start}{to}{rest}"),
                None => line.to_owned(),
            }
        });
        self.0.message = lines.collect();
        self
    }

    pub(crate) fn has_invalid_arguments(&self) -> bool {
        self.0.kind == ToolErrorKind::Arguments
    }

    pub(crate) fn for_missing_extension(type_name: &'static str) -> Self {
        let text = format!(
            "no extension of type `{type_name}` is attached to the request: over HTTP, a layer in front inserts it into the extensions of the \
             request; elsewhere, the server attaches it with `with_extension`"
        );
        Self::of("the request lacks an extension".to_owned(), ToolErrorKind::MissingExtension(type_name))
            .with_developer_message(text)
    }

    /// Returns the name of the extension's type, if the error is about a missing extension.
    pub(crate) fn missing_extension(&self) -> Option<&'static str> {
        match self.0.kind {
            ToolErrorKind::MissingExtension(type_name) => Some(type_name),
            _ => None,
        }
    }

    /// Returns `true` if the server or the tool's code is at fault: the error is masked, or is about a panic, a missing
    /// extension, or a result that is invalid or too large. Call this before [`for_caller`](Self::for_caller), which
    /// changes the kind.
    pub(crate) fn is_internal(&self) -> bool {
        use ToolErrorKind::{InvalidResult, Masked, MissingExtension, Panicked, TooLarge};
        matches!(self.0.kind, Masked | Panicked | InvalidResult | TooLarge(_) | MissingExtension(_))
    }

    /// Completes the error for the caller. The message of a masked error or a panic becomes a text with the tool's name
    /// and the call id. The message about a result that is invalid or too large gets the tool's name. Kinds that only
    /// the dispatcher needs become `Author`.
    pub(crate) fn for_caller(mut self, tool: &str, call_id: &str) -> Self {
        self.0.kind = match self.0.kind {
            ToolErrorKind::Arguments
            | ToolErrorKind::ServerError
            | ToolErrorKind::TimedOut
            | ToolErrorKind::Limited => return self,
            ToolErrorKind::Author
            | ToolErrorKind::OverBudget(_)
            | ToolErrorKind::Refused
            | ToolErrorKind::MissingExtension(_)
            | ToolErrorKind::MissingCapability
            | ToolErrorKind::Late => ToolErrorKind::Author,
            ToolErrorKind::Masked | ToolErrorKind::Panicked => {
                self.0.message = format!("internal error in tool `{tool}` (call_id {call_id})");
                ToolErrorKind::ServerError
            }
            ToolErrorKind::InvalidResult | ToolErrorKind::TooLarge(_) => {
                self.0.message = format!("tool `{tool}` produced an invalid result: {}", self.0.message);
                ToolErrorKind::ServerError
            }
        };
        self
    }

    /// Marks the error as that of an earlier, identical call of a tool with `once`.
    #[cfg(feature = "tasks")]
    pub(crate) fn replayed(mut self) -> Self {
        self.0.is_replayed = true;
        self
    }

    pub(crate) fn is_replayed(&self) -> bool {
        self.0.is_replayed
    }
}

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
    /// The path `parameter` as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl ParameterError {
    /// Returns the path of the argument, such as `filter.tags[0]`.
    pub fn parameter(&self) -> &str {
        &self.parameter
    }

    /// Returns the path of the argument as a JSON pointer, such as `/filter/tags/0`.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns a message that says what is wrong with the argument. It never contains the value that was sent.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Serializes `parameter_errors` as a map from the path of each parameter to the message about it.
pub(crate) fn serialize_as_map<S: Serializer>(errors: &[ParameterError], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(errors.iter().map(|error| (&error.parameter, &error.message)))
}

/// The code of an error after which nobody knows what the tool has done.
pub(crate) const OUTCOME_UNKNOWN: &str = "outcome_unknown";

/// The code of the error if a tool with `once` has done its work, but its result is invalid, too large or over its
/// budget, or could not be stored in time.
#[cfg(feature = "tasks")]
pub(crate) const RESULT_LOST: &str = "result_lost";

/// Writes a time to wait in whole units, rounded up, because a caller that waits any less would be refused again.
pub(crate) fn wait_text(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..600_000 => format!("{} s", milliseconds.div_ceil(1_000)),
        600_000..36_000_000 => format!("{} min", milliseconds.div_ceil(60_000)),
        _ => format!("{} h", milliseconds.div_ceil(3_600_000)),
    }
}

/// Converts an error whose text is written for a model into a [`ToolError`].
///
/// [`ToolError`], `String`, `&'static str` and types with `#[derive(IntoToolError)]` implement this trait. A tool may
/// also return any other error that implements [`Display`](std::fmt::Display), but such an error is masked, because its
/// text was not written for a model.
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
