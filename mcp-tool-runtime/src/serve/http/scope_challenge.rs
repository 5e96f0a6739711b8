//! Answers a call by a caller who lacks scopes: status 403, and which scopes the tool needs.

use ::http::HeaderValue;

use super::settings::Settings;
use crate::dispatcher::Gate;
use crate::json::path::percent_encode;
use crate::json::violation::quote_name;

impl Settings {
    /// Challenges callers who lack scopes, from now on.
    pub(super) fn challenge_scopes(&mut self, resource_metadata: &str) {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !br#""\"#.contains(&byte);
        self.resource_metadata = Some(percent_encode(resource_metadata, is_plain));
    }

    /// Returns the message and the header `WWW-Authenticate` of the answer, if callers are challenged and only scopes hide the tool from this one.
    ///
    /// The header has all scopes of the tool, also those that the caller has: the specification asks for all scopes of the
    /// operation in one challenge.
    pub(super) fn scope_challenge(&self, gate: &Gate<'_>, name: &str) -> Option<(String, HeaderValue)> {
        let resource_metadata = self.resource_metadata.as_ref()?;
        let scopes = gate.insufficient_scopes()?.join(" ");
        let text = format!("the token lacks scopes: tool {} needs `{scopes}`", quote_name(name));
        let header =
            format!(r#"Bearer error="insufficient_scope", scope="{scopes}", resource_metadata="{resource_metadata}""#);
        // `build` has checked the scopes, and the URL is encoded, so this is always a valid header.
        Some((text, HeaderValue::from_str(&header).ok()?))
    }
}
