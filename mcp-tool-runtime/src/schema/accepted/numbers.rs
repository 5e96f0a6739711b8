//! Compares the numbers in schemas without rounding, and values with numbers in them.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// Returns the order of two numbers, or `None` for a float and an integer that a float cannot represent exactly.
pub(crate) fn order(a: &Number, b: &Number) -> Option<Ordering> {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (a_integer, b_integer) => {
            let is_exact = |integer: Option<i128>| integer.is_none_or(|integer| integer.unsigned_abs() <= 1 << 53);
            if is_exact(a_integer) && is_exact(b_integer) { a.as_f64()?.partial_cmp(&b.as_f64()?) } else { None }
        }
    }
}

pub(crate) fn at_least(a: &Number, b: &Number) -> bool {
    order(a, b).is_some_and(Ordering::is_ge)
}

/// Returns `true` if two values may be equal in JSON Schema, where `1` equals `1.0`. It is recursive, since rule T16 limits the depth of
/// schemas.
pub(crate) fn may_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => order(a, b).is_none_or(Ordering::is_eq),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| may_equal(a, b)))
        }
        _ => a == b,
    }
}

pub(crate) fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Returns `true` if every multiple of the first number is a multiple of the second.
pub(crate) fn is_multiple(number: &Value, base: &Value) -> bool {
    if number == base {
        return true;
    }
    let integers = (number.as_number().and_then(integer), base.as_number().and_then(integer));
    matches!(integers, (Some(number), Some(base)) if base != 0 && number % base == 0)
}
