//! Tuples (rule T9).

use serde_json::{Value, json};

use crate::schema::walk;

/// Adds `items` to a tuple, for clients that know nothing of `prefixItems` and reject an array without `items`.
///
/// Only where the length is fixed, so that `items` never has an element to decide about: the meaning is the same.
///
/// ```
/// # mcp_tool_runtime::__step! { tuples:
/// before  {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2}
/// after   {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2,
///          "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}
/// # }
/// ```
pub(super) fn tuples(schema: &mut Value) {
    // Upwards, so that a tuple of tuples copies finished ones.
    for (_, child) in walk::children_mut(schema) {
        tuples(child);
    }
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    let Some(elements) = schema.get("prefixItems").and_then(Value::as_array) else {
        return;
    };
    let is_fixed = schema
        .get("maxItems")
        .and_then(Value::as_u64)
        .is_some_and(|longest| usize::try_from(longest).is_ok_and(|longest| longest <= elements.len()));
    if schema.contains_key("items") || !is_fixed {
        return;
    }
    let mut distinct: Vec<&Value> = Vec::new();
    for element in elements {
        if !distinct.contains(&element) {
            distinct.push(element);
        }
    }
    let items = match distinct.as_slice() {
        [] => return,
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
    fn an_open_list_is_left_alone() {
        for schema in [
            json!({ "prefixItems": [{}] }),
            json!({ "prefixItems": [{}], "maxItems": 2 }),
            json!({ "prefixItems": [{}], "items": {}, "maxItems": 1 }),
        ] {
            assert_eq!(after(schema.clone()), schema);
        }
    }
}
