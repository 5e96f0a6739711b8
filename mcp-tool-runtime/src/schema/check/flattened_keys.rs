//! Finds flattened maps whose keys serde can never read.
//!
//! serde reads the keys of a flattened map as strings and then refuses them for an integer type, but schemars publishes a
//! pattern of digits for them. An object that has named properties beside such a pattern is a struct with a flattened map: a map alone has
//! no named properties.

use serde_json::{Map, Value};

use super::subschemas::Subschema;
use crate::schema::normalise::INTEGER_KEYS;
use crate::schema::walk;

/// Returns an error for each flattened map with integer keys in a derived schema of arguments.
pub(super) fn errors(all: &[Subschema<'_>]) -> Vec<String> {
    let is_flattened = |subschema: &&Subschema<'_>| {
        let keys = |keyword| walk::keyword(subschema.schema, keyword).and_then(Value::as_object);
        let has_properties = keys("properties").is_some_and(|named| !named.is_empty());
        let mut patterns = keys("patternProperties").into_iter().flat_map(Map::keys);
        has_properties && patterns.any(|pattern| INTEGER_KEYS.contains(&pattern.as_str()))
    };
    let flattened = all.iter().filter(is_flattened);
    flattened
        .map(|subschema| {
            format!(
                "{}: a flattened map with integer keys, which serde cannot read: use `String` as the type of the keys, or do not \
                 flatten the map",
                subschema.path(all)
            )
        })
        .collect()
}
