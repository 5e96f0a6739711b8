//! Reads a JSON Web Token: its header, its signature, its claims.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::keys::Keys;
use super::refusal::Reason;
use crate::json::reader;

/// Servers limit headers to about as much. A longer token is refused before it is read.
pub(super) const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// Longer than every `kid` of a real authorization server.
const MAX_KEY_ID_BYTES: usize = 256;
/// The types of tokens that are access tokens, or do not say what they are. Others are for other purposes: a logout, for example.
const TYPES: [&str; 4] = ["at+jwt", "application/at+jwt", "jwt", "application/jwt"];

/// A token whose signature is not yet checked.
pub(super) struct UncheckedToken<'t> {
    pub(super) key_id: Option<String>,
    algorithm: String,
    /// The bytes that are signed.
    message: &'t [u8],
    claims: &'t str,
    signature: Vec<u8>,
}

impl<'t> UncheckedToken<'t> {
    pub(super) fn read(token: &'t str) -> Result<Self, Reason> {
        let [header, claims, signature] = token.splitn(4, '.').collect::<Vec<_>>()[..] else {
            return Err(Reason::Malformed);
        };
        let message = &token.as_bytes()[..header.len() + 1 + claims.len()];
        let header = read_json(header)?;
        let string = |name| match header.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Reason::Malformed),
        };
        // No extension is known here, so a token with critical ones must be refused, whatever they are (RFC 7515, section 4.1.11).
        if header.get("crit").is_some() || header.get("b64").is_some() {
            return Err(Reason::Extension);
        }
        let is_other_type = |kind: &String| !TYPES.iter().any(|known| kind.eq_ignore_ascii_case(known));
        if string("typ")?.is_some_and(is_other_type) {
            return Err(Reason::Extension);
        }
        let key_id = string("kid")?.cloned();
        // The function that looks up keys gets it before any signature is checked.
        let is_plain = |id: &String| id.len() <= MAX_KEY_ID_BYTES && id.bytes().all(|byte| byte.is_ascii_graphic());
        if key_id.as_ref().is_some_and(|id| !is_plain(id)) {
            return Err(Reason::UnknownKey);
        }
        let algorithm = string("alg")?.ok_or(Reason::Malformed)?.clone();
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Reason::Malformed)?;
        Ok(Self { key_id, algorithm, message, claims, signature })
    }

    /// Checks the signature, and only then reads the claims.
    pub(super) fn claims(&self, keys: &Keys) -> Result<Value, Reason> {
        if !keys.verify(self.key_id.as_deref(), &self.algorithm, self.message, &self.signature) {
            return Err(Reason::UnknownKey);
        }
        read_json(self.claims)
    }
}

/// Reads an encoded JSON object. Duplicate keys are refused: another reader could take the other value.
fn read_json(encoded: &str) -> Result<Value, Reason> {
    let text = URL_SAFE_NO_PAD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or(Reason::Malformed)?;
    let document = reader::read_text(&text).map_err(|_| Reason::Malformed)?.root().to_value();
    if document.is_object() { Ok(document) } else { Err(Reason::Malformed) }
}
