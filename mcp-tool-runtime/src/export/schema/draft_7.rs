//! Keywords of draft 7, which hand-written schemas may use, in the dialect 2020-12.

use serde_json::{Map, Value};

use crate::schema::walk;

/// Replaces `definitions`, lists under `items`, and `dependencies`.
pub(super) fn upgrade(schema: &mut Value) {
    if schema.get("$defs").is_none()
        && let Some(keywords) = schema.as_object_mut()
        && let Some(definitions) = keywords.shift_remove("definitions")
    {
        keywords.insert("$defs".to_owned(), definitions);
    }
    walk::visit_mut(schema, &mut |schema| {
        if let Some(Value::String(target)) = walk::keyword_mut(schema, "$ref")
            && let Some(name) = target.strip_prefix("#/definitions/")
        {
            *target = format!("#/$defs/{name}");
        }
        let Some(keywords) = schema.as_object_mut() else { return };
        if keywords.get("items").is_some_and(Value::is_array)
            && let Some(items) = keywords.shift_remove("items")
        {
            keywords.insert("prefixItems".to_owned(), items);
            let rest = keywords.shift_remove("additionalItems");
            keywords.extend(rest.map(|rest| ("items".to_owned(), rest)));
        }
        if let Some(Value::Object(dependencies)) = keywords.shift_remove("dependencies") {
            let (required, schemas): (Map<_, _>, Map<_, _>) =
                dependencies.into_iter().partition(|(_, dependency)| dependency.is_array());
            let both = [("dependentRequired", required), ("dependentSchemas", schemas)];
            let both = both.into_iter().filter(|(_, found)| !found.is_empty());
            keywords.extend(both.map(|(keyword, found)| (keyword.to_owned(), found.into())));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn old_keywords_are_written_in_the_new_way() {
        let mut schema = json!({
            "properties": { "pair": { "items": [{ "$ref": "#/definitions/A" }], "additionalItems": false } },
            "dependencies": { "a": ["b"], "c": { "required": ["d"] } },
            "definitions": { "A": { "type": "string" } }
        });
        upgrade(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": { "pair": { "prefixItems": [{ "$ref": "#/$defs/A" }], "items": false } },
                "dependentRequired": { "a": ["b"] },
                "dependentSchemas": { "c": { "required": ["d"] } },
                "$defs": { "A": { "type": "string" } }
            })
        );
    }
}
