//! serde's expectations in the words of JSON.

use serde::de::Unexpected;

/// What serde expected, without the names of Rust types.
pub(super) fn expected(text: &str) -> String {
    let known = match text {
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
        _ if text.starts_with("tuple") || text.starts_with("an array") => "an array of fitting length",
        _ if text.contains("enum ") => "one of the published variants",
        _ if text.starts_with("unit struct") => "null",
        _ => return text.to_owned(),
    };
    known.to_owned()
}

/// The kind of thing that came, never the thing.
pub(super) fn kind(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "another integer",
        Unexpected::Float(_) => "another number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "another string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}
