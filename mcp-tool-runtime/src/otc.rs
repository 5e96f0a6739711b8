//! What an Open Tool Calling request brings beside the tool and its input.

use std::fmt;

use serde::Deserialize;

/// The context of an Open Tool Calling request: who asks, under which trace, with which authorizations and secrets.
///
/// A request that is read from Open Tool Calling's form carries it as an extension. It never goes into a result or
/// into `_meta`, and its `Debug` shows no token and no secret.
///
/// ```
/// use mcp_tool_runtime::{otc, serde_json, CallToolRequest};
///
/// let request: CallToolRequest = serde_json::from_str(
///     r#"{"tool_id": "SMS.Send@0.1.2", "input": {"to": "+1"}, "context": {"secrets": [{"id": "KEY", "value": "s3cr3t"}]}}"#,
/// )?;
/// let context = request.extensions.get::<otc::Context>().unwrap();
/// assert_eq!(context.secret("KEY"), Some("s3cr3t"));
/// assert!(!format!("{context:?}").contains("s3cr3t"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Context {
    trace_id: Option<String>,
    authorization: Vec<Authorization>,
    secrets: Vec<Secret>,
    user_id: Option<String>,
}

/// The `context` member as it is written.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct RequestContext {
    #[serde(default)]
    authorization: Vec<Authorization>,
    #[serde(default)]
    secrets: Vec<Secret>,
    user_id: Option<String>,
}

#[derive(Clone, Deserialize)]
struct Authorization {
    id: String,
    token: String,
}

#[derive(Clone, Deserialize)]
struct Secret {
    id: String,
    value: String,
}

impl Context {
    pub(crate) fn new(trace_id: Option<String>, context: RequestContext) -> Self {
        let RequestContext { authorization, secrets, user_id } = context;
        Self { trace_id, authorization, secrets, user_id }
    }

    /// The trace that the call belongs to.
    #[must_use]
    pub fn trace_id(&self) -> Option<&str> {
        self.trace_id.as_deref()
    }

    /// The user for whom the call is made.
    #[must_use]
    pub fn user_id(&self) -> Option<&str> {
        self.user_id.as_deref()
    }

    /// The token of an authorization.
    #[must_use]
    pub fn authorization(&self, id: &str) -> Option<&str> {
        self.authorization.iter().find(|entry| entry.id == id).map(|entry| entry.token.as_str())
    }

    /// The value of a secret.
    #[must_use]
    pub fn secret(&self, id: &str) -> Option<&str> {
        self.secrets.iter().find(|entry| entry.id == id).map(|entry| entry.value.as_str())
    }
}

/// Shows the ids alone.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let authorization: Vec<_> = self.authorization.iter().map(|entry| &entry.id).collect();
        let secrets: Vec<_> = self.secrets.iter().map(|entry| &entry.id).collect();
        f.debug_struct("Context")
            .field("trace_id", &self.trace_id)
            .field("user_id", &self.user_id)
            .field("authorization", &authorization)
            .field("secrets", &secrets)
            .finish()
    }
}
