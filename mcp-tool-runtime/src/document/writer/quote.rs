//! JSON text as a JSON string.
//!
//! In JSON a quote is never far, so to look for the next one and copy what stands before it means to copy little each time.
//! Here eight bytes are copied at once, and again, shifted by one, for each quote among them: where the next eight are does
//! not depend on what is in these.

/// Eight bytes.
type Word = [u8; 8];

/// So many words are written before they are added to the output.
const WORDS: usize = 16;

/// Writes JSON text as a JSON string.
pub(super) fn quote(json: &str, bytes: &mut Vec<u8>) {
    if json.bytes().fold(u8::MAX, u8::min) < b' ' {
        // Between the tokens of a part that was written elsewhere. Strings always serialise.
        let _ = serde_json::to_writer(bytes, json);
        return;
    }
    let (words, rest) = json.as_bytes().as_chunks();
    bytes.push(b'"');
    for words in words.chunks(WORDS) {
        let mut written = [0; 2 * size_of::<Word>() * (WORDS + 1)];
        let mut length = 0;
        for word in words {
            let Some(here) = written[length..].first_chunk_mut() else { break };
            length += escape(*word, here);
        }
        bytes.extend_from_slice(&written[..length]);
    }
    for &byte in rest {
        if is_escaped(byte) {
            bytes.push(b'\\');
        }
        bytes.push(byte);
    }
    bytes.push(b'"');
}

const fn is_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\')
}

/// Writes eight bytes, each quote and backslash after a backslash. Gives the length; what is written behind it means nothing.
fn escape(word: Word, here: &mut [u8; 3 * size_of::<Word>()]) -> usize {
    here[..word.len()].copy_from_slice(&word);
    let bits = u64::from_le_bytes(word);
    let mut marks = marks(bits);
    let mut length = word.len();
    let mut backslashes = 0;
    while marks != 0 {
        let shift = marks.trailing_zeros() & !7;
        // At most seven bytes and seven backslashes stand before it.
        let at = (shift as usize / 8 + backslashes) & 15;
        here[at] = b'\\';
        here[at + 1..at + 1 + word.len()].copy_from_slice(&(bits >> shift).to_le_bytes());
        backslashes += 1;
        length += 1;
        marks &= marks - 1;
    }
    length
}

/// The highest bit of each byte that needs a backslash.
fn marks(bits: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
    // The sum does not carry from one byte to the next.
    let zeros = |bits: u64| !(((bits & LOW) + LOW) | bits | LOW);
    zeros(bits ^ (ONES * u64::from(b'"'))) | zeros(bits ^ (ONES * u64::from(b'\\')))
}

#[cfg(test)]
mod tests {
    use super::quote;

    fn is_quoted(text: &str) {
        let mut bytes = b"before".to_vec();
        quote(text, &mut bytes);
        let expected = format!("before{}", serde_json::to_string(text).expect("a string"));
        assert_eq!(String::from_utf8(bytes).expect("text"), expected);
    }

    #[test]
    fn what_is_written_is_what_serde_json_writes() {
        for length in 0..40 {
            is_quoted(&"\"".repeat(length));
            is_quoted(&"\\x".repeat(length));
            is_quoted(&"{\"name\":\"☃\u{7f}\u{ff}\",".repeat(length));
            is_quoted(&"plain ".repeat(length));
        }
        is_quoted("{\n\t\"a\": 1\r\n}");
    }

    #[test]
    fn any_byte_may_stand_beside_any_other() {
        // Each pair of one-byte characters, at each place in a word.
        for first in 0..0x80_u8 {
            for second in 0..0x80_u8 {
                let pair = [char::from(first), char::from(second)];
                is_quoted(&format!("{}{}", &"abcdefg"[..usize::from(first % 8)], pair.iter().collect::<String>()));
            }
        }
    }
}
