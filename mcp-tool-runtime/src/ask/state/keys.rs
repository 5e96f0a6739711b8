//! The keys that sign states.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::{Digest, Ticket, now};

/// The format of a state. A later format gets another prefix, so that no state is ever read as another format.
const PREFIX: &str = "v1.";

/// The keys of a server. The first one signs, all of them verify.
#[derive(Clone)]
pub(crate) struct Keys(Vec<[u8; 32]>);

impl Keys {
    /// Returns what is wrong with a list of keys.
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

    /// Creates a random key.
    pub(crate) fn random() -> Result<Self, String> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| format!("no random key for the states of questions: {error}"))?;
        Ok(Self(vec![key]))
    }

    /// Signs a payload: `v1.PAYLOAD.SIGNATURE`, both in base64url.
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

    /// Signs that something may be done until then.
    pub(crate) fn issue(&self, ttl: Duration, what: &Digest) -> Ticket {
        let end = (now().saturating_add(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)) / 1_000).to_be_bytes();
        let signature = mac(&self.0[0], &ticket(end, what)).finalize().into_bytes();
        std::array::from_fn(|at| if at < 8 { end[at] } else { signature[at - 8] })
    }

    /// Returns `true` if a key of this server has signed the ticket, for this, and it has not expired.
    pub(crate) fn accept(&self, signed: &Ticket, what: &Digest) -> bool {
        let end = std::array::from_fn(|at| signed[at]);
        let is_signed = |key: &[u8; 32]| mac(key, &ticket(end, what)).verify_truncated_left(&signed[8..]).is_ok();
        u64::from_be_bytes(end) > now() / 1_000 && self.0.iter().any(is_signed)
    }
}

/// Returns what is signed. No state begins like it.
fn ticket(end: [u8; 8], what: &Digest) -> String {
    format!("ticket.{}.{what:?}", u64::from_be_bytes(end))
}

fn mac(key: &[u8; 32], signed: &str) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to the block size of its hash.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    let mut mac = <Hmac<Sha256>>::new(&block.into());
    // The label distinguishes these signatures from any that a program makes with the same key for another purpose.
    mac.update(b"mcp-tool request state\0");
    mac.update(signed.as_bytes());
    mac
}

debug_struct!(Keys, keys => len: keys.0.len());
