//! An asker for tests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Asker, Question, Reply};
use crate::BoxFuture;

/// An asker with prepared replies, for tests.
///
/// Each reply is for one key, and is used once. Several replies for one key are used in the order in which they were added, for
/// example an invalid answer and then a valid one. A question without a prepared reply is [`Reply::Unavailable`]. A clone shares the replies.
///
/// Two mistakes are an error of the call, whatever the type of the parameter:
///
/// - An invalid reply without another one after it: the error says which question it was for, and what is wrong with the reply.
/// - A question for a [`Consent`](crate::Consent), or a `sealed` one, that changes after its last reply. Question functions run again
///   after each reply, and a yes counts only for the question that was shown.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{CallToolRequest, Consent, Dispatcher, Reply, Scripted, json, mcp_tool, tools};
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
pub struct Scripted(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    replies: VecDeque<(String, Reply)>,
    asked: Vec<Question>,
}

impl Scripted {
    /// Creates an asker without replies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the reply to the question with this key, which is the name of the parameter.
    #[must_use]
    pub fn reply(self, key: impl Into<String>, reply: Reply) -> Self {
        self.script().replies.push_back((key.into(), reply));
        self
    }

    /// Returns the questions that were asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Question> {
        self.script().asked.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asker for Scripted {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            let mut script = self.script();
            script.asked.push(question.clone());
            let position = script.replies.iter().position(|(key, _)| key == question.key());
            let reply = position.and_then(|position| script.replies.remove(position));
            reply.map_or(Reply::Unavailable, |(_, reply)| reply)
        })
    }

    fn is_scripted(&self) -> bool {
        true
    }
}
