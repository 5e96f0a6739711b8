//! The keys that sign states, and digests of what a state is bound to.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Ticket, now};

/// The prefix that names the format of a state. A later format gets another prefix, so that no state is ever read in
/// the wrong format.
const PREFIX: &str = "v1.";

/// The keys of a server. The first key signs, and every key verifies.
#[derive(Clone)]
pub(crate) struct Keys(Vec<[u8; 32]>);

impl Keys {
    /// Creates the keys of a server. Returns a message if the list is empty, has a key of zeros, or has the same key
    /// twice.
    pub(crate) fn new(keys: impl IntoIterator<Item = [u8; 32]>) -> Result<Self, &'static str> {
        let keys: Vec<_> = keys.into_iter().collect();
        if keys.is_empty() {
            return Err("`state_keys` needs a key");
        }
        if keys.contains(&[0; 32]) {
            return Err("`state_keys` has a key of zeros, which anybody can guess");
        }
        if keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key)) {
            return Err("`state_keys` has the same key twice");
        }
        Ok(Self(keys))
    }

    pub(crate) fn random() -> Result<Self, String> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| format!("no random key for the states of questions: {error}"))?;
        Ok(Self(vec![key]))
    }

    /// Signs a payload. Returns `v1.PAYLOAD.SIGNATURE`, with the payload and the signature in base64url.
    pub(super) fn seal(&self, payload: &[u8]) -> String {
        let mut state = String::from(PREFIX);
        URL_SAFE_NO_PAD.encode_string(payload, &mut state);
        let signature = mac(&self.0[0], &state).finalize().into_bytes();
        state.push('.');
        URL_SAFE_NO_PAD.encode_string(signature, &mut state);
        state
    }

    /// Verifies a state and returns its payload. The comparison takes the same time for every wrong signature.
    pub(super) fn open(&self, state: &str) -> Result<Vec<u8>, &'static str> {
        let (signed, signature) = state.rsplit_once('.').ok_or("it has no signature")?;
        let payload = signed.strip_prefix(PREFIX).ok_or("its format is not known")?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| "the signature is not base64url")?;
        let is_valid = |key: &[u8; 32]| mac(key, signed).verify_slice(&signature).is_ok();
        if !self.0.iter().any(is_valid) {
            return Err("no key of this server has signed it");
        }
        URL_SAFE_NO_PAD.decode(payload).map_err(|_| "the payload is not base64url")
    }

    /// Signs a ticket for `what`. The ticket is valid for `ttl`.
    pub(crate) fn issue(&self, ttl: Duration, what: &Digest) -> Ticket {
        let end = (now().saturating_add(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)) / 1_000).to_be_bytes();
        let signature = mac(&self.0[0], &ticket(end, what)).finalize().into_bytes();
        std::array::from_fn(|at| if at < 8 { end[at] } else { signature[at - 8] })
    }

    /// Returns `true` if a key of this server has signed the ticket for `what`, and the ticket has not expired.
    pub(crate) fn accept(&self, signed: &Ticket, what: &Digest) -> bool {
        let end = std::array::from_fn(|at| signed[at]);
        let is_signed = |key: &[u8; 32]| mac(key, &ticket(end, what)).verify_truncated_left(&signed[8..]).is_ok();
        u64::from_be_bytes(end) > now() / 1_000 && self.0.iter().any(is_signed)
    }
}

/// Returns the text that is signed for a ticket. Its prefix differs from that of a state, so that neither signature is
/// valid for the other.
fn ticket(end: [u8; 8], what: &Digest) -> String {
    format!("ticket.{}.{what:?}", u64::from_be_bytes(end))
}

fn mac(key: &[u8; 32], signed: &str) -> Hmac<Sha256> {
    // `new` takes a key as long as a block of the hash. HMAC pads a shorter key with zeros, so do the same.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    let mut mac = <Hmac<Sha256>>::new(&block.into());
    // The label distinguishes these signatures from any that a program makes with the same key for another purpose.
    mac.update(b"mcp-tool request state\0");
    mac.update(signed.as_bytes());
    mac
}

debug_struct!(Keys, keys => len: keys.0.len());

/// A SHA-256 digest. It is written as base64url.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of a JSON value. The order of properties does not matter.
    pub(crate) fn of_value(label: &str, value: &Value) -> Self {
        let mut value = value.clone();
        value.sort_all_objects();
        Self::of_parts(label, &[value.to_string().as_bytes()])
    }

    /// Returns the digest of several byte strings. Each is hashed with its length, so that no two lists are hashed
    /// alike.
    pub(crate) fn of_parts(label: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in [label.as_bytes()].iter().chain(parts) {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Returns the digest of a question, from its message and the digest of its form.
    pub(crate) fn of_question(message: &str, form: &Self) -> Self {
        Self::of_parts("question", &[message.as_bytes(), &form.0])
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| serde::de::Error::custom("not a digest"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_digest_of_a_value_depends_on_everything_but_the_order_of_properties() {
        let of = |value: Value| Digest::of_value("arguments", &value);
        assert_eq!(of(json!({ "a": 1, "b": [true, null] })), of(json!({ "b": [true, null], "a": 1 })));
        let values = [
            json!({}),
            json!([]),
            json!(null),
            json!(""),
            json!("1"),
            json!(1),
            json!([1, 2]),
            json!([2, 1]),
            json!([[1], 2]),
            json!({ "a": 1 }),
            json!({ "a": "1" }),
            json!({ "a": 1, "b": null }),
            json!({ "a": { "b": null } }),
        ];
        for (index, value) in values.iter().enumerate() {
            for other in &values[index + 1..] {
                assert_ne!(of(value.clone()), of(other.clone()), "{value} and {other}");
            }
        }
        assert_ne!(of(json!({})), Digest::of_value("form", &json!({})));
    }
}
