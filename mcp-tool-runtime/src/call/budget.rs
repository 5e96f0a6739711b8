//! How many tokens a result may have for each client, and how many tokens a piece of text takes.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{CallContext, ask::ClientInfo};

/// The budget of a page in tokens, unless the author sets one.
const DEFAULT: u32 = 20_000;

/// The limits that a known client sets for the size of a result.
pub(crate) struct ResultLimit {
    /// The name that the client sends.
    pub(crate) client: &'static str,
    pub(crate) tokens: u32,
    /// How many characters the client accepts from a tool whose definition declares no size.
    characters: u32,
    /// How many characters the client accepts from a tool whose definition declares a size.
    declared: u32,
    pub(crate) source: &'static str,
    pub(crate) date: &'static str,
}

impl ResultLimit {
    /// Returns the budget in tokens that keeps a page within the client's limits. Ten characters are always estimated
    /// at three tokens or more, so a page within this budget never has too many characters.
    fn page(&self, is_declared: bool) -> u32 {
        if is_declared { self.declared / 10 * 3 } else { self.tokens.min(self.characters / 10 * 3) }
    }
}

/// The limits of known clients. `lint` reads them too.
pub(crate) const LIMITS: &[ResultLimit] = &[ResultLimit {
    client: "claude-code",
    tokens: 25_000,
    // Version 2.1.330 of Claude Code first estimates the tokens of a result, at 4 characters per token. It counts them
    // only if the estimate is more than half the limit, that is, for more than 50,000 characters. It saves a result
    // over the limit to a file that the model must read in pieces, or truncates the result.
    characters: 50_000,
    declared: 500_000,
    source: "https://code.claude.com/docs/en/mcp#mcp-output-limits-and-warnings",
    date: "2026-11-24",
}];

type OfClient = Arc<dyn Fn(&ClientInfo) -> Option<u32> + Send + Sync>;

/// The settings for the size of results, in tokens.
#[derive(Clone, Default)]
pub(crate) struct Budgets {
    pub(crate) of_results: Option<u32>,
    pub(crate) of_client: Option<OfClient>,
    /// Whether the definitions of tools tell clients the budgets, so that the clients accept results of that size.
    pub(crate) are_declared: bool,
}

impl Budgets {
    /// Returns `true` if the author has set a budget for all results, or a function that returns the budget for a
    /// client.
    pub(crate) fn is_set(&self) -> bool {
        self.of_results.is_some() || self.of_client.is_some()
    }

    /// Returns the budget that the author has set for a result: the smaller of the client's budget and the tool's
    /// budget. If only one of these is set, returns that one. If neither is set, returns the budget for all results.
    pub(crate) fn by_author(&self, of_tool: Option<u32>, cx: &CallContext) -> Option<u32> {
        match self.of_client(cx) {
            Some(budget) => Some(of_tool.map_or(budget, |of_tool| of_tool.min(budget))),
            None => of_tool.or(self.of_results),
        }
    }

    /// Returns the budget of a page. A known client gets no more than it accepts, unless the author has set a budget
    /// for that client.
    pub(crate) fn of_page(&self, of_tool: Option<u32>, cx: &CallContext) -> u32 {
        let budget = self.by_author(of_tool, cx).unwrap_or(DEFAULT);
        let is_declared = self.are_declared && of_tool.or(self.of_results).is_some();
        let client = if self.of_client(cx).is_some() { None } else { client(cx) };
        let limit = client.and_then(|client| LIMITS.iter().find(|limit| limit.client == client.name()));
        limit.map_or(budget, |limit| limit.page(is_declared).min(budget))
    }

    fn of_client(&self, cx: &CallContext) -> Option<u32> {
        self.of_client.as_ref()?(&*client(cx)?)
    }
}

/// Returns the client that made a call: the one that the session has attached, or else the one that the request's
/// `_meta` names.
fn client(cx: &CallContext) -> Option<Cow<'_, ClientInfo>> {
    match cx.extensions().get::<ClientInfo>() {
        Some(client) => Some(Cow::Borrowed(client)),
        None => ClientInfo::of_request(Some(cx.meta())).map(Cow::Owned),
    }
}

/// The number of parts in a token. [`estimate`] counts parts, so that the counts for the pieces of a text can be added
/// up before they are rounded to tokens.
pub(crate) const PARTS: u64 = 100;

/// The parts that a byte takes if it is a letter, a space, a control character, or one of the ASCII signs from `@` on,
/// such as `[`.
///
/// This constant and the next three say how many parts of a token a byte of each kind takes. They are fitted to the
/// tokenizers of GPT-4o and Gemma 3, with documents in 50 languages. `tests/tokens` repeats the count, and the guide
/// has the figures.
const LETTER: u64 = 33;
/// The parts that a digit takes. The tokenizer of Gemma uses one token for each digit.
const DIGIT: u64 = 114;
const PUNCTUATION: u64 = 58;
/// The parts that each of the 2 to 4 bytes of a character outside ASCII takes.
const OTHER: u64 = 28;
/// The maximum number of parts that a byte takes.
const MOST: u64 = DIGIT;

/// Estimates how many tokens a text takes, counted in parts of a token (see [`PARTS`]). Three comparisons per byte tell
/// the kinds of bytes apart.
pub(crate) fn estimate(text: &[u8]) -> u64 {
    let mut counts = [0; 3];
    // Use `u8` counters, so that the compiler uses vector instructions. Such a counter can count up to 255 blocks.
    for text in text.chunks(255 * LANES) {
        let (blocks, rest) = text.as_chunks::<LANES>();
        // Pad with spaces, which none of `KINDS` counts.
        let mut last = [b' '; LANES];
        last[..rest.len()].copy_from_slice(rest);
        let mut lanes = [[0; LANES]; 3];
        blocks.iter().chain([&last]).for_each(|block| {
            for (lane, byte) in block.iter().enumerate() {
                for (lanes, is_counted) in lanes.iter_mut().zip(KINDS) {
                    lanes[lane] += u8::from(is_counted(*byte));
                }
            }
        });
        for (count, lanes) in counts.iter_mut().zip(lanes) {
            *count += sum(lanes);
        }
    }
    let [signs, digits, others] = counts;
    let letters = text.len() as u64 - signs - others;
    LETTER * letters + DIGIT * digits + PUNCTUATION * (signs - digits) + OTHER * others
}

const LANES: usize = 32;

/// The kinds of bytes that `estimate` counts, each as a predicate: punctuation and digits together, digits alone, and
/// bytes outside ASCII.
const KINDS: [fn(u8) -> bool; 3] =
    [|byte| is_between(byte, b'!', b'?'), |byte| is_between(byte, b'0', b'9'), |byte| !byte.is_ascii()];

/// Returns `true` if the byte is between `first` and `last`, including both. Uses one signed comparison, for which
/// x86-64 has vector instructions. With two unsigned comparisons, a page takes 0.8% more instructions.
const fn is_between(byte: u8, first: u8, last: u8) -> bool {
    byte.wrapping_add(i8::MAX.cast_unsigned() - last).cast_signed() >= i8::MAX - (last - first).cast_signed()
}

/// Adds up the counters of all lanes. Handles eight of them at once, in one `u64`.
fn sum(lanes: [u8; LANES]) -> u64 {
    const EVEN: u64 = u64::MAX / 0x0101;
    let (words, _) = lanes.as_chunks();
    let pairs = words.iter().map(|word| {
        let word = u64::from_ne_bytes(*word);
        (word & EVEN) + (word >> 8 & EVEN)
    });
    pairs.sum::<u64>().wrapping_mul(0x0001_0001_0001_0001) >> 48
}

/// Returns the maximum number of parts that a text of `bytes` bytes can take.
pub(crate) const fn most(bytes: usize) -> u64 {
    MOST * bytes as u64
}

/// Returns the number of bytes that take at most this many parts, whatever kinds of bytes they are.
pub(crate) fn bytes_of(parts: u64) -> usize {
    usize::try_from(parts / MOST).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Document {
        text: String,
        tokens: [f64; 2],
    }

    #[test]
    fn a_text_has_the_tokens_of_its_bytes() {
        for (bytes, parts) in
            [(" \n\0@AZ[`az{~\x7f", LETTER), ("059", DIGIT), ("!\"#,./:;<?", PUNCTUATION), ("é字", OTHER)]
        {
            for byte in bytes.bytes() {
                assert_eq!(estimate(&[byte]), parts, "{byte:#x}");
            }
        }
        let bytes: Vec<u8> = (0..20_000_u32).map(|at| at.wrapping_mul(0x9e37_79b1).to_be_bytes()[0]).collect();
        for text in (0..100).map(|length| &bytes[length..2 * length]).chain([&*bytes, &[b'0'; 9_000]]) {
            let parts: u64 = text.iter().map(|byte| estimate(&[*byte])).sum();
            assert_eq!(estimate(text), parts, "{} bytes", text.len());
        }
    }

    /// Pages for clients that limit characters rely on this.
    #[test]
    fn ten_characters_are_estimated_as_three_tokens_at_least() {
        for character in (0..=char::MAX as u32).filter_map(char::from_u32) {
            let tokens = estimate(character.to_string().repeat(10).as_bytes());
            assert!(tokens >= 3 * PARTS, "{character:?}: {tokens}");
        }
    }

    #[test]
    #[ignore = "reads what `tests/tokens` has counted"]
    fn the_estimate_is_seldom_too_low_and_not_much_too_high() {
        let counts = std::env::var("TOKEN_COUNTS").expect("the variable TOKEN_COUNTS");
        let counts = std::fs::read(counts).expect("a file");
        let documents: Vec<Document> = serde_json::from_slice(&counts).expect("documents");
        assert!(documents.len() >= 500, "{} documents", documents.len());
        for (index, tokenizer) in ["o200k_base", "Gemma 3"].into_iter().enumerate() {
            let (mut low, mut sum) = (0.0, 0.0);
            for document in &documents {
                let estimate = u32::try_from(estimate(document.text.as_bytes()) / PARTS).expect("a short document");
                let ratio = f64::from(estimate) / document.tokens[index];
                low += f64::from(u8::from(ratio < 1.0));
                sum += ratio;
            }
            let count = f64::from(u32::try_from(documents.len()).expect("not many"));
            println!(
                "{tokenizer}: {:.1} % are too low, {:.2} times the tokens on average",
                100.0 * low / count,
                sum / count
            );
            assert!(low <= 0.05 * count, "{tokenizer}: {low} of {count} estimates are too low");
            assert!(sum <= 1.5 * count, "{tokenizer}: {} times the tokens on average", sum / count);
        }
    }
}
