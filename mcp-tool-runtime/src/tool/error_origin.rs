//! Where an error comes from, and the errors that this crate creates itself.

use serde::{Serialize, Serializer};

use crate::otc::{ParameterError, Parameters};
use crate::{CallId, ToolError};

/// The kind of error. The dispatcher adds the tool's name to the messages of `Masked` and `InvalidResult`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    Author,
    /// The arguments are invalid: these parameters, or, if the list is empty, the arguments as a whole.
    Arguments(Box<[ParameterError]>),
    Masked,
    InvalidResult,
    /// The server did not attach an extension that the tool needs. This is an error of the server, not of the tool.
    MissingExtension(&'static str),
    /// The client cannot show the form of a question.
    #[cfg(feature = "ask")]
    MissingCapability,
    /// A fault of the server, with its final message.
    #[cfg(feature = "http")]
    Internal,
    #[cfg(feature = "http")]
    TimedOut,
    /// The time was over before the tool could start.
    Late,
}

impl Origin {
    pub(super) fn names_no_parameters(&self) -> bool {
        !matches!(self, Self::Arguments(errors) if !errors.is_empty())
    }
}

/// Serializes only the errors of parameters. The rest is internal.
impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Arguments(errors) => Parameters(errors).serialize(serializer),
            _ => serializer.serialize_none(),
        }
    }
}

impl ToolError {
    /// Creates the error of a result that cannot be sent. The message says where it is wrong and how, never the value.
    pub(crate) fn invalid_result(problem: impl Into<String>) -> Self {
        Self::of(problem.into(), Origin::InvalidResult)
    }

    /// Marks the error as an error of invalid arguments.
    pub(crate) fn for_parameters(mut self, errors: Vec<ParameterError>) -> Self {
        self.0.origin = Origin::Arguments(errors.into());
        self
    }

    /// Returns `true` if the arguments are invalid.
    pub(crate) fn has_invalid_arguments(&self) -> bool {
        matches!(self.0.origin, Origin::Arguments(_))
    }

    pub(crate) fn for_missing_extension(type_name: &'static str) -> Self {
        let text = format!("no extension of type `{type_name}` is attached to the request");
        Self::of("the request lacks an extension".to_owned(), Origin::MissingExtension(type_name))
            .with_developer_message(text)
    }

    /// Returns the type of the missing extension.
    pub(crate) fn missing_extension(&self) -> Option<&'static str> {
        match self.0.origin {
            Origin::MissingExtension(type_name) => Some(type_name),
            _ => None,
        }
    }

    #[cfg(feature = "ask")]
    pub(crate) fn for_missing_capability() -> Self {
        Self::of("the client cannot show the form of a question".to_owned(), Origin::MissingCapability)
    }

    #[cfg(feature = "ask")]
    pub(crate) fn is_missing_capability(&self) -> bool {
        matches!(self.0.origin, Origin::MissingCapability)
    }

    /// Returns `true` if the error is a fault of the server: masked, an invalid result, or a missing extension.
    #[cfg(feature = "tracing")]
    pub(crate) fn is_internal(&self) -> bool {
        matches!(self.0.origin, Origin::Masked | Origin::InvalidResult | Origin::MissingExtension(_))
    }

    /// Adds the tool's name and the call id to a message that was created without them.
    pub(crate) fn named(mut self, tool: &str, call_id: &CallId) -> Self {
        #[cfg(feature = "http")]
        let is_internal = matches!(self.0.origin, Origin::Masked | Origin::InvalidResult);
        match self.0.origin {
            Origin::Arguments(_) => return self,
            #[cfg(feature = "http")]
            Origin::Internal | Origin::TimedOut => return self,
            Origin::Author | Origin::MissingExtension(_) | Origin::Late => {}
            #[cfg(feature = "ask")]
            Origin::MissingCapability => {}
            Origin::Masked => self.0.message = format!("internal error in tool `{tool}` (call_id {call_id})"),
            Origin::InvalidResult => {
                self.0.message = format!("tool `{tool}` produced an invalid result: {}", self.0.message);
            }
        }
        self.0.origin = Origin::Author;
        #[cfg(feature = "http")]
        if is_internal {
            self.0.origin = Origin::Internal;
        }
        self
    }

    /// Marks the error as that of a call that timed out.
    #[cfg(feature = "tokio")]
    pub(crate) fn timed_out(text: String) -> Self {
        #[cfg(feature = "http")]
        return Self::of(text, Origin::TimedOut);
        #[cfg(not(feature = "http"))]
        Self::new(text)
    }

    /// Returns the error of a call whose time was over before its tool could start.
    pub(crate) fn late() -> Self {
        Self::of("timed out before the tool could start".to_owned(), Origin::Late)
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn is_late(&self) -> bool {
        matches!(self.0.origin, Origin::Late)
    }

    #[cfg(feature = "http")]
    pub(crate) fn is_timed_out(&self) -> bool {
        matches!(self.0.origin, Origin::TimedOut)
    }

    /// Returns `true` if the error of a response is a fault of the server.
    #[cfg(feature = "http")]
    pub(crate) fn is_of_the_server(&self) -> bool {
        matches!(self.0.origin, Origin::Internal)
    }
}
