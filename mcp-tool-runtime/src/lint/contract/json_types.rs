//! The types of JSON values as sets of bits. An integer is a number without a fraction.

use serde_json::{Map, Value};

use crate::json::number::Numeral;

pub(super) const NULL: u8 = 1;
pub(super) const BOOLEAN: u8 = 2;
pub(super) const INTEGER: u8 = 4;
pub(super) const FRACTION: u8 = 8;
pub(super) const NUMBER: u8 = INTEGER | FRACTION;
pub(super) const STRING: u8 = 16;
pub(super) const ARRAY: u8 = 32;
pub(super) const OBJECT: u8 = 64;
pub(super) const ALL: u8 = 127;

/// Returns the types that the keyword `type` of a schema accepts.
pub(super) fn of_type(schema: &Map<String, Value>) -> u8 {
    let of_name = |name: &Value| match name.as_str() {
        Some("null") => NULL,
        Some("boolean") => BOOLEAN,
        Some("integer") => INTEGER,
        Some("number") => NUMBER,
        Some("string") => STRING,
        Some("array") => ARRAY,
        Some("object") => OBJECT,
        _ => ALL,
    };
    match schema.get("type") {
        None => ALL,
        Some(Value::Array(names)) => names.iter().fold(0, |types, name| types | of_name(name)),
        Some(name) => of_name(name),
    }
}

/// Returns the type of a value.
pub(super) fn of_value(value: &Value) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::Number(number) if Numeral::from(number).integer().is_some() => INTEGER,
        // Beyond ±2^53, other validators take a float without a fraction for an integer, and a dispatcher does not.
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => NUMBER,
        Value::Number(_) => FRACTION,
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        Value::Object(_) => OBJECT,
    }
}
