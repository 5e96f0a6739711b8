//! Describes types of the standard library in the way that serde reads them (rule T17).

use serde_json::Value;

use super::titles::is_type_name;
use crate::schema::walk;

/// Makes the objects of `Duration`, `SystemTime`, `Range`, `Bound` and `Result` refuse unknown properties, and
/// restricts the integer keys of maps.
///
/// serde refuses unknown properties of these types, but the schemas from schemars do not say so.
///
/// ```text
/// before  {"$defs": {"Range_of_uint8": {"type": "object", "properties": {"start": {"type": "integer"},
///          "end": {"type": "integer"}}, "required": ["start", "end"]}}}
/// after   {"$defs": {"Range_of_uint8": {"type": "object", "properties": {"start": {"type": "integer"},
///          "end": {"type": "integer"}}, "required": ["start", "end"], "additionalProperties": false}}}
/// ```
pub(super) fn std_types(schema: &mut Value) {
    close_objects(schema);
    integer_keys(schema);
}

/// Makes the objects in the definitions of standard library types refuse unknown properties.
fn close_objects(schema: &mut Value) {
    let definitions = schema.get_mut("$defs").and_then(Value::as_object_mut);
    for (name, definition) in definitions.into_iter().flatten() {
        if let Some(objects) = closed_objects(name) {
            walk::visit_mut(definition, &mut |subschema| {
                if objects.iter().any(|names| has_exactly(subschema, names)) {
                    subschema["additionalProperties"] = false.into();
                }
            });
        }
    }
}

/// Returns the property names of each object that must refuse unknown properties, or `None` if the type has no such
/// object. `name` is the name that schemars gives the type.
fn closed_objects(name: &str) -> Option<&'static [&'static [&'static str]]> {
    Some(match name {
        _ if is_type_name("Duration", name) => &[&["secs", "nanos"]],
        _ if is_type_name("SystemTime", name) => &[&["secs_since_epoch", "nanos_since_epoch"]],
        _ if name.starts_with("Range_of_") => &[&["start", "end"]],
        _ if name.starts_with("Bound_of_") => &[&["Included"], &["Excluded"]],
        _ if name.starts_with("Result_of_") => &[&["Ok"], &["Err"]],
        _ => return None,
    })
}

/// Returns `true` if the schema has exactly these properties, requires all of them, and has no `additionalProperties`.
fn has_exactly(schema: &Value, expected: &[&str]) -> bool {
    let matches = |names: Vec<&str>| names.len() == expected.len() && expected.iter().all(|name| names.contains(name));
    let properties = schema["properties"].as_object().map(|all| all.keys().map(String::as_str).collect());
    let required = schema["required"].as_array().map(|all| all.iter().filter_map(Value::as_str).collect());
    properties.is_some_and(matches) && required.is_some_and(matches) && schema.get("additionalProperties").is_none()
}

/// The patterns of integer keys, unsigned and signed.
pub(crate) const INTEGER_KEYS: [&str; 2] = ["^(0|[1-9][0-9]*)$", "^(0|-?[1-9][0-9]*)$"];

/// Restricts integer keys to the canonical form of JSON integers.
///
/// schemars writes `\d+`, which regex engines read differently, and which accepts `007`, a second key for 7.
fn integer_keys(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(patterns) = schema.get_mut("patternProperties").and_then(Value::as_object_mut) else { return };
        for (before, after) in [r"^\d+$", r"^-?\d+$"].into_iter().zip(INTEGER_KEYS) {
            if let Some(values) = patterns.shift_remove(before) {
                patterns.insert(after.to_owned(), values);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_objects_that_serde_closes_are_closed() {
        let object = |names: &[&str]| {
            let properties: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
            json!({ "type": "object", "properties": properties, "required": names })
        };
        let time = object(&["secs", "nanos"]);
        let mut schema = json!({ "$defs": {
            "Duration2": time, "Durations": time, "Range_of_Duration": object(&["end", "start"]),
            "Result_of_a_or_b": { "oneOf": [object(&["Ok"]), object(&["Err"]), object(&["Other"])] },
            "Duration": object(&["secs"])
        } });
        std_types(&mut schema);
        let closed: Vec<_> = ["/Duration2", "/Durations", "/Range_of_Duration", "/Duration"]
            .into_iter()
            .chain(["/Result_of_a_or_b/oneOf/0", "/Result_of_a_or_b/oneOf/1", "/Result_of_a_or_b/oneOf/2"])
            .filter(|at| schema["$defs"].pointer(at).is_some_and(|object| object["additionalProperties"] == false))
            .collect();
        assert_eq!(
            closed,
            ["/Duration2", "/Range_of_Duration", "/Result_of_a_or_b/oneOf/0", "/Result_of_a_or_b/oneOf/1"]
        );
    }

    #[test]
    fn integer_keys_are_canonical() {
        let mut schema = json!({ "patternProperties": { r"^\d+$": { "type": "string" }, r"^a\d$": {} } });
        std_types(&mut schema);
        assert_eq!(schema, json!({ "patternProperties": { r"^a\d$": {}, "^(0|[1-9][0-9]*)$": { "type": "string" } } }));
    }
}
