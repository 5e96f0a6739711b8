//! URIs (RFC 3986) and IRIs (RFC 3987), absolute or as references.

use std::net::Ipv6Addr;

/// The characters besides ASCII.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::schema::validate) enum Charset {
    Ascii,
    Unicode,
}

/// Returns `true` for a URI with a scheme.
pub(super) fn is_uri(text: &str, charset: Charset) -> bool {
    scheme(text).is_some_and(|rest| is_after_scheme(rest, charset))
}

/// Returns `true` for a URI, or for a reference that is relative to one.
pub(in crate::schema::validate) fn is_reference(text: &str, charset: Charset) -> bool {
    if let Some(rest) = scheme(text) {
        return is_after_scheme(rest, charset);
    }
    let segment = text.split(['/', '?', '#']).next().unwrap_or_default();
    // A colon in the first segment would end a scheme.
    !segment.contains(':') && is_after_scheme(text, charset)
}

/// Returns what follows the scheme and its colon.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(rest)
}

fn is_after_scheme(text: &str, charset: Charset) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let (authority, path) = match text.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", text),
    };
    is_authority(authority, charset)
        && is_made_of(path, ":@/", charset, is_ucs)
        && is_made_of(query, ":@/?", charset, |c| is_ucs(c) || is_private(c))
        && is_made_of(fragment, ":@/?", charset, is_ucs)
}

fn is_authority(text: &str, charset: Charset) -> bool {
    let (user, host_port) = text.split_once('@').unwrap_or(("", text));
    let (host, port) = match host_port.strip_prefix('[').and_then(|literal| literal.split_once(']')) {
        Some((literal, port)) => {
            if !is_literal(literal) {
                return false;
            }
            ("", port)
        }
        None => host_port.split_at(host_port.find(':').unwrap_or(host_port.len())),
    };
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    is_port && is_made_of(user, ":", charset, is_ucs) && is_made_of(host, "", charset, is_ucs)
}

/// Returns `true` for what can stand between brackets: an address, or one of a future version.
fn is_literal(text: &str) -> bool {
    let Some(future) = text.strip_prefix(['v', 'V']) else { return text.parse::<Ipv6Addr>().is_ok() };
    future.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && address.chars().all(|c| c == ':' || is_plain(c))
    })
}

/// Returns `true` for the unreserved characters and the delimiters inside a component.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c)
}

/// Returns `true` if the text consists of plain characters, percent escapes, `others`, and in an IRI what `accept` accepts.
fn is_made_of(text: &str, others: &str, charset: Charset, accept: fn(char) -> bool) -> bool {
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        let is_valid = match c {
            '%' => {
                [characters.next(), characters.next()].iter().all(|digit| digit.is_some_and(|c| c.is_ascii_hexdigit()))
            }
            c => is_plain(c) || others.contains(c) || charset == Charset::Unicode && accept(c),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

/// Returns `true` for the characters beyond ASCII that an IRI may have everywhere: no private or special ones.
fn is_ucs(c: char) -> bool {
    match u32::from(c) {
        0xa0..=0xd7ff | 0xf900..=0xfdcf | 0xfdf0..=0xffef | 0xe_1000..=0xe_fffd => true,
        0x1_0000..=0xd_ffff => u32::from(c) & 0xffff <= 0xfffd,
        _ => false,
    }
}

/// Returns `true` for the private characters, which only a query may have.
fn is_private(c: char) -> bool {
    matches!(u32::from(c), 0xe000..=0xf8ff | 0xf_0000..=0xf_fffd | 0x10_0000..=0x10_fffd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_iris() {
        for uri in [
            "http://foo.bar/?baz=qux#quux",
            "urn:oasis:names",
            "http://[::1]:80/",
            "http://[v1.x:y]/",
            "mailto:a@b.c",
            "a:",
            "a://",
            "http://u:p%40@h:/",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
        ] {
            assert!(
                is_uri(uri, Charset::Ascii) && is_uri(uri, Charset::Unicode) && is_reference(uri, Charset::Ascii),
                "{uri}"
            );
        }
        for text in [
            "//foo.bar/",
            "/abc",
            "1a:b",
            "http://a b",
            "http://[::1",
            "http://::1]",
            "http://a:8a/",
            "http://%zz",
            "\\\\share",
            "a:b\u{e000}",
            "http://a/<b>",
            "http://a@b@c/",
            "http://x[::1]/",
            "",
        ] {
            assert!(!is_uri(text, Charset::Ascii), "{text}");
        }
        for reference in ["", "/abc", "//h/p", "./a:b", "?q", "#f", "a/b"] {
            assert!(is_reference(reference, Charset::Ascii), "{reference}");
        }
        assert!(
            !is_reference("1a:b", Charset::Ascii)
                && !is_reference(":", Charset::Ascii)
                && !is_reference("a#b#c", Charset::Ascii)
        );
        assert!(is_uri("http://ƒøø.ßår/?∂éœ=πîx#πîüx", Charset::Unicode) && !is_uri("http://ƒøø.ßår/", Charset::Ascii));
        assert!(is_uri("a:?\u{e000}", Charset::Unicode) && !is_uri("a:\u{e000}", Charset::Unicode));
    }
}
