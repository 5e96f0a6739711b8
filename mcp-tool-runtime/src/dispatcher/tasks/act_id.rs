//! The id of an act: a digest of its caller, its tool and its arguments, however those are spelled (feature `tasks`).

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};

use super::run::hexadecimal;

/// Adds the defaults, and writes equal numbers the same way. The order of properties does not matter.
pub(super) fn make_canonical(arguments: &mut Value, schema: &Value) {
    fill_defaults(arguments, schema);
    make_numbers_canonical(arguments);
    arguments.sort_all_objects();
}

fn fill_defaults(value: &mut Value, schema: &Value) {
    let Some(object) = value.as_object_mut() else { return };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(default) = property.get("default").filter(|default| !default.is_null()) {
            object.entry(name).or_insert_with(|| default.clone());
        }
        if let Some(value) = object.get_mut(name) {
            fill_defaults(value, property);
        }
    }
}

fn make_numbers_canonical(value: &mut Value) {
    /// Up to here, an `f64` holds every integer.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= EXACT);
            #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
            if let Some(float) = float {
                *number = Number::from(float as i64);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(make_numbers_canonical),
        Value::Object(values) => values.values_mut().for_each(make_numbers_canonical),
        _ => {}
    }
}

/// Returns the id of the task: 128 bits of a SHA-256 digest. Each part is hashed with its length, so that no two lists are hashed alike.
pub(super) fn id_of(parts: &[Option<&str>]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.map_or(u64::MAX, |part| part.len() as u64).to_be_bytes());
        hasher.update(part.unwrap_or_default());
    }
    hexadecimal(&hasher.finalize()[..16])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_arguments_are_written_alike() {
        let schema = json!({"properties": {
            "size": {"type": "integer", "default": 3},
            "page": {"type": "object", "properties": {"number": {"type": "number", "default": 1}}},
        }});
        let canonical = |mut arguments: Value| {
            make_canonical(&mut arguments, &schema);
            arguments.to_string()
        };
        let expected = canonical(json!({"page": {"number": 1}, "size": 3, "to": [1, {"a": 2, "b": -3}]}));
        for same in [
            json!({"to": [1.0, {"b": -3.0, "a": 2}], "page": {}}),
            json!({"size": 3.0, "page": {"number": 1.0}, "to": [1e0, {"a": 2, "b": -3}]}),
        ] {
            assert_eq!(canonical(same), expected);
        }
        for other in [
            json!({"page": {"number": 1}, "size": 3, "to": [{"a": 2, "b": -3}, 1]}),
            json!({"page": {"number": 1}, "size": 4, "to": [1, {"a": 2, "b": -3}]}),
            json!({"page": {"number": 1}, "size": 3, "to": ["1", {"a": 2, "b": -3}]}),
        ] {
            assert_ne!(canonical(other), expected);
        }
    }

    #[test]
    fn no_two_acts_have_one_id() {
        let parts = [["a", "b", "c", ""], ["ab", "", "c", ""], ["", "ab", "c", ""], ["a", "bc", "", ""]];
        let mut ids: Vec<_> = parts.map(|parts| id_of(&parts.map(Some))).to_vec();
        ids.push(id_of(&[None, Some("ab"), Some("c"), Some("")]));
        ids.push(id_of(&[Some("a"), Some("b"), Some("c"), None]));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(ids.iter().all(|id| id.len() == 32));
    }
}
