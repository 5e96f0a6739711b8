//! Replaces the formats that only schemars knows (rule T5).

use serde_json::{Map, Number, Value, json};

use crate::schema::walk::{self, keyword};

/// The formats that JSON Schema 2020-12 defines. Validators can assert these.
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

/// Patterns of times without an offset, for which 2020-12 has no format. They accept what chrono and jiff write: a year that
/// does not have four digits has a sign.
const TIME: &str = r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?";
const DATE: &str = "([0-9]{4}|[+-][0-9]{4,6})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";

/// Replaces the width of a number by bounds, a time without an offset by a pattern, and `ip` by a union. Removes all
/// other formats that 2020-12 does not define.
///
/// Integers of 64 bits and more get no upper bound, because validators read the bound as a double and round it.
///
/// ```text
/// before  {"type": "integer", "format": "int32"}
/// after   {"type": "integer", "minimum": -2147483648, "maximum": 2147483647}
/// before  {"type": "string", "format": "ip"}
/// after   {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
/// ```
pub(super) fn formats(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(format) = keyword(schema, "format").and_then(Value::as_str) else {
            return;
        };
        if VOCABULARY.contains(&format) {
            return;
        }
        let format = format.to_owned();
        let Some(schema) = schema.as_object_mut() else {
            return;
        };
        if format == "ip" {
            accept_both_ip_versions(schema);
        } else {
            let (minimum, maximum) = bounds(&format);
            let pattern = pattern(&format);
            tighten(schema, ["minimum", "exclusiveMinimum"], minimum, |own, bound| own >= bound);
            tighten(schema, ["maximum", "exclusiveMaximum"], maximum, |own, bound| own <= bound);
            match pattern {
                Some(pattern) if schema.contains_key("pattern") => add_to_all_of(schema, json!({ "pattern": pattern })),
                Some(pattern) => drop(schema.insert("pattern".to_owned(), pattern.into())),
                None => {}
            }
        }
        schema.shift_remove("format");
    });
}

fn bounds(format: &str) -> (Option<Number>, Option<Number>) {
    // `f32::MAX` as an `f32` prints it. This double is slightly above the exact value, so both notations are accepted.
    const F32_MAX: f64 = 3.402_823_5e38;
    let range = |minimum: i64, maximum: i64| (Some(minimum.into()), Some(maximum.into()));
    match format {
        "int8" => range(i8::MIN.into(), i8::MAX.into()),
        "int16" => range(i16::MIN.into(), i16::MAX.into()),
        "int32" => range(i32::MIN.into(), i32::MAX.into()),
        "uint8" => range(0, u8::MAX.into()),
        "uint16" => range(0, u16::MAX.into()),
        "uint32" => range(0, u32::MAX.into()),
        "uint64" | "uint128" | "uint" => (Some(0.into()), None),
        "float" => (Number::from_f64(-F32_MAX), Number::from_f64(F32_MAX)),
        _ => (None, None),
    }
}

fn pattern(format: &str) -> Option<String> {
    match format {
        "partial-time" => Some(format!("^{TIME}$")),
        "partial-date-time" => Some(format!("^{DATE}T{TIME}$")),
        _ => None,
    }
}

/// Adds a bound of the type unless the author set a tighter one. `range(max = 1000)` on a `u8` becomes 255.
fn tighten(
    schema: &mut Map<String, Value>,
    keywords: [&str; 2],
    bound: Option<Number>,
    is_tighter: fn(f64, f64) -> bool,
) {
    let Some(bound) = bound else { return };
    let own = keywords.into_iter().filter_map(|keyword| schema.get(keyword).and_then(Value::as_f64));
    if !own.zip(bound.as_f64().into_iter().cycle()).any(|(own, bound)| is_tighter(own, bound)) {
        schema.insert(keywords[0].to_owned(), Value::Number(bound));
    }
}

/// The branches have no `type`, so that a nullable address stays nullable.
fn accept_both_ip_versions(schema: &mut Map<String, Value>) {
    let union = json!([{ "format": "ipv4" }, { "format": "ipv6" }]);
    if schema.contains_key("anyOf") {
        add_to_all_of(schema, json!({ "anyOf": union }));
    } else {
        schema.insert("anyOf".to_owned(), union);
    }
}

pub(super) fn add_to_all_of(schema: &mut Map<String, Value>, more: Value) {
    if let Some(all) = schema.entry("allOf").or_insert_with(|| json!([])).as_array_mut() {
        all.push(more);
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
    fn number_formats_become_bounds() {
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
            ("float", json!({}), json!({ "minimum": -3.402_823_5e38, "maximum": 3.402_823_5e38 })),
            ("float", json!({ "minimum": 0.5 }), json!({ "minimum": 0.5, "maximum": 3.402_823_5e38 })),
            ("uint8", json!({ "exclusiveMinimum": 0 }), json!({ "exclusiveMinimum": 0, "maximum": 255 })),
            ("partial-unknown", json!({}), json!({})),
            ("date-time", json!({}), json!({ "format": "date-time" })),
        ] {
            let mut schema = before;
            schema["format"] = format.into();
            assert_eq!(after(schema), bounds, "{format}");
        }
    }

    #[test]
    fn times_without_an_offset_become_patterns() {
        let time = after(json!({ "type": "string", "format": "partial-time" }));
        assert_eq!(time["pattern"].as_str(), Some(format!("^{TIME}$").as_str()));
        let own = after(json!({ "format": "partial-date-time", "pattern": "^2" }));
        assert_eq!(own["pattern"], "^2");
        assert_eq!(own["allOf"][0]["pattern"].as_str(), Some(format!("^{DATE}T{TIME}$").as_str()));
    }

    #[test]
    fn ip_becomes_a_union_of_both_versions() {
        assert_eq!(
            after(json!({ "items": { "type": ["string", "null"], "format": "ip" } })),
            json!({
                "items": { "type": ["string", "null"], "anyOf": [{ "format": "ipv4" }, { "format": "ipv6" }] }
            })
        );
    }

    #[test]
    fn a_property_named_format_stays() {
        let schema = json!({ "properties": { "format": { "type": "string" } }, "default": { "format": "int8" } });
        assert_eq!(after(schema.clone()), schema);
    }
}
