//! Asks the questions of one call. Generated code calls `Asking::ask` for one question after another, in the order of
//! their dependencies.

#![allow(missing_docs, reason = "generated code alone calls what has no documentation, and it is hidden")]

use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::answer::{Answer, Askable, AskedParameter};
use super::client::FormCapability;
use super::in_place::{Lookup, Replies};
use super::question::{CHANGING, Decision, MAX_ROUNDS, too_many_rounds, with_problem};
use super::session::{Mode, Rounds};
use super::state::{self, Digest, Progress, Recorded, RecordedOutcome};
use super::{Ask, CompiledQuestion, InputRequired, Question};
use crate::output::error_kind::ToolErrorKind;
use crate::{CallContext, Output, ToolError, log};

/// The questions of a call whose tool has not started, and the answers so far.
pub struct Asking<'c> {
    cx: &'c CallContext,
    /// The questions that the client must answer before the tool runs.
    open: Vec<Question>,
    asked: HashMap<String, Digest>,
    answers: HashMap<String, Recorded>,
    /// Whether a sealed question has changed since the last round. If so, the answer to it does not count.
    has_changed: bool,
    /// The replies of an asker that answers in place.
    replies: Replies,
    /// The question for the asker to answer next, and what was wrong with the last reply to it.
    next: Option<(Question, Option<String>)>,
    has_new_reply: bool,
}

impl<'c> Asking<'c> {
    pub fn new(cx: &'c CallContext) -> Self {
        let carried = cx.asking.as_deref().map(|session| session.carried().clone());
        Self {
            cx,
            open: Vec::new(),
            asked: HashMap::new(),
            answers: carried.unwrap_or_default(),
            has_changed: false,
            replies: Replies::default(),
            next: None,
            has_new_reply: false,
        }
    }

    /// Returns the value of the parameter that a question is for, or `None` if the client or the asker must answer the
    /// question first.
    ///
    /// `field` takes the answer out of the struct `W` that the form is read into.
    ///
    /// # Errors
    ///
    /// The error of the call, if the parameter needs an answer and there will be none.
    pub fn ask<P: AskedParameter, W: DeserializeOwned>(
        &mut self,
        index: usize,
        ask: Ask<P::Inner>,
        field: fn(W) -> P::Form,
    ) -> Result<Option<P>, ToolError> {
        let (message, mut choices) = match ask.0 {
            Decision::Known(known) => return Ok(P::from_answer(Answer::Given(known)).ok()),
            Decision::Question(message) => (message, None),
            Decision::Choice { message, choices } if choices.is_empty() => {
                return P::from_answer(Answer::Unavailable).map(Some).map_err(|none| {
                    ToolError::new(format!("there is nothing to choose from: {message}")).with_code(none.outcome())
                });
            }
            Decision::Choice { message, choices } => (message, Some(choices)),
        };
        let cx = self.cx;
        let session = cx.asking.as_deref();
        let Some((session, compiled)) = session.and_then(|session| Some((session, session.questions.get(index)?)))
        else {
            return Err(ToolError::masked("the call has no questions".to_owned()));
        };
        let key = compiled.spec.key;
        let mut form = Arc::clone(&compiled.form);
        let mut form_digest = compiled.form_digest;
        if let Some(choices) = &choices {
            let choice = form.with_choices(key, choices);
            form = Arc::new(choice.ok_or_else(|| ToolError::masked("the choices have no form".to_owned()))?);
            form_digest = Digest::of_value("form", form.schema());
        }
        let tool = Arc::clone(&cx.tool.format.tool_name);
        let question = Question { tool, key, is_consent: compiled.spec.is_consent, message, form };
        let mut read = |content: &serde_json::Value| {
            if let Some(choices) = &mut choices {
                let chosen = content.get(key).unwrap_or(content).as_str();
                let chosen = choices.iter().position(|choice| Some(&*choice.text) == chosen);
                let chosen = chosen.ok_or_else(|| format!("{key}: choose one of the options"))?;
                return Ok(Answer::Given(choices.swap_remove(chosen).value));
            }
            let form = compiled.read(content)?;
            Ok(<P::Inner as Askable>::from_form(field(form)).map_or(Answer::Declined, Answer::Given))
        };
        let digest = Digest::of_question(&question.message, &form_digest);
        let pages = session.pages.as_ref().filter(|_| compiled.spec.is_consent);
        let settings = &cx.tool.format.settings.ask;
        if pages.is_some_and(|pages| pages.is_given(settings, digest)) {
            let agreed = read(&serde_json::json!({ "confirm": true })).map_err(ToolError::masked)?;
            return decided(&question, agreed);
        }
        let decided = |question: &Question, answer: Answer<P::Inner>| {
            if let (Some(pages), Answer::Given(_)) = (pages, &answer) {
                pages.note(settings, digest);
            }
            decided(question, answer)
        };
        let found = match &session.mode {
            Mode::InPlace(_) => self.replies.find(&question, compiled, read)?,
            Mode::Rounds(rounds) => self.find(rounds, compiled, index, digest, read),
        };
        let problem = match found {
            Lookup::Answered(answer) => return decided(&question, answer),
            Lookup::Open(problem) => problem,
        };
        let Mode::Rounds(rounds) = &session.mode else {
            self.next.get_or_insert((question, problem));
            return Ok(None);
        };
        if rounds.capability == FormCapability::Declared {
            log::question(question.key, "asked");
            self.asked.insert(question.key.to_owned(), digest);
            self.open.push(with_problem(question, problem.as_deref()));
            return Ok(None);
        }
        log::question(question.key, "unavailable");
        if rounds.capability == FormCapability::Missing && !P::DECIDES {
            let error = ToolError::new("the client cannot show the form of a question");
            return Err(error.with_kind(ToolErrorKind::MissingCapability));
        }
        decided(&question, Answer::Unavailable)
    }

    /// Looks for an answer from an earlier round, and then for a response in this request.
    fn find<A>(
        &mut self,
        rounds: &Rounds,
        compiled: &CompiledQuestion,
        index: usize,
        digest: Digest,
        mut read: impl FnMut(&serde_json::Value) -> Result<Answer<A>, String>,
    ) -> Lookup<A> {
        let key = compiled.spec.key;
        let progress = rounds.progress.as_ref();
        let recorded = progress.and_then(|progress| progress.answers.get(key));
        // If the user now declines a question that was answered in an earlier round, that replaces the earlier answer.
        if let (Some(recorded), Some(Ok(RecordedOutcome::Decline))) = (recorded, rounds.response(index)) {
            let declined = Recorded { question: recorded.question, outcome: RecordedOutcome::Decline };
            self.answers.insert(key.to_owned(), declined);
            log::question(key, Answer::<A>::Declined.outcome());
            return Lookup::Answered(Answer::Declined);
        }
        let mut answer = |outcome: &RecordedOutcome| match outcome {
            RecordedOutcome::Accept(content) => read(content),
            RecordedOutcome::Decline => Ok(Answer::Declined),
            RecordedOutcome::Cancel => Ok(Answer::Cancelled),
        };
        // Use an earlier answer to a sealed question only if the question has not changed since.
        if let Some(recorded) = recorded.filter(|recorded| !compiled.spec.is_sealed || recorded.question == digest)
            && let Ok(answer) = answer(&recorded.outcome)
        {
            self.answers.insert(key.to_owned(), recorded.clone());
            return Lookup::Answered(answer);
        }
        let Some(response) = rounds.response(index) else { return Lookup::Open(None) };
        let asked = progress.and_then(|progress| progress.asked.get(key));
        // Ignore a response to a sealed question if the last round did not ask the question, or asked it with another
        // text or form.
        if compiled.spec.is_sealed && asked != Some(&digest) {
            self.has_changed |= asked.is_some();
            log::question(key, "unasked");
            return Lookup::Open(None);
        }
        let answered = response.as_ref().map_err(String::clone).and_then(|outcome| Ok((answer(outcome)?, outcome)));
        match answered {
            Ok((answer, outcome)) => {
                self.answers.insert(key.to_owned(), Recorded { question: digest, outcome: outcome.clone() });
                log::question(key, answer.outcome());
                Lookup::Answered(answer)
            }
            Err(problem) => {
                log::question(key, "invalid");
                Lookup::Open(Some(problem))
            }
        }
    }

    /// Adds the answers so far to the session, so that the signed state contains them if the tool asks further
    /// questions.
    pub(super) fn carry(&mut self) {
        if let Some(session) = self.cx.asking.as_deref() {
            session.carried().extend(self.answers.drain());
        }
    }

    /// Returns `true` if the question functions must run again, because an asker has replied in place. The reply can
    /// lead to other questions, and a question may have changed since it was shown.
    pub fn repeats(&mut self) -> bool {
        take(&mut self.has_new_reply)
    }

    /// If the call has an asker and a question is open, asks that question and returns `None`. Otherwise returns the
    /// output that sends the open questions to the client, or `None` if there are none.
    ///
    /// # Errors
    ///
    /// If the client was asked too many times, or if the state of the call cannot be signed or is too long to be sent.
    pub async fn finish(&mut self) -> Result<Option<Output>, ToolError> {
        let Some(session) = self.cx.asking.as_deref() else { return Ok(None) };
        if let (Mode::InPlace(in_place), Some((question, problem))) = (&session.mode, self.next.take()) {
            self.replies.ask(self.cx, in_place, question, problem.as_deref()).await;
            self.has_new_reply = true;
            return Ok(None);
        }
        let Some(first) = self.open.first() else {
            self.cx.settle(None);
            return Ok(None);
        };
        let settings = &self.cx.tool.format.settings.ask;
        let (Mode::Rounds(rounds), Some(keys)) = (&session.mode, &settings.keys) else {
            return Err(ToolError::masked("no key can sign the state of the call".to_owned()));
        };
        let round = session.round();
        if round > MAX_ROUNDS {
            let error = too_many_rounds(first);
            return Err(if self.has_changed { error.with_developer_message(CHANGING) } else { error });
        }
        let call_id = self.cx.call_id().as_str().to_owned();
        let progress = Progress { round, call_id, asked: take(&mut self.asked), answers: take(&mut self.answers) };
        let state = state::seal(keys, settings.ttl, &rounds.binding, progress);
        let state = state.ok_or_else(|| ToolError::new("the answers to the questions of this tool are too long"))?;
        Ok(Some(Output::needs_input(InputRequired::new(take(&mut self.open), state))))
    }
}

/// Returns the value of a parameter, or an error if the parameter needs an answer and the question has none.
fn decided<P: AskedParameter>(question: &Question, answer: Answer<P::Inner>) -> Result<Option<P>, ToolError> {
    P::from_answer(answer).map(Some).map_err(|none| none.error(&question.message))
}

/// Returns the error for generated code that has neither an answer nor an open question. This cannot happen.
pub fn unanswered() -> ToolError {
    ToolError::masked("a question has no answer".to_owned())
}
