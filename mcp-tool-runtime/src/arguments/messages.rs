//! Describes in the terms of JSON what serde expected and got.

use serde::de::{Expected, Unexpected};

/// Describes what a type expected, without the names of Rust types.
pub(super) fn describe_expected(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    let description = match text.as_str() {
        "u8" => "an integer from 0 to 255",
        "u16" => "an integer from 0 to 65535",
        "u32" => "an integer from 0 to 4294967295",
        "i8" => "an integer from -128 to 127",
        "i16" => "an integer from -32768 to 32767",
        "i32" => "an integer from -2147483648 to 2147483647",
        "u64" | "usize" => "an integer from 0 to 2^64-1",
        "u128" => "an integer of 0 or more",
        "i64" | "isize" => "an integer from -2^63 to 2^63-1",
        "i128" => "an integer",
        "f32" | "f64" => "a number",
        "a character" => "a string of one character",
        "a sequence" | "a tuple" => "an array",
        "a map" => "an object",
        "unit" => "null",
        _ if text.starts_with("a nonzero") => "a number other than 0",
        _ if text.starts_with("struct ") || text.starts_with("map ") => "an object",
        _ if text.starts_with("tuple") || text.starts_with("an array") => "an array of the right length",
        _ if text.contains("enum ") => "one of the published variants",
        _ if text.starts_with("unit struct") || text.starts_with("unit variant") => "null",
        _ => return text,
    };
    description.to_owned()
}

/// Names the type of a value that has the wrong type.
pub(super) fn describe_type(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "an integer",
        Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}

/// Describes a value that has the right type, but is not accepted.
pub(super) fn describe_other_value(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "another integer",
        Unexpected::Float(_) => "another number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "another string",
        other => describe_type(other),
    }
}

/// Lists the variants of an enum as JSON strings.
pub(super) fn list_variants(variants: &[&str]) -> String {
    let quoted: Vec<_> = variants.iter().map(|variant| format!("{variant:?}")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        several => format!("one of {}", several.join(", ")),
    }
}
