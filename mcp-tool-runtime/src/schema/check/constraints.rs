//! Checks that the constraints on a parameter have reached its schema. Also refuses ranges on types that accept
//! strings, fields that a struct and a flattened enum share, and flattened maps with integer keys.
//!
//! schemars silently ignores a constraint that does not fit the type, such as `length` on an integer. Flattened fields
//! that serde can never read are found here too.

use std::borrow::Cow;

use serde_json::Value;

use crate::schema::accepted::Types;
use crate::schema::normalise::INTEGER_KEYS;
use crate::schema::{keys, reference, walk};

const RANGE: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/// The name of a property, and the name of a schemars attribute that constrains it.
pub(crate) type Constraint = (Cow<'static, str>, &'static str);

/// Returns an error for each constraint that is not published, or that does not limit every type of its property. A
/// `range` is an error only if it is not published. Each error says what to write instead.
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
        "range" => (&RANGE, Types::NUMBER),
        "regex" | "pattern" => (&["pattern"], Types::STRING),
        _ => (&["format"], Types::STRING),
    };
    let named = [Some(property), reference::target(property, root)]
        .into_iter()
        .flatten()
        .filter_map(|schema| Types::read(&schema["type"]));
    let types = named.fold(Types::NONE, Types::or).without(Types::NULL);
    let is_supported = types.intersects(supported);
    let other = types.without(supported);
    let is_published = is_supported && keywords.iter().any(|keyword| property.get(keyword).is_some());
    // A published constraint that limits every type of the property is fine. Published ranges are not checked here:
    // `unchecked_strings` checks them, including those of struct fields.
    if is_published && (constraint == "range" || other == Types::NONE) {
        return None;
    }
    let parentheses = if ["length", "range", "regex", "pattern"].contains(&constraint) { "(…)" } else { "" };
    if is_published {
        return Some(format!(
            "`{constraint}{parentheses}` does not limit {}, which this type also accepts: check the value in the function",
            other.describe()
        ));
    }
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

/// Returns an error if a derived schema of arguments has a range for a type that also accepts strings. A range limits
/// only numbers.
///
/// An example is `range(min = 1)` on a `Decimal`: `"-3"` would be accepted.
pub(super) fn unchecked_strings(schema: &Value) -> Option<String> {
    let types = Types::read(walk::keyword(schema, "type")?)?;
    let has_range = RANGE.iter().any(|keyword| walk::keyword(schema, keyword).is_some());
    (has_range && types.intersects(Types::STRING)).then(|| {
        "`range(…)` does not limit a string, which this type also accepts: check the value in the function".to_owned()
    })
}

const UNIONS: [&str; 2] = ["oneOf", "anyOf"];

/// Returns an error if a struct and a variant of its flattened enum have a field with the same name.
///
/// serde gives such a property to the struct, so the variant never sees it. A result would have it twice. schemars
/// publishes it in both places: in `properties`, and in a branch of the union next to them.
pub(super) fn shared_field(schema: &Value) -> Option<String> {
    let own = walk::keyword(schema, "properties")?.as_object()?;
    let branches = UNIONS.iter().filter_map(|union| walk::keyword(schema, union)?.as_array()).flatten();
    // A branch with `properties` but without the type `object` is not a variant but a condition that the author added.
    let variants = branches.filter(|branch| walk::keyword(branch, "type").is_some_and(|name| name == "object"));
    let mut names = variants.flat_map(|variant| keys(variant, "properties"));
    let name = names.find(|name| own.contains_key(*name))?;
    Some(format!(
        "`{name}` is a field beside a flattened enum and a field of one of its variants, and serde passes it only to the field beside \
         it: rename one of them, or do not flatten the enum"
    ))
}

/// Returns an error if a derived schema of arguments has a flattened map with integer keys.
///
/// serde reads the keys of a flattened map as strings and then refuses them for an integer type, but schemars publishes
/// a pattern of digits for them. An object that has named properties next to such a pattern is a struct with a
/// flattened map: a map alone has no named properties.
pub(super) fn integer_keys(schema: &Value) -> Option<String> {
    let is_flattened = keys(schema, "properties").next().is_some()
        && keys(schema, "patternProperties").any(|pattern| INTEGER_KEYS.contains(&pattern.as_str()));
    is_flattened.then(|| {
        "a flattened map with integer keys, which serde cannot read: use `String` as the type of the keys, or do not flatten the map"
            .to_owned()
    })
}
