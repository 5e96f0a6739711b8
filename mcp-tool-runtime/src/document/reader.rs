//! Reads bytes, or a `Value`, into a [`Tape`]. Duplicate keys and nesting that is too deep are violations here, because no
//! schema can forbid them.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::duplicate_keys::{KeyFilter, find_duplicate, key_bits};
use super::name::quote_name;
use super::number::Numeral;
use super::path::{Path, Step};
use super::tape::{Extent, Slot, Slots, Tape, View};
use super::violation::Violation;

/// The deepest nesting of arguments and of results. `serde_json` and other parsers stop at 128, and a value is nested a few
/// levels deep in the message that contains it.
pub(crate) const MAX_DEPTH: usize = 120;

/// Reads a document from JSON text.
pub(crate) fn read_text(json: &str) -> Result<Tape<'_>, Violation> {
    read_text_at_depth(json, 0)
}

/// Reads a document that will be inserted at this depth of another one.
pub(crate) fn read_text_at_depth(json: &str, depth: usize) -> Result<Tape<'_>, Violation> {
    let mut builder = TapeBuilder::with_capacity_for(json.len());
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let read = ValueSeed { builder: &mut builder, depth }.deserialize(&mut deserializer);
    match read.and_then(|()| deserializer.end()) {
        Ok(()) => Ok(builder.finish()),
        Err(error) => Err(builder.into_violation(&error)),
    }
}

/// Reads a document that is part of a larger one of `bytes` bytes.
pub(crate) fn read_embedded<'de, D: Deserializer<'de>>(deserializer: D, bytes: usize) -> Result<Tape<'de>, D::Error> {
    let mut builder = TapeBuilder::with_capacity_for(bytes);
    ValueSeed { builder: &mut builder, depth: 0 }.deserialize(deserializer)?;
    Ok(builder.finish())
}

/// Borrows a document from a value.
pub(crate) fn read_value(value: &Value) -> Result<Tape<'_>, Violation> {
    let mut builder = TapeBuilder::default();
    builder.push_value(value, 0)?;
    Ok(builder.finish())
}

fn too_deep() -> Violation {
    Violation::root(format!("expected at most {MAX_DEPTH} levels of nesting"))
}

/// A document while it is read, and what an error needs to become a [`Violation`].
#[derive(Default)]
struct TapeBuilder<'a> {
    slots: Slots<'a>,
    has_null: bool,
    duplicate_key: Option<String>,
    is_too_deep: bool,
    /// The path of an error. Steps are pushed on the way out, innermost first.
    reversed_path: Path,
}

impl<'a> TapeBuilder<'a> {
    /// Creates a builder with enough slots for most texts of this length.
    #[inline]
    fn with_capacity_for(bytes: usize) -> Self {
        /// The length of a larger text says little about its number of slots.
        const LARGE: usize = 16_384;
        let slots = Slots::with_capacity(4 + bytes.min(LARGE) / 8);
        Self { slots, has_null: false, duplicate_key: None, is_too_deep: false, reversed_path: Path::default() }
    }

    fn push_null(&mut self) {
        self.has_null = true;
        self.slots.push(Slot::Null);
    }

    /// Reserves the slot of an array or an object, and returns its index.
    fn open(&mut self) -> usize {
        self.slots.push(Slot::Tombstone);
        self.slots.len() - 1
    }

    /// Measures the array or object that was opened at `head` and ends here.
    fn extent(&self, head: usize, len: usize) -> Extent {
        Extent { len, span: self.slots.len() - head - 1 }
    }

    fn push_value(&mut self, value: &'a Value, depth: usize) -> Result<(), Violation> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match value {
            Value::Null => self.push_null(),
            Value::Bool(flag) => self.slots.push(Slot::Bool(*flag)),
            Value::Number(number) => self.slots.push(Slot::Number(number.into())),
            Value::String(text) => self.slots.push(Slot::String(Cow::Borrowed(text))),
            Value::Array(elements) => {
                let head = self.open();
                elements.iter().try_for_each(|value| self.push_value(value, depth + 1))?;
                self.slots[head] = Slot::Array(self.extent(head, elements.len()));
            }
            Value::Object(properties) => {
                let head = self.open();
                for (key, value) in properties {
                    self.slots.push(Slot::String(Cow::Borrowed(key)));
                    self.push_value(value, depth + 1)?;
                }
                self.slots[head] = Slot::Object(self.extent(head, properties.len()));
            }
        }
        Ok(())
    }

    #[inline]
    fn finish(self) -> Tape<'a> {
        Tape::new(self.slots, self.has_null)
    }

    fn into_violation(mut self, error: &serde_json::Error) -> Violation {
        self.reversed_path.reverse();
        let message = match (self.duplicate_key, error.classify()) {
            (Some(key), _) => format!("the key {} appears twice", quote_name(&key)),
            (None, _) if self.is_too_deep => return too_deep(),
            (None, Category::Syntax) if error.to_string().starts_with("recursion limit") => return too_deep(),
            (None, Category::Syntax) if error.to_string().starts_with("number out of range") => {
                "expected a number that 64 bits can hold".to_owned()
            }
            _ => format!("expected valid JSON (line {}, column {})", error.line(), error.column()),
        };
        Violation::new(self.reversed_path, message)
    }
}

/// Deserializes one value by pushing its slots.
struct ValueSeed<'s, 'de> {
    builder: &'s mut TapeBuilder<'de>,
    depth: usize,
}

impl<'de> ValueSeed<'_, 'de> {
    fn inner(&mut self) -> ValueSeed<'_, 'de> {
        ValueSeed { builder: self.builder, depth: self.depth + 1 }
    }

    fn push(self, slot: Slot<'de>) {
        self.builder.slots.push(slot);
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > MAX_DEPTH {
            self.builder.is_too_deep = true;
            return Err(D::Error::custom("too deep"));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.builder.push_null();
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
        let head = self.builder.open();
        let mut len = 0;
        loop {
            match elements.next_element_seed(self.inner()) {
                Ok(Some(())) => len += 1,
                Ok(None) => break,
                Err(error) => {
                    self.builder.reversed_path.push(Step::Index(len));
                    return Err(error);
                }
            }
        }
        self.builder.slots[head] = Slot::Array(self.builder.extent(head, len));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let head = self.builder.open();
        let (mut len, mut seen, mut may_have_duplicate) = (0, KeyFilter::default(), false);
        while let Some(Key(key)) = entries.next_key()? {
            let at = self.builder.slots.len();
            may_have_duplicate |= seen.test_and_insert(key_bits(&key));
            self.builder.slots.push(Slot::String(key));
            if let Err(error) = entries.next_value_seed(self.inner()) {
                if let Slot::String(key) = &self.builder.slots[at] {
                    self.builder.reversed_path.push(Step::Key(key.as_ref().to_owned()));
                }
                return Err(error);
            }
            len += 1;
        }
        self.builder.slots[head] = Slot::Object(self.builder.extent(head, len));
        if may_have_duplicate {
            let object = View::of_slots(&self.builder.slots[head..]);
            self.builder.duplicate_key = object.properties().and_then(find_duplicate).map(str::to_owned);
            if self.builder.duplicate_key.is_some() {
                return Err(A::Error::custom("duplicate key"));
            }
        }
        Ok(())
    }
}

/// A key, borrowed unless it has escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
