//! Replaces the formats that only schemars knows, and the formats that schemars uses for a Rust type although they
//! refuse some of its values (rule T5). A schema does not say which Rust type it comes from, so a replacement applies
//! to every schema with that format.

use serde_json::{Map, Number, Value, json};

use crate::schema::Side;
use crate::schema::walk::{self, keyword};

/// The formats that JSON Schema 2020-12 defines. Validators can assert these.
const STANDARD: &str = "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri \
    iri-reference uuid uri-template json-pointer relative-json-pointer regex";

/// The pattern of a time without an offset. JSON Schema 2020-12 has no format for such a time.
const TIME: &str = r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?";
/// The pattern of a date as chrono and jiff write it. A year before 0 or after 9999 has a sign.
const DATE: &str = "([0-9]{4}|[+-][0-9]{4,6})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";

/// The pattern of an ISO 8601 duration. Every part is optional, and the pattern accepts even a duration without parts.
/// `jiff` writes durations with a sign and with fractions, which the format `duration` refuses.
const DURATION: &str =
    r"^[+-]?P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?$";

/// The pattern of a text that starts with a URI scheme.
const URI: &str = "^[A-Za-z][A-Za-z0-9+.-]*:";

/// Replaces formats. Number formats such as `int32` become bounds, `ip` becomes a union, and the formats of durations
/// and of times that have no offset become patterns. Removes all other formats that 2020-12 does not define.
///
/// Integers of 64 bits and more get no upper bound, because validators read the bound as a double and round it. Signed
/// integers of these sizes get no lower bound either.
///
/// In the schema of a result, `uri` also becomes a pattern: `url` writes characters that RFC 3986 does not allow. The
/// schema of arguments keeps that format, because it tells a model what to write. An argument with such characters is
/// refused with a message, whereas a result would be lost.
///
/// ```text
/// before  {"type": "integer", "format": "int32"}
/// after   {"type": "integer", "minimum": -2147483648, "maximum": 2147483647}
/// before  {"type": "string", "format": "ip"}
/// after   {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
/// before  {"format": "duration"}
/// after   {"pattern": "^[+-]?P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?$"}
/// before  {"type": "string", "format": "uri"}
/// after   {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:"}
/// ```
pub(super) fn formats(schema: &mut Value, side: Side) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(format) = keyword(schema, "format").and_then(Value::as_str).map(str::to_owned) else { return };
        let Some(schema) = schema.as_object_mut() else { return };
        let (minimum, maximum) = bounds(&format);
        match &*format {
            "duration" => add(schema, "pattern", DURATION.into()),
            "partial-time" => add(schema, "pattern", format!("^{TIME}$").into()),
            "partial-date-time" => add(schema, "pattern", format!("^{DATE}T{TIME}$").into()),
            "uri" if side == Side::Output => add(schema, "pattern", URI.into()),
            // Give the branches no `type`. `format` ignores `null`, so a nullable address stays nullable.
            "ip" => add(schema, "anyOf", json!([{ "format": "ipv4" }, { "format": "ipv6" }])),
            standard if minimum.is_none() && STANDARD.split(' ').any(|known| known == standard) => return,
            _ => {
                tighten(schema, ["minimum", "exclusiveMinimum"], minimum, |own, bound| own >= bound);
                tighten(schema, ["maximum", "exclusiveMaximum"], maximum, |own, bound| own <= bound);
            }
        }
        schema.shift_remove("format");
    });
}

fn bounds(format: &str) -> (Option<Number>, Option<Number>) {
    // `f32::MAX` prints as this number, which is slightly larger than the exact value. With this number as the limit, a
    // schema accepts both the exact value and the printed one.
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

/// Adds the bound of a number type, unless the author set a tighter bound. A looser bound is replaced: on a `u8`,
/// `range(max = 1000)` becomes 255.
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

/// Adds a keyword, under `allOf` if the schema has the keyword already.
fn add(schema: &mut Map<String, Value>, keyword: &str, value: Value) {
    if !schema.contains_key(keyword) {
        schema.insert(keyword.to_owned(), value);
    } else if let Some(all) = schema.entry("allOf").or_insert_with(|| json!([])).as_array_mut() {
        all.push(json!({ keyword: value }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mut schema: Value) -> Value {
        formats(&mut schema, Side::Output);
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
    #[test]
    fn values_that_the_formats_refuse_match_the_patterns() {
        for (format, valid, invalid) in [
            ("duration", ["PT1.5S", "-PT36H", "P1Y2M3W4DT5H6M7.000000008S", "PT0S"], ["1h", "P1", "PT1.S"]),
            ("uri", ["http://a/|^`{}", "mailto:a b", "data:,x", "file:///c|/"], ["a", "/a:b", " http://a"]),
        ] {
            let schema = after(json!({ "format": format }));
            assert!(schema.get("format").is_none(), "{schema}");
            let pattern = schema["pattern"].as_str().expect("a pattern");
            let validator = jsonschema::draft202012::new(&json!({ "pattern": pattern })).expect("a schema");
            for text in valid {
                assert!(validator.is_valid(&text.into()), "{text} {pattern}");
            }
            for text in invalid {
                assert!(!validator.is_valid(&text.into()), "{text} {pattern}");
            }
        }
    }

    #[test]
    fn other_keywords_and_other_formats_stay() {
        let schema = json!({ "items": { "format": "uri", "pattern": "^https:" }, "properties": { "format": { "format": "uuid" } } });
        let expected = json!({
            "items": { "pattern": "^https:", "allOf": [{ "pattern": URI }] }, "properties": { "format": { "format": "uuid" } }
        });
        assert_eq!(after(schema.clone()), expected);
        let mut of_arguments = schema.clone();
        formats(&mut of_arguments, Side::Input);
        assert_eq!(of_arguments, schema);
    }
}
