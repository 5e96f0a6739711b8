//! Checks that the constraints on a parameter have reached its schema.
//!
//! schemars silently ignores a constraint that does not fit the type, such as `length` on an integer.

use std::borrow::Cow;

use serde_json::Value;

use crate::schema::accepted::Types;
use crate::schema::reference;

/// A property, and the name of a schemars attribute.
pub(crate) type Constraint = (Cow<'static, str>, &'static str);

/// Returns an error for each constraint that is not published, with what to write instead.
pub(crate) fn missing_constraints(schema: &Value, constraints: &[Constraint]) -> Vec<String> {
    let errors = constraints.iter().filter_map(|(name, constraint)| {
        let property = schema["properties"].get(&**name)?;
        let error = error(constraint, property, schema)?;
        Some(format!("`{name}`: {error}"))
    });
    errors.collect()
}

fn error(constraint: &str, property: &Value, root: &Value) -> Option<String> {
    let (keywords, supported): (&[&str], _) = match constraint {
        "length" => (&["minLength", "maxLength", "minItems", "maxItems"], Types::STRING.or(Types::ARRAY)),
        "range" => (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], Types::NUMBER),
        "regex" | "pattern" => (&["pattern"], Types::STRING),
        _ => (&["format"], Types::STRING),
    };
    let target = property["$ref"].as_str().and_then(|reference| reference::resolve(root, reference));
    let named = [Some(property), target].into_iter().flatten().filter_map(|schema| Types::read(&schema["type"]));
    let types = named.fold(Types::NONE, Types::or).without(Types::NULL);
    let is_supported = types.intersects(supported);
    if is_supported && keywords.iter().any(|keyword| property.get(keyword).is_some()) {
        return None;
    }
    let parentheses = if ["length", "range", "regex", "pattern"].contains(&constraint) { "(…)" } else { "" };
    if is_supported || types == Types::NONE {
        return Some(format!(
            "`{constraint}{parentheses}` has no effect on the value inside this type: write it on the field of the type, \
             or remove it"
        ));
    }
    let instead = match types.name() {
        "integer" | "number" => "write `range(…)`, or remove it",
        "string" => "write `length(…)` or `regex(…)`, or remove it",
        "array" => "write `length(…)`, or `inner(…)` for a constraint on its elements, or remove it",
        "object" => "write it on a field of the object, or remove it",
        _ => "remove it",
    };
    Some(format!("`{constraint}{parentheses}` has no effect on {}: {instead}", types.describe()))
}
