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
        let mut hasher = Hasher::new(label);
        hasher.value(value);
        hasher.finish()
    }

    /// Returns the digest of several texts.
    pub(crate) fn of_parts(label: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = Hasher::new(label);
        for part in parts {
            hasher.part(part);
        }
        hasher.finish()
    }

    /// Returns the digest of a question: its message and its form.
    pub(crate) fn of_question(message: &str, form: &Self) -> Self {
        Self::of_parts("question", &[message.as_bytes(), &form.0])
    }
}

/// Feeds values to SHA-256, each with its kind and length, so that no two values are fed alike.
struct Hasher(Sha256);

impl Hasher {
    fn new(label: &str) -> Self {
        let mut hasher = Self(Sha256::new());
        hasher.part(label.as_bytes());
        hasher
    }

    fn part(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.0.update(b"n"),
            Value::Bool(false) => self.0.update(b"f"),
            Value::Bool(true) => self.0.update(b"t"),
            Value::Number(number) => {
                self.0.update(b"d");
                self.part(number.to_string().as_bytes());
            }
            Value::String(text) => {
                self.0.update(b"s");
                self.part(text.as_bytes());
            }
            Value::Array(elements) => {
                self.0.update(b"a");
                self.0.update((elements.len() as u64).to_be_bytes());
                for element in elements {
                    self.value(element);
                }
            }
            Value::Object(properties) => {
                let mut sorted: Vec<_> = properties.iter().collect();
                sorted.sort_unstable_by_key(|(key, _)| *key);
                self.0.update(b"o");
                self.0.update((sorted.len() as u64).to_be_bytes());
                for (key, value) in sorted {
                    self.part(key.as_bytes());
                    self.value(value);
                }
            }
        }
    }

    fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
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
