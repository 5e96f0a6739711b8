//! One value of a document, and iterators over the values inside it.

use std::borrow::Cow;

use serde_json::Value;

use super::{Extent, Slot, slot_count, unescape};
use crate::json::number::Numeral;

/// One value of a document. A view is as cheap to copy as a reference.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
///
/// let document = read_text(r#"{"name": "ada", "tags": [1, 2]}"#)?;
/// let root = document.root();
/// assert_eq!(root.get("name").and_then(|name| name.text()).as_deref(), Some("ada"));
/// assert_eq!(root.get("tags").map(|tags| tags.describe_type()), Some("an array"));
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct View<'t> {
    /// The value's slot, and all slots after it in the surrounding array, object or document. Never empty.
    slots: &'t [Slot<'t>],
}

/// The content of a value, by its type. The values inside an array or an object are still [`View`]s.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
/// use mcp_tool_schema::json::tape::Item;
///
/// let document = read_text("[1, 2]")?;
/// let Item::Array(elements) = document.root().item() else { panic!("an array") };
/// assert_eq!(elements.len(), 2);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[derive(Debug)]
pub enum Item<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Numeral),
    /// A string.
    String(Cow<'t, str>),
    /// An array, as an iterator over its elements.
    Array(Elements<'t>),
    /// An object, as an iterator over its properties.
    Object(Properties<'t>),
}

impl<'t> View<'t> {
    /// Returns the value that `slots` starts with. There must be at least one slot.
    pub fn of_slots(slots: &'t [Slot<'t>]) -> Self {
        Self { slots }
    }

    /// Returns the content of the value.
    pub fn item(self) -> Item<'t> {
        match self.slot() {
            Slot::Null | Slot::Tombstone => Item::Null,
            Slot::Bool(flag) => Item::Bool(*flag),
            Slot::Number(number) => Item::Number(*number),
            Slot::String(text) => Item::String(Cow::Borrowed(text)),
            Slot::EscapedString(text) => Item::String(Cow::Owned(unescape(text))),
            Slot::Array(extent) => Item::Array(Elements { rest: self.inside(*extent), left: extent.len }),
            Slot::Object(extent) => Item::Object(Properties { rest: self.inside(*extent), left: extent.len }),
        }
    }

    /// Returns the slot of the value.
    pub fn slot(self) -> &'t Slot<'t> {
        &self.slots[0]
    }

    /// Returns the slots of everything inside the array or the object.
    #[inline]
    fn inside(self, extent: Extent) -> &'t [Slot<'t>] {
        &self.slots[1..=extent.span]
    }

    /// Returns the text, if the value is a string.
    #[inline]
    pub fn text(self) -> Option<Cow<'t, str>> {
        match self.slot() {
            Slot::String(text) => Some(Cow::Borrowed(text)),
            Slot::EscapedString(text) => Some(Cow::Owned(unescape(text))),
            _ => None,
        }
    }

    /// Returns `true` if the value is not a string, or `accept` accepts its text.
    #[inline]
    pub fn text_is_none_or(self, accept: impl FnOnce(&str) -> bool) -> bool {
        self.text().is_none_or(|text| accept(&text))
    }

    /// Returns the number, if the value is a number.
    #[inline]
    pub fn number(self) -> Option<Numeral> {
        match self.slot() {
            Slot::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the elements, if the value is an array.
    pub fn elements(self) -> Option<Elements<'t>> {
        match self.slot() {
            Slot::Array(extent) => Some(Elements { rest: self.inside(*extent), left: extent.len }),
            _ => None,
        }
    }

    /// Returns the properties, if the value is an object.
    #[inline]
    pub fn properties(self) -> Option<Properties<'t>> {
        match self.slot() {
            Slot::Object(extent) => Some(Properties { rest: self.inside(*extent), left: extent.len }),
            _ => None,
        }
    }

    /// Returns the number of slots of the value.
    pub fn slot_count(self) -> usize {
        slot_count(self.slots)
    }

    /// Returns `true` for an object.
    pub fn is_object(self) -> bool {
        matches!(self.slot(), Slot::Object(_))
    }

    /// Returns `true` for `null`.
    pub fn is_null(self) -> bool {
        matches!(self.slot(), Slot::Null)
    }

    /// Returns the value of the property with this key, or `None` if this view is not an object or lacks the property.
    pub fn get(self, key: &str) -> Option<Self> {
        self.properties()?.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Describes the value's type for a message, without the value.
    pub fn describe_type(self) -> &'static str {
        match self.item() {
            Item::Null => "null",
            Item::Bool(_) => "a boolean",
            Item::Number(number) if number.integer().is_some() => "an integer",
            Item::Number(number) if number.is_beyond_64_bits() => "an integer that does not fit in 64 bits",
            Item::Number(_) => "a number",
            Item::String(_) => "a string",
            Item::Array(_) => "an array",
            Item::Object(_) => "an object",
        }
    }

    /// Copies the value into a `serde_json` value.
    pub fn to_value(self) -> Value {
        match self.item() {
            Item::Null => Value::Null,
            Item::Bool(flag) => Value::Bool(flag),
            Item::Number(number) => Value::Number(number.to_json()),
            Item::String(text) => Value::String(text.into_owned()),
            Item::Array(elements) => elements.map(View::to_value).collect(),
            Item::Object(properties) => properties.map(|(key, value)| (key.to_owned(), value.to_value())).collect(),
        }
    }
}

/// Returns the positions of the elements of the array at `array`.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
/// use mcp_tool_schema::json::tape::element_positions;
///
/// let document = read_text("[[1, 2], 3]")?;
/// assert_eq!(element_positions(document.slots_from(0), 0).collect::<Vec<_>>(), [1, 4]);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
pub fn element_positions(slots: &[Slot<'_>], array: usize) -> impl Iterator<Item = usize> {
    let array = View::of_slots(&slots[array..]);
    let end = slots.len() - array.slots.len() + array.slot_count();
    array.elements().into_iter().flatten().map(move |element| end - element.slots.len())
}

/// Returns each property of the object at `object`: the position of its key, its name, and the position of its value.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
/// use mcp_tool_schema::json::tape::property_positions;
///
/// let document = read_text(r#"{"a": [], "b": 1}"#)?;
/// assert_eq!(property_positions(document.slots_from(0), 0).collect::<Vec<_>>(), [(1, "a", 2), (3, "b", 4)]);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
pub fn property_positions<'s>(slots: &'s [Slot<'_>], object: usize) -> impl Iterator<Item = (usize, &'s str, usize)> {
    let object = View::of_slots(&slots[object..]);
    let end = slots.len() - object.slots.len() + object.slot_count();
    object.properties().into_iter().flatten().map(move |(name, value)| {
        let at = end - value.slots.len();
        (at - 1, name, at)
    })
}

/// Returns the slots after the value that `slots` starts with.
#[inline]
fn after_value<'t>(slots: &'t [Slot<'t>]) -> &'t [Slot<'t>] {
    &slots[slot_count(slots)..]
}

/// The elements of an array.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
///
/// let document = read_text("[1, 2]")?;
/// let elements = document.root().elements().expect("an array");
/// assert!(elements.map(|element| element.number()).all(|number| number.is_some()));
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[derive(Debug, Clone)]
pub struct Elements<'t> {
    rest: &'t [Slot<'t>],
    left: usize,
}

impl<'t> Iterator for Elements<'t> {
    type Item = View<'t>;

    #[inline]
    fn next(&mut self) -> Option<View<'t>> {
        let slots = self.rest;
        if slots.is_empty() {
            return None;
        }
        self.rest = after_value(slots);
        self.left -= 1;
        Some(View { slots })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// The properties of an object. Removed properties are skipped.
///
/// ```
/// use mcp_tool_schema::json::reader::read_text;
///
/// let document = read_text(r#"{"a": 1, "b": 2}"#)?;
/// let properties = document.root().properties().expect("an object");
/// assert_eq!(properties.map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b"]);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
#[derive(Debug, Clone)]
pub struct Properties<'t> {
    rest: &'t [Slot<'t>],
    left: usize,
}

impl<'t> Iterator for Properties<'t> {
    type Item = (&'t str, View<'t>);

    #[inline]
    fn next(&mut self) -> Option<(&'t str, View<'t>)> {
        while let [key, slots @ ..] = self.rest {
            self.rest = after_value(slots);
            if let Slot::String(key) = key {
                self.left -= 1;
                return Some((key, View { slots }));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Properties<'_> {}
