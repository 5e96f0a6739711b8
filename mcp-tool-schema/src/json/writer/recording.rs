//! Records the structure of a value while the value is written, so that the written text need not be parsed.
//!
//! Parsing the text instead costs the benchmark `search` 39% more instructions, `row` 28%, `order` 22%, and `text` 43%.
//! To measure it again, let `Recording::with_document` return `None`, and run `python3 tests/bench/bench.py budget`.

use std::ops::Range;

use serde::ser::Error as _;
use serde_json::Error;

use super::DepthLimit;
use crate::json::path::{Path, Step};
use crate::json::reader::{KeyFilter, MAX_DEPTH, find_duplicate, key_bits};
use crate::json::scanner::{JsonString, Scanner, SyntaxError};
use crate::json::string::Span;
use crate::json::tape::{Extent, Slot, Text, View};

/// The number of slots, and of strings, for which a recording has room before it grows.
const CAPACITY: usize = 32;

/// The structure of a written text.
#[derive(Debug, Clone, Default)]
pub(super) struct Recording {
    /// The slots of the document. Strings that will borrow from the text are left empty here, because the text is still
    /// growing.
    slots: Vec<Slot<'static>>,
    /// The index of each slot whose string is left empty, and where that string is in the text. The range includes the
    /// quotes if the string has escapes.
    strings: Vec<(usize, Range<usize>)>,
    /// Set once the text has a part that was not recorded, such as a `RawValue`. The text must then be parsed.
    is_incomplete: bool,
    may_have_duplicate_keys: bool,
}

impl Recording {
    pub(super) fn new() -> Self {
        Self { slots: Vec::with_capacity(CAPACITY), ..Self::default() }
    }

    #[inline]
    pub(super) fn push(&mut self, slot: Slot<'static>) {
        self.slots.push(slot);
    }

    #[inline]
    pub(super) fn string(&mut self, Span { start, end, is_escaped }: Span) {
        let (slot, range) = if is_escaped {
            (Slot::EscapedString(""), start..end)
        } else {
            (Slot::String("".into()), start + 1..end - 1)
        };
        if self.strings.is_empty() {
            self.strings.reserve(CAPACITY);
        }
        self.strings.push((self.slots.len(), range));
        self.push(slot);
    }

    /// Records a key. `keys` holds the keys of the object so far.
    #[inline]
    pub(super) fn key(&mut self, key: Text<'static>, keys: &mut KeyFilter) {
        self.may_have_duplicate_keys |= keys.test_and_insert(key_bits(&key));
        self.push(Slot::String(key));
    }

    /// Records a key that is in the text and has no escapes there.
    pub(super) fn key_of_text(&mut self, key: &str, span: Span, keys: &mut KeyFilter) {
        self.may_have_duplicate_keys |= keys.test_and_insert(key_bits(key));
        self.string(span);
    }

    /// Records a value that was written as raw JSON text, so its structure is not known. Its slot is only a
    /// placeholder.
    pub(super) fn unknown(&mut self) {
        self.is_incomplete = true;
        self.push(Slot::Null);
    }

    /// Opens an array or an object inside `levels` other arrays and objects, and returns the index of its slot.
    #[inline]
    pub(super) fn open(&mut self, levels: usize) -> usize {
        // An array or object inside `MAX_DEPTH` others is accepted only if it is empty. Mark the recording as
        // incomplete, so that the reader checks this.
        self.is_incomplete |= levels >= MAX_DEPTH;
        self.push(Slot::Null);
        self.slots.len() - 1
    }

    /// Closes the array or the object whose slot is at `head`. `slot` is [`Slot::Array`] or [`Slot::Object`].
    #[inline]
    pub(super) fn close(&mut self, head: usize, len: usize, slot: fn(Extent) -> Slot<'static>) {
        let span = self.slots.len() - head - 1;
        self.slots[head] = slot(Extent { len, span });
    }

    /// Returns the number of slots and of strings, for [`truncate`](Self::truncate).
    pub(super) fn length(&self) -> (usize, usize) {
        (self.slots.len(), self.strings.len())
    }

    pub(super) fn truncate(&mut self, (slots, strings): (usize, usize)) {
        self.slots.truncate(slots);
        self.strings.truncate(strings);
    }

    /// Calls `check` with the document that was written as `text`. Returns `None` if the text must be parsed instead:
    /// it was not completely recorded, or has a duplicate key, which the reader reports.
    pub(super) fn with_document<R>(self, text: &str, check: impl FnOnce(View<'_>) -> R) -> Option<R> {
        if self.is_incomplete {
            return None;
        }
        let mut slots: Vec<Slot<'_>> = self.slots;
        for (at, range) in self.strings {
            let text = text.get(range)?;
            slots[at] = match slots[at] {
                Slot::EscapedString(_) => Slot::EscapedString(text),
                _ => Slot::String(text.into()),
            };
        }
        let has_duplicate_at = |at| View::of_slots(&slots[at..]).properties().and_then(find_duplicate).is_some();
        let has_duplicate = self.may_have_duplicate_keys && (0..slots.len()).any(has_duplicate_at);
        (!has_duplicate).then(|| check(View::of_slots(&slots)))
    }
}

/// Returns the path of the value that comes next after `json`, the beginning of a compact JSON text.
pub(super) fn path_at_end(json: &str) -> Path {
    // One step for each open array or object.
    let mut steps = Vec::new();
    let mut last_string = None;
    let mut scanner = Scanner::new(json);
    while let Some(byte) = scanner.peek() {
        let Ok(string) = skip_token(&mut scanner, byte) else { break };
        match (byte, steps.last_mut()) {
            (b'"', _) => last_string = string,
            (b'[', _) => steps.push(Step::Index(0)),
            (b'{', _) => steps.push(Step::Key("".into())),
            (b']' | b'}', _) => drop(steps.pop()),
            (b',', Some(Step::Index(index))) => *index += 1,
            (b':', Some(step)) => {
                *step = Step::Key(last_string.and_then(JsonString::decode).unwrap_or_default().into());
            }
            _ => {}
        }
    }
    Path(steps)
}

/// Copies JSON text to `output` without the whitespace outside its strings. Returns an error if the text is nested too
/// deeply or contains a malformed string.
pub(super) fn write_compact(output: &mut Vec<u8>, json: &str, limit: &mut DepthLimit) -> Result<(), Error> {
    let (mut copied, mut end) = (0, 0);
    let mut scanner = Scanner::new(json);
    while let Some(byte) = scanner.peek() {
        if scanner.position() > end {
            output.extend_from_slice(&json.as_bytes()[copied..end]);
            copied = scanner.position();
        }
        skip_token(&mut scanner, byte).map_err(|_| Error::custom("expected raw JSON text"))?;
        end = scanner.position();
        match byte {
            b'[' | b'{' => limit.open()?,
            b']' | b'}' => limit.levels = limit.levels.saturating_sub(1),
            _ => {}
        }
    }
    output.extend_from_slice(&json.as_bytes()[copied..end]);
    Ok(())
}

/// Skips a string and returns it, or skips one byte of any other token. `next` is the byte that comes next.
fn skip_token<'a>(scanner: &mut Scanner<'a>, next: u8) -> Result<Option<JsonString<'a>>, SyntaxError> {
    if next == b'"' { scanner.string().map(Some) } else { scanner.expect(next).map(|()| None) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_path_follows_the_open_arrays_and_objects() {
        for (json, path) in [
            ("", ""),
            ("[", "[0]"),
            (r#"{"a":[1,"[,{",[2,3],{"x":4},"#, "a[4]"),
            (r#"{"a":{"b":[]},"c d":{"e":1,"f":"#, "[\"c d\"].f"),
            (r#"{"\"a,":{"\\":"#, r#"["\"a,"]["\\"]"#),
        ] {
            assert_eq!(path_at_end(json).to_string(), path, "{json}");
        }
    }

    fn compact(json: &str) -> Option<String> {
        let mut limit = DepthLimit::new(MAX_DEPTH + 1);
        let mut compact = Vec::new();
        let written = write_compact(&mut compact, json, &mut limit);
        assert_eq!(written.is_err(), limit.is_exceeded);
        written.ok()?;
        assert!(serde_json::from_slice::<Value>(&compact).is_ok());
        String::from_utf8(compact).ok()
    }

    #[test]
    fn white_space_between_tokens_goes_and_strings_stay() {
        let value = json!({"a b": [1.5, " x \n\t\"y\\", {"\\\"": " "}], "": null, "c": [], "d": {}});
        let pretty = format!("\r\n {value:#}\t ").replace("  ", " \r\n\t ");
        assert_eq!(compact(&pretty), Some(value.to_string()));
        for scalar in ["1", " 1 ", "\"\"", "null"] {
            assert_eq!(compact(scalar).as_deref(), Some(scalar.trim()));
        }
    }

    #[test]
    fn text_that_nests_too_deep_is_not_written() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(compact(&nested(MAX_DEPTH)).is_some());
        assert!(compact(&nested(20_000)).is_none());
        assert!(compact(&format!("[{}]", vec!["{}"; 300].join(","))).is_some());
    }
}
