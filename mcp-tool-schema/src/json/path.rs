//! The position of a value in a document, displayed the way a person would write it: `filter.tags[0]`.

use super::violation::{MAX_CHARS, truncate_name, truncate_text};
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// One step from a value to a value inside it. Copies of a path share the keys, because keys may be long, and many
/// errors share a path.
///
/// ```
/// use mcp_tool_schema::Step;
///
/// assert_ne!(Step::Key("0".into()), Step::Index(0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The step from an object to the property with this key.
    Key(Arc<str>),
    /// The step from an array to the element at this index.
    Index(usize),
}

/// The steps from the root of a document to one value.
///
/// ```
/// use mcp_tool_schema::{Path, Step};
///
/// let mut path = Path::default().property("filter").property("tags");
/// path.push(Step::Index(0));
/// assert_eq!(path.to_string(), "filter.tags[0]");
/// assert_eq!(path.to_pointer(100), "/filter/tags/0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path(pub(super) Vec<Step>);

impl Path {
    /// Returns the steps, the outermost first.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Returns `true` for the path of the document as a whole.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a step, which leads from the value at this path to a value inside it.
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Writes the path as a JSON Pointer (RFC 6901). If the pointer takes more than `room` bytes in a JSON string, it
    /// is truncated, and a `…` is added.
    pub fn to_pointer(&self, room: usize) -> String {
        let (mut pointer, mut left) = (String::new(), room);
        for step in &self.0 {
            let token = match step {
                Step::Key(key) => escape_token(&truncate_text(key, left)),
                Step::Index(at) => at.to_string(),
            };
            for character in std::iter::once('/').chain(token.chars()) {
                let Some(rest) = left.checked_sub(json_bytes(character)) else {
                    pointer.push('…');
                    return pointer;
                };
                left = rest;
                pointer.push(character);
            }
        }
        pointer
    }

    /// Removes the last step.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Reverses the steps. After an error, a recursive reader pushes the steps on its way out, innermost first.
    pub fn reverse(&mut self) {
        self.0.reverse();
    }

    /// Returns the path of the property with this name, in the object at this path.
    #[must_use]
    pub fn property(&self, name: &str) -> Self {
        let mut path = self.clone();
        path.push(Step::Key(name.into()));
        path
    }
}

/// Returns the number of bytes that a character takes in a JSON string.
fn json_bytes(character: char) -> usize {
    match character {
        '"' | '\\' | '\u{8}' | '\t' | '\n' | '\u{c}' | '\r' => 2,
        '\0'..='\u{1f}' => 6,
        _ => character.len_utf8(),
    }
}

/// How many steps are displayed at each end of a long path.
const SHOWN_STEPS: usize = 8;

/// A path with more than `2 * SHOWN_STEPS` steps is still displayed in full if it has at most this size: the bytes of
/// its keys, plus 4 for each index.
const MAX_BYTES: usize = 1_024;

/// Displays all steps, or only the first and the last steps of a long path.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.0.as_slice();
        let key_bytes = |step: &Step| if let Step::Key(key) = step { key.len() } else { 4 };
        if steps.len() <= 2 * SHOWN_STEPS || steps.iter().map(key_bytes).sum::<usize>() <= MAX_BYTES {
            return write_steps(steps, false, f);
        }
        write_steps(&steps[..SHOWN_STEPS], false, f)?;
        f.write_str(".…")?;
        write_steps(&steps[steps.len() - SHOWN_STEPS..], true, f)
    }
}

/// Writes steps. If they continue a path (`is_inside`), a dot precedes even the first step, unless that step is written
/// in brackets.
fn write_steps(steps: &[Step], is_inside: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Key(key) if is_plain(key) => {
                if index > 0 || is_inside {
                    f.write_char('.')?;
                }
                f.write_str(key)?;
            }
            Step::Key(key) => write!(f, "[{:?}]", truncate_name(key))?,
            Step::Index(index) => write!(f, "[{index}]")?,
        }
    }
    Ok(())
}

/// Returns `true` if the key can be displayed without brackets and quotes.
fn is_plain(key: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
    !key.is_empty() && key.chars().nth(MAX_CHARS).is_none() && key.chars().all(is_word)
}

/// Writes a key as one reference token of a JSON Pointer.
///
/// ```
/// assert_eq!(mcp_tool_schema::json::path::escape_token("a/b~"), "a~1b~0");
/// ```
pub fn escape_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Reads the key from one reference token of a JSON Pointer.
///
/// ```
/// assert_eq!(mcp_tool_schema::json::path::unescape_token("a~1b~0"), "a/b~");
/// ```
pub fn unescape_token(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// Writes a JSON Pointer as the fragment of a URI, with the leading `#` (RFC 6901, section 6).
///
/// ```
/// assert_eq!(mcp_tool_schema::json::path::fragment("/$defs/Page<T>"), "#/$defs/Page%3CT%3E");
/// ```
pub fn fragment(pointer: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte);
    format!("#{}", percent_encode(pointer, is_plain))
}

/// Percent-encodes the bytes for which `is_plain` returns `false`. `is_plain` may return `true` only for ASCII.
///
/// ```
/// let encoded = mcp_tool_schema::json::path::percent_encode("a b", |byte| byte.is_ascii_alphanumeric());
/// assert_eq!(encoded, "a%20b");
/// ```
pub fn percent_encode(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let encode = |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_displayed_as_a_person_writes_it() {
        let mut path = Path::default().property("filter").property("tags");
        path.push(Step::Index(0));
        assert_eq!(path.to_string(), "filter.tags[0]");
        assert_eq!(path.property("odd key").to_string(), "filter.tags[0][\"odd key\"]");
    }

    #[test]
    fn a_key_that_is_no_word_is_quoted() {
        let shown = |key: &str| Path::default().property("a").property(key).to_string();
        let longest = "k".repeat(MAX_CHARS);
        for key in ["b", "B-1", "_$", "é", &longest] {
            assert_eq!(shown(key), format!("a.{key}"));
        }
        for key in ["", "a b", "a.b", "\n"] {
            assert_eq!(shown(key), format!("a[{key:?}]"));
        }
        assert_eq!(shown(&format!("{longest}k")), format!("a[\"{longest}…\"]"));
    }

    #[test]
    fn only_a_path_of_many_long_steps_is_cut() {
        let path = |keys: usize, bytes: usize, indices: usize| {
            let key = "k".repeat(bytes);
            let mut path = (0..keys).fold(Path::default(), |path, _| path.property(&key));
            (0..indices).for_each(|at| path.push(Step::Index(at)));
            path.to_string()
        };
        let is_cut = |text: String| text.contains('…');
        assert!(!is_cut(path(17, 60, 0)) && is_cut(path(17, 61, 0)));
        assert!(!is_cut(path(17, 60, 1)) && is_cut(path(17, 60, 2)));
        assert!(!is_cut(path(16, 64, 0)) && is_cut(path(16, 64, 1)));
        assert!(!is_cut(path(0, 0, 256)) && is_cut(path(0, 0, 257)));
        let key = "k".repeat(64);
        let keys = [key.as_str(); 8].join(".");
        assert_eq!(path(17, 64, 0), format!("{keys}.….{keys}"));
        assert_eq!(path(16, 64, 8), format!("{keys}.…[0][1][2][3][4][5][6][7]"));
    }

    #[test]
    fn the_copies_of_a_path_share_its_keys() {
        let path = Path::default().property("key");
        let key = |path: &Path| match path.steps() {
            [Step::Key(key), ..] => key.as_ptr(),
            _ => unreachable!("a path that starts with a key"),
        };
        assert_eq!(key(&path), key(&path.clone()));
        assert_eq!(key(&path), key(&path.property("inner")));
    }

    #[test]
    fn a_pointer_ends_where_its_room_does() {
        let mut path = Path::default().property("a/b~\n\u{1}");
        path.push(Step::Index(12));
        let whole = path.to_pointer(100);
        assert_eq!(whole, "/a~1b~0\n\u{1}/12");
        let bytes = serde_json::to_string(&whole).expect("a string").len() - 2;
        assert_eq!(path.to_pointer(bytes), whole);
        for room in 0..bytes {
            let pointer = path.to_pointer(room);
            let start = pointer.strip_suffix('…').expect("a mark at the end");
            assert!(whole.starts_with(start), "{pointer}");
            assert!(serde_json::to_string(start).expect("a string").len() - 2 <= room, "{pointer}");
        }
    }

    #[test]
    fn a_long_path_is_displayed_with_both_ends() {
        let path = (0..100).fold(Path::default(), |path, n| path.property(&format!("property_{n}")));
        let text = path.to_string();
        assert!(text.starts_with("property_0.property_1.") && text.ends_with(".property_98.property_99"), "{text}");
        assert!(text.contains("property_7.….property_92.") && text.len() < 300, "{text}");
        let flood = (0..120).fold(Path::default(), |path, _| path.property(&"\u{202e}".repeat(10_000)));
        assert!(flood.to_string().len() < 16_384);
    }

    #[test]
    fn unescaping_reverses_escaping() {
        assert_eq!(escape_token("a/~1"), "a~1~01");
        assert_eq!(unescape_token("a~1~01"), "a/~1");
    }
}
