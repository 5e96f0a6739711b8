//! The record of a call that has not ended.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::record::{More, RecordedTool};
use super::{CallRecord, Carrier, Outcome};
use crate::ask::ClientInfo;
use crate::call::Meta;
use crate::call::catch_panic::catch;
use crate::call::settings::Settings;
use crate::output::error_kind::ToolErrorKind;
use crate::{CallContext, CallId, DispatchError, Extensions, Output, ProtocolVersion, ToolError, arguments, log};

type Observer = dyn Fn(&CallRecord) + Send + Sync;

/// The functions passed to [`on_call`](crate::DispatcherBuilder::on_call), in the order in which they were added.
#[derive(Default)]
pub(crate) struct Observers(pub(crate) Vec<Box<Observer>>);

/// The record of a call that has not ended, if there are observers. The observers get the record when one of the `end`
/// methods is called. If the call is abandoned, they get the record when this value is dropped, with the outcome that
/// was set last.
#[derive(Default)]
pub(crate) struct OpenRecord(Option<Box<Open>>);

struct Open {
    record: CallRecord,
    /// When the request was read, if the dispatcher reads the clock.
    read_at: Option<Instant>,
    /// Whether the principal has been determined, even if the request turned out to have none.
    has_principal: bool,
    /// Whether the call is waiting for the result of an identical call to a tool with `once`.
    is_waiting: bool,
    observers: Option<Arc<Observers>>,
}

thread_local! {
    /// The memory of the last record that ended on this thread. The next record reuses it. Allocating every record
    /// would make a call of `add` over HTTP 0.6 % more expensive. The budget for all the work on records is 3 %.
    static SPARE: Cell<Option<Box<Open>>> = const { Cell::new(None) };
}

impl OpenRecord {
    /// Opens the record of a request that has just been read. Its outcome is `InvalidRequest` until another outcome is
    /// set.
    #[inline]
    pub(crate) fn new(observers: &Arc<Observers>, carrier: Carrier, settings: &Settings) -> Self {
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        let mut open = spare.unwrap_or_else(|| Box::new(Open::EMPTY));
        open.read_at = settings.now();
        if open.read_at.is_some() {
            open.record.started_at = SystemTime::now();
        }
        open.record.carrier = carrier;
        open.observers = Some(Arc::clone(observers));
        Self(Some(open))
    }

    #[inline]
    pub(crate) fn get(&mut self) -> Option<&mut CallRecord> {
        self.0.as_deref_mut().map(|open| &mut open.record)
    }

    /// Determines and notes the principal of the request, unless this has been done already. So the record runs the
    /// author's function for principals only once.
    #[inline]
    pub(crate) fn ask_principal(&mut self, settings: &Settings, extensions: &Extensions) {
        if let Some(open) = self.0.as_deref_mut().filter(|open| !open.has_principal) {
            open.ask_principal(settings, extensions);
        }
    }

    /// Notes the principal that was stored with the call.
    #[cfg(feature = "tasks")]
    pub(crate) fn set_principal(&mut self, principal: Option<String>) {
        if let Some(open) = self.0.as_deref_mut() {
            open.set_principal(principal);
        }
    }

    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Notes the id of the call's task, if there is one.
    #[inline]
    pub(crate) fn set_task(&mut self, id: Option<&str>) {
        if let (Some(record), Some(id)) = (self.get(), id) {
            record.more().task_id = Some(id.to_owned());
        }
    }

    /// Sets the outcome that the record has if the call is abandoned from now on.
    #[inline]
    pub(crate) fn set(&mut self, outcome: Outcome) {
        if let Some(record) = self.get() {
            record.outcome = outcome;
        }
    }

    #[inline]
    pub(crate) fn end(&mut self, outcome: Outcome) {
        self.end_as(outcome, None);
    }

    /// Ends the call with this outcome, and with the code of its error if it has one.
    pub(crate) fn end_as(&mut self, outcome: Outcome, code: Option<&str>) {
        self.close(|record| {
            record.outcome = outcome;
            record.set_code(code);
        });
    }

    /// Makes one last change to the record, and ends the call.
    #[inline]
    fn close(&mut self, note: impl FnOnce(&mut CallRecord)) {
        if let Some(mut open) = self.0.take() {
            note(&mut open.record);
            open.end();
        }
    }

    /// Ends the call with the result of its tool. If the result is an error, [`ToolError::for_caller`] must not have
    /// changed the error yet.
    #[inline]
    pub(crate) fn end_with(&mut self, result: &Result<Output, ToolError>) {
        self.close(|record| match result {
            Ok(output) => record.set_output(output),
            Err(error) => record.set_error(error),
        });
    }

    /// Ends a call that a rule or a limit refuses.
    pub(crate) fn end_refused(&mut self, call_id: &CallId, error: &ToolError) {
        self.close(|record| {
            record.call_id = Some(call_id.clone());
            record.set_error(error);
        });
    }

    /// Ends a call that is answered with a protocol error instead of a result.
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

    /// Notes that this call is now waiting for the result of an identical call. If the tool runs for this call after
    /// all, `stop` removes the note.
    #[cfg(feature = "tasks")]
    pub(crate) fn wait(&mut self) {
        if let Some(open) = self.0.as_deref_mut() {
            open.is_waiting = true;
        }
    }

    /// Notes how long the tool ran and how long the call waited, after the tool has ended or been dropped. `started` is
    /// `None` if the tool did not start, and `Some(None)` if it started without a clock.
    #[inline]
    #[expect(
        clippy::option_option,
        reason = "a tool that started without a clock is not the same as one that did not start"
    )]
    pub(crate) fn stop(&mut self, cx: &CallContext, started: Option<Option<Instant>>) {
        let Some(open) = self.0.as_deref_mut() else { return };
        open.is_waiting = false;
        let (settings, now, paused) = (&cx.tool.format.settings, cx.tool.format.settings.now(), cx.waited());
        if let Some(start) = started {
            open.record.duration = settings.duration(start, now, paused);
        }
        open.record.waited = paused;
        if let (Some(now), Some(read_at)) = (now, open.read_at) {
            let since = |start| now.saturating_duration_since(start);
            let ran = started.flatten().map_or(Duration::ZERO, since);
            open.record.waited += since(read_at).saturating_sub(ran);
        }
        self.set_task(cx.state.get().and_then(|state| state.task_id.get().map(String::as_str)));
    }
}

impl CallRecord {
    /// Returns the values that only some records have, and creates them, empty, if this record has none yet.
    pub(crate) fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    fn set_code(&mut self, code: Option<&str>) {
        if let Some(code) = code {
            self.more().code = Some(code.into());
        }
    }

    /// Notes the id of the call, its protocol version, its parent and its client. From now on, a call that is dropped
    /// counts as cancelled.
    #[inline]
    pub(crate) fn set_context(&mut self, cx: &CallContext) {
        self.call_id = Some(cx.call_id.clone());
        self.outcome = Outcome::Cancelled;
        if let Some(parent) = &cx.parent {
            self.more().parent = Some(parent.call_id.clone());
        }
        self.set_request(cx.protocol_version, &cx.extensions, cx.meta.as_ref());
    }

    /// Notes the protocol version and the client of a request.
    #[inline]
    pub(crate) fn set_request(&mut self, version: ProtocolVersion, extensions: &Extensions, meta: Option<&Meta>) {
        self.version = self.carrier.speaks_mcp().then_some(version);
        // In a session, the client that `initialize` named is among the extensions of every request.
        if let Some(client) = extensions.get::<ClientInfo>() {
            self.more().client = Some(client.shortened());
        }
        let Some(meta) = meta else { return };
        self.meta = meta.short_text().cloned();
        // A record outlives its call, so it must not keep long values that a client has sent. If the text of `_meta` is
        // missing or too long, keep only the client that `_meta` names.
        if self.meta.is_none() && self.more.as_ref().is_none_or(|more| more.client.is_none()) {
            self.more().client = ClientInfo::of_request(Some(meta.map())).map(|client| client.shortened());
        }
    }

    /// Notes which tool the request names, unless a tool is already noted.
    #[inline]
    pub(crate) fn set_tool(&mut self, tool: Option<&Arc<RecordedTool>>) {
        if self.tool.is_none() {
            self.tool = tool.cloned();
        }
    }

    /// Notes which of the published arguments were sent. `published` turns an alias into the published name.
    #[inline]
    pub(crate) fn set_arguments<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        published: impl Fn(&'n str) -> &'n str,
    ) {
        let Some(tool) = &self.tool else { return };
        for (position, name) in names.enumerate() {
            // Most clients send the arguments in the order in which they are published, so look at the same position
            // first.
            let is_there = tool.arguments.get(position).is_some_and(|known| **known == *name);
            match if is_there { Some(position) } else { tool.position(published(name)) } {
                Some(position @ 0..64) => self.arguments |= 1 << position,
                Some(position) => self.more.get_or_insert_default().arguments.push(position),
                None => {}
            }
        }
    }

    /// Notes the size of a result, and whether it asks the user.
    fn set_output(&mut self, output: &Output) {
        self.outcome = if output.input_required().is_some() { Outcome::Asked } else { Outcome::Success };
        self.result_bytes = output.json_bytes();
    }

    /// Notes the code of an error and the outcome that belongs to it.
    fn set_error(&mut self, error: &ToolError) {
        self.set_code(error.code());
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

impl Open {
    const EMPTY: Self = Self {
        record: CallRecord {
            tool: None,
            call_id: None,
            attempt: 1,
            meta: None,
            version: None,
            carrier: Carrier::Rust,
            started_at: SystemTime::UNIX_EPOCH,
            duration: Duration::ZERO,
            waited: Duration::ZERO,
            argument_bytes: 0,
            result_bytes: 0,
            arguments: 0,
            outcome: Outcome::InvalidRequest,
            error_code: None,
            more: None,
        },
        read_at: None,
        has_principal: false,
        is_waiting: false,
        observers: None,
    };

    #[inline(never)]
    fn ask_principal(&mut self, settings: &Settings, extensions: &Extensions) {
        self.set_principal(settings.ask.task_principal(extensions).unwrap_or_default());
    }

    fn set_principal(&mut self, principal: Option<String>) {
        self.has_principal = true;
        if principal.is_some() {
            self.record.more().principal = principal;
        }
    }

    /// Calls the observers with the record, and keeps the record's memory for the next call on this thread.
    fn end(mut self: Box<Self>) {
        if let Some(read_at) = self.read_at.filter(|_| self.is_waiting) {
            self.record.waited = arguments::now().saturating_duration_since(read_at);
        }
        if let Some(observers) = self.observers.take() {
            for observer in &observers.0 {
                if catch(|| observer(&self.record)).is_none() {
                    log::observer_panicked(self.record.tool().unwrap_or_default());
                }
            }
        }
        *self = Self::EMPTY;
        // This fails if the thread is ending and has already dropped `SPARE`. The memory is then freed.
        _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }
}

impl Drop for OpenRecord {
    #[inline]
    fn drop(&mut self) {
        if let Some(open) = self.0.take() {
            open.end();
        }
    }
}
