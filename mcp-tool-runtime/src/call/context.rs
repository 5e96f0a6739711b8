//! What a tool can learn about the call it answers.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{CallId, Extensions};
use crate::ProtocolVersion;

/// The call that a tool answers: its id, the request's metadata and what the server attached.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler};
///
/// struct WhoAmI;
///
/// impl ToolHandler for WhoAmI {
///     fn definition(&self) -> mcp::Tool {
///         mcp::Tool::new("who_am_i", "Name the user.", json!({"type": "object"}))
///     }
///
///     fn call<'a>(&'a self, cx: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         Box::pin(async move {
///             let user = cx.extensions().get::<String>().ok_or_else(|| ToolError::new("nobody is signed in"))?;
///             Output::value(format!("{user}, in call {}", cx.call_id()))
///         })
///     }
/// }
/// ```
#[derive(Debug)]
pub struct CallContext {
    pub(crate) call_id: CallId,
    pub(crate) tool_name: Arc<str>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) extensions: Extensions,
    pub(crate) protocol_version: ProtocolVersion,
}

impl CallContext {
    /// The id of this call, the caller's or a fresh one.
    #[must_use]
    pub fn call_id(&self) -> &CallId {
        &self.call_id
    }

    /// The name under which the tool was called.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.tool_name
    }

    /// The request's `_meta`, empty when it had none.
    #[must_use]
    pub fn meta(&self) -> &Map<String, Value> {
        &self.meta
    }

    /// What the server attached to this request.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// The protocol version of the request; [`ProtocolVersion::LATEST`] where none was said.
    #[must_use]
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.protocol_version
    }
}
