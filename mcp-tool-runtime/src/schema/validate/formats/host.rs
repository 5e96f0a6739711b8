//! Host names (RFC 1123, with the labels of RFC 5891) and addresses of mailboxes (RFC 5321).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use regex::Regex;

/// Returns `true` for labels of letters, digits and hyphens. A label `xn--…` must decode to a valid one.
pub(super) fn is_hostname(text: &str) -> bool {
    (1..=253).contains(&text.len()) && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let is_plain = (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_plain || label.get(2..4) != Some("--") {
        return is_plain;
    }
    // Two hyphens there are reserved for encodings, and only this one is defined.
    label.strip_prefix("xn--").and_then(decode).is_some_and(|decoded| is_unicode_label(&decoded))
}

/// Decodes Punycode (RFC 3492).
fn decode(text: &str) -> Option<Vec<char>> {
    const BASE: u32 = 36;
    let (plain, encoded) = match text.rsplit_once('-') {
        Some((plain, encoded)) if !plain.is_empty() => (plain, encoded),
        _ => ("", text),
    };
    let mut decoded: Vec<char> = plain.chars().collect();
    let (mut code, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = encoded.chars().map(|c| {
        // Letters are the digits from 0, and numbers the digits from 26.
        let digit = c.to_digit(BASE)?;
        Some(if digit < 10 { digit + 26 } else { digit - 10 })
    });
    while let Some(first) = digits.next() {
        let (before, mut weight, mut next) = (at, 1_u32, first);
        for position in (BASE..).step_by(BASE as usize) {
            let digit = next?;
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = position.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            next = digits.next()?;
        }
        let count = u32::try_from(decoded.len()).ok()? + 1;
        bias = adapted_bias(at - before, count, before == 0);
        code = code.checked_add(at / count)?;
        at %= count;
        decoded.insert(at as usize, char::from_u32(code)?);
        at += 1;
    }
    Some(decoded)
}

fn adapted_bias(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut steps = 0;
    while delta > 455 {
        delta /= 35;
        steps += 36;
    }
    steps + 36 * delta / (delta + 38)
}

/// The letters, marks and digits that a label may have (RFC 5892), and marks, which it must not start with.
static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Mn}\p{Mc}\p{Nd}]$").ok());
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{M}$").ok());

fn matches(regex: &LazyLock<Option<Regex>>, c: char) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(c.encode_utf8(&mut [0; 4])))
}

/// The viramas, after which a label may have a zero width joiner.
const VIRAMAS: &str = "\u{94d}\u{9cd}\u{a4d}\u{acd}\u{b4d}\u{bcd}\u{c4d}\u{ccd}\u{d4d}\u{dca}\u{e3a}\u{f84}\u{1039}\u{1714}\u{1734}\u{17d2}\
    \u{1a60}\u{1b44}\u{1baa}\u{1bf2}\u{1bf3}\u{2d7f}\u{a806}\u{a8c4}\u{a953}\u{abed}\u{10a3f}\u{11046}\u{1107f}\u{110b9}\u{11133}\u{111c0}\
    \u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\
    \u{11d44}\u{11d45}\u{11d97}";

/// Checks the characters of a label, and those that depend on their neighbours (RFC 5892, appendix A).
fn is_unicode_label(label: &[char]) -> bool {
    if label.first().is_some_and(|first| matches(&MARKS, *first)) {
        return false;
    }
    let is_in = |from: char, to: char| label.iter().any(|c| (from..=to).contains(c));
    let has_japanese = is_in('\u{3040}', '\u{30fa}') || is_in('\u{30fc}', '\u{30ff}') || is_in('\u{4e00}', '\u{9fff}');
    if is_in('\u{660}', '\u{669}') && is_in('\u{6f0}', '\u{6f9}') {
        return false;
    }
    label.iter().enumerate().all(|(at, c)| {
        let (before, after) = (at.checked_sub(1).map(|at| label[at]), label.get(at + 1).copied());
        match c {
            '\u{200d}' => before.is_some_and(|before| VIRAMAS.contains(before)),
            '\u{b7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => after.is_some_and(|after| ('\u{370}'..='\u{3ff}').contains(&after)),
            '\u{5f3}' | '\u{5f4}' => before.is_some_and(|before| ('\u{590}'..='\u{5ff}').contains(&before)),
            '\u{30fb}' => has_japanese,
            '\u{640}' | '\u{7fa}' | '\u{302e}' | '\u{302f}' | '\u{3031}'..='\u{3035}' | '\u{303b}' => false,
            '\u{200c}' | '\u{6fd}' | '\u{6fe}' | '\u{f0b}' | '\u{3007}' => true,
            c => c.is_ascii() || matches(&LETTERS, *c),
        }
    })
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
        return is_hostname(text);
    };
    match literal.split_at_checked("IPv6:".len()) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
        _ => literal.parse::<Ipv4Addr>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names() {
        for name in ["www.example.com", "a", "1host", "xn--4gbwdl.xn--wgbh1c", "xn--ihqwcrb4cv8a8dqg056pqjye", "a-b.c"]
        {
            assert!(is_hostname(name), "{name}");
        }
        let long = "a".repeat(64);
        for name in
            ["", ".", "a.", "-a", "a-", "a_b", "a..b", "ab--cd", "xn--X", "xn--99999999", "é", "xn--a", long.as_str()]
        {
            assert!(!is_hostname(name), "{name}");
        }
        let decoded = |text: &str| decode(text).map(String::from_iter);
        assert_eq!(decoded("Proprostnemluvesky-uyb24dma41a").as_deref(), Some("Pročprostěnemluvíčesky"));
        assert_eq!(decoded("egbpdaj6bu4bxfgehfvwxn").as_deref(), Some("ليهمابتكلموشعربي؟"));
        assert_eq!(decoded("-egbpdaj6bu4bxfgehfvwxn"), None, "a delimiter follows plain characters");
        // Their distances are exactly 455, the last one that is not divided further.
        assert_eq!(decoded("abc-981s87v").as_deref(), Some("\u{f954}abc\u{ff9e}"));
        assert_eq!(decoded("abcd-epa49eha").as_deref(), Some("abcdéūŬ"));
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
            "é@b.c",
        ] {
            assert!(!is_email(address), "{address}");
        }
    }
}
