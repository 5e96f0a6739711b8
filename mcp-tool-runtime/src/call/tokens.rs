//! How many tokens a text takes in the context window of a model.

use std::fmt;
use std::sync::Arc;

/// The parts of a token that [`Counter`] counts in, so that the counts of the parts of a text can be added.
pub(crate) const PARTS: u64 = 100;

/// Parts of a token for each byte, by its kind. Tokenizers differ, and those of Claude are not public, so these are on the safe side: a word
/// is a token for each 4 letters, and numbers, identifiers and punctuation take more.
const LETTER: u64 = 28;
const SPACE: u64 = 14;
const DIGIT: u64 = 55;
const PUNCTUATION: u64 = 52;
/// A byte of any other script. A character has 2 to 4 of them.
const OTHER: u64 = 42;

/// Estimates the tokens of a text from its bytes, in [`PARTS`].
pub(crate) fn estimate(text: &[u8]) -> u64 {
    let count = |is_counted: fn(u8) -> bool| -> u64 {
        // Counted in bytes, so that the compiler uses vector instructions.
        let count = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>();
        text.chunks(128).map(|chunk| u64::from(count(chunk))).sum()
    };
    let letters = count(|byte| (byte | 0x20).wrapping_sub(b'a') < 26);
    let spaces = count(|byte| byte == b' ');
    let digits = count(|byte| byte.wrapping_sub(b'0') < 10);
    let others = count(|byte| byte >= 0x80);
    let punctuation = text.len() as u64 - letters - spaces - digits - others;
    LETTER * letters + SPACE * spaces + DIGIT * digits + OTHER * others + PUNCTUATION * punctuation
}

/// Counts tokens: the estimate, or a function of the author's.
#[derive(Clone, Default)]
pub(crate) struct Counter(pub(crate) Option<Arc<dyn Fn(&str) -> usize + Send + Sync>>);

impl Counter {
    /// Counts the tokens of a text, in [`PARTS`].
    pub(crate) fn count(&self, text: &[u8]) -> u64 {
        match &self.0 {
            None => estimate(text),
            Some(count) => count(&String::from_utf8_lossy(text)) as u64 * PARTS,
        }
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Counter").field(&self.0.is_some()).finish()
    }
}
