//! Finds a tool by its name.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// The places of tools by their names. One look-up costs the same among one tool and among a thousand.
pub(super) type ByName = HashMap<Arc<str>, usize, BuildHasherDefault<NameHasher>>;

/// FNV-1a of 64 bits: quick for short texts. Which names there are is the author's choice and no caller's, so that nobody
/// can make them collide.
pub(super) struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
