//! Compares the numbers in schemas without rounding.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// Returns the order of two numbers, or `None` for a float and an integer that a float cannot represent exactly.
pub(super) fn order(a: &Number, b: &Number) -> Option<Ordering> {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (a_integer, b_integer) => {
            let is_exact = |integer: Option<i128>| integer.is_none_or(|integer| integer.unsigned_abs() <= 1 << 53);
            if is_exact(a_integer) && is_exact(b_integer) { a.as_f64()?.partial_cmp(&b.as_f64()?) } else { None }
        }
    }
}

pub(super) fn at_least(a: &Number, b: &Number) -> bool {
    order(a, b).is_some_and(Ordering::is_ge)
}

pub(super) fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Returns `true` if every multiple of the first number is a multiple of the second.
pub(super) fn is_multiple(number: &Value, base: &Value) -> bool {
    if number == base {
        return true;
    }
    let integers = (number.as_number().and_then(integer), base.as_number().and_then(integer));
    matches!(integers, (Some(number), Some(base)) if base != 0 && number % base == 0)
}
