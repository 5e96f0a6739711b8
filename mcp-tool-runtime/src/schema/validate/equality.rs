//! Equality of JSON values: numbers are equal by value, and the order of properties does not matter.

use std::cmp::Ordering;
use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};
use serde_json::Value;

use super::number::compare;
use crate::document::number::Numeral;
use crate::document::tape::{Item, Slot, View};

/// Returns `true` if the value of a document equals a value of a schema.
pub(super) fn equals(view: View<'_>, expected: &Value) -> bool {
    match (view.slot(), expected) {
        // Most constants are strings. Comparing them needs no unpacking.
        (Slot::String(text), Value::String(expected)) => text == expected,
        (Slot::String(_), _) => false,
        _ => match (view.item(), expected) {
            (Item::Null, Value::Null) => true,
            (Item::Bool(flag), Value::Bool(expected)) => flag == *expected,
            (Item::Number(number), Value::Number(expected)) => {
                Numeral::read(expected).is_some_and(|expected| compare(number, expected) == Ordering::Equal)
            }
            (Item::String(text), Value::String(expected)) => text == *expected,
            (Item::Array(elements), Value::Array(expected)) => {
                elements.len() == expected.len()
                    && elements.zip(expected).all(|(element, expected)| equals(element, expected))
            }
            (Item::Object(mut properties), Value::Object(expected)) => {
                properties.len() == expected.len()
                    && properties
                        .all(|(name, value)| expected.get(name).is_some_and(|expected| equals(value, expected)))
            }
            _ => false,
        },
    }
}

fn are_equal(left: View<'_>, right: View<'_>) -> bool {
    match (left.item(), right.item()) {
        (Item::Null, Item::Null) => true,
        (Item::Bool(left), Item::Bool(right)) => left == right,
        (Item::Number(left), Item::Number(right)) => compare(left, right) == Ordering::Equal,
        (Item::String(left), Item::String(right)) => left == right,
        (Item::Array(left), Item::Array(right)) => {
            left.len() == right.len() && left.zip(right).all(|(left, right)| are_equal(left, right))
        }
        (Item::Object(mut properties), Item::Object(others)) => {
            properties.len() == others.len()
                && properties.all(|(name, value)| right.get(name).is_some_and(|other| are_equal(value, other)))
        }
        _ => false,
    }
}

/// The number of elements up to which comparing all pairs is faster than hashing.
const PAIRWISE: usize = 8;

/// Returns `true` if no two elements of an array are equal. Linear in the document.
pub(super) fn are_unique(array: View<'_>) -> bool {
    let Some(elements) = array.elements() else { return true };
    if elements.len() <= PAIRWISE {
        let mut rest = elements;
        while let Some(element) = rest.next() {
            if rest.clone().any(|other| are_equal(element, other)) {
                return false;
            }
        }
        return true;
    }
    let build = RandomState::default();
    let mut seen: HashMap<u64, Vec<View<'_>>> = HashMap::with_capacity(elements.len());
    for element in elements {
        let same = seen.entry(hash(element, &build)).or_default();
        if same.iter().any(|other| are_equal(element, *other)) {
            return false;
        }
        same.push(element);
    }
    true
}

/// Hashes a value so that equal values have equal hashes.
fn hash(view: View<'_>, build: &RandomState) -> u64 {
    match view.item() {
        Item::Null => 0,
        Item::Bool(flag) => build.hash_one(flag),
        Item::Number(number) => match number {
            Numeral::Unsigned(number) => build.hash_one(i128::from(number)),
            Numeral::Signed(number) => build.hash_one(i128::from(number)),
            #[expect(clippy::cast_possible_truncation, reason = "such a float fits into 128 bits")]
            Numeral::Float(number) if number.fract() == 0.0 && number.abs() < 1e30 => build.hash_one(number as i128),
            Numeral::Float(number) => build.hash_one(number.to_bits()),
        },
        Item::String(text) => build.hash_one(text),
        Item::Array(elements) => elements.fold(1, |sum, element| build.hash_one((sum, hash(element, build)))),
        // The order of properties does not matter, so their hashes are added.
        Item::Object(properties) => {
            properties.fold(2, |sum: u64, (name, value)| sum.wrapping_add(build.hash_one((name, hash(value, build)))))
        }
    }
}
