//! Answers a call by a caller who lacks scopes: status 403, and which scopes the tool needs.

use ::http::{HeaderValue, StatusCode};

use super::Inner;
use super::handle::Reply;
use crate::Extensions;
use crate::document::name::quote_name;
use crate::serve::protocol::ProtocolError;

#[derive(Clone)]
pub(super) struct ScopeChallenge {
    /// The URL of the server's protected resource metadata (RFC 9728).
    resource_metadata: String,
}

impl ScopeChallenge {
    pub(super) fn new(resource_metadata: String) -> Self {
        let is_valid = resource_metadata.bytes().all(|byte| byte.is_ascii_graphic() && !br#""\"#.contains(&byte));
        assert!(is_valid, "`{resource_metadata}` is not a URL: it has a character that URLs do not have");
        Self { resource_metadata }
    }

    /// Answers a call of a tool that only scopes hide from the caller.
    ///
    /// The header has all scopes of the tool, also those that the caller has: the specification asks for all scopes of the
    /// operation in one challenge.
    pub(super) fn answer(&self, inner: &Inner, name: &str, extensions: &Extensions, id: &str) -> Option<Reply> {
        let tool = inner.protocol.dispatcher().insufficient_scopes(name, extensions)?;
        let scopes = tool.scopes().join(" ");
        let text = format!("the token lacks scopes: tool {} needs `{scopes}`", quote_name(name));
        let message = ProtocolError::invalid_request(text).for_request(Some(id)).to_bytes();
        let header = format!(
            r#"Bearer error="insufficient_scope", scope="{scopes}", resource_metadata="{}""#,
            self.resource_metadata
        );
        let mut reply = Reply::new(StatusCode::FORBIDDEN, message);
        // `build` and `new` have checked the characters, so this is always a valid header.
        reply.challenge = HeaderValue::from_str(&header).ok();
        Some(reply)
    }
}
