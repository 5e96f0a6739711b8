//! The record of a call that has not ended.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::record::{RecordedTool, bit};
use super::{CallRecord, Carrier, Outcome};
use crate::ask::ClientInfo;
use crate::call::Meta;
use crate::call::catch_panic::catch;
use crate::call::settings::Settings;
use crate::output::error_kind::ToolErrorKind;
use crate::{CallContext, CallId, DispatchError, Extensions, Output, ToolError, arguments, log};

type Observer = dyn Fn(&CallRecord) + Send + Sync;

/// The functions of [`on_call`](crate::DispatcherBuilder::on_call), in their order.
#[derive(Default)]
pub(crate) struct Observers(pub(crate) Vec<Box<Observer>>);

/// The record of a call that has not ended, if anybody wants records. Every call ends by dropping this value: the
/// observers then get the record, with the outcome that was set last. So an abandoned call leaves a record too.
#[derive(Default)]
pub(crate) struct OpenRecord(Option<Box<Open>>);

struct Open {
    record: CallRecord,
    /// When the request was read.
    read_at: Option<Instant>,
    /// The principal was asked for.
    has_principal: bool,
    /// The call waits for the result of another one.
    is_waiting: bool,
    observers: Arc<Observers>,
}

impl OpenRecord {
    /// Opens the record of a request that has just been read. Until more is known, the request is invalid.
    #[cold]
    pub(crate) fn new(observers: &Arc<Observers>, carrier: Carrier, settings: &Settings) -> Self {
        let read_at = settings.now();
        // Allocate first, so that the record is written in place.
        let room = Box::new_uninit();
        let record = CallRecord {
            tool: None,
            call_id: None,
            parent: None,
            task_id: None,
            attempt: 1,
            principal: None,
            client: None,
            meta: None,
            version: None,
            carrier,
            started_at: if read_at.is_some() { SystemTime::now() } else { SystemTime::UNIX_EPOCH },
            duration: Duration::ZERO,
            waited: Duration::ZERO,
            argument_bytes: 0,
            result_bytes: 0,
            arguments: 0,
            more_arguments: Vec::new(),
            outcome: Outcome::InvalidRequest,
            code: None,
            error_code: None,
        };
        let open = Open { record, read_at, has_principal: false, is_waiting: false, observers: Arc::clone(observers) };
        Self(Some(Box::write(room, open)))
    }

    /// Returns the record, if there is one.
    #[inline]
    pub(crate) fn get(&mut self) -> Option<&mut CallRecord> {
        self.0.as_deref_mut().map(|open| &mut open.record)
    }

    /// Returns the record the first time only, because an author's function for principals runs once for each request.
    #[inline]
    pub(crate) fn for_principal(&mut self) -> Option<&mut CallRecord> {
        let open = self.0.as_deref_mut().filter(|open| !open.has_principal)?;
        open.has_principal = true;
        Some(&mut open.record)
    }

    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Notes the task that the call became.
    pub(crate) fn set_task(&mut self, id: Option<&str>) {
        if let (Some(record), Some(id)) = (self.get(), id) {
            record.task_id = Some(id.to_owned());
        }
    }

    /// Sets the outcome that the call has if it ends now.
    #[inline]
    pub(crate) fn set(&mut self, outcome: Outcome) {
        if let Some(record) = self.get() {
            record.outcome = outcome;
        }
    }

    /// Ends the call.
    #[inline]
    pub(crate) fn end(&mut self, outcome: Outcome) {
        self.end_as(outcome, None);
    }

    /// Ends the call with the code of its error.
    pub(crate) fn end_as(&mut self, outcome: Outcome, code: Option<&str>) {
        self.close(|record| {
            record.outcome = outcome;
            record.code = code.map(Into::into);
        });
    }

    /// Ends the call after a last note.
    #[inline]
    fn close(&mut self, note: impl FnOnce(&mut CallRecord)) {
        if let Some(mut open) = self.0.take() {
            note(&mut open.record);
        }
    }

    /// Ends a call that a worker may run.
    pub(crate) fn end_stored(&mut self, outcome: Outcome, task_id: Option<&str>) {
        self.set_task(task_id);
        self.end(outcome);
    }

    /// Ends the call with the result of its tool. An error has not passed through [`ToolError::for_caller`] yet.
    #[inline]
    pub(crate) fn end_with(&mut self, result: &Result<Output, ToolError>) {
        self.close(|record| match result {
            Ok(output) => record.set_output(output),
            Err(error) => record.set_error(error),
        });
    }

    /// Ends a call that a rule refuses.
    pub(crate) fn end_refused(&mut self, call_id: &CallId, error: &ToolError) {
        self.close(|record| {
            record.call_id = Some(call_id.clone());
            record.set_error(error);
        });
    }

    /// Ends a call that is answered with an error of the protocol.
    pub(crate) fn end_rejected(&mut self, error: &DispatchError) {
        self.close(|record| {
            record.error_code = Some(error.code());
            record.outcome = match error {
                DispatchError::UnknownTool { .. } => Outcome::UnknownTool,
                DispatchError::MissingExtension { .. } => Outcome::Masked,
                _ => Outcome::InvalidRequest,
            };
        });
    }

    /// Notes that the call is waiting from now on, unless its tool runs.
    #[cfg(feature = "tasks")]
    pub(crate) fn wait(&mut self) {
        if let Some(open) = self.0.as_deref_mut() {
            open.is_waiting = true;
        }
    }

    /// Notes that the tool has ended or was dropped just now, and when it started.
    #[cold]
    #[expect(
        clippy::option_option,
        reason = "a tool that started without a clock is not the same as one that did not start"
    )]
    pub(crate) fn stop(&mut self, cx: &CallContext, started: Option<Option<Instant>>) {
        let Some(open) = self.0.as_deref_mut() else { return };
        open.is_waiting = false;
        let (settings, paused) = (&cx.tool.format.settings, cx.waited());
        let now = settings.now();
        let since = |start: Option<Instant>| {
            now.zip(start).map_or(Duration::ZERO, |(now, start)| now.saturating_duration_since(start))
        };
        let whole = since(open.read_at);
        open.record.duration = started.map_or(Duration::ZERO, |start| settings.duration(start, now, paused));
        open.record.waited = whole.saturating_sub(started.map_or(Duration::ZERO, since)) + paused;
        self.set_task(cx.state.get().and_then(|state| state.task_id.get().map(String::as_str)));
    }
}

impl CallRecord {
    /// Notes what the request says about its caller and its call.
    pub(crate) fn set_context(&mut self, cx: &CallContext) {
        self.call_id = Some(cx.call_id.clone());
        self.parent = cx.parent.as_ref().map(|parent| parent.call_id.clone());
        self.version = self.carrier.speaks_mcp().then_some(cx.protocol_version);
        self.set_client(&cx.extensions);
        match &cx.meta {
            // A record outlives its call, so it keeps nothing long that a client has sent.
            Some(meta) if !meta.is_short() && self.client.is_none() => {
                self.client = ClientInfo::of_request(Some(meta.map())).map(|client| client.shortened());
            }
            meta => self.meta = meta.clone().filter(Meta::is_short),
        }
        self.outcome = Outcome::Cancelled;
    }

    /// Notes the client of a session, which is attached to its requests.
    pub(crate) fn set_client(&mut self, extensions: &Extensions) {
        self.client = extensions.get::<ClientInfo>().map(ClientInfo::shortened);
    }

    /// Notes which tool the request names.
    pub(crate) fn set_tool(&mut self, tool: Option<&Arc<RecordedTool>>) {
        self.tool = tool.cloned();
    }

    /// Notes the name of an argument, if the tool publishes it.
    pub(crate) fn add_argument(&mut self, name: &str) {
        let known = self.tool.as_ref().map_or(&[][..], |tool| &tool.arguments);
        if let Some(at) = known.iter().position(|known| **known == *name) {
            match bit(at) {
                Some(bit) => self.arguments |= bit,
                None => self.more_arguments.push(at),
            }
        }
    }

    /// Notes the size of a result, and whether it asks the user.
    fn set_output(&mut self, output: &Output) {
        self.outcome = if output.is_complete() { Outcome::Success } else { Outcome::Asked };
        self.result_bytes = output.json_bytes();
    }

    /// Notes an error.
    fn set_error(&mut self, error: &ToolError) {
        self.code = error.code().map(Into::into);
        self.outcome = match error.kind() {
            ToolErrorKind::Author => Outcome::Failed,
            ToolErrorKind::Refused => Outcome::Refused,
            ToolErrorKind::Limited => Outcome::Limited,
            ToolErrorKind::Arguments => Outcome::InvalidArguments,
            ToolErrorKind::Panicked => Outcome::Panicked,
            ToolErrorKind::Masked | ToolErrorKind::ServerError => Outcome::Masked,
            ToolErrorKind::MissingExtension(type_name) => {
                self.error_code = Some(DispatchError::MissingExtension { type_name }.code());
                Outcome::Masked
            }
            ToolErrorKind::InvalidResult => Outcome::InvalidResult,
            ToolErrorKind::TooLarge(bytes) | ToolErrorKind::OverBudget(bytes) => {
                self.result_bytes = bytes;
                Outcome::TooLarge
            }
            ToolErrorKind::MissingCapability => {
                self.error_code = Some(DispatchError::MissingCapability.code());
                Outcome::InvalidRequest
            }
            ToolErrorKind::TimedOut | ToolErrorKind::Late => Outcome::TimedOut,
        };
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(read_at) = self.read_at.filter(|_| self.is_waiting) {
            self.record.waited = arguments::now().saturating_duration_since(read_at);
        }
        for observer in &self.observers.0 {
            if catch(|| observer(&self.record)).is_none() {
                log::observer_panicked(self.record.tool().unwrap_or_default());
            }
        }
    }
}
