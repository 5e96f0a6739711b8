//! What a command line and an export ask a dispatcher, beside calls.

use serde_json::Value;

use super::Dispatcher;
use crate::arguments::violations::invalid_arguments;
use crate::{Extensions, ToolError};

impl Dispatcher {
    /// Returns what the input schema of a tool refuses in these arguments, without a call: a caller that has found a mistake
    /// of its own must not run the tool.
    pub(crate) fn argument_error(&self, tool: &str, arguments: &Value, extensions: &Extensions) -> Option<ToolError> {
        let target = self.gate(tool, extensions).target()?;
        let checked = target.document(Some(arguments)).map_err(|violation| vec![*violation]);
        let checked =
            checked.and_then(|mut document| target.entry.check_arguments(target.tool, &mut document, extensions));
        checked.err().map(|violations| invalid_arguments(&violations))
    }

    /// Returns `true` if the arguments are wrong whatever happens before the tool runs. A middleware may change them.
    #[cfg(feature = "export")]
    pub(crate) fn always_refuses(&self, tool: &str, arguments: &Value, extensions: &Extensions) -> bool {
        let has_layers = self.entry(tool).is_none_or(|entry| !entry.metadata.middlewares.is_empty());
        !has_layers && self.argument_error(tool, arguments, extensions).is_some()
    }
}
