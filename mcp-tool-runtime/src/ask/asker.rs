//! Answers questions while the call waits: the trait that a client on the same connection, a test or a command line implements.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Question;
use crate::BoxFuture;

/// Answers the questions of a tool while the call waits.
///
/// Attach one to a request with [`CallToolRequest::with_asker`](crate::CallToolRequest::with_asker), for a command line or
/// an agent that knows its user. Tests use [`Scripted`](crate::Scripted). The servers of this crate attach one that asks
/// the client.
///
/// If the future is dropped, the answer is no longer needed.
///
/// ```
/// use mcp_tool_runtime::{Asker, BoxFuture, Question, Reply};
///
/// /// Agrees to everything.
/// struct Yes;
///
/// impl Asker for Yes {
///     fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
///         println!("{}", question.message());
///         Box::pin(async { Reply::yes() })
///     }
/// }
/// ```
pub trait Asker: Send + Sync + 'static {
    /// Asks one question, and waits for the reply.
    ///
    /// If the reply does not match the [schema](Question::schema), the question is asked again, with a message that says what was
    /// wrong.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply>;

    /// Returns `true` for [`Scripted`](crate::Scripted): the call then reports mistakes of a test and of the tool, which a user
    /// could not do anything about.
    #[doc(hidden)]
    fn is_scripted(&self) -> bool {
        false
    }
}

impl<T: Asker + ?Sized> Asker for Arc<T> {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        (**self).ask(question)
    }

    fn is_scripted(&self) -> bool {
        (**self).is_scripted()
    }
}

/// The reply to a question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// The user filled in the form: an object with the properties of the question's schema. If the form has one property,
    /// its value alone is enough.
    Accept(Value),
    /// The user said no.
    Decline,
    /// The user closed the form without an answer.
    Cancel,
    /// Nobody could be asked.
    Unavailable,
}

impl Reply {
    /// Creates the reply of a user who filled in the form.
    ///
    /// ```
    /// use mcp_tool_runtime::{Reply, json};
    ///
    /// let reply = Reply::accept(json!({"name": "Ann", "seats": 2}));
    /// # let _ = reply;
    /// ```
    #[must_use]
    pub fn accept(content: impl Into<Value>) -> Self {
        Self::Accept(content.into())
    }

    /// Creates the reply of a user who consents.
    #[must_use]
    pub fn yes() -> Self {
        Self::Accept(json!({ "confirm": true }))
    }
}
