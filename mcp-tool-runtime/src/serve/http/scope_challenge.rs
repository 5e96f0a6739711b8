//! Answers a call by a caller who lacks scopes: status 403, and which scopes the tool needs.

use ::http::HeaderValue;

use crate::json::json_pointer::percent_encode;
use crate::json::safe_text::quote_name;
use crate::{Dispatcher, Extensions};

#[derive(Debug, Clone)]
pub(super) struct ScopeChallenge {
    /// The URL of the server's protected resource metadata (RFC 9728).
    resource_metadata: String,
}

impl ScopeChallenge {
    pub(super) fn new(resource_metadata: &str) -> Self {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !br#""\"#.contains(&byte);
        Self { resource_metadata: percent_encode(resource_metadata, is_plain) }
    }

    /// Returns the message and the header `WWW-Authenticate` of the answer, if only scopes hide the tool from the caller.
    ///
    /// The header has all scopes of the tool, also those that the caller has: the specification asks for all scopes of the
    /// operation in one challenge.
    pub(super) fn find(
        &self,
        dispatcher: &Dispatcher,
        name: &str,
        extensions: &Extensions,
    ) -> Option<(String, HeaderValue)> {
        let tool = dispatcher.insufficient_scopes(name, extensions)?;
        let scopes = tool.scopes().join(" ");
        let text = format!("the token lacks scopes: tool {} needs `{scopes}`", quote_name(name));
        let header = format!(
            r#"Bearer error="insufficient_scope", scope="{scopes}", resource_metadata="{}""#,
            self.resource_metadata
        );
        // `build` has checked the scopes and `new` has encoded the URL, so this is always a valid header.
        Some((text, HeaderValue::from_str(&header).ok()?))
    }
}
