//! Digests of what a state is bound to.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

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

    /// Returns the digest of several texts. Each is hashed with its length, so that no two lists are hashed alike.
    pub(crate) fn of_parts(label: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in [label.as_bytes()].iter().chain(parts) {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Returns the digest of a question: its message and its form.
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
