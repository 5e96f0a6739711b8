//! Whether what an attribute says of a parameter has come into the schema: schemars leaves out, without a word, what does
//! not fit the type.

use serde_json::Value;

use crate::schema::reference;

/// The constraints that are not published, and what to write instead.
pub(crate) fn missing_constraints(schema: &Value, constraints: &[(&str, &str)]) -> Vec<String> {
    let property = |name: &str| schema["properties"].get(name);
    let found = constraints.iter().filter_map(|(name, constraint)| {
        let property = property(name)?;
        let fault = fault(constraint, property, schema)?;
        Some(format!("`{name}`: {fault}"))
    });
    found.collect()
}

fn fault(constraint: &str, property: &Value, root: &Value) -> Option<String> {
    let (keywords, fits): (&[&str], &[&str]) = match constraint {
        "length" => (&["minLength", "maxLength", "minItems", "maxItems"], &["string", "array"]),
        "range" => (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], &["integer", "number"]),
        "regex" => (&["pattern"], &["string"]),
        _ => (&["format"], &["string"]),
    };
    let target = property["$ref"].as_str().and_then(|reference| reference::resolve(root, reference));
    let types = [property, target.unwrap_or(property)].into_iter().map(|schema| &schema["type"]);
    let kinds: Vec<_> = types
        .flat_map(|kind| kind.as_array().map_or_else(|| std::slice::from_ref(kind), Vec::as_slice))
        .filter_map(Value::as_str)
        .filter(|kind| *kind != "null")
        .collect();
    let fitting = kinds.iter().any(|kind| fits.contains(kind));
    if fitting && keywords.iter().any(|keyword| property.get(keyword).is_some()) {
        return None;
    }
    let written = if ["length", "range", "regex"].contains(&constraint) { "(…)" } else { "" };
    if fitting || kinds.is_empty() {
        return Some(format!(
            "`{constraint}{written}` does not reach through its type: write it on the field inside that type, or remove it"
        ));
    }
    let (kind, instead) = match kinds[0] {
        "integer" => ("an integer", "write `range(…)`, or"),
        "number" => ("a number", "write `range(…)`, or"),
        "string" => ("a string", "write `length(…)` or `regex(…)`, or"),
        "array" => ("an array", "write `length(…)`, or `inner(…)` around what is said of its elements, or"),
        "boolean" => ("a boolean", ""),
        _ => ("an object", "write it on the field that it is meant for, or"),
    };
    let help = format!("{instead} remove it");
    Some(format!("`{constraint}{written}` says nothing of {kind}: {}", help.trim_start()))
}
