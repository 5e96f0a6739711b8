//! The state of a call between two rounds. The client keeps it, so it is signed. It is bound to the server, tool,
//! arguments and caller that it was issued for, and refused for any other.
//!
//! It is not encrypted. The client can read what is in it: its own answers, the names of the server and the tool, the
//! call id, the times of issue and expiry, and digests. A state can be sent again until it expires. So a tool that must
//! take effect only once uses the call id as an idempotency key: that id is the same in all rounds.

#[cfg(feature = "ask")]
mod keys;
#[cfg(not(feature = "ask"))]
mod unsigned;

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(feature = "ask")]
pub(crate) use keys::{Digest, Keys};
#[cfg(not(feature = "ask"))]
pub(crate) use unsigned::{Digest, Keys};

/// The maximum length of a state that is sent or accepted, in bytes.
pub(crate) const MAX_BYTES: usize = 32 << 10;

/// How far the clock of the server that issued a state may be ahead of this server's clock, in milliseconds.
const MAX_SKEW_MILLIS: u64 = 60_000;

/// A signature without a payload: the time of its expiry, in seconds since 1970, and the first half of a MAC. It is
/// short, because a model has to copy it.
pub(crate) type Ticket = [u8; 24];

/// What a state is bound to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Binding {
    pub(crate) audience: String,
    pub(crate) tool: String,
    /// The digest of the arguments as the client sent them, before any middleware changed them.
    pub(crate) arguments: Digest,
    /// The digest of the principal. `None` matches only `None`.
    pub(crate) principal: Option<Digest>,
}

/// What a call has learned in its rounds so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The number of times that the client was asked for input.
    pub(crate) round: u32,
    pub(crate) call_id: String,
    /// The digest of each question of the last round, by its key.
    pub(crate) asked: HashMap<String, Digest>,
    /// The answers of earlier rounds.
    pub(crate) answers: HashMap<String, Recorded>,
}

/// An answer, and the digest of the question that it answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) question: Digest,
    pub(crate) outcome: RecordedOutcome,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RecordedOutcome {
    Accept(Value),
    Decline,
    Cancel,
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

#[cfg(all(test, feature = "ask"))]
mod tests {
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
}
