//! Writes JSON text of somebody else, such as a `RawValue`, without the white space between its tokens.
//!
//! A result is one line, since a line break ends a message over stdio.

use memchr::memchr2;
use serde_json::Error;

use super::depth::DepthLimit;

/// Writes JSON text without white space outside of its strings.
pub(super) fn write(output: &mut Vec<u8>, json: &str, limit: &mut DepthLimit) -> Result<(), Error> {
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
    use serde_json::{Value, json};

    use super::*;
    use crate::json::reader::MAX_DEPTH;

    fn compact(json: &str) -> Option<String> {
        let mut limit = DepthLimit::new(MAX_DEPTH + 1);
        let mut compact = Vec::new();
        let written = write(&mut compact, json, &mut limit);
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
