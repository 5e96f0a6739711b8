//! A mistake in a document: its path, and what was expected instead.

use super::path::Path;
use std::borrow::Cow;
use std::fmt;

/// The maximum number of violations that one error lists. A model corrects these and calls again.
pub const MAX_LISTED: usize = 32;

/// The number of violations after which a search ends. It is one more than an error lists, so that the error can say
/// that there are more.
pub const MAX_FOUND: usize = MAX_LISTED + 1;

/// Something that is wrong with the value at a path.
///
/// The message says what was expected. It never repeats a value of the document.
///
/// ```
/// use mcp_tool_schema::{Path, Violation};
///
/// let violation = Violation::new(Path::default().property("limit"), "expected 50 or less");
/// assert_eq!(violation.to_string(), "limit: expected 50 or less");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where the value is. For a missing property, this is the path that it would have.
    pub path: Path,
    /// What was expected instead.
    pub message: String,
    /// Whether the name of the property is refused, not its value. If so, a different value would not help.
    pub is_unknown_property: bool,
    /// Whether the property is unknown or missing. If so, a type that reads the property under another name may still
    /// accept the document. Always `false` if the search ended before it had found everything that is wrong.
    pub may_be_alias: bool,
}

/// Displays the path and the message, or only the message if the violation is about the whole document.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_root() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.path, self.message) }
    }
}

impl std::error::Error for Violation {}

impl Violation {
    /// Creates a violation for the value at a path.
    pub fn new(path: Path, message: impl Into<String>) -> Self {
        Self { path, message: message.into(), is_unknown_property: false, may_be_alias: false }
    }

    /// Creates a violation for the document as a whole.
    pub fn root(message: impl Into<String>) -> Self {
        Self::new(Path::default(), message)
    }

    /// Creates a violation for a property that is not in `known`. Suggests the closest known name, if any name is
    /// close.
    pub fn unknown_property<'n>(object: &Path, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let message = format!("not known{}", hint(name, known));
        Self { is_unknown_property: true, may_be_alias: true, ..Self::new(object.property(name), message) }
    }
}

/// The maximum number of characters of a name that a message repeats.
pub(super) const MAX_CHARS: usize = 64;

/// Returns `true` if a message can show the character on a single line: it is not a control character, and not
/// invisible.
///
/// ```
/// use mcp_tool_schema::json::violation::is_printable;
///
/// assert!(is_printable('é') && !is_printable('\n') && !is_printable('\u{202e}'));
/// ```
pub fn is_printable(character: char) -> bool {
    !character.is_control() && (character.is_ascii() || !is_invisible(character))
}

/// Returns `true` for a character that is not a control character, but breaks lines, changes the direction of the text,
/// or is not visible.
///
/// These are the characters with the property `Default_Ignorable_Code_Point` in Unicode 16, the line separators, the
/// annotation characters and the empty Braille pattern.
///
/// ```
/// use mcp_tool_schema::json::violation::is_invisible;
///
/// assert!(is_invisible('\u{200b}') && !is_invisible(' '));
/// ```
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Escapes the characters that are not printable, except `\n` and `\t`.
///
/// ```
/// use mcp_tool_schema::json::violation::escape_multiline;
///
/// assert_eq!(escape_multiline("two\nlines\u{202e}"), "two\nlines\\u{202e}");
/// ```
pub fn escape_multiline(text: &str) -> Cow<'_, str> {
    escape(text, |character| is_printable(character) || matches!(character, '\n' | '\t'))
}

/// Escapes the characters that are not printable, including line breaks and tabs.
///
/// ```
/// use mcp_tool_schema::json::violation::escape_to_one_line;
///
/// assert_eq!(escape_to_one_line("two\nlines"), "two\\nlines");
/// ```
pub fn escape_to_one_line(text: &str) -> Cow<'_, str> {
    escape(text, is_printable)
}

fn escape(text: &str, is_plain: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_plain(character) {
            escaped.push(character);
        } else {
            escaped.extend(character.escape_default());
        }
    }
    Cow::Owned(escaped)
}

/// Truncates a long name, escapes backticks and the characters that are not printable, and puts the name between
/// backticks.
///
/// ```
/// assert_eq!(mcp_tool_schema::json::violation::quote_name("a\nb"), "`a\\nb`");
/// ```
pub fn quote_name(name: &str) -> String {
    format!("`{}`", escape_to_one_line(&truncate_name(name)).replace('`', "\\u{60}"))
}

/// Truncates a long name, so that it cannot flood a message.
///
/// ```
/// use mcp_tool_schema::json::violation::truncate_name;
///
/// assert_eq!(truncate_name(&"x".repeat(1_000)).chars().count(), 65);
/// ```
pub fn truncate_name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

/// Cuts text to at most this many bytes, at a character boundary, and adds `…` if it was longer.
///
/// ```
/// assert_eq!(mcp_tool_schema::json::violation::truncate_text("größe", 3), "gr…");
/// ```
pub fn truncate_text(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return Cow::Borrowed(text);
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}…", &text[..end]))
}

/// The maximum number of letters and digits that [`suggest`] compares in a name. The limit keeps the comparison fast
/// for long names.
const COMPARED: usize = 64;

/// Returns the candidate closest to `name`, or `None` if no candidate is close.
///
/// ```
/// use mcp_tool_schema::json::violation::suggest;
///
/// assert_eq!(suggest("limitt", ["limit", "query"].into_iter()), Some("limit"));
/// assert_eq!(suggest("color", ["limit", "query"].into_iter()), None);
/// ```
pub fn suggest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = normalize(name);
    let length = name.chars().count();
    candidates
        .filter_map(|candidate| {
            let normalized = normalize(candidate);
            let limit = 1 + candidate.len().min(name.len()) / 4;
            // Compare the lengths first, which is much faster: the distance is at least their difference.
            if normalized.chars().count().abs_diff(length) > limit {
                return None;
            }
            let distance = strsim::osa_distance(&name, &normalized);
            (distance <= limit).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the end of a message about an unknown name: `; did you mean …?`, or nothing.
///
/// ```
/// use mcp_tool_schema::json::violation::hint;
///
/// assert_eq!(hint("limitt", ["limit", "query"].into_iter()), "; did you mean `limit`?");
/// ```
pub fn hint<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> String {
    suggest(name, candidates).map_or_else(String::new, |meant| format!("; did you mean {}?", quote_name(meant)))
}

/// Converts the letters and digits of a name to lower case, and removes all other characters, because most mistakes are
/// about case and separators. Keeps only the first [`COMPARED`] letters and digits.
fn normalize(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).take(COMPARED);
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_property_is_refused_by_its_name_and_not_for_its_value() {
        let object = Path::default().property("filter");
        let violation = |name: &str| Violation::unknown_property(&object, name, ["limit", "query"].into_iter());
        let (misspelt, other) = (violation("limitt"), violation("colour"));
        assert_eq!(misspelt.path, object.property("limitt"));
        assert_eq!(misspelt.message, "not known; did you mean `limit`?");
        assert_eq!(other.message, "not known");
        assert!(misspelt.is_unknown_property && other.is_unknown_property);
        assert!(!Violation::new(object, "expected an object").is_unknown_property);
    }

    #[test]
    fn a_quoted_name_is_short_and_stays_on_one_line() {
        let text = quote_name(&format!("a`\n{}", "x".repeat(10_000)));
        assert!(text.len() < 300 && !text.contains('\n'), "{text}");
        assert!(text.starts_with("`a\\u{60}\\nx"), "{text}");
    }

    #[test]
    fn a_text_is_cut_only_where_it_is_too_long() {
        let longest = "é".repeat(MAX_CHARS);
        assert_eq!(truncate_name(&longest), longest);
        assert_eq!(truncate_name(&format!("{longest}é")), format!("{longest}…"));
        for (text, bytes, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "abc…"),
            ("aé", 3, "aé"),
            ("aéb", 3, "aé…"),
            ("aéb", 2, "a…"),
            ("é", 1, "…"),
        ] {
            assert_eq!(truncate_text(text, bytes), expected, "{text} {bytes}");
        }
    }

    #[test]
    fn characters_that_break_or_turn_a_line_are_escaped() {
        for character in
            ['\n', '\r', '\t', '\0', '\u{7f}', '\u{85}', '\u{9b}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{feff}']
        {
            assert!(!is_printable(character), "{character:?}");
            let text = quote_name(&format!("a{character}b"));
            assert_eq!(text, format!("`a{}b`", character.escape_default()));
        }
        for character in ['a', ' ', '"', '\'', '\\', 'é', '日', '😀', '\u{301}', '\u{94d}', '\u{e34}'] {
            assert!(is_printable(character), "{character:?}");
        }
        assert_eq!(escape_multiline("two\nlines\u{202e}"), "two\nlines\\u{202e}");
    }

    #[test]
    fn a_similar_name_is_suggested_and_a_different_one_is_not() {
        let known = ["location", "units", "max_results"];
        assert_eq!(suggest("loction", known.into_iter()), Some("location"));
        assert_eq!(suggest("maxResults", known.into_iter()), Some("max_results"));
        assert_eq!(suggest("Unit", known.into_iter()), Some("units"));
        assert_eq!(suggest("temperature", known.into_iter()), None);
        assert_eq!(suggest("", known.into_iter()), None);
        assert_eq!(suggest(&"x".repeat(1_000_000), known.into_iter()), None);
    }
}
