//! Decodes the escapes in JSON strings ([`JsonString`]), and writes text with escapes ([`push_escaped`], [`quote`]).
//!
//! [`quote`] writes text that is mostly JSON, such as the text block of a result. JSON has a quote every few bytes, so
//! a writer that searches for the next quote and copies the bytes before it would copy only a few at a time. [`quote`]
//! copies eight bytes at once and, for each quote or backslash among them, copies the rest of the eight again, shifted
//! by one. It always reads the text in steps of eight bytes, wherever the quotes are. With
//! `serde_json::to_writer(bytes, json)` instead, the benchmark `search` takes 13.5% more instructions, and `order`
//! 7.9%. To measure it again, run `python3 tests/bench/bench.py budget`.

use std::borrow::Cow;

/// A string in JSON text, not yet decoded. Its escapes are well-formed.
///
/// ```
/// use mcp_tool_schema::json::scanner::Scanner;
///
/// let string = Scanner::new(r#""two\nlines""#).string()?;
/// assert_eq!(string.decode().as_deref(), Some("two\nlines"));
/// # Ok::<(), mcp_tool_schema::json::scanner::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct JsonString<'a> {
    pub(super) text: &'a str,
    /// Where the text between the quotes starts and ends. It is not extracted until it is needed, since strings are
    /// often skipped.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_escapes: bool,
}

impl<'a> JsonString<'a> {
    /// Returns the decoded string, borrowed if it has no escapes. Returns `None` if an escape is an unpaired surrogate.
    #[inline]
    pub fn decode(self) -> Option<Cow<'a, str>> {
        let inner = &self.text[self.start..self.end];
        if self.has_escapes { unescape(inner).map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
    }
}

/// Decodes the escapes, which must be well-formed. Returns `None` if an escape is an unpaired surrogate.
fn unescape(inner: &str) -> Option<String> {
    let bytes = inner.as_bytes();
    let mut text = Vec::with_capacity(bytes.len());
    let mut start = 0;
    loop {
        // This can only find a backslash: well-formed text between the quotes has no other special bytes.
        let at = find_special(bytes, start);
        text.extend_from_slice(&bytes[start..at]);
        let Some(escape) = bytes.get(at + 1) else { return String::from_utf8(text).ok() };
        start = at + 2;
        text.push(match escape {
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (character, length) = unicode_escape(&inner[at + 1..])?;
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                start = at + 1 + length;
                continue;
            }
            other => *other,
        });
    }
}

/// Decodes an escape without its first backslash: `uXXXX`, or `uXXXX\uXXXX` for a pair of surrogates. Returns the
/// character and the length of the escape.
fn unicode_escape(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(escape.get(at..at + 4)?, 16).ok();
    let second = if escape[5..].starts_with("\\u") { unit(7) } else { None };
    let character = char::decode_utf16([unit(1)?].into_iter().chain(second)).next()?.ok()?;
    Some((character, if character.len_utf16() == 1 { 5 } else { 11 }))
}

/// Returns the position of the next quote, backslash or control character from `at` on, or the length of `bytes` if
/// there is none. Looks at eight bytes at once.
#[inline]
pub(in crate::json) fn find_special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = mark_special(u64::from_le_bytes(*word));
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += size_of::<u64>();
    }
    while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
        at += 1;
    }
    at
}

/// A word with a 1 in each byte.
const ONES: u64 = u64::from_le_bytes([1; 8]);

/// Marks the first byte that is a quote, a backslash or a control character: in the result, the highest bit of that
/// byte is set. Marks of later bytes mean nothing.
#[inline]
fn mark_special(bits: u64) -> u64 {
    let mark_less = |bits: u64, limit: u8| bits.wrapping_sub(ONES * u64::from(limit)) & !bits;
    let marks = mark_less(bits, 0x20)
        | mark_less(bits ^ (ONES * u64::from(b'"')), 1)
        | mark_less(bits ^ (ONES * u64::from(b'\\')), 1);
    marks & (ONES << 7)
}

type Word = [u8; 8];

/// The number of words that are written at a time. The buffer first grows by the maximum size that these words can take
/// with escapes, and is then truncated to the size that they took.
const WORDS: usize = 16;

/// Appends text to `bytes` as a JSON string. Meant for text that is mostly JSON itself.
///
/// ```
/// let mut bytes = Vec::new();
/// mcp_tool_schema::json::writer::quote(r#"{"a":1}"#, &mut bytes);
/// assert_eq!(bytes, br#""{\"a\":1}""#);
/// ```
pub fn quote(text: &str, bytes: &mut Vec<u8>) {
    bytes.push(b'"');
    if text.bytes().fold(u8::MAX, u8::min) < b' ' {
        // This branch need not be fast. It is rarely taken, because most texts are compact JSON, which has no control
        // characters.
        push_escaped(bytes, text);
        return bytes.push(b'"');
    }
    let (words, rest) = text.as_bytes().as_chunks();
    for words in words.chunks(WORDS) {
        let start = bytes.len();
        bytes.resize(start + 2 * size_of::<Word>() * (words.len() + 1), 0);
        let written = &mut bytes[start..];
        let mut length = 0;
        for word in words {
            let Some(output) = written[length..].first_chunk_mut() else { break };
            length += escape(*word, output);
        }
        bytes.truncate(start + length);
    }
    for &byte in rest {
        if matches!(byte, b'"' | b'\\') {
            bytes.push(b'\\');
        }
        bytes.push(byte);
    }
    bytes.push(b'"');
}

/// Writes eight bytes with a backslash before each quote and backslash, and returns their new length. The rest of
/// `output` may be overwritten with bytes that mean nothing.
fn escape(word: Word, output: &mut [u8; 3 * size_of::<Word>()]) -> usize {
    output[..word.len()].copy_from_slice(&word);
    let bits = u64::from_le_bytes(word);
    let mut marks = mark_escaped(bits);
    let mut length = word.len();
    let mut backslashes = 0;
    while marks != 0 {
        let shift = marks.trailing_zeros() & !7;
        // At most seven bytes and seven backslashes come before this byte. The mask tells this to the compiler, so that
        // it can omit bounds checks.
        let at = (shift as usize / 8 + backslashes) & 15;
        output[at] = b'\\';
        output[at + 1..at + 1 + word.len()].copy_from_slice(&(bits >> shift).to_le_bytes());
        backslashes += 1;
        length += 1;
        marks &= marks - 1;
    }
    length
}

/// Returns a word in which only the highest bit of each quote and each backslash is set.
fn mark_escaped(bits: u64) -> u64 {
    const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
    // The addition never carries from one byte to the next, so it tests each byte separately.
    let mark_zeros = |bits: u64| !(((bits & LOW) + LOW) | bits | LOW);
    mark_zeros(bits ^ (ONES * u64::from(b'"'))) | mark_zeros(bits ^ (ONES * u64::from(b'\\')))
}

/// The range of a string that was written, including its quotes.
#[derive(Clone, Copy)]
pub(in crate::json) struct Span {
    pub(in crate::json) start: usize,
    pub(in crate::json) end: usize,
    pub(in crate::json) is_escaped: bool,
}

/// Appends text as in a JSON string, with escapes but without quotes. Returns `true` if any character was escaped.
pub(in crate::json) fn push_escaped(bytes: &mut Vec<u8>, text: &str) -> bool {
    let mut rest = text.as_bytes();
    let mut is_escaped = false;
    loop {
        let at = find_special(rest, 0);
        bytes.extend_from_slice(&rest[..at]);
        let Some(special) = rest.get(at) else { return is_escaped };
        push_escape(bytes, *special);
        is_escaped = true;
        rest = &rest[at + 1..];
    }
}

fn push_escape(bytes: &mut Vec<u8>, special: u8) {
    let short = match special {
        b'"' | b'\\' => special,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        control => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let (high, low) = (DIGITS[usize::from(control >> 4)], DIGITS[usize::from(control & 15)]);
            return bytes.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
        }
    };
    bytes.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_equals_serde_json(text: &str) {
        let mut bytes = b"before".to_vec();
        quote(text, &mut bytes);
        let expected = format!("before{}", serde_json::to_string(text).expect("a string"));
        assert_eq!(String::from_utf8(bytes).expect("text"), expected);
    }

    #[test]
    fn the_output_equals_that_of_serde_json() {
        for length in 0..40 {
            assert_equals_serde_json(&"\"".repeat(length));
            assert_equals_serde_json(&"\\x".repeat(length));
            assert_equals_serde_json(&"{\"name\":\"☃\u{7f}\u{ff}\",".repeat(length));
            assert_equals_serde_json(&"plain ".repeat(length));
        }
        assert_equals_serde_json("{\n\t\"a\": 1\r\n}");
    }

    #[test]
    fn every_pair_of_ascii_bytes_is_written_at_every_position_of_a_word() {
        for first in 0..0x80_u8 {
            for second in 0..0x80_u8 {
                let pair = [char::from(first), char::from(second)];
                let text = format!("{}{}", &"abcdefg"[..usize::from(first % 8)], pair.iter().collect::<String>());
                assert_equals_serde_json(&text);
            }
        }
    }

    #[test]
    fn strings_are_written_as_serde_json_writes_them() {
        for character in (0..=0x100).filter_map(char::from_u32).chain(['\u{2028}', '☃', '\u{1F600}']) {
            for before in 0..10 {
                for after in [0, 1, 7, 8, 20] {
                    let text = format!("{}{character}{character}{}", "x".repeat(before), "ü".repeat(after));
                    let mut bytes = Vec::new();
                    let is_escaped = push_escaped(&mut bytes, &text);
                    let expected = serde_json::to_string(&text).expect("a string");
                    assert_eq!(format!("\"{}\"", String::from_utf8(bytes).expect("text")), expected);
                    assert_eq!(is_escaped, expected.len() > text.len() + 2, "{text:?}");
                }
            }
        }
    }
}
