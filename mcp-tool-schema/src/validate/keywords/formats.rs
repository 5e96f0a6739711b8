//! Checks the formats of dates, times and durations (RFC 3339), mailboxes (RFC 5321), and URIs (RFC 3986).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use regex::bytes::Regex;

/// The number of minutes in a day.
const DAY: u32 = 24 * 60;

/// Reads numbers with a separator between them. `lengths` says how many digits each number must have.
fn numbers<const N: usize>(text: &str, separator: char, lengths: [usize; N]) -> Option<[u32; N]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; N];
    for (number, length) in numbers.iter_mut().zip(lengths) {
        *number = parts.next().filter(|part| part.len() == length && is_digits(part))?.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(text, '-', [4, 2, 2]) else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => return false,
    };
    (1..=last).contains(&day)
}

pub(super) fn is_time(text: &str) -> bool {
    let (clock, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, "+00:00"),
        None => text.split_at(text.find(['+', '-']).unwrap_or(0)),
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let Some([hour, minute, second]) = numbers(clock, ':', [2; 3]) else { return false };
    let Some([hours, minutes]) = offset.get(1..).and_then(|offset| numbers(offset, ':', [2; 2])) else { return false };
    if hour > 23 || minute > 59 || hours > 23 || minutes > 59 || !is_digits(fraction) {
        return false;
    }
    // Accept `60` as the second only at the end of a UTC day, when leap seconds are added.
    let (local, ahead) = (hour * 60 + minute, hours * 60 + minutes);
    let utc = if offset.starts_with('-') { local + ahead } else { local + DAY - ahead } % DAY;
    second < 60 || second == 60 && utc == DAY - 1
}

pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// Returns `true` for a duration in the grammar of RFC 3339, appendix A: weeks alone, or units in order without a gap.
pub(super) fn is_duration(text: &str) -> bool {
    static DURATION: LazyLock<Result<Regex, regex::Error>> = LazyLock::new(|| {
        let date = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)";
        let time = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
        Regex::new(&format!("^P(?:[0-9]+W|{date}(?:{time})?|{time})$"))
    });
    DURATION.as_ref().is_ok_and(|duration| duration.is_match(text.as_bytes()))
}

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

/// Returns `true` for printable ASCII, spaces and tabs, if quotes and backslashes are escaped.
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

/// Returns `true` for a label of a domain name (RFC 1123): letters, digits and inner hyphens.
fn is_label(label: &str) -> bool {
    let is_plain = (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    // If the third and the fourth character are hyphens, they end the prefix of an encoded label. The only such prefix
    // is `xn--`. The text after the prefix is not decoded.
    is_plain && (label.get(2..4) != Some("--") || label.strip_prefix("xn--").is_some_and(|rest| !rest.is_empty()))
}

/// Returns `true` for a URI with a scheme.
pub(super) fn is_uri(text: &str) -> bool {
    scheme(text).is_some_and(is_after_scheme)
}

/// Returns `true` for a URI or a relative reference.
pub(in crate::validate) fn is_reference(text: &str) -> bool {
    if let Some(rest) = scheme(text) {
        return is_after_scheme(rest);
    }
    let segment = text.split(['/', '?', '#']).next().unwrap_or_default();
    // A relative reference has no colon in its first segment, because a colon there would end a scheme.
    !segment.contains(':') && is_after_scheme(text)
}

/// Returns the text after the scheme of a URI and its colon, or `None` if the text does not start with a scheme.
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
        Some((literal, port)) if is_literal(literal) => ("", port),
        _ => host_port.split_at(host_port.find(':').unwrap_or(host_port.len())),
    };
    let is_port = matches!(port, "" | ":") || port.strip_prefix(':').is_some_and(is_digits);
    is_port && is_made_of(user, ":") && is_made_of(host, "")
}

/// Returns `true` for an IPv6 address, or an address of a future version.
fn is_literal(text: &str) -> bool {
    let Some(future) = text.strip_prefix(['v', 'V']) else { return text.parse::<Ipv6Addr>().is_ok() };
    future.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && address.chars().all(|c| c == ':' || is_plain(c))
    })
}

/// Returns `true` for an unreserved character or a sub-delimiter of RFC 3986.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c)
}

/// Returns `true` if the text consists of plain characters, percent escapes and the characters of `others`.
fn is_made_of(text: &str, others: &str) -> bool {
    let is_escape = |after: &str| {
        after.as_bytes().first_chunk::<2>().is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    text.chars().all(|c| c == '%' || is_plain(c) || others.contains(c)) && text.split('%').skip(1).all(is_escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        for (accepts, valid, invalid) in [
            (
                is_date as fn(&str) -> bool,
                &["2024-02-29", "1998-12-31"][..],
                &["2023-02-29", "2024-13-01", "24-01-01", "2024-01-00", "2024-01-011"][..],
            ),
            (
                is_time,
                &["00:00:00Z", "23:59:60Z", "08:30:06.283185z", "15:59:60-08:00", "01:29:60+01:30"],
                &["24:00:00Z", "12:00:00", "12:00:00.Z", "22:59:60Z", "12:00:00+24:00", "12:00:00+1:00"],
            ),
            (
                is_date_time,
                &["1963-06-19T08:30:06Z", "1990-12-31t15:59:60-08:00"],
                &["1963-06-19 08:30:06Z", "1963-06-19T08:30:06"],
            ),
            (
                is_duration,
                &["P4DT12H30M5S", "P1W", "P1Y", "PT36H", "P1Y2M", "P1M2D", "PT1M2S", "P1YT1S"],
                &[
                    "P", "PT", "P1", "P1D2H", "P1YT", "P1Y2W", "P1Y2D", "PT1H2S", "P1WT1H", "P2D1Y", "1D", "P-1D",
                    "P1.5D", "P١D",
                ],
            ),
        ] {
            assert_eq!(valid.iter().find(|text| !accepts(text)), None);
            assert_eq!(invalid.iter().find(|text| accepts(text)), None);
        }
    }

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
