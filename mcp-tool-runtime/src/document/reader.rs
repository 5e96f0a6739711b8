//! From bytes, or from a value, to a document.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::name::quote_name;
use super::number::Numeral;
use super::path::{Path, Step};
use super::tape::{Extent, Properties, Slot, Slots, Tape, View};
use super::violation::Violation;

/// The deepest nesting that is read, of arguments and of results. `serde_json` and other readers stop at 128, and a
/// value stands a few levels deep in the message that carries it.
pub(crate) const MAX_DEPTH: usize = 120;

/// From here on a text says too little of how many slots it has.
const LARGE: usize = 16_384;

/// Reads a document from its text. A duplicate key, a text that is not valid, too deep a nesting are a fault.
pub(crate) fn read_text(json: &str) -> Result<Tape<'_>, Violation> {
    read_text_at_depth(json, 0)
}

/// Reads a document that stands at this depth of another one.
pub(crate) fn read_text_at_depth(json: &str, depth: usize) -> Result<Tape<'_>, Violation> {
    let mut reading = Reading::with_room_for(json.len());
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let read = Seed { reading: &mut reading, depth }.deserialize(&mut deserializer);
    match read.and_then(|()| deserializer.end()) {
        Ok(()) => Ok(reading.finish()),
        Err(error) => Err(reading.fault(&error)),
    }
}

/// Reads a document where it stands in a larger one.
pub(crate) fn read_embedded<'de, D: Deserializer<'de>>(deserializer: D, bytes: usize) -> Result<Tape<'de>, D::Error> {
    let mut reading = Reading::with_room_for(bytes);
    Seed { reading: &mut reading, depth: 0 }.deserialize(deserializer)?;
    Ok(reading.finish())
}

/// Borrows a document from a value.
pub(crate) fn read_value(value: &Value) -> Result<Tape<'_>, Violation> {
    let mut reading = Reading::default();
    push(value, 0, &mut reading).ok_or_else(too_deep)?;
    Ok(reading.finish())
}

fn too_deep() -> Violation {
    Violation::root(format!("expected at most {MAX_DEPTH} levels of nesting"))
}

fn push<'a>(value: &'a Value, depth: usize, reading: &mut Reading<'a>) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    match value {
        Value::Null => reading.null(),
        Value::Bool(flag) => reading.slots.push(Slot::Bool(*flag)),
        Value::Number(number) => reading.slots.push(Slot::Number(number.into())),
        Value::String(text) => reading.slots.push(Slot::String(Cow::Borrowed(text))),
        Value::Array(elements) => {
            let head = reading.open();
            elements.iter().try_for_each(|value| push(value, depth + 1, reading))?;
            reading.slots[head] = Slot::Array(reading.extent(head, elements.len()));
        }
        Value::Object(members) => {
            let head = reading.open();
            for (key, value) in members {
                reading.slots.push(Slot::String(Cow::Borrowed(key)));
                push(value, depth + 1, reading)?;
            }
            reading.slots[head] = Slot::Object(reading.extent(head, members.len()));
        }
    }
    Some(())
}

/// A text of so many bytes seldom has more slots than this; one that has costs a larger list.
fn room_for<'a>(bytes: usize) -> Slots<'a> {
    Slots::with_room_for(4 + bytes.min(LARGE) / 8)
}

/// What was read so far. The trail is laid only on the way out of an error, innermost step first.
#[derive(Default)]
struct Reading<'a> {
    slots: Slots<'a>,
    has_null: bool,
    duplicate: Option<String>,
    too_deep: bool,
    trail: Path,
}

impl<'a> Reading<'a> {
    #[inline]
    fn with_room_for(bytes: usize) -> Self {
        Self { slots: room_for(bytes), has_null: false, duplicate: None, too_deep: false, trail: Path::default() }
    }

    fn null(&mut self) {
        self.has_null = true;
        self.slots.push(Slot::Null);
    }

    /// The place of an array or an object that begins here.
    fn open(&mut self) -> usize {
        self.slots.push(Slot::Tombstone);
        self.slots.len() - 1
    }

    /// What belongs to the array or object that ends here.
    fn extent(&self, head: usize, len: usize) -> Extent {
        Extent { len, span: self.slots.len() - head - 1 }
    }

    #[inline]
    fn finish(self) -> Tape<'a> {
        Tape::new(self.slots, self.has_null)
    }

    fn fault(mut self, error: &serde_json::Error) -> Violation {
        self.trail.reverse();
        let text = match (self.duplicate, error.classify()) {
            (Some(key), _) => format!("the key {} stands twice", quote_name(&key)),
            (None, _) if self.too_deep => return too_deep(),
            (None, Category::Syntax) if error.to_string().starts_with("recursion limit") => return too_deep(),
            (None, Category::Syntax) if error.to_string().starts_with("number out of range") => {
                "expected a number that 64 bits can hold".to_owned()
            }
            _ => format!("expected valid JSON (line {}, column {})", error.line(), error.column()),
        };
        Violation::new(self.trail, text)
    }
}

struct Seed<'s, 'de> {
    reading: &'s mut Reading<'de>,
    depth: usize,
}

impl<'de> Seed<'_, 'de> {
    fn inner(&mut self) -> Seed<'_, 'de> {
        Seed { reading: self.reading, depth: self.depth + 1 }
    }

    fn push(self, slot: Slot<'de>) {
        self.reading.slots.push(slot);
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > MAX_DEPTH {
            self.reading.too_deep = true;
            return Err(D::Error::custom("too deep"));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.reading.null();
        Ok(())
    }

    fn visit_bool<E>(self, flag: bool) -> Result<(), E> {
        self.push(Slot::Bool(flag));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.push(Slot::Number(Numeral::Unsigned(number)));
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.push(Slot::Number(Numeral::Signed(number)));
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.push(Slot::Number(Numeral::Float(number)));
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.push(Slot::String(Cow::Borrowed(text)));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.push(Slot::String(Cow::Owned(text.to_owned())));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        let head = self.reading.open();
        let mut len = 0;
        loop {
            match elements.next_element_seed(self.inner()) {
                Ok(Some(())) => len += 1,
                Ok(None) => break,
                Err(error) => {
                    self.reading.trail.push(Step::Index(len));
                    return Err(error);
                }
            }
        }
        self.reading.slots[head] = Slot::Array(self.reading.extent(head, len));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let head = self.reading.open();
        let (mut len, mut seen, mut may_stand_twice) = (0, Marks::default(), false);
        while let Some(Key(key)) = entries.next_key()? {
            let at = self.reading.slots.len();
            may_stand_twice |= seen.may_have(mark(&key));
            self.reading.slots.push(Slot::String(key));
            if let Err(error) = entries.next_value_seed(self.inner()) {
                if let Slot::String(key) = &self.reading.slots[at] {
                    self.reading.trail.push(Step::Key(key.as_ref().to_owned()));
                }
                return Err(error);
            }
            len += 1;
        }
        self.reading.slots[head] = Slot::Object(self.reading.extent(head, len));
        if may_stand_twice {
            let document = View::of_slots(&self.reading.slots[head..]);
            self.reading.duplicate = document.properties().and_then(duplicate).map(str::to_owned);
            if self.reading.duplicate.is_some() {
                return Err(A::Error::custom("duplicate key"));
            }
        }
        Ok(())
    }
}

/// What is known of a key without keeping it: one bit of 64 in two ways. Keys that differ in either are different.
pub(crate) type Mark = [u64; 2];

/// The mark of a key, from its length and three of its bytes.
pub(crate) fn mark(key: &str) -> Mark {
    let bytes = key.as_bytes();
    let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or_default());
    let (first, middle, last) = (byte(0), byte(bytes.len() / 2), byte(bytes.len().wrapping_sub(1)));
    [1 << ((first + 3 * middle + 5 * bytes.len()) % 64), 1 << ((last + 7 * middle + bytes.len()) % 64)]
}

/// The marks of an object's keys.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks(Mark);

impl Marks {
    /// Adds a mark; whether the key may be among those before.
    pub(crate) fn may_have(&mut self, mark: Mark) -> bool {
        let found = self.0[0] & mark[0] != 0 && self.0[1] & mark[1] != 0;
        self.0[0] |= mark[0];
        self.0[1] |= mark[1];
        found
    }
}

/// So many keys are compared with one another.
const FEW: usize = 16;

/// A key that stands more than once in an object.
pub(crate) fn duplicate(members: Properties<'_>) -> Option<&str> {
    let mut seen = Marks::default();
    for (index, (key, _)) in members.clone().enumerate() {
        if index == FEW {
            let mut seen = HashSet::new();
            return members.map(|(key, _)| key).find(|key| !seen.insert(*key));
        }
        if seen.may_have(mark(key)) && members.clone().take(index).any(|(other, _)| other == key) {
            return Some(key);
        }
    }
    None
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(KeyVisitor)
    }
}
