//! Signs and verifies states, with the keys of a server and digests of what a state is bound to.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Binding, MAX_BYTES, Progress, Ticket};

/// The prefix that names the format of a state. A later format gets another prefix, so that no state is ever read in
/// the wrong format.
const PREFIX: &str = "v1.";

/// How far the clock of the server that issued a state may be ahead of this server's clock, in milliseconds.
const MAX_SKEW_MILLIS: u64 = 60_000;

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
    fn seal(&self, payload: &[u8]) -> String {
        let mut state = String::from(PREFIX);
        URL_SAFE_NO_PAD.encode_string(payload, &mut state);
        let signature = mac(&self.0[0], &state).finalize().into_bytes();
        state.push('.');
        URL_SAFE_NO_PAD.encode_string(signature, &mut state);
        state
    }

    /// Verifies a state and returns its payload. The comparison takes the same time for every wrong signature.
    fn open(&self, state: &str) -> Result<Vec<u8>, &'static str> {
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

#[derive(Serialize, Deserialize)]
struct Payload {
    /// The time when the state was issued, in milliseconds since 1970.
    iat: u64,
    exp: u64,
    #[serde(flatten)]
    binding: Binding,
    #[serde(flatten)]
    progress: Progress,
}

/// Signs the progress of a call. Returns `None` if the state would be too long.
pub(crate) fn seal(keys: &Keys, ttl: Duration, binding: &Binding, progress: Progress) -> Option<String> {
    let iat = now();
    let exp = iat.saturating_add(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
    let payload = Payload { iat, exp, binding: binding.clone(), progress };
    let state = keys.seal(&serde_json::to_vec(&payload).ok()?);
    (state.len() <= MAX_BYTES).then_some(state)
}

/// Verifies a state, and returns the progress in it.
///
/// # Errors
///
/// The reason. It is only for the log: a client that probes with forged states must not learn it.
pub(crate) fn open(keys: &Keys, state: &str, binding: &Binding) -> Result<Progress, &'static str> {
    if state.len() > MAX_BYTES {
        return Err("it is too long");
    }
    let payload = keys.open(state)?;
    let payload: Payload = serde_json::from_slice(&payload).map_err(|_| "its payload is not known")?;
    let Payload { iat, exp, binding: issued, progress } = payload;
    let now = now();
    let reasons = [
        (exp <= now, "it has expired"),
        (iat > now.saturating_add(MAX_SKEW_MILLIS), "it was issued in the future"),
        (issued.audience != binding.audience, "it is for another server"),
        (issued.tool != binding.tool, "it is for another tool"),
        (issued.principal != binding.principal, "it is for another principal"),
        (issued.arguments != binding.arguments, "it is for other arguments"),
    ];
    reasons.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(progress), |(_, reason)| Err(reason))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::{Recorded, RecordedOutcome};
    use super::*;
    use serde_json::json;

    const TEN_MINUTES: Duration = Duration::from_secs(600);

    fn keys(first: u8) -> Keys {
        Keys::new([[first; 32]]).expect("one key")
    }

    fn binding() -> Binding {
        Binding {
            audience: "notes".to_owned(),
            tool: "delete_note".to_owned(),
            arguments: Digest::of_value("arguments", &json!({ "id": 7 })),
            principal: Some(Digest::of_parts("principal", &[b"ann"])),
        }
    }

    fn progress() -> Progress {
        let question = Digest::of_parts("question", &[b"sure?"]);
        let outcome = RecordedOutcome::Accept(json!({ "guest": "Ann" }));
        Progress {
            round: 2,
            call_id: "call-1".to_owned(),
            asked: [("sure".to_owned(), question)].into(),
            answers: [
                ("guest".to_owned(), Recorded { question, outcome }),
                ("day".to_owned(), Recorded { question, outcome: RecordedOutcome::Decline }),
            ]
            .into(),
        }
    }

    #[test]
    fn a_state_comes_back_as_it_was_sealed() {
        let state = seal(&keys(1), TEN_MINUTES, &binding(), progress()).expect("a short state");
        assert_eq!(open(&keys(1), &state, &binding()), Ok(progress()));
    }

    #[test]
    fn a_state_is_refused_with_anything_else_than_it_was_issued_for() {
        let state = seal(&keys(1), TEN_MINUTES, &binding(), progress()).expect("a short state");
        let other = |change: fn(&mut Binding)| {
            let mut binding = binding();
            change(&mut binding);
            open(&keys(1), &state, &binding).expect_err("another binding")
        };
        assert_eq!(other(|binding| binding.audience = "mail".to_owned()), "it is for another server");
        assert_eq!(other(|binding| binding.tool = "delete_all".to_owned()), "it is for another tool");
        assert_eq!(other(|binding| binding.principal = None), "it is for another principal");
        assert_eq!(
            other(|binding| binding.arguments = Digest::of_value("arguments", &json!({ "id": 8 }))),
            "it is for other arguments"
        );
        let mut anonymous = binding();
        anonymous.principal = None;
        let state = seal(&keys(1), TEN_MINUTES, &anonymous, progress()).expect("a short state");
        assert_eq!(open(&keys(1), &state, &binding()), Err("it is for another principal"));
    }

    #[test]
    fn an_expired_state_is_refused() {
        let state = seal(&keys(1), Duration::ZERO, &binding(), progress()).expect("a short state");
        assert_eq!(open(&keys(1), &state, &binding()), Err("it has expired"));
    }

    #[test]
    fn the_first_key_signs_and_all_verify() {
        let both = Keys::new([[2; 32], [1; 32]]).expect("two keys");
        let old = seal(&keys(1), TEN_MINUTES, &binding(), progress()).expect("a short state");
        let new = seal(&both, TEN_MINUTES, &binding(), progress()).expect("a short state");
        assert!(open(&both, &old, &binding()).is_ok());
        assert!(open(&keys(2), &new, &binding()).is_ok());
        assert_eq!(open(&keys(1), &new, &binding()), Err("no key of this server has signed it"));
        assert_eq!(open(&Keys::random().expect("a key"), &new, &binding()), Err("no key of this server has signed it"));
        assert!(Keys::new([]).is_err());
        assert!(Keys::new([[1; 32], [2; 32], [1; 32]]).is_err());
    }

    #[test]
    fn every_changed_bit_is_refused() {
        let state = seal(&keys(1), TEN_MINUTES, &binding(), progress()).expect("a short state");
        let mut flips = 0;
        for index in 0..state.len() {
            for bit in 0..8 {
                let mut bytes = state.clone().into_bytes();
                bytes[index] ^= 1 << bit;
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                assert!(open(&keys(1), &changed, &binding()).is_err(), "bit {bit} of byte {index}");
                flips += 1;
            }
        }
        assert!(flips > 1_000);
        for cut in 0..state.len() {
            assert!(open(&keys(1), &state[..cut], &binding()).is_err());
        }
        assert!(open(&keys(1), &format!("{state}-TAMPERED"), &binding()).is_err());
    }

    #[test]
    fn a_state_of_more_than_32_kib_is_neither_sent_nor_read() {
        let mut long = progress();
        let outcome = RecordedOutcome::Accept(json!("x".repeat(MAX_BYTES)));
        long.answers.insert("long".to_owned(), Recorded { outcome, ..long.answers["guest"].clone() });
        assert_eq!(seal(&keys(1), TEN_MINUTES, &binding(), long), None);
        assert_eq!(open(&keys(1), &"x".repeat(MAX_BYTES + 1), &binding()), Err("it is too long"));
    }

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
