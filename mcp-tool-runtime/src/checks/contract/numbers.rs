//! Numbers of schemas, compared without rounding.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// The order of two numbers; none where a float would have to be compared with an integer that it cannot hold.
pub(super) fn order(a: &Number, b: &Number) -> Option<Ordering> {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (a_integer, b_integer) => {
            let held = |integer: Option<i128>| integer.is_none_or(|integer| integer.unsigned_abs() <= 1 << 53);
            if held(a_integer) && held(b_integer) { a.as_f64()?.partial_cmp(&b.as_f64()?) } else { None }
        }
    }
}

pub(super) fn at_least(a: &Number, b: &Number) -> bool {
    order(a, b).is_some_and(Ordering::is_ge)
}

pub(super) fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Whether every multiple of the first is one of the second.
pub(super) fn is_multiple(of: &Value, base: &Value) -> bool {
    if of == base {
        return true;
    }
    let integers = (of.as_number().and_then(integer), base.as_number().and_then(integer));
    matches!(integers, (Some(of), Some(base)) if base != 0 && of % base == 0)
}
