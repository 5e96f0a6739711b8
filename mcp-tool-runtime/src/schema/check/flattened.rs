//! Finds flattened fields that serde can never read.

use serde_json::{Map, Value};

use crate::schema::normalise::INTEGER_KEYS;
use crate::schema::walk;

const UNIONS: [&str; 2] = ["oneOf", "anyOf"];

/// Returns an error if a struct shares a field with its flattened enum.
///
/// serde gives such a property to the struct, so the variant never sees it. A result would have it twice. schemars
/// publishes both: in `properties`, and in a branch of the union beside them.
pub(super) fn shared_field(schema: &Value) -> Option<String> {
    let own = walk::keyword(schema, "properties")?.as_object()?;
    let branches = UNIONS.iter().filter_map(|union| walk::keyword(schema, union)?.as_array()).flatten();
    // A branch of any other kind is a condition that the author added.
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
/// a pattern of digits for them. An object that has named properties beside such a pattern is a struct with a flattened
/// map: a map alone has no named properties.
pub(super) fn integer_keys(schema: &Value) -> Option<String> {
    let is_flattened = keys(schema, "properties").next().is_some()
        && keys(schema, "patternProperties").any(|pattern| INTEGER_KEYS.contains(&pattern.as_str()));
    is_flattened.then(|| {
        "a flattened map with integer keys, which serde cannot read: use `String` as the type of the keys, or do not flatten the map"
            .to_owned()
    })
}

fn keys<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s String> {
    walk::keyword(schema, keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys)
}
