//! A JSON document as it was sent, borrowing its texts: what is checked and what the typed arguments are read from.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

/// One value of a document.
///
/// The members of an object keep their order; that no key stands twice is checked while reading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    Number(Numeral),
    String(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

/// A number as `serde_json` reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Numeral {
    Unsigned(u64),
    /// Below zero.
    Signed(i64),
    Float(f64),
}

/// Up to here a float holds every integer exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Numeral {
    /// The integer that the number is, also where it was written as `3.0`. A float beyond 2^53 may stand for several.
    pub(crate) fn integer(self) -> Option<i128> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Signed(number) => Some(number.into()),
            #[expect(clippy::cast_possible_truncation, reason = "an integral float up to 2^53")]
            Self::Float(number) if number.fract() == 0.0 && number.abs() <= EXACT => Some(number as i128),
            Self::Float(_) => None,
        }
    }

    pub(crate) fn from_integer(integer: i128) -> Option<Self> {
        match u64::try_from(integer) {
            Ok(number) => Some(Self::Unsigned(number)),
            Err(_) => i64::try_from(integer).ok().map(Self::Signed),
        }
    }

    pub(crate) fn to_json(self) -> Number {
        match self {
            Self::Unsigned(number) => number.into(),
            Self::Signed(number) => number.into(),
            // A number that was read from JSON is finite.
            Self::Float(number) => Number::from_f64(number).unwrap_or_else(|| 0.into()),
        }
    }
}

impl<'a> Node<'a> {
    /// The kind of thing that came, as a message names it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(number) if number.integer().is_some() => "an integer",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The member of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Node<'a>> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Number(number) => Value::Number(number.to_json()),
            Self::String(text) => Value::String(text.as_ref().to_owned()),
            Self::Array(elements) => elements.iter().map(Node::to_value).collect(),
            Self::Object(members) => {
                let members = members.iter().map(|(key, node)| (key.as_ref().to_owned(), node.to_value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    /// The same document with every integral float as an integer, `None` when there is no such float.
    ///
    /// A value that serde buffers (in an untagged enum, say) comes to its type as it was written; there `3.0` is not
    /// an integer, though JSON Schema says that it is.
    pub(crate) fn with_integers(&self) -> Option<Node<'a>> {
        let mut node = self.clone();
        node.make_integers().then_some(node)
    }

    fn make_integers(&mut self) -> bool {
        match self {
            Self::Number(number @ Numeral::Float(_)) => match number.integer().and_then(Numeral::from_integer) {
                Some(integer) => {
                    *number = integer;
                    true
                }
                None => false,
            },
            Self::Array(elements) => elements.iter_mut().fold(false, |made, node| node.make_integers() | made),
            Self::Object(members) => members.iter_mut().fold(false, |made, (_, node)| node.make_integers() | made),
            _ => false,
        }
    }
}
