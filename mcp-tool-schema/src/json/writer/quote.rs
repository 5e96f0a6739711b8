//! Writes a text, such as JSON, as a JSON string.
//!
//! JSON has a quote every few bytes, so a writer that searches for the next one and copies the bytes before it copies only a
//! few at a time. This one copies eight bytes at once, and copies the rest of them again, shifted by one, for each quote or
//! backslash among them. The position of the next eight does not depend on the content of these.
//!
//! With `serde_json::to_writer(bytes, json)` as the body of [`quote`], a call of the benchmark `search` takes 13.5 % more
//! instructions, and one of `order` 7.9 %. To measure it again, run `python3 tests/bench/bench.py budget`.

use super::serializer::push_escaped;

/// Eight bytes.
type Word = [u8; 8];

/// How many words are written at most before the unused room behind them is given back.
const WORDS: usize = 16;

/// Appends a text, which is mostly JSON, to `bytes` as a JSON string.
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

#[cfg(test)]
mod tests {
    use super::quote;

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
}
