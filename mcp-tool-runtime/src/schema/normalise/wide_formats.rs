//! Replaces the formats that refuse values of the types that schemars describes with them (rule T5).
//!
//! Such a value would make a result invalid. A schema does not say which type it is of, so the replacement applies to every
//! schema with the format.

use serde_json::{Map, Value, json};

use super::formats::add_to_all_of;
use crate::schema::walk::{self, keyword};

/// Replaces `duration` by a pattern: `jiff` writes durations with a sign and with fractions.
///
/// ```text
/// before  {"format": "duration"}
/// after   {"pattern": "^[+-]?P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?$"}
/// ```
pub(super) fn durations(schema: &mut Value) {
    replace(schema, |format| (format == "duration").then_some(DURATION));
}

/// Replaces `uri` in the schema of a result by a pattern: `url` writes characters that RFC 3986 does not allow.
///
/// The schema of arguments keeps the format: it tells a model what to write, and such a value is refused with a message, while a
/// result would be lost.
///
/// ```text
/// before  {"type": "string", "format": "uri"}
/// after   {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:"}
/// ```
pub(super) fn wide_formats(schema: &mut Value) {
    replace(schema, |format| (format == "uri").then_some(URI));
}

/// A duration of ISO 8601. Every part is optional, but there is at least one.
const DURATION: &str =
    r"^[+-]?P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?$";

/// Anything with a scheme.
const URI: &str = "^[A-Za-z][A-Za-z0-9+.-]*:";

fn replace(schema: &mut Value, pattern: impl Fn(&str) -> Option<&'static str>) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(pattern) = keyword(schema, "format").and_then(Value::as_str).and_then(&pattern) else { return };
        let Some(schema) = schema.as_object_mut() else { return };
        if schema.contains_key("pattern") {
            schema.shift_remove("format");
            add_to_all_of(schema, json!({ "pattern": pattern }));
        } else {
            // The pattern takes the place of the format.
            let keywords = std::mem::take(schema);
            *schema = keywords
                .into_iter()
                .map(
                    |(name, value)| {
                        if name == "format" { ("pattern".to_owned(), pattern.into()) } else { (name, value) }
                    },
                )
                .collect::<Map<_, _>>();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern_of(format: &str, step: fn(&mut Value)) -> String {
        let mut schema = json!({ "format": format });
        step(&mut schema);
        assert!(schema.get("format").is_none(), "{schema}");
        schema["pattern"].as_str().expect("a pattern").to_owned()
    }

    #[test]
    fn values_that_the_formats_refuse_match_the_patterns() {
        for (format, step, valid, invalid) in [
            (
                "duration",
                durations as fn(&mut Value),
                ["PT1.5S", "-PT36H", "P1Y2M3W4DT5H6M7.000000008S", "PT0S"],
                ["1h", "P1", "PT1.S"],
            ),
            (
                "uri",
                wide_formats,
                ["http://a/|^`{}", "mailto:a b", "data:,x", "file:///c|/"],
                ["a", "/a:b", " http://a"],
            ),
        ] {
            let pattern = pattern_of(format, step);
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
        let mut schema = json!({ "items": { "format": "uri", "pattern": "^https:" }, "properties": { "format": { "format": "uuid" } } });
        wide_formats(&mut schema);
        durations(&mut schema);
        let expected = json!({
            "items": { "pattern": "^https:", "allOf": [{ "pattern": URI }] }, "properties": { "format": { "format": "uuid" } }
        });
        assert_eq!(schema, expected);
    }
}
