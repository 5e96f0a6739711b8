//! Asks the questions of a call while it waits: one, then all question functions run again, until no question is open.

use std::collections::BTreeMap;

use serde_json::Value;

use super::asking::{CHANGING, too_many_rounds, with_problem};
use super::responses::EMPTY_FORM;
use super::session::{InPlace, MAX_ROUNDS};
use super::{Answer, CompiledQuestion, Question, Reply};
use crate::{CallContext, ToolError, log};

/// The last reply to each question.
#[derive(Default)]
pub(super) struct Replies(BTreeMap<&'static str, Replied>);

struct Replied {
    shown: Question,
    reply: Reply,
    /// How often the question was asked.
    times: u32,
    /// What was wrong with the reply before this one.
    last_problem: Option<Problem>,
    /// The outcome of this reply is recorded in the span.
    is_traced: bool,
}

/// Why a reply does not count.
#[derive(Clone)]
enum Problem {
    Invalid(String),
    /// The question must be the one that was shown, and it is not.
    Changed,
}

/// What the replies say about a question.
pub(super) enum Lookup<A> {
    Answered(Answer<A>),
    /// The user must be asked, with what was wrong with the last reply.
    Open(Option<String>),
}

impl Replies {
    /// Finds the answer to a question.
    ///
    /// # Errors
    ///
    /// If the user was asked too often, or a scripted user has no valid reply.
    pub(super) fn find<A>(
        &mut self,
        question: &Question,
        compiled: &CompiledQuestion,
        is_scripted: bool,
        mut read: impl FnMut(&Value) -> Result<Answer<A>, String>,
    ) -> Result<Lookup<A>, ToolError> {
        let Some(replied) = self.0.get_mut(question.key) else { return Ok(Lookup::Open(None)) };
        let is_shown = replied.shown.message == question.message && replied.shown.schema() == question.schema();
        let is_changed = compiled.spec.is_sealed && !is_shown;
        let found = match &replied.reply {
            Reply::Accept(_) if is_changed => Err(Problem::Changed),
            Reply::Accept(content) if content.is_null() => Err(Problem::Invalid(EMPTY_FORM.to_owned())),
            Reply::Accept(content) => read(content).map_err(Problem::Invalid),
            Reply::Decline => Ok(Answer::Declined),
            Reply::Cancel => Ok(Answer::Cancelled),
            Reply::Unavailable => match &replied.last_problem {
                Some(problem) if is_scripted => return Err(invalid_script(question, problem)),
                _ => Ok(Answer::Unavailable),
            },
        };
        let outcome = match &found {
            Ok(answer) => answer.outcome(),
            Err(Problem::Invalid(_)) => "invalid",
            Err(Problem::Changed) => "unasked",
        };
        if found.is_err() || !replied.is_traced {
            log::question(question.key, outcome);
            replied.is_traced = true;
        }
        let problem = match found {
            Ok(answer) => return Ok(Lookup::Answered(answer)),
            Err(problem) => problem,
        };
        let is_last = replied.times >= MAX_ROUNDS;
        replied.last_problem = Some(problem.clone());
        match problem {
            Problem::Invalid(_) if is_last => Err(too_many_rounds(question)),
            Problem::Changed if is_last => Err(too_many_rounds(question).with_developer_message(CHANGING)),
            Problem::Invalid(problem) => Ok(Lookup::Open(Some(problem))),
            Problem::Changed => Ok(Lookup::Open(None)),
        }
    }

    /// Asks a question, and keeps the reply.
    pub(super) async fn ask(
        &mut self,
        cx: &CallContext,
        in_place: &InPlace,
        question: Question,
        problem: Option<&str>,
    ) {
        log::question(question.key, "asked");
        let (key, shown) = (question.key, question.clone());
        let question = with_problem(question, problem);
        let reply = in_place.waiting.pause(cx, reply(in_place, &question)).await;
        let before = self.0.remove(key);
        let times = before.as_ref().map_or(0, |before| before.times) + 1;
        let last_problem = before.and_then(|before| before.last_problem);
        self.0.insert(key, Replied { shown, reply, times, last_problem, is_traced: false });
    }
}

/// The error of a test whose user has no valid reply.
fn invalid_script(question: &Question, problem: &Problem) -> ToolError {
    let key = question.key;
    match problem {
        Problem::Invalid(problem) => {
            ToolError::new(format!("the last scripted reply to the question `{key}` was not valid: {problem}"))
        }
        Problem::Changed => ToolError::new(format!(
            "the question `{key}` changed after the last scripted reply to it, so the reply does not count"
        ))
        .with_developer_message(CHANGING),
    }
}

#[cfg(feature = "tokio")]
async fn reply(in_place: &InPlace, question: &Question) -> Reply {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    /// How long a user may think about a question in place.
    const MAX_WAIT: std::time::Duration = std::time::Duration::from_secs(600);
    // Without a runtime of tokio, the asker alone decides how long it waits.
    let reply = in_place.asker.ask(question);
    if tokio::runtime::Handle::try_current().is_err() {
        return reply.await;
    }
    // In a runtime without a timer, `timeout` panics.
    let mut reply = Some(reply);
    let timed = catch_unwind(AssertUnwindSafe(|| reply.take().map(|reply| tokio::time::timeout(MAX_WAIT, reply))));
    match (timed, reply) {
        (Ok(Some(timed)), _) => timed.await.unwrap_or(Reply::Unavailable),
        (_, Some(reply)) => reply.await,
        (..) => in_place.asker.ask(question).await,
    }
}

#[cfg(not(feature = "tokio"))]
async fn reply(in_place: &InPlace, question: &Question) -> Reply {
    in_place.asker.ask(question).await
}
