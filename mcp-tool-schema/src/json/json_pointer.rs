//! The escapes of a JSON Pointer (RFC 6901): `~` is written `~0`, and `/` is written `~1`.

use std::borrow::Cow;

/// Writes a key as one reference token of a pointer.
pub fn escape_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Reads the key from one reference token of a pointer.
pub fn unescape_token(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// Writes a pointer as the fragment of a URI, as section 6 of RFC 6901 says.
pub fn fragment(pointer: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte);
    format!("#{}", percent_encode(pointer, is_plain))
}

/// Writes the bytes that are not plain as percent escapes. Plain bytes are ASCII.
pub fn percent_encode(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let encode = |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(encode).collect()
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
