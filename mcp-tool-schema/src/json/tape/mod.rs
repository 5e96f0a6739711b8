//! A JSON document as one list of slots that borrows its strings from the input. The validator reads this list, and so
//! can a deserializer.
//!
//! The slots are in the order of the text: an array's slot is followed by its elements, an object's slot by each key
//! and its value. The list is one allocation, however many objects the document has.

use std::borrow::Cow;
use std::ops::Deref;

use super::number::Numeral;
use super::scanner::{JsonString, Scanner};

mod view;

pub use view::{Elements, Item, Properties, View, element_positions, property_positions};

/// A document. It has at least one slot, and no object in it has a key twice.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
///
/// let mut document = read_text(r#"{"a": 1}"#)?;
/// document.push_property("b", read_text("[2, 3]")?);
/// assert_eq!(document.root().to_value(), serde_json::json!({ "a": 1, "b": [2, 3] }));
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tape<'a> {
    slots: Vec<Slot<'a>>,
}

impl<'a> Tape<'a> {
    /// Creates a document from the slots of one value.
    pub fn new(slots: Vec<Slot<'a>>) -> Self {
        Self { slots }
    }

    /// Creates an empty object.
    pub fn empty() -> Self {
        Self::new(vec![Slot::Object(Extent { len: 0, span: 0 })])
    }

    /// Returns the value that the document consists of.
    pub fn root(&self) -> View<'_> {
        View::of_slots(&self.slots)
    }

    /// Returns `true` if the document contains a float that is an integer, such as `3.0`.
    pub fn has_integral_float(&self) -> bool {
        self.slots.iter().any(|slot| slot.integral_float().is_some())
    }

    /// Replaces every integral float with an integer.
    pub fn make_integers(&mut self) {
        for slot in &mut self.slots {
            if let Some(integer) = slot.integral_float() {
                *slot = Slot::Number(integer);
            }
        }
    }

    /// Returns an upper bound for the length of the document's compact JSON, in bytes.
    pub fn max_json_bytes(&self) -> usize {
        /// The length of the longest number, a float with 17 digits, a point, a sign and an exponent.
        const LONGEST_NUMBER: usize = 24;
        /// Room for the punctuation of a slot. Each slot is counted as if it needed a comma, a colon and a closing
        /// bracket.
        const PUNCTUATION: usize = 3;
        let bytes = |slot: &Slot<'_>| match slot {
            Slot::String(text) => 2 + "\\u0000".len() * text.len(),
            _ => LONGEST_NUMBER,
        };
        self.slots.iter().map(|slot| bytes(slot) + PUNCTUATION).sum()
    }

    /// Returns the slots from a position on.
    pub fn slots_from(&self, at: usize) -> &[Slot<'a>] {
        &self.slots[at..]
    }

    /// Replaces the key at the position `at`.
    pub fn rename(&mut self, at: usize, key: impl Into<Text<'a>>) {
        self.slots[at] = Slot::String(key.into());
    }

    /// Removes a property. `object` and `key` are the positions of the object's head and of the key.
    pub fn remove_property(&mut self, object: usize, key: usize) {
        if let Slot::Object(extent) = &mut self.slots[object] {
            extent.len -= 1;
            self.slots[key] = Slot::Tombstone;
        }
    }

    /// Adds a property to the document, which must be an object without that property.
    pub fn push_property(&mut self, key: &'a str, value: Tape<'a>) {
        if let Slot::Object(extent) = &mut self.slots[0] {
            extent.len += 1;
            extent.span += 1 + value.slots.len();
        }
        self.slots.push(Slot::String(key.into()));
        self.slots.extend(value.slots);
    }

    /// Replaces scalars with documents, in one pass. The replacements must be sorted by the position of the scalar.
    pub fn replace_scalars(&mut self, replacements: Vec<(usize, Tape<'static>)>) {
        let mut total = 0;
        // The position of each replaced scalar, and how many slots its replacement and all earlier ones add in total.
        let added = replacements.iter().map(|(at, document)| {
            total += document.slots.len() - 1;
            (*at, total)
        });
        let added: Vec<_> = added.collect();
        let added_before = |end| match added.partition_point(|(at, _)| *at < end) {
            0 => 0,
            count => added[count - 1].1,
        };
        let mut replacements = replacements.into_iter().peekable();
        let mut slots = Vec::with_capacity(self.slots.len() + total);
        for (at, mut slot) in std::mem::take(&mut self.slots).into_iter().enumerate() {
            if let Some((_, document)) = replacements.next_if(|(position, _)| *position == at) {
                slots.extend(document.slots);
                continue;
            }
            if let Slot::Array(extent) | Slot::Object(extent) = &mut slot {
                extent.span += added_before(at + 1 + extent.span) - added_before(at);
            }
            slots.push(slot);
        }
        self.slots = slots;
    }

    /// Copies the borrowed strings, so that the document no longer borrows from the input.
    pub fn into_owned<'b>(self) -> Tape<'b> {
        let owned = |slot| match slot {
            Slot::Null => Slot::Null,
            Slot::Bool(flag) => Slot::Bool(flag),
            Slot::Number(number) => Slot::Number(number),
            Slot::String(Text::Owned(text)) => Slot::String(Text::Owned(text)),
            Slot::String(Text::Borrowed(text)) => Slot::String(Text::Owned(text.into())),
            Slot::EscapedString(text) => Slot::String(unescape(text).into()),
            Slot::Array(extent) => Slot::Array(extent),
            Slot::Object(extent) => Slot::Object(extent),
            Slot::Tombstone => Slot::Tombstone,
        };
        Tape { slots: self.slots.into_iter().map(owned).collect() }
    }
}

/// One scalar, one key, or the head of an array or object.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
/// use mcp_tool_schema::json::tape::Slot;
///
/// let document = read_text("[true, null]")?;
/// let [Slot::Array(extent), Slot::Bool(true), Slot::Null] = document.slots_from(0) else { panic!("three slots") };
/// assert_eq!((extent.len, extent.span), (2, 2));
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Slot<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Numeral),
    /// A string, or a key.
    String(Text<'a>),
    /// A string with its quotes and escapes. It is unescaped each time it is read.
    EscapedString(&'a str),
    /// An array. Its elements follow.
    Array(Extent),
    /// An object. Each key and its value follow.
    Object(Extent),
    /// Replaces the key of a removed property. The property's value still follows.
    Tombstone,
}

/// The text of a string. This is not a `Cow`, because the compiler would then hide the tag of the slot in the capacity
/// of the `String`. Reading the tag from there would slow down the check in the benchmark `order` by 9%.
///
/// ```
/// use mcp_tool_schema::json::tape::Text;
///
/// let text = Text::from("borrowed");
/// assert_eq!((&*text, text.len()), ("borrowed", 8));
/// ```
#[derive(Debug, Clone)]
pub enum Text<'a> {
    /// Text that is borrowed from the input, or from the caller that added it to the document.
    Borrowed(&'a str),
    /// Text that the document owns, for example because it had escapes.
    Owned(Box<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Text<'a> {
    #[inline]
    fn from(text: T) -> Self {
        match text.into() {
            Cow::Borrowed(text) => Self::Borrowed(text),
            Cow::Owned(text) => Self::Owned(text.into()),
        }
    }
}

impl Slot<'_> {
    /// Returns the integer that equals the slot's number, if that number is a float such as `3.0`.
    #[inline]
    pub fn integral_float(&self) -> Option<Numeral> {
        match self {
            Self::Number(number @ Numeral::Float(_)) => number.to_integer(),
            _ => None,
        }
    }
}

/// The size of an array or an object.
///
/// ```
/// use mcp_tool_schema::json::tape::{Extent, Slot, Tape};
///
/// let list = Tape::new(vec![Slot::Array(Extent { len: 2, span: 2 }), Slot::Null, Slot::Bool(true)]);
/// assert_eq!(list.root().to_value(), serde_json::json!([null, true]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The number of elements or properties.
    pub len: usize,
    /// The number of slots after the head that belong to the array or the object.
    pub span: usize,
}

/// Returns the number of slots of the value that `slots` starts with.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
/// use mcp_tool_schema::json::tape::slot_count;
///
/// assert_eq!(slot_count(read_text(r#"[[1, 2], {"a": 3}]"#)?.slots_from(0)), 7);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[inline]
pub fn slot_count(slots: &[Slot<'_>]) -> usize {
    match slots.first() {
        Some(Slot::Array(extent) | Slot::Object(extent)) => 1 + extent.span,
        _ => 1,
    }
}

/// Unescapes a string that the writer has written as valid JSON.
pub(in crate::json) fn unescape(text: &str) -> String {
    Scanner::new(text).string().ok().and_then(JsonString::decode).unwrap_or_default().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::reader::read_text_at_depth;

    fn read(json: &str) -> Tape<'_> {
        read_text_at_depth(json, 0).expect("a document")
    }

    #[test]
    fn an_added_property_makes_the_document_that_is_read_from_the_whole_text() {
        for (object, value, whole) in [
            (r#"{"a":1}"#, "[null,2]", r#"{"a":1,"b":[null,2]}"#),
            (r#"{"a":[null]}"#, r#"{"c":true}"#, r#"{"a":[null],"b":{"c":true}}"#),
            ("{}", "1", r#"{"b":1}"#),
        ] {
            let (mut document, expected) = (read(object), read(whole));
            document.push_property("b", read(value));
            assert_eq!(document.slots_from(0), expected.slots_from(0), "{whole}");
        }
    }

    #[test]
    fn no_document_is_longer_than_its_bound() {
        let control_characters = format!("\"{}\"", "\\u0001".repeat(100));
        for json in
            [&control_characters, r#"["","",""]"#, r#"{"":{"":[]}}"#, "[-1.2345678901234567e-300,null]", "false"]
        {
            assert!(json.len() <= read(json).max_json_bytes(), "{json}");
        }
    }
}
