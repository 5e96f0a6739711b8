//! The errors of questions without an answer.

use crate::ToolError;

/// The reasons for which a tool does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    Declined,
    Cancelled,
    Unavailable,
}

impl NoAnswer {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
        }
    }

    /// Returns the error of a tool that needs the answer to this question.
    pub(super) fn error(self, question: &str) -> ToolError {
        let message = match self {
            Self::Declined => format!("the user declined: {question}"),
            Self::Cancelled => format!("the user closed the question without an answer: {question}"),
            Self::Unavailable => {
                format!("this needs an answer from the user, and this client cannot ask: {question}")
            }
        };
        ToolError::new(message).with_code(self.code())
    }
}

/// The error of a call that needs answers, where no client can be asked.
pub(crate) fn unavailable(required: &super::InputRequired) -> ToolError {
    NoAnswer::Unavailable.error(required.questions().first().map_or("", |question| question.message()))
}
