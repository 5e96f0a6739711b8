//! Reads text, or a `Value`, into a [`Tape`]. Duplicate keys and nesting that is too deep are violations here, because
//! no schema can forbid them.
//!
//! A `KeyFilter` looks for keys that appear twice, so that the usual small object needs no hash set. It is a Bloom
//! filter of 2 × 64 bits. Only when it reports a possible duplicate does a hash set compare the keys. Comparing the
//! keys of each object in a hash set instead costs the benchmark `message-order` 6.4% more instructions, and
//! `message-search` 3.5%. To measure it again, let `KeyFilter::test_and_insert` return `true`, and run
//! `python3 tests/bench/bench.py budget`.

use super::number::Numeral;
use super::path::{Path, Step};
use super::scanner::{Scanner, SyntaxError};
use super::tape::{Extent, Properties, Slot, Tape, View};
use super::violation::{Violation, quote_name};
use serde_json::Value;
use std::collections::HashSet;

/// The maximum number of nested levels in a document. `serde_json` and other parsers stop at 128, and a value is nested
/// a few levels deep in the message that contains it.
pub const MAX_DEPTH: usize = 120;

/// Reads a document from JSON text.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
///
/// let document = read_text(r#"{"a": [1, 2]}"#)?;
/// assert_eq!(document.root().get("a").map(|a| a.elements().into_iter().flatten().count()), Some(2));
/// let violation = read_text(r#"{"a": 1, "a": 2}"#).expect_err("a key twice");
/// assert_eq!(violation.message, "the key `a` appears twice");
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
/// # Errors
///
/// The text is not JSON, or has a duplicate key, a number that no float can hold, or more than [`MAX_DEPTH`] levels of
/// nesting.
pub fn read_text(json: &str) -> Result<Tape<'_>, Violation> {
    read_text_at_depth(json, 0)
}

/// Reads a document that will be inserted at this depth of another document.
///
/// ```
/// use mcp_tool_schema::json::reader::{MAX_DEPTH, read_text_at_depth};
///
/// assert!(read_text_at_depth("[]", MAX_DEPTH).is_ok() && read_text_at_depth("[1]", MAX_DEPTH).is_err());
/// ```
/// # Errors
///
/// Those of [`read_text`].
pub fn read_text_at_depth(json: &str, depth: usize) -> Result<Tape<'_>, Violation> {
    let mut scanner = Scanner::new(json);
    let document = read(&mut scanner, depth).and_then(|document| scanner.end().map(|()| document));
    document.unwrap_or_else(|error| Err(not_json(error, json)))
}

/// Reads a document that is part of a larger text. After any violation other than a syntax error, the scanner has
/// skipped the document, so the rest of the text can still be read.
///
/// ```
/// use mcp_tool_schema::json::reader::read;
/// use mcp_tool_schema::json::scanner::Scanner;
///
/// let mut scanner = Scanner::new(r#"[{"a": 1, "a": 2}, 3]"#);
/// scanner.peek();
/// scanner.open(b']');
/// let first = read(&mut scanner, 1)?;
/// assert!(first.is_err(), "a key twice");
/// assert!(scanner.next(b']')?, "the rest of the text can be read");
/// # Ok::<(), mcp_tool_schema::json::scanner::SyntaxError>(())
/// ```
/// # Errors
///
/// The text is not JSON. The inner error is any other violation.
pub fn read<'a>(scanner: &mut Scanner<'a>, depth: usize) -> Result<Result<Tape<'a>, Violation>, SyntaxError> {
    scanner.peek();
    let start = scanner.position();
    let mut builder = TapeBuilder::with_capacity_for(scanner.remaining());
    let Err(stop) = builder.push_text(scanner, depth) else { return Ok(Ok(Tape::new(builder.slots))) };
    let stopped_at = SyntaxError::at(scanner.position() - start);
    scanner.go_back_to(start);
    // If a syntax error stopped the builder, `skip` finds that error again, and `?` returns it.
    let text = scanner.skip()?;
    Ok(Err(builder.into_violation(stop, stopped_at, text)))
}

/// Creates a document that borrows its strings from a value.
///
/// ```
/// use mcp_tool_schema::json::reader::read_value;
///
/// let value = serde_json::json!({ "a": 1 });
/// let document = read_value(&value)?;
/// assert_eq!(document.root().to_value(), value);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
/// # Errors
///
/// The value has more than [`MAX_DEPTH`] levels of nesting or, with the feature `arbitrary_precision` of `serde_json`,
/// a number that no float can hold.
pub fn read_value(value: &Value) -> Result<Tape<'_>, Violation> {
    // This capacity is enough for most documents.
    let mut builder = TapeBuilder { slots: Vec::with_capacity(16), reversed_path: Path::default() };
    builder.push_value(value, 0)?;
    Ok(Tape::new(builder.slots))
}

const NUMBER_OUT_OF_RANGE: &str = "expected a number that fits in 64 bits";

/// Returns the violation for a document with more than [`MAX_DEPTH`] levels of nesting.
///
/// ```
/// assert!(mcp_tool_schema::json::reader::too_deep().message.contains("120 levels"));
/// ```
pub fn too_deep() -> Violation {
    Violation::root(format!("expected at most {MAX_DEPTH} levels of nesting"))
}

fn not_json(error: SyntaxError, text: &str) -> Violation {
    let (line, column) = error.line_and_column(text.as_bytes());
    Violation::root(format!("expected valid JSON (line {line}, column {column})"))
}

/// Why a document could not be read to its end.
enum Stop {
    /// A syntax error, or an escape that is an unpaired surrogate.
    NotJson,
    DuplicateKey(String),
    TooDeep,
    /// A number that is too large for a float.
    NumberOutOfRange,
}

impl From<SyntaxError> for Stop {
    fn from(_: SyntaxError) -> Self {
        Self::NotJson
    }
}

/// The slots of a document that is being read.
struct TapeBuilder<'a> {
    slots: Vec<Slot<'a>>,
    /// The path of an error. The steps are pushed on the way out, innermost first.
    reversed_path: Path,
}

impl<'a> TapeBuilder<'a> {
    /// Creates a builder, and reserves slots for a document. `bytes` is the length of the text that has not been read.
    /// It may end with the `_meta` after the arguments of a call. The usual length of `_meta` is subtracted, because a
    /// call would keep the unused slots in memory until it ends.
    #[inline]
    fn with_capacity_for(bytes: usize) -> Self {
        const META: usize = 256;
        /// The length in bytes beyond which the length of a text says little about its number of slots.
        const LARGE: usize = 16_384;
        let slots = Vec::with_capacity(8 + bytes.saturating_sub(META).min(LARGE) / 8);
        Self { slots, reversed_path: Path::default() }
    }

    /// Reserves the slot of an array or an object, and returns its index.
    fn open(&mut self) -> usize {
        self.slots.push(Slot::Tombstone);
        self.slots.len() - 1
    }

    /// Returns the extent of the array or object that was opened at `head` and ends after the last slot.
    fn extent(&self, head: usize, len: usize) -> Extent {
        Extent { len, span: self.slots.len() - head - 1 }
    }

    fn push_value(&mut self, value: &'a Value, depth: usize) -> Result<(), Violation> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match value {
            Value::Null => self.slots.push(Slot::Null),
            Value::Bool(flag) => self.slots.push(Slot::Bool(*flag)),
            // With serde_json's feature `arbitrary_precision`, a value can contain a number that no float can hold.
            Value::Number(number) => {
                let number = Numeral::read(number).ok_or_else(|| Violation::root(NUMBER_OUT_OF_RANGE))?;
                self.slots.push(Slot::Number(number));
            }
            Value::String(text) => self.slots.push(Slot::String(text.into())),
            Value::Array(elements) => {
                let head = self.open();
                elements.iter().try_for_each(|value| self.push_value(value, depth + 1))?;
                self.slots[head] = Slot::Array(self.extent(head, elements.len()));
            }
            Value::Object(properties) => {
                let head = self.open();
                for (key, value) in properties {
                    self.slots.push(Slot::String(key.into()));
                    self.push_value(value, depth + 1)?;
                }
                self.slots[head] = Slot::Object(self.extent(head, properties.len()));
            }
        }
        Ok(())
    }

    /// Reads one value from the text, and pushes its slots.
    fn push_text(&mut self, scanner: &mut Scanner<'a>, depth: usize) -> Result<(), Stop> {
        let next = scanner.peek();
        if depth > MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        let slot = match next {
            Some(b'"') => Slot::String(scanner.string()?.decode().ok_or(Stop::NotJson)?.into()),
            Some(b'-' | b'0'..=b'9') => Slot::Number(Numeral::parse(scanner.number()?).ok_or(Stop::NumberOutOfRange)?),
            Some(b'{') => return self.push_object(scanner, depth),
            Some(b'[') => return self.push_array(scanner, depth),
            Some(b't') => scanner.literal("true").map(|()| Slot::Bool(true))?,
            Some(b'f') => scanner.literal("false").map(|()| Slot::Bool(false))?,
            Some(b'n') => scanner.literal("null").map(|()| Slot::Null)?,
            _ => return Err(Stop::NotJson),
        };
        self.slots.push(slot);
        Ok(())
    }

    fn push_array(&mut self, scanner: &mut Scanner<'a>, depth: usize) -> Result<(), Stop> {
        let head = self.open();
        let mut len = 0;
        let mut has_more = scanner.open(b']');
        while has_more {
            self.push_text(scanner, depth + 1).inspect_err(|_| self.reversed_path.push(Step::Index(len)))?;
            len += 1;
            has_more = scanner.next(b']')?;
        }
        self.slots[head] = Slot::Array(self.extent(head, len));
        Ok(())
    }

    fn push_object(&mut self, scanner: &mut Scanner<'a>, depth: usize) -> Result<(), Stop> {
        let head = self.open();
        let (mut len, mut seen, mut may_have_duplicate) = (0, KeyFilter::default(), false);
        let mut has_more = scanner.open(b'}');
        while has_more {
            let at = self.slots.len();
            let key = scanner.key()?.decode().ok_or(Stop::NotJson)?;
            may_have_duplicate |= seen.test_and_insert(key_bits(&key));
            self.slots.push(Slot::String(key.into()));
            self.push_text(scanner, depth + 1).inspect_err(|_| {
                if let Slot::String(key) = &self.slots[at] {
                    self.reversed_path.push(Step::Key((**key).into()));
                }
            })?;
            len += 1;
            has_more = scanner.next(b'}')?;
        }
        self.slots[head] = Slot::Object(self.extent(head, len));
        if may_have_duplicate
            && let Some(key) = View::of_slots(&self.slots[head..]).properties().and_then(find_duplicate)
        {
            return Err(Stop::DuplicateKey(key.to_owned()));
        }
        Ok(())
    }

    /// Describes why reading stopped. `at` is the position in `text`, the text of the document.
    fn into_violation(mut self, stop: Stop, at: SyntaxError, text: &str) -> Violation {
        self.reversed_path.reverse();
        let message = match stop {
            Stop::NotJson => not_json(at, text).message,
            Stop::DuplicateKey(key) => format!("the key {} appears twice", quote_name(&key)),
            Stop::TooDeep => return too_deep(),
            Stop::NumberOutOfRange => NUMBER_OUT_OF_RANGE.to_owned(),
        };
        Violation::new(self.reversed_path, message)
    }
}

/// The two bits that a key sets in a [`KeyFilter`]. Equal keys have equal bits.
pub(crate) type KeyBits = [u64; 2];

/// Computes the bits of a key from its length and three of its bytes.
pub(crate) fn key_bits(key: &str) -> KeyBits {
    let bytes = key.as_bytes();
    let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or_default());
    let (first, middle, last) = (byte(0), byte(bytes.len() / 2), byte(bytes.len().wrapping_sub(1)));
    [1 << ((first + 3 * middle + 5 * bytes.len()) % 64), 1 << ((last + 7 * middle + bytes.len()) % 64)]
}

/// The keys of one object so far, as a Bloom filter.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeyFilter(KeyBits);

impl KeyFilter {
    /// Adds a key. Returns `true` if the filter may have contained the key before.
    pub(crate) fn test_and_insert(&mut self, bits: KeyBits) -> bool {
        let found = self.0[0] & bits[0] != 0 && self.0[1] & bits[1] != 0;
        self.0[0] |= bits[0];
        self.0[1] |= bits[1];
        found
    }
}

/// Returns the first key that is the same as an earlier key.
pub(crate) fn find_duplicate(properties: Properties<'_>) -> Option<&str> {
    let mut seen = HashSet::new();
    properties.map(|(key, _)| key).find(|key| !seen.insert(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(open: &str, close: &str, levels: usize) -> String {
        open.repeat(levels) + "1" + &close.repeat(levels)
    }

    fn read_whole(json: &str) -> Result<(), Violation> {
        read_text_at_depth(json, 0).map(drop)
    }

    #[test]
    fn arrays_and_objects_nest_up_to_the_limit() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let (deepest, too_deep_text) = (nested(open, close, MAX_DEPTH), nested(open, close, MAX_DEPTH + 1));
            assert_eq!(read_whole(&deepest), Ok(()));
            assert_eq!(read_whole(&too_deep_text), Err(too_deep()));
            let value = |json: &str| serde_json::from_str::<Value>(json).expect("JSON");
            assert!(read_value(&value(&deepest)).is_ok());
            assert_eq!(read_value(&value(&too_deep_text)).map(drop), Err(too_deep()));
        }
    }

    #[test]
    fn a_part_of_a_larger_text_has_the_violation_that_it_has_alone() {
        let deep = nested("[", "]", MAX_DEPTH + 1);
        for part in [
            r#"["\ud83d", "more", "text", "after", "the", "error"]"#,
            r#"{"a": {"\ud83d": [1, 2, 3, 4, 5, 6, 7, 8, 9]}}"#,
            r#"{"a": [{"b": 1, "b": 2}]}"#,
            "[0, [1e400]]",
            &deep,
        ] {
            let alone = read_whole(part).expect_err("a violation");
            let text = format!("{{\"before\": {part} , \"after\": 1}}");
            let mut scanner = Scanner::new(&text);
            assert!(scanner.open(b'}') && scanner.key().is_ok());
            let inside = read(&mut scanner, 0).expect("the syntax is right");
            assert_eq!(inside.map(drop), Err(alone), "{part}");
            assert_eq!(scanner.next(b'}'), Ok(true), "{part}");
        }
    }

    #[test]
    fn a_filter_reports_a_key_only_if_both_of_its_bits_are_set() {
        let mut filter = KeyFilter::default();
        assert!(!filter.test_and_insert([1, 1]));
        assert!(!filter.test_and_insert([2, 1]));
        assert!(!filter.test_and_insert([1, 2]));
        assert!(filter.test_and_insert([2, 2]) && filter.test_and_insert([1, 1]));
    }

    #[test]
    fn keys_that_differ_at_one_end_or_in_the_middle_have_different_bits() {
        for other in ["xbcde", "abxde", "abcdx", "abcdee"] {
            assert_ne!(key_bits("abcde"), key_bits(other), "{other}");
        }
    }
}
