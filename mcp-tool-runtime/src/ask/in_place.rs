//! Asks the questions of a call while the call waits. After each reply, all question functions run again, until no
//! question is open. While the user is being asked, the call's timeout is paused, and the call gives up its permit, so
//! that another call can run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::question::{CHANGING, MAX_ROUNDS, too_many_rounds, with_problem};
use super::responses::EMPTY_FORM;
use super::{Answer, Asker, CompiledQuestion, Question, Reply};
use crate::call::lock;
use crate::call::permit::{self, Permit, Semaphore};
use crate::{CallContext, ToolError, arguments, log};

/// What a call needs to ask its questions while it waits: the asker, and the record of the call's pauses.
pub(super) struct InPlace {
    pub(super) asker: Arc<dyn Asker>,
    pub(super) waiting: Waiting,
}

/// The last reply to each question.
#[derive(Default)]
pub(super) struct Replies(HashMap<&'static str, Replied>);

struct Replied {
    shown: Question,
    reply: Reply,
    /// How many times the question has been asked.
    times: u32,
    /// What was wrong with the last reply that did not count, if there was one.
    last_problem: Option<Problem>,
    /// Whether the outcome of this reply is recorded in the span.
    is_traced: bool,
}

/// Why a reply does not count.
#[derive(Clone)]
enum Problem {
    Invalid(String),
    /// The question is sealed, but has changed since it was shown.
    Changed,
}

/// The result of a search for the answer to a question.
pub(super) enum Lookup<A> {
    Answered(Answer<A>),
    /// The user must be asked, and told what was wrong with the last reply, if anything was.
    Open(Option<String>),
}

impl Replies {
    /// Looks for the answer to a question in the last reply to it.
    ///
    /// # Errors
    ///
    /// If the user was asked too many times, or cannot be asked again after an invalid reply.
    pub(super) fn find<A>(
        &mut self,
        question: &Question,
        compiled: &CompiledQuestion,
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
                Some(problem) => return Err(no_valid_reply(question, problem)),
                None => Ok(Answer::Unavailable),
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

/// Returns the error for a question that cannot be asked again after a reply that does not count.
fn no_valid_reply(question: &Question, problem: &Problem) -> ToolError {
    let key = question.key;
    let error = match problem {
        Problem::Invalid(problem) => {
            ToolError::new(format!("the last reply to the question `{key}` was not valid: {problem}"))
        }
        Problem::Changed => ToolError::new(format!(
            "the question `{key}` changed after the last reply to it, so the reply does not count"
        ))
        .with_developer_message(CHANGING),
    };
    error.with_code("invalid_answer")
}

#[cfg(feature = "tokio")]
async fn reply(in_place: &InPlace, question: &Question) -> Reply {
    /// The maximum time that a question asked in place waits for its reply.
    const MAX_WAIT: Duration = Duration::from_secs(600);
    let reply = in_place.asker.ask(question);
    // Outside a tokio runtime, or in one without a timer, only the asker decides how long to wait.
    let has_runtime = tokio::runtime::Handle::try_current().is_ok();
    if has_runtime && crate::call::catch_panic::sleep(MAX_WAIT).is_some() {
        tokio::time::timeout(MAX_WAIT, reply).await.unwrap_or(Reply::Unavailable)
    } else {
        reply.await
    }
}

#[cfg(not(feature = "tokio"))]
async fn reply(in_place: &InPlace, question: &Question) -> Reply {
    in_place.asker.ask(question).await
}

/// The pauses of one call, and the permit that the call holds between them.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<State>);

#[derive(Default)]
struct State {
    /// The current pause, or `None` if the call is not paused. The inner value is the start of the pause. It is `None`
    /// if the call has no deadline and its duration is not measured.
    #[expect(clippy::option_option, reason = "a pause without a start is not the same as no pause")]
    pause: Option<Option<Instant>>,
    /// The total time of the pauses that have ended.
    paused: Duration,
    semaphore: Option<Arc<Semaphore>>,
    permit: Option<Arc<Permit>>,
}

impl Waiting {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }

    /// Holds the call's permit until the returned value is dropped, or a pause releases the permit.
    fn hold(&self, semaphore: &Arc<Semaphore>, permit: Arc<Permit>) -> PausedPermit<'_> {
        let mut state = self.state();
        state.semaphore = Some(Arc::clone(semaphore));
        state.permit = Some(permit);
        PausedPermit(self)
    }

    /// Returns the total time of the pauses that have ended. This time extends the call's timeout, and does not count
    /// towards the call's duration.
    pub(crate) fn paused(&self) -> Duration {
        self.state().paused
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.state().pause.is_some()
    }

    /// Pauses the call while `work` runs. Afterwards, a call that held a permit queues for one again.
    pub(super) async fn pause<T>(&self, cx: &CallContext, work: impl Future<Output = T>) -> T {
        let pausing = {
            let mut state = self.state();
            state.pause = Some(cx.deadline.map(|_| arguments::now()).or_else(|| cx.tool.format.settings.now()));
            state.permit = None;
            Pausing(self)
        };
        let done = work.await;
        drop(pausing);
        let semaphore = self.state().semaphore.clone();
        if let Some(semaphore) = semaphore {
            let permit = cx.call_state().set_permit(permit::acquire(&semaphore).await);
            self.state().permit = Some(permit);
        }
        done
    }
}

/// The current pause. It ends when this value is dropped, even if the whole call is dropped.
struct Pausing<'w>(&'w Waiting);

impl Drop for Pausing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if let Some(since) = state.pause.take().flatten() {
            state.paused += arguments::now().saturating_duration_since(since);
        }
    }
}

/// The permit of a call. Dropping this value releases the permit.
#[expect(dead_code, reason = "the permits are only dropped")]
pub(crate) enum HeldPermit<'c> {
    UntilEnd(Arc<Permit>),
    UntilPause(PausedPermit<'c>),
}

impl<'c> HeldPermit<'c> {
    pub(crate) fn new(cx: &'c CallContext, semaphore: &Arc<Semaphore>, permit: Arc<Permit>) -> Self {
        match cx.waiting() {
            Some(waiting) => Self::UntilPause(waiting.hold(semaphore, permit)),
            None => Self::UntilEnd(permit),
        }
    }
}

/// The permit of a call that may pause. Dropping this value releases the permit, unless a pause has done so.
pub(crate) struct PausedPermit<'w>(&'w Waiting);

impl Drop for PausedPermit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.semaphore = None;
        let permit = state.permit.take();
        drop(state);
        drop(permit);
    }
}
