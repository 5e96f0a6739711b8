//! A JSON document as it was sent, borrowing its texts: what is checked and what the typed arguments are read from.
//!
//! The whole document is one list of slots, in the order of its text: after the slot of an array come its elements,
//! after the slot of an object its keys, each with its value. However many objects it has, it is one allocation.

use std::borrow::Cow;

use serde_json::Value;

use super::number::Numeral;
use crate::arguments::names::question::Question;

mod slots;

pub(crate) use slots::Slots;

/// One scalar, one key, or the head of an array or object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Slot<'a> {
    Null,
    Bool(bool),
    Number(Numeral),
    String(Cow<'a, str>),
    /// A number that nobody has asked for yet, as it is written.
    #[cfg(feature = "validate")]
    UnparsedNumber(&'a str),
    /// A string that nobody has asked for yet, with its quotes and escapes.
    #[cfg(feature = "validate")]
    EscapedString(&'a str),
    Array(Extent),
    Object(Extent),
    /// In place of a key: the member was taken out. Its value still stands behind it.
    Tombstone,
    /// In place of a value: the type that is to be read here is asked about itself.
    Asked(&'a Question),
}

/// How much belongs to an array or an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    /// The elements, or the members.
    pub(crate) len: usize,
    /// The slots after the head.
    pub(crate) span: usize,
}

/// A document.
///
/// There is always a first slot. That no key stands twice in an object is checked while reading.
#[derive(Debug, Clone)]
pub(crate) struct Tape<'a> {
    slots: Slots<'a>,
    has_null: bool,
}

impl<'a> Tape<'a> {
    /// The slots of one value. None at all are read as `null`.
    pub(crate) fn new(slots: impl Into<Slots<'a>>, has_null: bool) -> Self {
        let mut slots = slots.into();
        if slots.is_empty() {
            slots.push(Slot::Null);
        }
        Self { slots, has_null }
    }

    /// What `arguments` are when there are none (rule I2).
    pub(crate) fn empty() -> Self {
        let mut slots = Slots::default();
        slots.push(Slot::Object(Extent { len: 0, span: 0 }));
        Self::new(slots, false)
    }

    /// Whether a `null` stands anywhere in it.
    pub(crate) fn has_null(&self) -> bool {
        self.has_null
    }

    pub(crate) fn root(&self) -> View<'_> {
        View { slots: &self.slots }
    }

    /// The same document with every integral float as an integer, `None` when there is no such float.
    ///
    /// A value that serde buffers (in an untagged enum, say) comes to its type as it was written; there `3.0` is not
    /// an integer, though JSON Schema says that it is.
    pub(crate) fn with_integers(&self) -> Option<Self> {
        let mut made = false;
        let mut integral = |slot: &Slot<'a>| {
            let Slot::Number(number @ Numeral::Float(_)) = slot else { return slot.clone() };
            let integer = number.integer().and_then(Numeral::from_integer);
            made |= integer.is_some();
            Slot::Number(integer.unwrap_or(*number))
        };
        let slots = self.slots.iter().map(&mut integral).collect::<Vec<_>>().into();
        made.then_some(Self { slots, has_null: self.has_null })
    }

    /// The slots from one place on.
    pub(crate) fn slots_from(&self, at: usize) -> &[Slot<'a>] {
        &self.slots[at..]
    }

    /// Writes another text in the place of one, or of a key.
    pub(crate) fn set_string(&mut self, at: usize, name: Box<str>) {
        self.slots[at] = Slot::String(Cow::Owned(name.into()));
    }

    /// Takes a member out of its object. `object` and `key` are their places.
    pub(crate) fn remove_property(&mut self, object: usize, key: usize) {
        if let Slot::Object(extent) = &mut self.slots[object] {
            extent.len -= 1;
            self.slots[key] = Slot::Tombstone;
        }
    }

    /// Puts a document in the place of a scalar. `above` are the places of the arrays and objects around it.
    pub(crate) fn replace(&mut self, at: usize, mut document: Tape<'a>, above: &[usize]) {
        for head in above {
            if let Slot::Array(extent) | Slot::Object(extent) = &mut self.slots[*head] {
                extent.span += document.slots.len() - 1;
            }
        }
        self.has_null |= document.has_null;
        self.slots.splice(at..=at, document.slots.drain(..));
    }

    /// The document without what it borrows.
    pub(crate) fn into_owned<'b>(mut self) -> Tape<'b> {
        let owned = |slot| match slot {
            Slot::Null => Slot::Null,
            Slot::Bool(flag) => Slot::Bool(flag),
            Slot::Number(number) => Slot::Number(number),
            Slot::String(text) => Slot::String(Cow::Owned(text.into_owned())),
            #[cfg(feature = "validate")]
            Slot::UnparsedNumber(text) => Slot::Number(number(text)),
            #[cfg(feature = "validate")]
            Slot::EscapedString(text) => Slot::String(Cow::Owned(unquoted(text))),
            Slot::Array(extent) => Slot::Array(extent),
            Slot::Object(extent) => Slot::Object(extent),
            Slot::Tombstone => Slot::Tombstone,
            Slot::Asked(_) => Slot::Null,
        };
        let slots: Vec<_> = self.slots.drain(..).map(owned).collect();
        Tape { slots: slots.into(), has_null: self.has_null }
    }
}

/// One value of a document.
#[derive(Clone, Copy)]
pub(crate) struct View<'t> {
    /// The value's slot first, then all that follow in the document.
    slots: &'t [Slot<'t>],
}

/// A value taken apart by one level.
#[derive(Debug)]
pub(crate) enum Item<'t> {
    Null,
    Bool(bool),
    Number(Numeral),
    String(Cow<'t, str>),
    Array(Elements<'t>),
    Object(Properties<'t>),
}

impl<'t> View<'t> {
    /// The value that these slots begin with; at least one there must be.
    pub(crate) fn of_slots(slots: &'t [Slot<'t>]) -> Self {
        Self { slots }
    }

    pub(crate) fn item(self) -> Item<'t> {
        match self.slot() {
            Slot::Null | Slot::Tombstone => Item::Null,
            Slot::Bool(flag) => Item::Bool(*flag),
            Slot::Number(number) => Item::Number(*number),
            Slot::String(text) => Item::String(Cow::Borrowed(text)),
            Slot::Asked(question) => question.text().map_or(Item::Null, |text| Item::String(Cow::Borrowed(text))),
            #[cfg(feature = "validate")]
            Slot::UnparsedNumber(text) => Item::Number(number(text)),
            #[cfg(feature = "validate")]
            Slot::EscapedString(text) => Item::String(Cow::Owned(unquoted(text))),
            Slot::Array(extent) => Item::Array(Elements { below: self.below(), left: extent.len }),
            Slot::Object(extent) => Item::Object(Properties { below: self.below(), left: extent.len }),
        }
    }

    /// The slot of the value itself.
    pub(crate) fn slot(self) -> &'t Slot<'t> {
        &self.slots[0]
    }

    /// What follows the slot of the value.
    fn below(self) -> Self {
        Self { slots: &self.slots[1..] }
    }

    /// What follows the value.
    fn behind(self) -> Self {
        Self { slots: self.slots.get(slot_count(self.slots)..).unwrap_or_default() }
    }

    /// The text of a string.
    pub(crate) fn text(self) -> Option<Cow<'t, str>> {
        match self.item() {
            Item::String(text) => Some(text),
            _ => None,
        }
    }

    #[cfg(feature = "validate")]
    pub(crate) fn number(self) -> Option<Numeral> {
        match self.slot() {
            Slot::Number(number) => Some(*number),
            Slot::UnparsedNumber(text) => Some(number(text)),
            _ => None,
        }
    }

    /// The elements of an array.
    pub(crate) fn elements(self) -> Option<Elements<'t>> {
        match self.slot() {
            Slot::Array(extent) => Some(Elements { below: self.below(), left: extent.len }),
            _ => None,
        }
    }

    /// The members of an object.
    pub(crate) fn properties(self) -> Option<Properties<'t>> {
        match self.slot() {
            Slot::Object(extent) => Some(Properties { below: self.below(), left: extent.len }),
            _ => None,
        }
    }

    /// The members of each object from here on to the end of the document.
    #[cfg(feature = "validate")]
    pub(crate) fn objects(self) -> impl Iterator<Item = Properties<'t>> {
        (0..self.slots.len()).filter_map(move |at| Self { slots: &self.slots[at..] }.properties())
    }

    /// How many slots the value has.
    #[cfg(feature = "validate")]
    pub(crate) fn slots(self) -> usize {
        slot_count(self.slots)
    }

    pub(crate) fn is_object(self) -> bool {
        matches!(self.slot(), Slot::Object(_))
    }

    pub(crate) fn is_null(self) -> bool {
        matches!(self.slot(), Slot::Null)
    }

    /// The member of an object.
    pub(crate) fn get(self, key: &str) -> Option<Self> {
        self.properties()?.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The kind of thing that came, as a message names it.
    pub(crate) fn describe_type(self) -> &'static str {
        match self.item() {
            Item::Null => "null",
            Item::Bool(_) => "a boolean",
            Item::Number(number) if number.integer().is_some() => "an integer",
            Item::Number(number) if number.is_beyond_64_bits() => "an integer that 64 bits do not hold",
            Item::Number(_) => "a number",
            Item::String(_) => "a string",
            Item::Array(_) => "an array",
            Item::Object(_) => "an object",
        }
    }

    pub(crate) fn to_value(self) -> Value {
        match self.item() {
            Item::Null => Value::Null,
            Item::Bool(flag) => Value::Bool(flag),
            Item::Number(number) => Value::Number(number.to_json()),
            Item::String(text) => Value::String(text.into_owned()),
            Item::Array(elements) => elements.map(View::to_value).collect(),
            Item::Object(members) => members.map(|(key, value)| (key.to_owned(), value.to_value())).collect(),
        }
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.slots[..slot_count(self.slots).min(self.slots.len())]).finish()
    }
}

/// How many slots the first value has.
pub(crate) fn slot_count(slots: &[Slot<'_>]) -> usize {
    match slots.first() {
        Some(Slot::Array(extent) | Slot::Object(extent)) => 1 + extent.span,
        _ => 1,
    }
}

/// The elements of an array.
#[derive(Debug, Clone)]
pub(crate) struct Elements<'t> {
    below: View<'t>,
    left: usize,
}

impl<'t> Iterator for Elements<'t> {
    type Item = View<'t>;

    fn next(&mut self) -> Option<View<'t>> {
        self.left = self.left.checked_sub(1)?;
        let view = self.below;
        self.below = view.behind();
        Some(view)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// The members of an object.
#[derive(Debug, Clone)]
pub(crate) struct Properties<'t> {
    below: View<'t>,
    left: usize,
}

impl<'t> Iterator for Properties<'t> {
    type Item = (&'t str, View<'t>);

    fn next(&mut self) -> Option<(&'t str, View<'t>)> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let key = self.below.slots.first()?;
            let value = self.below.below();
            self.below = value.behind();
            if let Slot::String(key) = key {
                return Some((key, value));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Properties<'_> {}

/// Where the members of an object stand: the places of key and value.
pub(crate) fn property_positions(slots: &[Slot<'_>], object: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    let end = object + slot_count(&slots[object..]);
    let mut at = object + 1;
    std::iter::from_fn(move || {
        while at < end {
            let key = at;
            at = key + 1 + slot_count(&slots[key + 1..]);
            if matches!(slots[key], Slot::String(_)) {
                return Some((key, key + 1));
            }
        }
        None
    })
}

/// What stands in slots was written as JSON.
#[cfg(feature = "validate")]
fn number(text: &str) -> Numeral {
    serde_json::from_str(text).unwrap_or(Numeral::Unsigned(0))
}

#[cfg(feature = "validate")]
fn unquoted(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_default()
}
