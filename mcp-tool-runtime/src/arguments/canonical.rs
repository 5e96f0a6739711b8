//! Writes equal arguments alike. The next page of a list belongs to the same call if its arguments in this form are the
//! same, and so does the retry of an act of `once`.

use std::borrow::Cow;

use serde_json::Value;

use super::coerce::{self, Coercions};
use crate::Arguments;
use crate::json::number::Numeral;
use crate::json::tape::Slot;
use crate::schema::normalise::NullablePlace;
use crate::schema::reference;

/// The maximum number of added defaults and union branches around a default. A recursive type could otherwise add
/// defaults without end.
const MAX_INSIDE: usize = 6;

impl Arguments<'_> {
    /// Returns the arguments in a form that is the same for equal calls: a `null` that means absence is removed, and an
    /// absent property gets its default.
    pub(crate) fn canonical(&self, nullable: &[NullablePlace]) -> Value {
        let mut document = Cow::Borrowed(self.tape);
        if self.tape.slots_from(0).iter().any(|slot| matches!(slot, Slot::Null)) {
            let own_nulls = nullable.iter().filter(|(_, is_absence)| !is_absence);
            coerce::apply(self.schema, own_nulls, document.to_mut(), Coercions::Nulls, None);
        }
        let mut arguments = document.root().to_value();
        fill_defaults(&mut arguments, self.schema, self.schema, 0);
        make_canonical(&mut arguments);
        arguments
    }
}

/// Adds the defaults of absent properties to objects at any depth, except defaults of `null`. `inside` says how many
/// added defaults and branches of unions are around the value.
fn fill_defaults(value: &mut Value, schema: &Value, root: &Value, inside: usize) {
    let schema = reference::follow(schema, root);
    for (keyword, inner) in schema.as_object().into_iter().flatten() {
        match (keyword.as_str(), inner, &mut *value) {
            ("oneOf" | "anyOf", Value::Array(branches), value) if inside < MAX_INSIDE => {
                for branch in branches {
                    if is_named(value, reference::follow(branch, root)) {
                        fill_defaults(value, branch, root, inside + 1);
                    }
                }
            }
            ("items", _, Value::Array(elements)) => {
                for element in elements {
                    fill_defaults(element, inner, root, inside);
                }
            }
            ("properties", Value::Object(properties), Value::Object(object)) => {
                for (name, property) in properties {
                    if let Some(value) = object.get_mut(name) {
                        fill_defaults(value, property, root, inside);
                    } else if let Some(default) = property.get("default").filter(|default| !default.is_null())
                        && inside < MAX_INSIDE
                    {
                        let value = object.entry(name).or_insert_with(|| default.clone());
                        fill_defaults(value, property, root, inside + 1);
                    }
                }
            }
            ("additionalProperties", Value::Object(_), Value::Object(object)) => {
                let others = object.iter_mut().filter(|(name, _)| schema["properties"].get(name.as_str()).is_none());
                others.for_each(|(_, value)| fill_defaults(value, inner, root, inside));
            }
            _ => {}
        }
    }
}

/// Returns `true` if `value` names `branch`, a branch of a union: it has all tags of the branch. If the branch has no
/// tags, the value must have the only property that the branch allows and requires.
fn is_named(value: &Value, branch: &Value) -> bool {
    let properties = branch["properties"].as_object();
    let tags: Vec<_> =
        properties.into_iter().flatten().filter_map(|(name, property)| Some((name, property.get("const")?))).collect();
    if !tags.is_empty() {
        return tags.iter().all(|(name, tag)| value.get(name.as_str()) == Some(tag));
    }
    let required = branch["required"].as_array().map(Vec::as_slice);
    let Some([Value::String(name)]) = required else { return false };
    let is_closed = branch["additionalProperties"] == false;
    is_closed && properties.is_some_and(|all| all.len() == 1) && value.get(name).is_some()
}

/// Rewrites a value so that equal values become identical: `1.0` becomes `1`, and properties are sorted.
pub(crate) fn make_canonical(value: &mut Value) {
    fn unify_numbers(value: &mut Value) {
        match value {
            Value::Object(properties) => properties.values_mut().for_each(unify_numbers),
            Value::Array(elements) => elements.iter_mut().for_each(unify_numbers),
            Value::Number(number) => {
                if let Some(integer) = Numeral::read(number).and_then(Numeral::to_integer) {
                    *number = integer.to_json();
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    unify_numbers(value);
    value.sort_all_objects();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::json::reader::read_value;

    fn canonical(arguments: &Value, schema: &Value) -> String {
        let document = read_value(arguments).expect("a document");
        Arguments::new(&document, schema).canonical(&[]).to_string()
    }

    #[test]
    fn equal_arguments_are_written_alike() {
        let schema = json!({"properties": {
            "size": {"type": "integer", "default": 3},
            "page": {"type": "object", "properties": {"number": {"type": "number", "default": 1}}},
        }});
        let expected = canonical(&json!({"page": {"number": 1}, "size": 3, "to": [1, {"a": 2, "b": -3}]}), &schema);
        for same in [
            json!({"to": [1.0, {"b": -3.0, "a": 2}], "page": {}}),
            json!({"size": 3.0, "page": {"number": 1.0}, "to": [1e0, {"a": 2, "b": -3}]}),
        ] {
            assert_eq!(canonical(&same, &schema), expected);
        }
        for other in [
            json!({"page": {"number": 1}, "size": 3, "to": [{"a": 2, "b": -3}, 1]}),
            json!({"page": {"number": 1}, "size": 4, "to": [1, {"a": 2, "b": -3}]}),
            json!({"page": {"number": 1}, "size": 3, "to": ["1", {"a": 2, "b": -3}]}),
            json!({"page": {"number": 1}, "size": 3, "to": [1, {"a": 2, "b": -3}], "x": null}),
        ] {
            assert_ne!(canonical(&other, &schema), expected);
        }
    }

    #[test]
    fn defaults_in_maps_and_in_named_variants_are_filled() {
        let size = json!({"type": "integer", "default": 3});
        let with_size = json!({"type": "object", "properties": {"size": size}});
        let schema = json!({"properties": {
            "map": {"type": "object", "additionalProperties": with_size},
            "tagged": {"oneOf": [
                {"properties": {"kind": {"const": "box"}, "size": size}, "required": ["kind"]},
                {"properties": {"kind": {"const": "dot"}}, "required": ["kind"]},
            ]},
            "keyed": {"oneOf": [{"properties": {"box": with_size}, "required": ["box"], "additionalProperties": false}]},
            "untagged": {"anyOf": [with_size, {"type": "object"}]},
        }});
        for (short, long) in [
            (json!({"map": {"a": {}}}), json!({"map": {"a": {"size": 3}}})),
            (json!({"tagged": {"kind": "box"}}), json!({"tagged": {"kind": "box", "size": 3}})),
            (json!({"keyed": {"box": {}}}), json!({"keyed": {"box": {"size": 3}}})),
        ] {
            assert_eq!(canonical(&short, &schema), long.to_string());
        }
        // If a value has no tag, the schema does not say which variant serde takes. The variant `dot` has no defaults.
        for other in [json!({"untagged": {}}), json!({"tagged": {"kind": "dot"}})] {
            assert_eq!(canonical(&other, &schema), other.to_string());
        }
    }

    /// Serde fills in no defaults inside a default.
    #[test]
    fn the_default_of_a_recursive_type_ends() {
        let schema = json!({"properties": {
            "left": {"$ref": "#", "default": {}},
            "right": {"$ref": "#", "default": {}},
        }});
        assert!(canonical(&json!({}), &schema).len() < 10_000);
    }
}
