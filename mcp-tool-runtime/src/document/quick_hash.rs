//! Maps whose keys the author of a server chose: names of tools, schemas. No caller can make them collide, so a quick hash
//! will do.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with such keys.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// Eight bytes at a time, each multiplied into the rest.
#[derive(Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    fn add(&mut self, word: u64) {
        // Odd, and its bits are those of the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(byte.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    /// A product says most in its high bits, and a map looks at the low ones first.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher as _, BuildHasherDefault};

    use super::QuickHasher;

    #[test]
    fn names_that_are_much_alike_are_spread() {
        let hasher = BuildHasherDefault::<QuickHasher>::default();
        let names = (0..4_096).map(|number| format!("desk_{number}_convert"));
        let places: HashSet<_> = names.map(|name| hasher.hash_one(name.as_str()) & 4_095).collect();
        // Of as many places chosen by chance two thirds would be taken.
        assert!(places.len() > 2_300, "{}", places.len());
    }
}
