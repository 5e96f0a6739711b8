//! Writes the content of JSON strings.

use crate::json::scanner::find_special;

/// Where a string was written, with its quotes.
#[derive(Clone, Copy)]
pub(in crate::json::writer) struct Span {
    pub(in crate::json::writer) start: usize,
    pub(in crate::json::writer) end: usize,
    pub(in crate::json::writer) is_escaped: bool,
}

/// Appends a text with its escapes, without quotes. Returns `true` if it has an escape.
pub(in crate::json::writer) fn push_escaped(bytes: &mut Vec<u8>, text: &str) -> bool {
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
    use super::push_escaped;

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
