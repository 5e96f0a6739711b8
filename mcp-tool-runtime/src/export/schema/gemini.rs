//! Rewrites schemas into the dialect of the Gemini API.
//!
//! Constraints outside of the vendor's subset are moved into descriptions and reported.

use serde_json::{Map, Value, json};

use super::{ANNOTATIONS, Unstated, add_items, add_types_of_values, add_words, examples, wrap_references};
use crate::lint::limits::gemini as subset;
use crate::schema::accepted::is_never;
use crate::schema::walk::{self, keyword};

/// Replaces `const` and lists of types with equivalent keywords of the vendor's subset, adds missing `type` and
/// `items`, and moves each reference that has other keywords next to it into an `anyOf`.
pub(super) fn rewrite(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        split_types(keywords);
        if let Some(value) = keywords.shift_remove("const") {
            keywords.insert("enum".to_owned(), json!([value]));
        }
    });
    add_types_of_values(schema);
    add_items(schema);
    wrap_references(schema);
}

/// Moves the keywords that are not in the vendor's subset into descriptions, and removes annotations that are of no use
/// to a model. Recursion is safe, because the depth of schemas is limited.
pub(super) fn say_in_words(schema: &mut Value, pointer: &str, unstated: &mut Vec<Unstated>) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let mut words = Vec::new();
    if keywords.get("additionalProperties").is_some_and(is_never) {
        keywords.insert("additionalProperties".to_owned(), false.into());
    }
    let is_text = keywords.get("type").is_none_or(|kind| kind == "string" || kind.is_array());
    let has_patterns = keywords.contains_key("patternProperties");
    keywords.retain(|keyword, value| {
        let is_stated = match keyword.as_str() {
            "format" => !is_text,
            // `patternProperties` moves into the description. A closed object would then refuse the names that match
            // the patterns, so `additionalProperties` moves into the description too.
            "additionalProperties" => !has_patterns,
            // Keep `const` for now: `rewrite` later turns it into an `enum` with one value.
            "const" => true,
            keyword => subset::reads(keyword),
        };
        if is_stated || ANNOTATIONS.contains(&keyword.as_str()) {
            return is_stated;
        }
        words.push(match (keyword.as_str(), value.as_str()) {
            ("propertyNames", _) => format!("schema of the keys: {value}"),
            ("examples", _) => examples(value),
            (_, Some(text)) => format!("{keyword}: {text}"),
            (_, None) => format!("{keyword}: {value}"),
        });
        unstated.push((pointer.to_owned(), keyword.clone()));
        false
    });
    if !words.is_empty() {
        add_words(keywords, &words.join(", "));
    }
    walk::visit_children_mut(schema, |location, child| {
        say_in_words(child, &format!("{pointer}/{}", location.pointer()), unstated);
    });
}

/// Writes a list of types as a union, or as a single type if the list has only one.
fn split_types(keywords: &mut Map<String, Value>) {
    let Some(Value::Array(kinds)) = keywords.get("type").cloned() else { return };
    if let [only] = kinds.as_slice() {
        keywords.insert("type".to_owned(), only.clone());
        return;
    }
    keywords.shift_remove("type");
    // If there is an `anyOf` already, combine each type with each of its branches. A branch that has its own type stays
    // as it is.
    let anything = json!([{}]);
    let split = |branch: &Value| {
        let typed = |kind: &Value| {
            let mut branch = branch.clone();
            branch.as_object_mut()?.entry("type").or_insert_with(|| kind.clone());
            Some(branch)
        };
        let of_own_type = keyword(branch, "type").is_some();
        kinds.iter().filter_map(typed).take(if of_own_type { 1 } else { kinds.len() }).collect::<Vec<_>>()
    };
    let branches = keywords.get("anyOf").unwrap_or(&anything).as_array();
    let branches: Vec<_> = branches.into_iter().flatten().flat_map(split).collect();
    keywords.insert("anyOf".to_owned(), branches.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(mut schema: Value) -> Value {
        say_in_words(&mut schema, "", &mut Vec::new());
        rewrite(&mut schema);
        schema
    }

    #[test]
    fn refused_keywords_are_said_in_another_way() {
        for (before, expected) in [
            (json!({ "const": "a" }), json!({ "type": "string", "enum": ["a"] })),
            (
                json!({ "type": ["string", "null"], "minLength": 1 }),
                json!({ "minLength": 1, "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            ),
            (
                json!({ "type": "number", "exclusiveMaximum": 1.0 }),
                json!({ "type": "number", "description": "(exclusiveMaximum: 1.0)" }),
            ),
            (
                json!({ "type": "string", "title": "T", "examples": ["a"] }),
                json!({ "type": "string", "description": "(for example: \"a\")" }),
            ),
            (
                json!({ "type": "string", "format": "date", "description": "When." }),
                json!({ "type": "string", "description": "When. (format: date)" }),
            ),
        ] {
            assert_eq!(rewritten(before.clone()), expected, "{before}");
        }
    }

    #[test]
    fn what_is_said_in_words_is_reported() {
        let mut unstated = Vec::new();
        let mut schema =
            json!({ "properties": { "a/b": { "type": "string", "format": "uuid" }, "format": { "type": "string" } } });
        say_in_words(&mut schema, "", &mut unstated);
        assert_eq!(unstated, [("/properties/a~1b".to_owned(), "format".to_owned())]);
    }
}
