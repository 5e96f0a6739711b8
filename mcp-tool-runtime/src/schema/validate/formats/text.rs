//! Small formats: templates of URIs, JSON Pointers, UUIDs.

/// Returns what follows a percent escape or one byte that `accept` accepts.
fn character(text: &[u8], accept: impl Fn(u8) -> bool) -> Option<&[u8]> {
    match text {
        [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some(rest),
        [byte, rest @ ..] if *byte != b'%' && accept(*byte) => Some(rest),
        _ => None,
    }
}

/// Returns `true` for a template of RFC 6570.
pub(super) fn is_uri_template(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let next = match rest {
            [b'{', inner @ ..] => expression(inner),
            _ => character(rest, |byte| !(byte <= 0x20 || b"\"<>\\^`{|}\x7f".contains(&byte))),
        };
        let Some(next) = next else { return false };
        rest = next;
    }
    true
}

/// Skips an expression, whose opening brace is read.
fn expression(text: &[u8]) -> Option<&[u8]> {
    let mut rest = match text {
        [operator, rest @ ..] if b"+#./;?&=,!@|".contains(operator) => rest,
        _ => text,
    };
    loop {
        rest = variable(rest)?;
        match rest {
            [b',', next @ ..] => rest = next,
            [b'}', next @ ..] => return Some(next),
            _ => return None,
        }
    }
}

/// Skips a name with its modifier: `a.b`, `a:3` or `a*`.
fn variable(text: &[u8]) -> Option<&[u8]> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut rest = character(text, is_name)?;
    loop {
        if let Some(next) = character(rest, is_name) {
            rest = next;
        } else if let [b'.', next @ ..] = rest {
            rest = character(next, is_name)?;
        } else {
            break;
        }
    }
    match rest {
        [b'*', rest @ ..] => Some(rest),
        [b':', digits @ ..] => {
            let count = digits.iter().take_while(|digit| digit.is_ascii_digit()).count().min(4);
            (count > 0 && digits[0] != b'0').then(|| &digits[count..])
        }
        _ => Some(rest),
    }
}

pub(super) fn is_json_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']))
}

pub(super) fn is_relative_json_pointer(text: &str) -> bool {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(count);
    let is_number = number == "0" || !number.is_empty() && !number.starts_with('0');
    is_number && (rest == "#" || is_json_pointer(rest))
}

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_pointers_and_uuids() {
        for (accepts, valid, invalid) in [
            (
                is_uri_template as fn(&str) -> bool,
                &["", "http://example.com/{term:1}/{term}", "{+path,x*}{?a.b}", "é%20", "{%41}"][..],
                &["{", "}", "{}", "{a", "{a:0}", "{a:12345}", "{,,a}", "{a,}", "%2", "a b", "{a..b}"][..],
            ),
            (is_json_pointer, &["", "/", "/a~1b/~0", "//", "/\u{7f}"], &["a", "/~", "/~2", "#/a"]),
            (is_relative_json_pointer, &["0", "1/a", "120#", "0/"], &["", "01", "-1", "1a", "0##", "+1/a", "/a"]),
            (
                is_uuid,
                &["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
                &[
                    "2eb8aa08aa9811eab4aa73b441d16380",
                    "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
                    "2eb8aa08-aa98-11eab-4aa-73b441d16380",
                    "ééééééééé",
                ],
            ),
        ] {
            assert_eq!(valid.iter().find(|text| !accepts(text)), None);
            assert_eq!(invalid.iter().find(|text| accepts(text)), None);
        }
    }
}
