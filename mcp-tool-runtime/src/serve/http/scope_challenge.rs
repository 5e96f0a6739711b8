//! Answers a call by a caller who lacks scopes: status 403, and which scopes the tool needs.

use std::fmt::Write as _;

use ::http::header::WWW_AUTHENTICATE;
use ::http::{HeaderValue, StatusCode};

use super::handle::Reply;
use super::problem::Problem;
use crate::json::safe_text::quote_name;
use crate::mcp::error::ProtocolError;
use crate::{Dispatcher, Extensions};

#[derive(Debug, Clone)]
pub(super) struct ScopeChallenge {
    /// The URL of the server's protected resource metadata (RFC 9728).
    resource_metadata: String,
}

impl ScopeChallenge {
    pub(super) fn new(resource_metadata: &str) -> Self {
        let mut encoded = String::with_capacity(resource_metadata.len());
        for byte in resource_metadata.bytes() {
            if byte.is_ascii_graphic() && !br#""\"#.contains(&byte) {
                encoded.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
        Self { resource_metadata: encoded }
    }

    /// Answers a call of a tool that only scopes hide from the caller, with a message of JSON-RPC.
    pub(super) fn answer(
        &self,
        dispatcher: &Dispatcher,
        name: &str,
        extensions: &Extensions,
        id: &str,
    ) -> Option<Reply> {
        let (text, header) = self.find(dispatcher, name, extensions)?;
        let message = ProtocolError::invalid_request(text).to_bytes(Some(id));
        let mut reply = Reply::new(StatusCode::FORBIDDEN, message);
        reply.challenge = header;
        Some(reply)
    }

    /// Does the same with a problem of RFC 9457.
    pub(super) fn problem(&self, dispatcher: &Dispatcher, name: &str, extensions: &Extensions) -> Option<Problem> {
        let (text, header) = self.find(dispatcher, name, extensions)?;
        let problem = Problem::new(StatusCode::FORBIDDEN, text);
        Some(match header {
            Some(header) => problem.with_header(WWW_AUTHENTICATE, header),
            None => problem,
        })
    }

    /// Returns the message and the header, if only scopes hide the tool from the caller.
    ///
    /// The header has all scopes of the tool, also those that the caller has: the specification asks for all scopes of the
    /// operation in one challenge.
    fn find(
        &self,
        dispatcher: &Dispatcher,
        name: &str,
        extensions: &Extensions,
    ) -> Option<(String, Option<HeaderValue>)> {
        let tool = dispatcher.insufficient_scopes(name, extensions)?;
        let scopes = tool.scopes().join(" ");
        let text = format!("the token lacks scopes: tool {} needs `{scopes}`", quote_name(name));
        let header = format!(
            r#"Bearer error="insufficient_scope", scope="{scopes}", resource_metadata="{}""#,
            self.resource_metadata
        );
        // `build` has checked the scopes and `new` has encoded the URL, so this is always a valid header.
        Some((text, HeaderValue::from_str(&header).ok()))
    }
}
