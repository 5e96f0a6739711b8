//! Removes `null` from published examples where it means absent: serde writes `None` as `null`.

use serde_json::{Map, Value};

use super::{Coercions, apply};
use crate::json::reader;

/// Removes each such `null` from the examples of whole calls and of single arguments.
pub(crate) fn remove_nulls(schema: &mut Value) {
    let original = schema.clone();
    let clean = |given: Value| {
        let read = reader::read_value(&given).ok();
        let coerced = read
            .and_then(|mut tape| apply(&original, &mut tape, Coercions::Nulls, None).then(|| tape.root().to_value()));
        coerced.unwrap_or(given)
    };
    for example in schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten() {
        *example = clean(example.take());
    }
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        let Some(property) = property.as_object_mut() else { continue };
        let Some(Value::Array(examples)) = property.get_mut("examples") else { continue };
        let cleaned = |example| clean(Map::from_iter([(name.clone(), example)]).into()).get_mut(name).map(Value::take);
        *examples = std::mem::take(examples).into_iter().filter_map(cleaned).collect();
        if examples.is_empty() {
            property.shift_remove("examples");
        }
    }
}
