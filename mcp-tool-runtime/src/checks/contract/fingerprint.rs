//! A few digits that stand for a definition.

use std::fmt;

use super::canonical;
use crate::mcp;

/// A few digits that stand for the definition of one tool: see
/// [`Dispatcher::fingerprint`](crate::Dispatcher::fingerprint).
///
/// It tells definitions apart that differ by accident. It is no signature: whoever wants two definitions of one
/// fingerprint can make them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u128);

impl Fingerprint {
    pub(crate) fn of(tool: &mcp::Tool) -> Self {
        // Maps of strings and values always serialise.
        let definition = canonical::definition(serde_json::to_value(tool).unwrap_or_default());
        Self(fnv_1a(definition.to_string().as_bytes()))
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// As it is displayed.
impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The hash FNV-1a of 128 bits: fixed for good by its definition, unlike the hashers of the standard library.
fn fnv_1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv_1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv_1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(fnv_1a(b"foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
    }
}
