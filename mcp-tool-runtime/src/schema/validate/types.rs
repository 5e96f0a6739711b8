//! The keyword `type`: a set of types.

use serde_json::Value;

use crate::json::tape::{Slot, View};

/// For each bit, the name of the type in JSON Schema and in messages.
const NAMES: [(&str, &str); 7] = [
    ("null", "null"),
    ("boolean", "a boolean"),
    ("integer", "an integer"),
    ("number", "a number"),
    ("string", "a string"),
    ("array", "an array"),
    ("object", "an object"),
];

const INTEGER: u8 = 1 << 2;
const NUMBER: u8 = 1 << 3;

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const ALL: Self = Self(0x7f);

    /// Reads a `type`: one name or a list of names.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let bit = |name: &Value| {
            let at = NAMES.iter().position(|(known, _)| name == known)?;
            Some(1 << at)
        };
        match value {
            Value::Array(names) => {
                names.iter().try_fold(0, |set, name| bit(name).filter(|bit| set & bit == 0).map(|bit| set | bit))
            }
            name => bit(name),
        }
        .filter(|set| *set != 0)
        .map(Self)
    }

    /// Returns `true` if the value has one of the types. `3.0` is an integer, but a float beyond 2^53 is not (rule I3).
    #[inline]
    pub(super) fn contains(self, view: View<'_>) -> bool {
        let bit = match view.slot() {
            Slot::Null | Slot::Tombstone => 1,
            Slot::Bool(_) => 1 << 1,
            Slot::Number(_) => {
                return self.0 & NUMBER != 0
                    || self.0 & INTEGER != 0 && view.number().is_some_and(|number| number.integer().is_some());
            }
            Slot::String(_) | Slot::EscapedString(_) => 1 << 4,
            Slot::Array(_) => 1 << 5,
            Slot::Object(_) => 1 << 6,
        };
        self.0 & bit != 0
    }

    /// Describes the types for a message: `an integer or null`.
    pub(super) fn describe(self) -> String {
        let names = NAMES.iter().enumerate().filter(|(at, _)| self.0 & (1 << at) != 0);
        names.map(|(_, (_, text))| *text).collect::<Vec<_>>().join(" or ")
    }
}
