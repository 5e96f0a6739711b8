//! Formats (rule T5).

use serde_json::{Map, Number, Value, json};

use crate::schema::walk;

/// The formats that JSON Schema 2020-12 defines, which are the ones that a validator can assert.
const VOCABULARY: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Turns the width of an integer into bounds, `ip` into a choice, and drops every other format of schemars' own.
///
/// Integers of 64 bits and more get no upper bound: validators read one as a double, which moves it.
///
/// ```
/// # mcp_tool_runtime::__step! { formats:
/// before  {"type": "integer", "format": "int32"}
/// after   {"type": "integer", "minimum": -2147483648, "maximum": 2147483647}
/// before  {"type": "string", "format": "ip"}
/// after   {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
/// # }
/// ```
pub(super) fn formats(schema: &mut Value) {
    walk::each_mut(schema, &mut |schema| {
        let Some(schema) = schema.as_object_mut() else {
            return;
        };
        let Some(format) = schema.get("format").and_then(Value::as_str) else {
            return;
        };
        if VOCABULARY.contains(&format) {
            return;
        }
        if format == "ip" {
            choose_ip(schema);
        } else {
            let (minimum, maximum) = integer_bounds(format);
            tighten(schema, "minimum", minimum, |own, bound| own >= bound);
            tighten(schema, "maximum", maximum, |own, bound| own <= bound);
        }
        schema.shift_remove("format");
    });
}

fn integer_bounds(format: &str) -> (Option<i64>, Option<i64>) {
    match format {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint64" | "uint128" | "uint" => (Some(0), None),
        _ => (None, None),
    }
}

/// Keeps a bound that the author set, unless the type's own is tighter: `range(max = 1000)` on a `u8` is 255.
#[allow(clippy::cast_precision_loss, reason = "the bounds of 32-bit integers are exact as doubles")]
fn tighten(schema: &mut Map<String, Value>, keyword: &str, bound: Option<i64>, is_tighter: fn(f64, f64) -> bool) {
    let Some(bound) = bound else { return };
    let own = schema.get(keyword).and_then(Value::as_f64);
    if !own.is_some_and(|own| is_tighter(own, bound as f64)) {
        schema.insert(keyword.to_owned(), Value::Number(Number::from(bound)));
    }
}

/// The branches say nothing about the type, so that a nullable address stays one.
fn choose_ip(schema: &mut Map<String, Value>) {
    let choice = json!([{ "format": "ipv4" }, { "format": "ipv6" }]);
    if schema.contains_key("anyOf") {
        let all = schema.entry("allOf").or_insert_with(|| json!([]));
        if let Some(all) = all.as_array_mut() {
            all.push(json!({ "anyOf": choice }));
        }
    } else {
        schema.insert("anyOf".to_owned(), choice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mut schema: Value) -> Value {
        formats(&mut schema);
        schema
    }

    #[test]
    fn widths_become_bounds() {
        for (format, before, bounds) in [
            ("int8", json!({}), json!({ "minimum": -128, "maximum": 127 })),
            ("int32", json!({}), json!({ "minimum": -2_147_483_648_i64, "maximum": 2_147_483_647 })),
            ("uint16", json!({ "minimum": 1 }), json!({ "minimum": 1, "maximum": 65535 })),
            ("uint8", json!({ "minimum": -5, "maximum": 1000 }), json!({ "minimum": 0, "maximum": 255 })),
            ("uint32", json!({ "maximum": 10 }), json!({ "maximum": 10, "minimum": 0 })),
            ("uint64", json!({}), json!({ "minimum": 0 })),
            ("uint128", json!({ "minimum": 1 }), json!({ "minimum": 1 })),
            ("int64", json!({}), json!({})),
            ("int", json!({ "maximum": 9 }), json!({ "maximum": 9 })),
            ("double", json!({}), json!({})),
            ("partial-time", json!({}), json!({})),
            ("date-time", json!({}), json!({ "format": "date-time" })),
        ] {
            let mut schema = before;
            schema["format"] = format.into();
            assert_eq!(after(schema), bounds, "{format}");
        }
    }

    #[test]
    fn an_address_is_of_either_version() {
        assert_eq!(
            after(json!({ "items": { "type": ["string", "null"], "format": "ip" } })),
            json!({
                "items": { "type": ["string", "null"], "anyOf": [{ "format": "ipv4" }, { "format": "ipv6" }] }
            })
        );
    }

    #[test]
    fn a_property_called_format_stays() {
        let schema = json!({ "properties": { "format": { "type": "string" } }, "default": { "format": "int8" } });
        assert_eq!(after(schema.clone()), schema);
    }
}
