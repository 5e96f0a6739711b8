//! Decides whether a caller may call a tool, and answers a call that does not run.

use std::sync::Arc;

use super::Dispatcher;
use super::run::Target;
use crate::call::{Labels, Meta, ResultFormat};
use crate::json::violation::suggest;
use crate::listing::visibility::{REFUSED, Visibility};
use crate::operations::{OpenRecord, RecordedTool};
use crate::output::error_kind::ToolErrorKind;
use crate::{CallId, CallToolResponse, DispatchError, Extensions, ProtocolVersion, ToolError};

/// What the rules decide about a call. The rules are consulted once, and everything that depends on their decision
/// reads this value, so that all parts of an answer agree.
pub(crate) struct Gate<'d> {
    /// The tool that the call names, if there is one.
    target: Option<Target<'d>>,
    verdict: Visibility,
    /// Whether the tool is hidden only because the caller lacks scopes.
    lacks_scopes: bool,
}

impl<'d> Gate<'d> {
    pub(crate) fn is_open(&self) -> bool {
        self.verdict == Visibility::Shown
    }

    /// Returns `true` if the tool does not exist or is hidden from the caller.
    pub(crate) fn is_hidden(&self) -> bool {
        self.verdict == Visibility::Hidden
    }

    pub(crate) fn into_verdict(self) -> Visibility {
        self.verdict
    }

    /// Returns what the record of the call says about the tool, whether or not the caller may call it.
    pub(super) fn recorded(&self) -> Option<&'d Arc<RecordedTool>> {
        self.target?.entry.recorded.as_ref()
    }

    /// Returns the tool, if the caller may call it.
    #[inline]
    pub(super) fn target(&self) -> Option<Target<'d>> {
        self.target.filter(|_| self.is_open())
    }

    /// Returns `true` if the tool has `once`, and the caller may call it.
    #[cfg(all(feature = "http", feature = "tasks"))]
    pub(crate) fn is_once(&self) -> bool {
        self.target().is_some_and(|target| target.entry.metadata.once.is_some())
    }

    /// Returns the current name of the tool, if the caller may call it.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) fn tool_name(&self) -> Option<&'d str> {
        self.target().map(|target| target.entry.name())
    }

    /// Returns the scopes of the tool, if the caller lacks some of them and nothing else hides the tool.
    pub(crate) fn insufficient_scopes(&self) -> Option<&'d Labels> {
        self.target.filter(|_| self.lacks_scopes).map(|target| &target.entry.shared.scopes)
    }
}

impl Dispatcher {
    /// Consults the rules about a call to the tool with this name. This happens before anything else in the call is
    /// checked, so that a caller cannot tell a hidden tool from a tool that does not exist.
    #[inline]
    pub(crate) fn gate(&self, name: &str, extensions: &Extensions) -> Gate<'_> {
        let Some(target) = self.target(name) else {
            return Gate { target: None, verdict: Visibility::Hidden, lacks_scopes: false };
        };
        let (verdict, lacks_scopes) = self.inner.listed[target.entry.index].verdict(extensions);
        Gate { target: Some(target), verdict, lacks_scopes }
    }

    /// Creates the rejection of a call whose gate is not open, and ends its record. `call_id` is the id that the caller
    /// gave the call.
    #[cold]
    pub(crate) fn reject<'d>(
        &'d self,
        gate: &Gate<'d>,
        name: &str,
        extensions: &Extensions,
        call_id: Option<CallId>,
        (version, meta): (ProtocolVersion, Option<Meta>),
        mut record: OpenRecord,
    ) -> Rejection<'d> {
        self.record_gate(&mut record, gate, extensions);
        if let Some(record) = record.get() {
            record.set_request(version, extensions, meta.as_ref());
        }
        if let (Some(target), Some(text)) = (gate.target, gate.verdict.refusal()) {
            let error = ToolError::new(text).with_code(REFUSED).with_kind(ToolErrorKind::Refused);
            let call_id = call_id.unwrap_or_else(|| self.settings().new_call_id());
            return Rejection::refused(&target, call_id, error, &mut record);
        }
        // The rules have already hidden the named tool, so do not ask them about it again.
        let hidden = gate.target.map(|target| target.entry.index);
        let tools = self.inner.listed.iter().enumerate();
        let visible = tools.filter(|(index, tool)| Some(*index) != hidden && tool.is_shown_to(extensions, false));
        let did_you_mean = suggest(name, visible.map(|(_, tool)| tool.info.name())).map(str::to_owned);
        let error = DispatchError::UnknownTool { name: name.to_owned(), did_you_mean };
        record.end_rejected(&error);
        error.into()
    }
}

/// The reason why a call does not run.
pub(crate) enum Rejection<'d> {
    /// The call gets this error instead of a result. To a caller, a hidden tool is an unknown tool.
    Failed(DispatchError),
    /// A rule refuses the tool to the caller, or the caller has made too many calls.
    Refused { error: ToolError, format: &'d Arc<ResultFormat>, call_id: CallId },
}

impl<'d> Rejection<'d> {
    /// Creates the rejection of a call that gets this error, and ends its record.
    #[cold]
    pub(super) fn refused(target: &Target<'d>, call_id: CallId, error: ToolError, record: &mut OpenRecord) -> Self {
        record.end_refused(&call_id, &error);
        Self::Refused { error, format: target.format(), call_id }
    }

    /// Returns the error of a failed call, or the response with the error result of a refused call.
    pub(crate) fn into_response(self) -> Result<CallToolResponse, DispatchError> {
        match self {
            Self::Failed(error) => Err(error),
            Self::Refused { error, format, call_id } => Ok(CallToolResponse::not_run(call_id, error, format)),
        }
    }
}

impl From<DispatchError> for Rejection<'_> {
    fn from(error: DispatchError) -> Self {
        Self::Failed(error)
    }
}
