//! Names from outside, such as property and tool names, in a form that is safe to repeat in a message.

use std::fmt::Write as _;

/// How many characters of a name a message repeats.
pub(super) const MAX_CHARS: usize = 64;

/// Returns the name between backticks, truncated, with control characters and backticks escaped.
pub(crate) fn quote_name(name: &str) -> String {
    let mut text = String::from("`");
    for c in truncate_name(name).chars() {
        if c.is_control() || c == '`' {
            let _ = write!(text, "{}", c.escape_default());
        } else {
            text.push(c);
        }
    }
    text.push('`');
    text
}

/// Truncates a long name, so that it cannot flood a message.
pub(super) fn truncate_name(name: &str) -> String {
    match name.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::quote_name;

    #[test]
    fn a_quoted_name_is_short_and_stays_on_one_line() {
        let text = quote_name(&format!("a`\n{}", "x".repeat(10_000)));
        assert!(text.len() < 300 && !text.contains('\n'), "{text}");
    }
}
