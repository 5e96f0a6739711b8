//! What a command line asks a dispatcher, beside calls.

use serde_json::Value;

use super::Dispatcher;
use crate::arguments::violations::invalid_arguments;
use crate::{Extensions, ToolError};

impl Dispatcher {
    /// Returns what the input schema of a tool refuses in these arguments, without a call: a caller that has found a mistake
    /// of its own must not run the tool.
    pub(crate) fn argument_error(&self, tool: &str, arguments: &Value, extensions: &Extensions) -> Option<ToolError> {
        let target = self.target(tool, extensions).ok()?;
        let checked = target.document(Some(arguments)).map_err(|violation| vec![violation]);
        let checked = checked.and_then(|mut document| target.entry.check_arguments(target.tool, &mut document));
        checked.err().map(|violations| invalid_arguments(&violations))
    }
}
