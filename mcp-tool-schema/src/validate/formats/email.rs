//! Addresses of mailboxes (RFC 5321).

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns `true` for `local@domain`, where the local part can be quoted and the domain can be an address in brackets.
pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_local = match local.strip_prefix('"').and_then(|local| local.strip_suffix('"')) {
        Some(quoted) => is_quoted(quoted),
        None => local.split('.').all(is_atom),
    };
    (1..=64).contains(&local.len()) && is_local && is_domain(domain)
}

fn is_atom(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
}

/// Returns `true` if quotes and backslashes are escaped.
fn is_quoted(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let is_valid = match byte {
            b'\\' => bytes.next().is_some_and(|escaped| escaped.is_ascii_graphic()),
            b'"' => false,
            byte => byte.is_ascii_graphic() || b" \t".contains(&byte),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

fn is_domain(text: &str) -> bool {
    let Some(literal) = text.strip_prefix('[').and_then(|literal| literal.strip_suffix(']')) else {
        return (1..=253).contains(&text.len()) && text.split('.').all(is_label);
    };
    match literal.split_at_checked("IPv6:".len()) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
        _ => literal.parse::<Ipv4Addr>().is_ok(),
    }
}

/// Returns `true` for letters, digits and hyphens (RFC 1123).
fn is_label(label: &str) -> bool {
    let is_plain = (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    // Two hyphens there are reserved for encodings, and only this one is defined. Its Unicode is not decoded.
    is_plain && (label.get(2..4) != Some("--") || label.strip_prefix("xn--").is_some_and(|rest| !rest.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailboxes() {
        for address in [
            "joe.bloggs@example.com",
            "te~st@example.com",
            "\"joe bloggs\"@example.com",
            "\"a@b\\\"\"@c",
            "\"\"@c",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@[ipv6:::1]",
            "a@xn--4gbwdl.1host",
        ] {
            assert!(is_email(address), "{address}");
        }
        for address in [
            "2962",
            "@b",
            "a@",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a b@c",
            "Joe <a@b.c>",
            "\"@b",
            "\"a\"b\"@c",
            "a@[::1]",
            "a@-b",
            "a@b-",
            "a@b_c",
            "a@b.",
            "a@b..c",
            "a@ab--cd",
            "a@xn--",
            "a@é",
            "é@b.c",
        ] {
            assert!(!is_email(address), "{address}");
        }
    }
}
