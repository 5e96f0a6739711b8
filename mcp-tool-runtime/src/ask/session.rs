//! What one call knows about its questions before the tool runs.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use super::client::FormCapability;
use super::in_place::{InPlace, Waiting};
use super::pages_consent::PagesConsent;
use super::responses::{self, Responses};
use super::state::{self, Binding, Digest, Progress, Recorded, RecordedOutcome};
use super::{Asker, ClientInfo, CompiledQuestion};
use crate::call::settings::Settings;
use crate::call::{Answers, Meta, lock};
use crate::{CallContext, DispatchError, ProtocolVersion, log};

/// The questions of one call, how their answers arrive, and which of them no longer need an answer.
pub(crate) struct Session {
    pub(super) questions: Arc<[CompiledQuestion]>,
    pub(super) mode: Mode,
    /// The consent for all pages, if the tool has pages and exactly one of its questions asks for consent.
    pub(super) pages: Option<PagesConsent>,
    carried: Mutex<HashMap<String, Recorded>>,
    /// The indices of the questions that no longer need an answer.
    settled: Mutex<HashSet<usize>>,
}

/// How the answers arrive.
pub(super) enum Mode {
    /// With the request. The result asks for the missing answers, and the client calls again.
    Rounds(Box<Rounds>),
    /// From an asker, while the call waits.
    InPlace(Box<InPlace>),
}

pub(super) struct Rounds {
    pub(super) capability: FormCapability,
    pub(super) responses: Responses,
    /// What a verified state says, or `None` if no state was read: in the first round, in a protocol version before
    /// 2026-07-28, if the client of an attached asker must not be asked, or if a request has responses but no state.
    pub(super) progress: Option<Progress>,
    pub(super) binding: Binding,
}

/// An asker, and the client whose user it asks.
#[derive(Clone)]
pub(crate) struct AttachedAsker {
    pub(crate) asker: Arc<dyn Asker>,
    pub(crate) client: Option<Arc<ClientInfo>>,
}

/// The parts of a request that are about questions, not yet parsed.
#[derive(Default)]
pub(crate) struct Incoming<'p> {
    /// The JSON text of `inputResponses`.
    pub(crate) responses: Option<Cow<'p, str>>,
    /// The JSON text of `requestState`.
    pub(crate) state: Option<Cow<'p, str>>,
    pub(crate) asker: Option<AttachedAsker>,
}

impl Incoming<'_> {
    pub(crate) fn from_values(answers: &Answers) -> Self {
        let Answers { input_responses, request_state, asker } = answers;
        let state = request_state.as_deref().map(|state| Cow::Owned(Value::from(state).to_string()));
        let responses = input_responses.as_ref().map(|value| Cow::Owned(value.to_string()));
        Self { responses, state, asker: asker.clone() }
    }
}

impl Session {
    /// Reads what a request says about the questions of its tool. `cursor` is the name of the cursor argument, if the
    /// tool has pages.
    ///
    /// # Errors
    ///
    /// If the responses are malformed, or the state does not verify.
    pub(crate) fn open(
        cx: &CallContext,
        questions: &Arc<[CompiledQuestion]>,
        incoming: Incoming<'_>,
        arguments: &dyn Fn() -> Value,
        cursor: Option<&str>,
    ) -> Result<Self, DispatchError> {
        let Incoming { responses, state, asker } = incoming;
        let (tool, settings) = (cx.tool_name(), &*cx.tool.format.settings);
        let principal = LazyCell::new(|| settings.ask.principal(&cx.extensions));
        let pages = cursor.filter(|_| PagesConsent::is_for(questions)).and_then(|cursor| {
            Some(PagesConsent::of_call(&settings.ask, [tool, cursor], (*principal).ok()?, arguments()))
        });
        let mode = match asker {
            Some(asker) if !settings.ask.is_off_for(asker.client.as_deref()) => {
                Mode::InPlace(Box::new(InPlace { asker: asker.asker, waiting: Waiting::default() }))
            }
            asker => {
                let is_modern = cx.protocol_version >= ProtocolVersion::V2026_07_28 && asker.is_none();
                let principal = *principal;
                // Missing arguments and `null` count as `{}`.
                let arguments = Some(arguments()).filter(|all| !all.is_null()).unwrap_or_else(|| json!({}));
                let binding = Binding {
                    audience: settings.ask.audience.clone(),
                    tool: tool.to_owned(),
                    arguments: Digest::of_value("arguments", &arguments),
                    principal: principal.unwrap_or(None),
                };
                let mut rounds =
                    Rounds { capability: FormCapability::Undeclared, responses: Vec::new(), progress: None, binding };
                if is_modern {
                    let meta = cx.meta.as_ref().map(Meta::map);
                    rounds.capability = FormCapability::of_request(meta);
                    let client = ClientInfo::of_request(meta);
                    // A state cannot be bound to an unknown principal, so ask no questions in that case.
                    if principal.is_err() || settings.ask.is_off_for(client.as_ref()) {
                        rounds.capability = FormCapability::Undeclared;
                    }
                    if let Some(text) = responses {
                        rounds.responses = responses::read(&text, questions, settings.max_argument_bytes)?;
                    }
                    if let Some(text) = state {
                        let unknown = principal.is_err().then_some("its principal is not known");
                        rounds.progress = Some(verify(&text, settings, &rounds.binding, unknown)?);
                    }
                }
                Mode::Rounds(Box::new(rounds))
            }
        };
        let (questions, carried, settled) = (Arc::clone(questions), Mutex::default(), Mutex::default());
        Ok(Self { questions, mode, pages, carried, settled })
    }

    /// Notes that a question no longer needs an answer. `None` means that no question needs one. Returns `true` if no
    /// question is left. Only then is the call allowed to become a task, because a task cannot ask its user.
    pub(crate) fn settle(&self, question: Option<usize>) -> bool {
        let mut settled = lock(&self.settled);
        match question {
            Some(question) => settled.extend([question]),
            None => settled.extend(0..self.questions.len()),
        }
        settled.len() == self.questions.len()
    }

    /// Returns the answers to earlier questions. The next state must contain them.
    pub(super) fn carried(&self) -> MutexGuard<'_, HashMap<String, Recorded>> {
        lock(&self.carried)
    }

    /// Returns the progress of the earlier rounds, if there were any.
    fn progress(&self) -> Option<&Progress> {
        if let Mode::Rounds(rounds) = &self.mode { rounds.progress.as_ref() } else { None }
    }

    /// Returns the number of this round, counted from 1. It stays 1 if an asker answers in place.
    pub(crate) fn round(&self) -> u32 {
        1 + self.progress().map_or(0, |progress| progress.round)
    }

    /// Returns the text to append to the cursor of the next page: the user's signed consent, if the user has agreed.
    pub(crate) fn cursor_suffix(&self) -> Option<String> {
        self.pages.as_ref()?.suffix()
    }

    /// Returns the call id of the first round, if this is a later round.
    pub(crate) fn call_id(&self) -> Option<&str> {
        self.progress().map(|progress| &*progress.call_id)
    }

    /// Returns the pauses of the call, if its questions are answered in place.
    pub(crate) fn waiting(&self) -> Option<&Waiting> {
        if let Mode::InPlace(in_place) = &self.mode { Some(&in_place.waiting) } else { None }
    }
}

impl Rounds {
    pub(super) fn response(&self, index: usize) -> Option<&Result<RecordedOutcome, String>> {
        self.responses.get(index)?.as_ref()
    }
}

/// Verifies the JSON text of a state. A state that is too long is not even parsed. If there is a `refusal`, every state
/// is refused for that reason.
fn verify(
    text: &str,
    settings: &Settings,
    binding: &Binding,
    refusal: Option<&'static str>,
) -> Result<Progress, DispatchError> {
    let opened = if text.len() > state::MAX_BYTES + 2 {
        Err("it is too long")
    } else {
        let Ok(state) = serde_json::from_str::<String>(text) else {
            return Err(DispatchError::InvalidRequest { message: "`requestState` must be a string".to_owned() });
        };
        match (refusal, &settings.ask.keys) {
            (Some(reason), _) => Err(reason),
            (None, Some(keys)) => state::open(keys, &state, binding),
            (None, None) => Err("this server has no keys"),
        }
    };
    opened.map_err(|reason| {
        log::state_refused(&binding.tool, reason);
        DispatchError::InvalidState
    })
}

debug_struct!(Session, session => round: session.round());
