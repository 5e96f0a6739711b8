//! Finds flattened maps whose keys serde can never read.
//!
//! serde reads the keys of a flattened map as strings and then refuses them for an integer type, but schemars publishes a
//! pattern of digits for them. An object that has named properties beside such a pattern is a struct with a flattened map: a map alone has
//! no named properties.

use serde_json::{Map, Value};

use crate::schema::normalise::INTEGER_KEYS;
use crate::schema::walk;

/// Returns the error of a flattened map with integer keys, in a derived schema of arguments.
pub(super) fn error(schema: &Value) -> Option<String> {
    let keys = |keyword| walk::keyword(schema, keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let is_flattened = keys("properties").next().is_some()
        && keys("patternProperties").any(|pattern| INTEGER_KEYS.contains(&pattern.as_str()));
    is_flattened.then(|| {
        "a flattened map with integer keys, which serde cannot read: use `String` as the type of the keys, or do not flatten the map"
            .to_owned()
    })
}
