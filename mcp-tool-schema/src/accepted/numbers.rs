//! Compares the numbers in schemas by their exact values, and values with numbers in them.

#![allow(missing_docs, clippy::must_use_candidate, clippy::return_self_not_must_use)]

use std::cmp::Ordering;

use serde_json::{Number, Value};

use crate::json::number::Numeral;
use crate::json::number::{compare, is_multiple_of};

/// Returns the order of two numbers, or `None` if no float can hold one of them.
fn order(a: &Number, b: &Number) -> Option<Ordering> {
    Some(compare(Numeral::read(a)?, Numeral::read(b)?))
}

pub fn at_least(a: &Number, b: &Number) -> bool {
    order(a, b).is_some_and(Ordering::is_ge)
}

/// Returns `true` if two values may be equal in JSON Schema, where `1` equals `1.0`. It is recursive, since rule T16 limits the depth of
/// schemas.
pub fn may_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => order(a, b).is_none_or(Ordering::is_eq),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| may_equal(a, b)))
        }
        _ => a == b,
    }
}

/// Returns `true` if every multiple of the first number is a multiple of the second.
pub fn is_multiple(number: &Value, base: &Value) -> bool {
    let read = |value: &Value| value.as_number().and_then(Numeral::read);
    let numbers = read(number).zip(read(base).filter(|base| compare(*base, Numeral::Unsigned(0)).is_gt()));
    numbers.is_some_and(|(number, base)| is_multiple_of(number, base))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_compared_by_their_exact_values() {
        assert!(may_equal(&json!([3]), &json!([3.0])));
        assert!(!may_equal(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992.0)));
        for (number, base, expected) in [
            (json!(0.3), json!(0.1), true),
            (json!(0.1), json!(0.3), false),
            (json!(6), json!(3), true),
            (json!(6), json!(0), false),
            (json!(6), json!("3"), false),
        ] {
            assert_eq!(is_multiple(&number, &base), expected, "{number} {base}");
        }
    }
}
