//! The escapes of a JSON Pointer (RFC 6901): `~` is written `~0`, and `/` is written `~1`.

use std::borrow::Cow;

/// Writes a key as one reference token of a pointer.
pub(crate) fn escape_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Reads the key from one reference token of a pointer.
pub(crate) fn unescape_token(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// Writes a pointer as the fragment of a URI, as section 6 of RFC 6901 says.
pub(crate) fn fragment(pointer: &str) -> String {
    use std::fmt::Write as _;

    let mut text = String::from("#");
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescaping_reverses_escaping() {
        assert_eq!(escape_token("a/~1"), "a~1~01");
        assert_eq!(unescape_token("a~1~01"), "a/~1");
    }
}
