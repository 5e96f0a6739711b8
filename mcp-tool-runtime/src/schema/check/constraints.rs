//! Checks that the constraints on a parameter have reached its schema.
//!
//! schemars silently ignores a constraint that does not fit the type, such as `length` on an integer.

use serde_json::Value;

use crate::schema::reference;

/// Returns an error for each constraint that is not published, with what to write instead.
///
/// `constraints` are pairs of a property and the name of a schemars attribute.
pub(crate) fn missing_constraints(schema: &Value, constraints: &[(&str, &str)]) -> Vec<String> {
    let errors = constraints.iter().filter_map(|(name, constraint)| {
        let property = schema["properties"].get(name)?;
        let error = error(constraint, property, schema)?;
        Some(format!("`{name}`: {error}"))
    });
    errors.collect()
}

fn error(constraint: &str, property: &Value, root: &Value) -> Option<String> {
    let (keywords, supported_types): (&[&str], &[&str]) = match constraint {
        "length" => (&["minLength", "maxLength", "minItems", "maxItems"], &["string", "array"]),
        "range" => (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], &["integer", "number"]),
        "regex" | "pattern" => (&["pattern"], &["string"]),
        _ => (&["format"], &["string"]),
    };
    let target = property["$ref"].as_str().and_then(|reference| reference::resolve(root, reference));
    let types: Vec<_> = [property, target.unwrap_or(property)]
        .into_iter()
        .map(|schema| &schema["type"])
        .flat_map(|types| types.as_array().map_or_else(|| std::slice::from_ref(types), Vec::as_slice))
        .filter_map(Value::as_str)
        .filter(|name| *name != "null")
        .collect();
    let is_supported = types.iter().any(|name| supported_types.contains(name));
    if is_supported && keywords.iter().any(|keyword| property.get(keyword).is_some()) {
        return None;
    }
    let parentheses = if ["length", "range", "regex", "pattern"].contains(&constraint) { "(…)" } else { "" };
    if is_supported || types.is_empty() {
        return Some(format!(
            "`{constraint}{parentheses}` has no effect on the value inside this type: write it on the field of the type, \
             or remove it"
        ));
    }
    let (type_name, instead) = match types[0] {
        "integer" => ("an integer", "write `range(…)`, or remove it"),
        "number" => ("a number", "write `range(…)`, or remove it"),
        "string" => ("a string", "write `length(…)` or `regex(…)`, or remove it"),
        "array" => ("an array", "write `length(…)`, or `inner(…)` for a constraint on its elements, or remove it"),
        "boolean" => ("a boolean", "remove it"),
        _ => ("an object", "write it on a field of the object, or remove it"),
    };
    Some(format!("`{constraint}{parentheses}` has no effect on {type_name}: {instead}"))
}
