//! Writes texts: JSON as a JSON string ([`quote`]), the content of strings ([`push_escaped`]), and JSON of somebody else without its white
//! space ([`write_compact`]).
//!
//! JSON has a quote every few bytes, so a writer that searches for the next one and copies the bytes before it copies only a
//! few at a time. This one copies eight bytes at once, and copies the rest of them again, shifted by one, for each quote or
//! backslash among them. The position of the next eight does not depend on the content of these.
//!
//! With `serde_json::to_writer(bytes, json)` as the body of [`quote`], a call of the benchmark `search` takes 13.5 % more
//! instructions, and one of `order` 7.9 %. To measure it again, run `python3 tests/bench/bench.py budget`.

use memchr::memchr2;
use serde_json::Error;

use super::DepthLimit;
use crate::json::scanner::find_special;

/// Eight bytes.
type Word = [u8; 8];

/// How many words are written at most before the unused room behind them is given back.
const WORDS: usize = 16;

/// Appends a text, which is mostly JSON, to `bytes` as a JSON string.
///
/// ```
/// let mut bytes = Vec::new();
/// mcp_tool_schema::json::writer::quote(r#"{"a":1}"#, &mut bytes);
/// assert_eq!(bytes, br#""{\"a\":1}""#);
/// ```
pub fn quote(text: &str, bytes: &mut Vec<u8>) {
    bytes.push(b'"');
    if text.bytes().fold(u8::MAX, u8::min) < b' ' {
        // Compact JSON has no control characters.
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

/// Writes eight bytes with a backslash before each quote and backslash, and returns their new length. The rest of `output` is
/// overwritten with bytes that mean nothing.
fn escape(word: Word, output: &mut [u8; 3 * size_of::<Word>()]) -> usize {
    output[..word.len()].copy_from_slice(&word);
    let bits = u64::from_le_bytes(word);
    let mut marks = mark_escaped(bits);
    let mut length = word.len();
    let mut backslashes = 0;
    while marks != 0 {
        let shift = marks.trailing_zeros() & !7;
        // At most seven bytes and seven backslashes precede it; the mask tells the compiler so.
        let at = (shift as usize / 8 + backslashes) & 15;
        output[at] = b'\\';
        output[at + 1..at + 1 + word.len()].copy_from_slice(&(bits >> shift).to_le_bytes());
        backslashes += 1;
        length += 1;
        marks &= marks - 1;
    }
    length
}

/// Sets the highest bit of each byte that is a quote or a backslash, and no other bit.
fn mark_escaped(bits: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
    // The addition never carries from one byte to the next.
    let mark_zeros = |bits: u64| !(((bits & LOW) + LOW) | bits | LOW);
    mark_zeros(bits ^ (ONES * u64::from(b'"'))) | mark_zeros(bits ^ (ONES * u64::from(b'\\')))
}

/// Where a string was written, with its quotes.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_escaped: bool,
}

/// Appends a text with its escapes, without quotes. Returns `true` if it has an escape.
pub(super) fn push_escaped(bytes: &mut Vec<u8>, text: &str) -> bool {
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

/// Writes JSON text without white space outside of its strings.
pub(super) fn write_compact(output: &mut Vec<u8>, json: &str, limit: &mut DepthLimit) -> Result<(), Error> {
    let bytes = json.as_bytes();
    let (mut copied, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => at = end_of_string(bytes, start),
            b' ' | b'\t' | b'\n' | b'\r' => {
                output.extend_from_slice(&bytes[copied..start]);
                copied = at;
            }
            b'[' | b'{' => limit.open()?,
            b']' | b'}' => limit.levels = limit.levels.saturating_sub(1),
            _ => {}
        }
    }
    output.extend_from_slice(&bytes[copied..]);
    Ok(())
}

/// Returns the position after the string that starts at `at`.
pub(super) fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(found) = memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        // Skips the escaped character.
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::reader::MAX_DEPTH;
    use serde_json::{Value, json};

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

    fn compact(json: &str) -> Option<String> {
        let mut limit = DepthLimit::new(MAX_DEPTH + 1);
        let mut compact = Vec::new();
        let written = write_compact(&mut compact, json, &mut limit);
        assert_eq!(written.is_err(), limit.is_exceeded);
        written.ok()?;
        assert!(serde_json::from_slice::<Value>(&compact).is_ok());
        String::from_utf8(compact).ok()
    }

    #[test]
    fn white_space_between_tokens_goes_and_strings_stay() {
        let value = json!({"a b": [1.5, " x \n\t\"y\\", {"\\\"": " "}], "": null, "c": [], "d": {}});
        let pretty = format!("\r\n {value:#}\t ").replace("  ", " \r\n\t ");
        assert_eq!(compact(&pretty), Some(value.to_string()));
        for scalar in ["1", " 1 ", "\"\"", "null"] {
            assert_eq!(compact(scalar).as_deref(), Some(scalar.trim()));
        }
    }

    #[test]
    fn text_that_nests_too_deep_is_not_written() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(compact(&nested(MAX_DEPTH)).is_some());
        assert!(compact(&nested(20_000)).is_none());
        assert!(compact(&format!("[{}]", vec!["{}"; 300].join(","))).is_some());
    }
}
