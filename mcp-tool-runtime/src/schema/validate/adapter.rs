//! Lets `jsonschema` read documents from their tapes.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value};

use crate::document::number::Numeral;
use crate::document::tape::{Elements, Properties, Slot, View};

/// The representation of JSON in which values are [`View`]s of a tape.
#[derive(Debug)]
pub(super) struct TapeJson;

impl Json for TapeJson {
    type Node<'a> = View<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    // One walk over the list of properties costs as much as three look-ups by key.
    const KEYS_PER_LOOKUP: usize = 3;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(View<'_>) -> T) -> T {
        f(View::of_slots(&[Slot::String(Cow::Borrowed(string))]))
    }
}

impl JsonNumber for Numeral {
    fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Unsigned(number) => Some(*number),
            _ => None,
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Unsigned(number) => i64::try_from(*number).ok(),
            Self::Signed(number) => Some(*number),
            Self::Float(_) => None,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest float is the expected result")]
    fn as_f64(&self) -> Option<f64> {
        Some(match self {
            Self::Unsigned(number) => *number as f64,
            Self::Signed(number) => *number as f64,
            Self::Float(number) => *number,
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_json().to_string())
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(self.to_json())
    }

    /// Floats above 2^53 are not integers, because they represent several integers at once (rule I3).
    fn is_integer(&self) -> bool {
        self.integer().is_some()
    }
}

impl<'a> Node<'a, TapeJson> for View<'a> {
    type Object = Properties<'a>;
    type Array = Elements<'a>;
    type Number = Numeral;

    fn as_object(&self) -> Option<Properties<'a>> {
        self.properties()
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        View::elements(*self)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.slot() {
            Slot::String(text) => Some(Cow::Borrowed(text.as_ref())),
            Slot::EscapedString(_) => self.text(),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Numeral> {
        self.number()
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.slot() {
            Slot::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        View::is_null(*self)
    }

    fn is_number(&self) -> bool {
        matches!(self.slot(), Slot::Number(_) | Slot::UnparsedNumber(_))
    }

    fn json_type(&self) -> JsonType {
        match self.slot() {
            Slot::Null | Slot::Tombstone => JsonType::Null,
            Slot::Bool(_) => JsonType::Boolean,
            Slot::Number(_) | Slot::UnparsedNumber(_) => JsonType::Number,
            Slot::String(_) | Slot::EscapedString(_) => JsonType::String,
            Slot::Array(_) => JsonType::Array,
            Slot::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self.slot(), expected) {
            (Slot::String(text), Value::String(expected)) => text == expected,
            (Slot::Bool(flag), Value::Bool(expected)) => flag == expected,
            (Slot::Null, Value::Null) => true,
            (Slot::String(_) | Slot::Bool(_) | Slot::Null | Slot::Tombstone, _) => false,
            _ => jsonschema::json::cmp::equal(&View::to_value(*self), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(View::to_value(*self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref(self.slot()).addr()))
    }
}

impl<'a> Object<'a, TapeJson> for Properties<'a> {
    type Node = View<'a>;
    type MemberName = &'a str;
    type MembersIter = Self;

    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    fn get(&self, key: &Box<str>) -> Option<View<'a>> {
        self.clone().find(|(name, _)| *name == &**key).map(|(_, value)| value)
    }

    fn members(&self) -> Self {
        self.clone()
    }
}

impl<'a> Array<'a, TapeJson> for Elements<'a> {
    type Node = View<'a>;
    type ElementsIter = Self;

    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    fn elements(&self) -> Self {
        self.clone()
    }
}
