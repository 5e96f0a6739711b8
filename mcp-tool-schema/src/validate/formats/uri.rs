//! URIs (RFC 3986), absolute or as references.

use std::net::Ipv6Addr;

/// Returns `true` for a URI with a scheme.
pub(super) fn is_uri(text: &str) -> bool {
    scheme(text).is_some_and(|rest| is_after_scheme(rest))
}

/// Returns `true` for a URI, or for a reference that is relative to one.
pub(in crate::validate) fn is_reference(text: &str) -> bool {
    if let Some(rest) = scheme(text) {
        return is_after_scheme(rest);
    }
    let segment = text.split(['/', '?', '#']).next().unwrap_or_default();
    // A colon in the first segment would end a scheme.
    !segment.contains(':') && is_after_scheme(text)
}

/// Returns what follows the scheme and its colon.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(rest)
}

fn is_after_scheme(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let (authority, path) = match text.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", text),
    };
    is_authority(authority) && is_made_of(path, ":@/") && is_made_of(query, ":@/?") && is_made_of(fragment, ":@/?")
}

fn is_authority(text: &str) -> bool {
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
    is_port && is_made_of(user, ":") && is_made_of(host, "")
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

/// Returns `true` if the text consists of plain characters, percent escapes and `others`.
fn is_made_of(text: &str, others: &str) -> bool {
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        let is_valid = match c {
            '%' => {
                [characters.next(), characters.next()].iter().all(|digit| digit.is_some_and(|c| c.is_ascii_hexdigit()))
            }
            c => is_plain(c) || others.contains(c),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_references() {
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
            assert!(is_uri(uri) && is_reference(uri), "{uri}");
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
            "a:b\u{e9}",
            "http://\u{e9}/",
            "http://a/<b>",
            "http://a@b@c/",
            "http://x[::1]/",
            "",
        ] {
            assert!(!is_uri(text), "{text}");
        }
        for reference in ["", "/abc", "//h/p", "./a:b", "?q", "#f", "a/b"] {
            assert!(is_reference(reference), "{reference}");
        }
        for text in ["1a:b", ":", "a#b#c"] {
            assert!(!is_reference(text), "{text}");
        }
    }
}
