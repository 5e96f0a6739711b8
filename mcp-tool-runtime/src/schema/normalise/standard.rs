//! Types of the standard library, as serde reads them (rule T17).

use serde_json::Value;

use crate::schema::walk;

/// Closes the objects of `Duration`, `SystemTime`, `Range`, `Bound` and `Result`: serde refuses further members of
/// these, which schemars does not say.
///
/// ```
/// # mcp_tool_runtime::__step! { standard:
/// before  {"$defs": {"Range_of_uint8": {"type": "object", "properties": {"start": {"type": "integer"},
///          "end": {"type": "integer"}}, "required": ["start", "end"]}}}
/// after   {"$defs": {"Range_of_uint8": {"type": "object", "properties": {"start": {"type": "integer"},
///          "end": {"type": "integer"}}, "required": ["start", "end"], "additionalProperties": false}}}
/// # }
/// ```
pub(super) fn standard(schema: &mut Value) {
    types(schema);
    keys(schema);
}

/// The definitions of such types.
pub(super) fn types(schema: &mut Value) {
    let definitions = schema.get_mut("$defs").and_then(Value::as_object_mut);
    for (name, definition) in definitions.into_iter().flatten() {
        if let Some(forms) = forms(name) {
            walk::visit_mut(definition, &mut |part| {
                if forms.iter().any(|form| has_just(part, form)) {
                    part["additionalProperties"] = false.into();
                }
            });
        }
    }
}

/// The members of the objects of a type, by the name that schemars gives it.
fn forms(name: &str) -> Option<&'static [&'static [&'static str]]> {
    let is = |known: &str| name.strip_prefix(known).is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()));
    Some(match name {
        _ if is("Duration") => &[&["secs", "nanos"]],
        _ if is("SystemTime") => &[&["secs_since_epoch", "nanos_since_epoch"]],
        _ if name.starts_with("Range_of_") => &[&["start", "end"]],
        _ if name.starts_with("Bound_of_") => &[&["Included"], &["Excluded"]],
        _ if name.starts_with("Result_of_") => &[&["Ok"], &["Err"]],
        _ => return None,
    })
}

/// Whether the schema is of an object that has these members and says nothing of others.
fn has_just(schema: &Value, members: &[&str]) -> bool {
    let is = |names: Vec<&str>| names.len() == members.len() && members.iter().all(|member| names.contains(member));
    let properties = schema["properties"].as_object().map(|all| all.keys().map(String::as_str).collect());
    let required = schema["required"].as_array().map(|all| all.iter().filter_map(Value::as_str).collect());
    properties.is_some_and(is) && required.is_some_and(is) && schema.get("additionalProperties").is_none()
}

/// Keys that are integers are written as JSON writes an integer, so that no two keys are the same one. What `\d` is
/// differs between engines, and that `007` is a number between readers.
pub(super) fn keys(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(patterns) = schema.get_mut("patternProperties").and_then(Value::as_object_mut) else { return };
        for (before, after) in [(r"^\d+$", "^(0|[1-9][0-9]*)$"), (r"^-?\d+$", "^(0|-?[1-9][0-9]*)$")] {
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
    fn only_what_serde_closes_is_closed() {
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
        standard(&mut schema);
        let closed: Vec<_> = ["/Duration2", "/Durations", "/Range_of_Duration", "/Duration"]
            .into_iter()
            .chain(["/Result_of_a_or_b/oneOf/0", "/Result_of_a_or_b/oneOf/1", "/Result_of_a_or_b/oneOf/2"])
            .filter(|at| schema["$defs"].pointer(at).is_some_and(|part| part["additionalProperties"] == false))
            .collect();
        assert_eq!(
            closed,
            ["/Duration2", "/Range_of_Duration", "/Result_of_a_or_b/oneOf/0", "/Result_of_a_or_b/oneOf/1"]
        );
    }

    #[test]
    fn keys_are_integers_of_json() {
        let mut schema = json!({ "patternProperties": { r"^\d+$": { "type": "string" }, r"^a\d$": {} } });
        standard(&mut schema);
        assert_eq!(schema, json!({ "patternProperties": { r"^a\d$": {}, "^(0|[1-9][0-9]*)$": { "type": "string" } } }));
    }
}
