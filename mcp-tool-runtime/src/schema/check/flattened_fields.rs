//! Finds fields that a struct and an enum flattened into it both have.
//!
//! serde gives such a property to the struct, so the variant never sees it. A result would have it twice. schemars publishes both: in
//! `properties`, and in a branch of the union beside them.

use serde_json::{Map, Value};

use crate::schema::walk;

const UNIONS: [&str; 2] = ["oneOf", "anyOf"];

/// Returns a property that a schema has itself and in a branch. A branch without `"type": "object"` is not a variant: an author
/// has added it as a further condition.
fn name_in_both(schema: &Value) -> Option<&str> {
    let own = walk::keyword(schema, "properties")?.as_object()?;
    let branches = UNIONS.iter().filter_map(|union| walk::keyword(schema, union)?.as_array()).flatten();
    let variants = branches.filter(|branch| walk::keyword(branch, "type").is_some_and(|name| name == "object"));
    let mut names =
        variants.filter_map(|variant| walk::keyword(variant, "properties")?.as_object()).flat_map(Map::keys);
    names.find(|name| own.contains_key(*name)).map(String::as_str)
}

/// Returns the error of a struct that shares a field with its flattened enum.
pub(super) fn error(schema: &Value) -> Option<String> {
    let name = name_in_both(schema)?;
    Some(format!(
        "`{name}` is a field beside a flattened enum and a field of one of its variants, and serde passes it only to the field beside \
         it: rename one of them, or do not flatten the enum"
    ))
}
