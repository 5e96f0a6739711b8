//! A call that ends before it runs: the caller does not see the tool, or a rule refuses it.

use std::sync::Arc;

use super::Dispatcher;
use crate::call::ResultFormat;
use crate::json::violation::suggest;
use crate::listing::visibility::{REFUSED, Visibility};
use crate::{CallId, CallToolResponse, DispatchError, Extensions, ToolError};

/// Why a call does not run.
pub(crate) enum Rejection<'d> {
    /// The request is wrong. To a caller, a hidden tool is an unknown tool.
    Failed(DispatchError),
    /// A rule refuses the tool to the caller.
    Refused { error: ToolError, format: &'d Arc<ResultFormat>, call_id: Option<CallId> },
}

impl Rejection<'_> {
    /// Sets the id that the caller gave the call, if there is one.
    pub(crate) fn with_call_id(mut self, id: Option<CallId>) -> Self {
        if let Self::Refused { call_id, .. } = &mut self {
            *call_id = id;
        }
        self
    }

    /// Returns the end of the call. A refused call is an error result.
    pub(crate) fn into_response(self) -> Result<CallToolResponse, DispatchError> {
        match self {
            Self::Failed(error) => Err(error),
            Self::Refused { error, format, call_id } => {
                let call_id = call_id.unwrap_or_else(|| format.settings.new_call_id());
                Ok(CallToolResponse::not_run(call_id, error, format))
            }
        }
    }
}

impl From<DispatchError> for Rejection<'_> {
    fn from(error: DispatchError) -> Self {
        Self::Failed(error)
    }
}

impl Dispatcher {
    /// Creates the rejection of a call. `found` is the tool of this name, if there is one, and what its rules decided: they are not
    /// called again, so that a hidden tool takes no more time than one that does not exist.
    #[cold]
    pub(super) fn reject(
        &self,
        name: &str,
        found: Option<(usize, Visibility)>,
        extensions: &Extensions,
    ) -> Rejection<'_> {
        let index = found.as_ref().map(|(index, _)| *index);
        if let Some((index, visibility)) = found
            && let Some(text) = visibility.refusal()
        {
            let format = &self.inner.entries[index].shared.format;
            return Rejection::Refused { error: ToolError::new(text).with_code(REFUSED), format, call_id: None };
        }
        let tools = self.inner.listed.iter().enumerate();
        let visible = tools.filter(|(other, tool)| Some(*other) != index && tool.is_shown_to(extensions, false));
        let did_you_mean = suggest(name, visible.map(|(_, tool)| tool.info.name())).map(str::to_owned);
        DispatchError::UnknownTool { name: name.to_owned(), did_you_mean }.into()
    }

    /// Returns why a call of this tool by this caller does not run, before anything else of the call is looked at.
    pub(crate) fn rejection(&self, name: &str, extensions: &Extensions) -> Option<Rejection<'_>> {
        self.target(name, extensions).err()
    }
}
