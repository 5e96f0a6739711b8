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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescaping_reverses_escaping() {
        assert_eq!(escape_token("a/~1"), "a~1~01");
        assert_eq!(unescape_token("a~1~01"), "a/~1");
    }
}
