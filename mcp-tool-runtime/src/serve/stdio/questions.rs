//! Asks the client questions while its calls wait, in protocol versions before 2026-07-28 (feature `ask`).
//!
//! A question is a request from the server, with its own id. The session routes the responses back to the questions.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::backlog::Outbox;
use crate::ask::session::AttachedAsker;
use crate::ask::{Asker, BoundedAsker, ClientInfo, Question, Reply, admits_forms};
use crate::call::lock;
use crate::json::reader;
use crate::{BoxFuture, ProtocolVersion};

/// The questions that a client has not answered yet.
#[derive(Default)]
pub(super) struct Questions {
    last_id: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The senders of the replies to the open questions, by the JSON text of their ids.
    waiting: HashMap<String, oneshot::Sender<Reply>>,
    /// `true` once the server reads no more input, so that no response will arrive.
    is_closed: bool,
}

impl Questions {
    /// Passes a response on to its question. A response is ignored if no question with its id is open.
    pub(super) fn answer(&self, id: Option<&str>, result: Option<&str>) {
        let sender = id.and_then(|id| lock(&self.state).waiting.remove(id));
        if let Some(sender) = sender {
            // Fails only if the call has been cancelled.
            let _ = sender.send(result.map_or(Reply::Unavailable, read));
        }
    }

    /// Withdraws all questions, because no answer will be read any more.
    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.is_closed = true;
        state.waiting.clear();
    }
}

/// Reads the result of `elicitation/create`. A response that breaks the protocol counts as no answer.
fn read(result: &str) -> Reply {
    // `read_text` refuses a key that appears twice: nobody knows which value the user meant.
    let Ok(document) = reader::read_text(result) else { return Reply::Unavailable };
    let result = document.root().to_value();
    match result["action"].as_str() {
        // Treat content other than an object as missing.
        Some("accept") => {
            Reply::Accept(result.get("content").filter(|content| content.is_object()).cloned().unwrap_or_default())
        }
        Some("decline") => Reply::Decline,
        Some("cancel") => Reply::Cancel,
        _ => Reply::Unavailable,
    }
}

/// An asker that sends questions to the client of a session.
struct SessionAsker {
    questions: Arc<Questions>,
    outbox: Outbox,
    version: ProtocolVersion,
}

/// Creates the asker for a client, if the client shows forms. `capabilities` and `client` come from its `initialize`.
pub(super) fn asker(
    questions: &Arc<Questions>,
    outbox: &Outbox,
    version: ProtocolVersion,
    capabilities: &Value,
    client: &Value,
) -> Option<AttachedAsker> {
    if !admits_forms(capabilities) {
        return None;
    }
    let asker = SessionAsker { questions: Arc::clone(questions), outbox: outbox.clone(), version };
    Some(AttachedAsker { asker: Arc::new(BoundedAsker::new(asker)), client: ClientInfo::read(client).map(Arc::new) })
}

impl Asker for SessionAsker {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            let Some(params) = question.params(self.version) else { return Reply::Unavailable };
            let id = format!("question-{}", 1 + self.questions.last_id.fetch_add(1, Ordering::Relaxed));
            let (answer, reply) = oneshot::channel();
            {
                let mut state = lock(&self.questions.state);
                if state.is_closed {
                    return Reply::Cancel;
                }
                state.waiting.insert(Value::from(&*id).to_string(), answer);
            }
            let mut unanswered = Unanswered { asker: self, id };
            let request =
                json!({ "jsonrpc": "2.0", "id": unanswered.id, "method": "elicitation/create", "params": params });
            self.outbox.send(request.to_string().into_bytes());
            let Ok(reply) = reply.await else { return Reply::Cancel };
            unanswered.id.clear();
            reply
        })
    }
}

/// A question that the client has not answered. If it is dropped because the call ends or the server reads no more
/// input, the drop cancels the request that asks the question. Once the answer has come, `id` is empty, and the drop
/// does nothing.
struct Unanswered<'a> {
    asker: &'a SessionAsker,
    id: String,
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if self.id.is_empty() {
            return;
        }
        lock(&self.asker.questions.state).waiting.remove(&Value::from(&*self.id).to_string());
        let params = json!({ "requestId": self.id, "reason": "the call has ended" });
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        self.asker.outbox.send(cancelled.to_string().into_bytes());
    }
}
