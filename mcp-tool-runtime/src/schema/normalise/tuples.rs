//! Adds `items` to tuples (rule T9).

use serde_json::{Value, json};

use crate::schema::walk;

/// Adds `items` to a tuple, and to an array that is always empty, for clients that do not know `prefixItems` and reject
/// an array without `items`.
///
/// The meaning does not change: only an array that cannot be longer than its `prefixItems` is rewritten, so `items`
/// applies to no element.
///
/// ```text
/// before  {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2}
/// after   {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2,
///          "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}
/// before  {"type": "array", "maxItems": 0}
/// after   {"type": "array", "maxItems": 0, "items": {}}
/// ```
pub(super) fn tuples(schema: &mut Value) {
    // Start with the inner tuples, so that an outer tuple copies finished schemas.
    walk::visit_children_mut(schema, |_, child| tuples(child));
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    let elements = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let max = schema.get("maxItems").and_then(Value::as_u64);
    let is_bounded = max.is_some_and(|max| max <= elements.len() as u64);
    if schema.contains_key("items") || !is_bounded {
        return;
    }
    let mut distinct: Vec<&Value> = Vec::new();
    for element in elements {
        if !distinct.contains(&element) {
            distinct.push(element);
        }
    }
    let items = match distinct.as_slice() {
        [] => json!({}),
        [only] => (*only).clone(),
        several => json!({ "anyOf": several }),
    };
    schema.insert("items".to_owned(), items);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mut schema: Value) -> Value {
        tuples(&mut schema);
        schema
    }

    #[test]
    fn items_are_the_union_of_the_elements() {
        let string = json!({ "type": "string" });
        let pair =
            |first: &Value, second: &Value| json!({ "prefixItems": [first, second], "minItems": 2, "maxItems": 2 });
        assert_eq!(after(pair(&string, &string))["items"], string);
        assert_eq!(after(pair(&string, &json!({})))["items"], json!({ "anyOf": [{ "type": "string" }, {}] }));
        let nested = after(pair(&pair(&string, &string), &string));
        assert_eq!(nested["items"]["anyOf"][0], nested["prefixItems"][0]);
        assert_eq!(nested["prefixItems"][0]["items"], string);
    }

    #[test]
    fn arrays_without_a_fixed_length_are_unchanged() {
        for schema in [
            json!({ "prefixItems": [{}] }),
            json!({ "prefixItems": [{}], "maxItems": 2 }),
            json!({ "prefixItems": [{}], "items": {}, "maxItems": 1 }),
        ] {
            assert_eq!(after(schema.clone()), schema);
        }
    }
}
