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

use serde_json::Value;

#[cfg(feature = "ask")]
pub(crate) use keys::{Digest, Keys, open, seal};
#[cfg(not(feature = "ask"))]
pub(crate) use unsigned::{Digest, Keys, open, seal};

/// The maximum length of a state that is sent or accepted, in bytes.
pub(crate) const MAX_BYTES: usize = 32 << 10;

/// A signature without a payload: the time of its expiry, in seconds since 1970, and the first half of a MAC. It is
/// short, because a model has to copy it.
pub(crate) type Ticket = [u8; 24];

/// What a state is bound to.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "ask", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Binding {
    pub(crate) audience: String,
    pub(crate) tool: String,
    /// The digest of the arguments as the client sent them, before any middleware changed them.
    pub(crate) arguments: Digest,
    /// The digest of the principal. `None` matches only `None`.
    pub(crate) principal: Option<Digest>,
}

/// What a call has learned in its rounds so far.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "ask", derive(serde::Serialize, serde::Deserialize))]
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
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "ask", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Recorded {
    pub(crate) question: Digest,
    pub(crate) outcome: RecordedOutcome,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "ask", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ask", serde(rename_all = "lowercase"))]
pub(crate) enum RecordedOutcome {
    Accept(Value),
    Decline,
    Cancel,
}
