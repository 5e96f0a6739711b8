//! `Asker` answers questions while the call waits. `Scripted` is an asker for tests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::Question;
use crate::{BoxFuture, call::lock};

/// Answers the questions of a tool while the call waits.
///
/// Attach one to a request with [`CallToolRequest::with_asker`](crate::CallToolRequest::with_asker), for a command line
/// or an agent that knows its user. Tests use [`Scripted`](crate::ask::Scripted). The servers of this crate attach an
/// asker that asks the client.
///
/// Calls that run at the same time ask at the same time. If your user sees only one question at a time, hold a lock
/// until the reply arrives, as this example does. Otherwise, the reply may go to a question that is not on the screen.
///
/// If the future of [`ask`](Asker::ask) is dropped, the answer is no longer needed.
///
/// ```
/// use mcp_tool_runtime::{BoxFuture, ask::{Asker, Question, Reply}};
///
/// /// Asks for consent on the terminal.
/// #[derive(Default)]
/// struct Terminal(tokio::sync::Mutex<()>);
///
/// impl Asker for Terminal {
///     fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
///         Box::pin(async move {
///             let _screen = self.0.lock().await;
///             println!("{} [y/N]", question.message());
///             let line = tokio::task::spawn_blocking(|| std::io::stdin().lines().next()).await;
///             match line {
///                 Ok(Some(Ok(line))) if line == "y" => Reply::yes(),
///                 _ => Reply::Decline,
///             }
///         })
///     }
/// }
/// ```
pub trait Asker: Send + Sync + 'static {
    /// Asks one question, and waits for the reply.
    ///
    /// If the reply does not match the [schema](Question::schema), the question is asked again, with a message that
    /// says what was wrong.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply>;
}

impl<T: Asker + ?Sized> Asker for Arc<T> {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        (**self).ask(question)
    }
}

/// The reply to a question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub enum Reply {
    /// The user filled in the form. The value is an object with the properties of the question's schema. If the form
    /// has one property, the value of that property alone is enough.
    Accept(Value),
    /// The user said no.
    Decline,
    /// The user closed the form without an answer.
    Cancel,
    /// Nobody could be asked, or nobody answered in time.
    Unavailable,
}

impl Reply {
    /// Creates the reply of a user who filled in the form.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, ask::Reply};
    ///
    /// let reply = Reply::accept(json!({"name": "Ann", "seats": 2}));
    /// # let _ = reply;
    /// ```
    pub fn accept(content: impl Into<Value>) -> Self {
        Self::Accept(content.into())
    }

    /// Creates the reply of a user who consents.
    pub fn yes() -> Self {
        Self::Accept(json!({ "confirm": true }))
    }
}

/// The maximum number of questions that are open at once. The reply to any further question is [`Reply::Unavailable`],
/// because nobody reads that many.
const MAX_OPEN: usize = 500;

pub(crate) struct BoundedAsker<A> {
    asker: A,
    open: AtomicUsize,
}

impl<A> BoundedAsker<A> {
    pub(crate) fn new(asker: A) -> Self {
        Self { asker, open: AtomicUsize::new(0) }
    }
}

impl<A: Asker> Asker for BoundedAsker<A> {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        /// Subtracts one from the number of open questions when it is dropped.
        struct Open<'a>(&'a AtomicUsize);
        impl Drop for Open<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::AcqRel);
            }
        }
        Box::pin(async {
            let before = self.open.fetch_add(1, Ordering::AcqRel);
            let _open = Open(&self.open);
            if before < MAX_OPEN { self.asker.ask(question).await } else { Reply::Unavailable }
        })
    }
}

/// An asker with prepared replies, for tests.
///
/// Each reply is for one key, and is used once. Several replies for one key are used in the order in which they were
/// added, for example an invalid answer and then a valid one. A question without a prepared reply is
/// [`Reply::Unavailable`]. A clone shares the replies.
///
/// Two mistakes make the call fail, whatever the type of the parameter:
///
/// - An invalid reply without another reply after it: the error says which question the reply was for, and what is
///   wrong with it.
/// - A question that asks for [`Consent`](crate::Consent), or a `sealed` question, that changes after its last reply.
///   Question functions run again after each reply, and a yes counts only for the question that was shown.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{CallToolRequest, Consent, Dispatcher, json, mcp_tool, tools, ask::{Reply, Scripted}};
///
/// /// Delete a note for good.
/// #[mcp_tool]
/// async fn delete_note(id: u32, #[mcp_tool(ask = "Delete note {id} for good?")] _sure: Consent) -> String {
///     format!("note {id} is deleted")
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![delete_note]).build()?;
/// let user = Scripted::new().reply("sure", Reply::yes()).reply("sure", Reply::Decline);
///
/// let request = CallToolRequest::new("delete_note", json!({"id": 7})).with_asker(user.clone());
/// assert_eq!(dispatcher.call(request).await?.deserialize::<String>()?, "note 7 is deleted");
///
/// let request = CallToolRequest::new("delete_note", json!({"id": 8})).with_asker(user.clone());
/// let response = dispatcher.call(request).await?;
/// assert_eq!(response.error().unwrap().message(), "the user declined: Delete note 8 for good?");
///
/// assert_eq!(user.asked()[0].message(), "Delete note 7 for good?");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Scripted(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    replies: VecDeque<(String, Reply)>,
    asked: Vec<Question>,
}

impl Scripted {
    /// Creates an asker without replies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the reply to the question with this key, which is the name of the parameter.
    pub fn reply(self, key: impl Into<String>, reply: Reply) -> Self {
        lock(&self.0).replies.push_back((key.into(), reply));
        self
    }

    /// Returns the questions that have been asked so far.
    pub fn asked(&self) -> Vec<Question> {
        lock(&self.0).asked.clone()
    }
}

impl Asker for Scripted {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            let mut script = lock(&self.0);
            script.asked.push(question.clone());
            let position = script.replies.iter().position(|(key, _)| key == question.key());
            let reply = position.and_then(|position| script.replies.remove(position));
            reply.map_or(Reply::Unavailable, |(_, reply)| reply)
        })
    }
}
