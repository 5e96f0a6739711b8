//! Compares what a tool returns with what it was sent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Writes floats without a fraction as integers.
pub(crate) fn integers(value: &Value) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "integers up to 2^53 are exact")]
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0 => {
                json!(float as i64)
            }
            _ => value.clone(),
        },
        Value::Array(elements) => elements.iter().map(integers).collect(),
        Value::Object(object) => object.iter().map(|(name, value)| (name.clone(), integers(value))).collect(),
        _ => value.clone(),
    }
}

/// The maximum number of `null` properties that are tried both with and without.
pub(crate) const MAX_NULLS: u32 = 8;

/// Counts the properties that are `null`.
pub(crate) fn nulls(value: &Value) -> u32 {
    match value {
        Value::Array(elements) => elements.iter().map(nulls).sum(),
        Value::Object(object) => object.values().map(|value| u32::from(value.is_null()) + nulls(value)).sum(),
        _ => 0,
    }
}

/// Removes the `null` properties whose bit in `kept` is not set.
pub(crate) fn with_nulls(value: &Value, kept: u32, seen: &mut u32) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(|value| with_nulls(value, kept, seen)).collect(),
        Value::Object(object) => {
            let mut some = serde_json::Map::new();
            for (name, value) in object {
                if value.is_null() {
                    *seen += 1;
                    if *seen <= MAX_NULLS && kept & 1 << (*seen - 1) == 0 {
                        continue;
                    }
                }
                some.insert(name.clone(), with_nulls(value, kept, seen));
            }
            some.into()
        }
        _ => value.clone(),
    }
}

/// Returns `true` if the values are equal as JSON: `3.0` equals `3`, and the order of properties is ignored.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || (one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let other: BTreeMap<_, _> = other.iter().collect();
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| same(one, other)))
        }
        _ => one == other,
    }
}
