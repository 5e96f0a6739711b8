//! Which keywords hold subschemas.
//!
//! Everything that walks a schema goes through here, so that a property *named* `title` or a default value with a key
//! `$ref` is never taken for a keyword: `properties` yields its values as schemas, `default` and `enum` yield nothing.

use serde_json::{Map, Value};

/// Where a subschema stands in its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) keyword: &'a str,
    pub(crate) member: Member<'a>,
}

/// Which of a keyword's subschemas it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Member<'a> {
    Only,
    Key(&'a str),
    Index(usize),
}

/// How a keyword holds subschemas. The keywords of draft-07 are known too: hand-written schemas may use them.
enum Holds {
    One,
    Named,
    /// A list, or for the `items` of draft-07 either one or a list.
    Listed,
}

fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => Holds::One,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
            Holds::Named
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items" => Holds::Listed,
        _ => return None,
    })
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// Meets the direct subschemas, booleans included, in the order they are written.
pub(crate) fn meet_children<'a>(schema: &'a Value, mut meet: impl FnMut(Place<'a>, &'a Value)) {
    for (keyword, held) in schema.as_object().into_iter().flatten() {
        let mut add = |member, child: &'a Value| {
            if is_schema(child) {
                meet(Place { keyword, member }, child);
            }
        };
        match (holds(keyword), held) {
            (Some(Holds::Named), Value::Object(named)) => {
                named.iter().for_each(|(key, child)| add(Member::Key(key), child));
            }
            (Some(Holds::Listed), Value::Array(list)) => {
                list.iter().enumerate().for_each(|(index, child)| add(Member::Index(index), child));
            }
            (Some(Holds::One | Holds::Listed), child) => add(Member::Only, child),
            _ => {}
        }
    }
}

/// The direct subschemas, booleans included, in the order they are written.
pub(crate) fn children(schema: &Value) -> Vec<(Place<'_>, &Value)> {
    let mut found = Vec::new();
    meet_children(schema, |place, child| found.push((place, child)));
    found
}

/// [`meet_children`], to be changed.
pub(crate) fn meet_children_mut<'a>(schema: &'a mut Value, mut meet: impl FnMut(Place<'a>, &'a mut Value)) {
    for (keyword, held) in schema.as_object_mut().into_iter().flatten() {
        let mut add = |member, child: &'a mut Value| {
            if is_schema(child) {
                meet(Place { keyword, member }, child);
            }
        };
        match (holds(keyword), held) {
            (Some(Holds::Named), Value::Object(named)) => {
                named.iter_mut().for_each(|(key, child)| add(Member::Key(key), child));
            }
            (Some(Holds::Listed), Value::Array(list)) => {
                list.iter_mut().enumerate().for_each(|(index, child)| add(Member::Index(index), child));
            }
            (Some(Holds::One | Holds::Listed), child) => add(Member::Only, child),
            _ => {}
        }
    }
}

/// [`children`], to be changed.
pub(crate) fn children_mut(schema: &mut Value) -> Vec<(Place<'_>, &mut Value)> {
    let mut found = Vec::new();
    meet_children_mut(schema, |place, child| found.push((place, child)));
    found
}

/// The value of a keyword. A schema has few, so looking at each is quicker than hashing the one that is asked for.
pub(crate) fn keyword<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    member(schema.as_object()?, name)
}

/// [`keyword`] of a schema that is an object.
pub(crate) fn member<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    schema.iter().find(|(keyword, _)| *keyword == name).map(|(_, value)| value)
}

/// [`keyword`], to be changed.
pub(crate) fn keyword_mut<'a>(schema: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    schema.as_object_mut()?.iter_mut().find(|(keyword, _)| *keyword == name).map(|(_, value)| value)
}

/// [`keyword`], `null` where there is none.
pub(crate) fn said<'a>(schema: &'a Value, name: &str) -> &'a Value {
    keyword(schema, name).unwrap_or(&Value::Null)
}

/// As many subschemas of most schemas are to be visited at one time.
const AT_ONCE: usize = 16;

/// Visits the schema and everything below it, parents first. Not recursive: a hand-written schema may be of any depth.
pub(crate) fn each<'a>(root: &'a Value, visit: &mut dyn FnMut(&'a Value)) {
    let mut pending = Vec::with_capacity(AT_ONCE);
    let mut next = Some(root);
    while let Some(schema) = next {
        visit(schema);
        meet_children(schema, |_, child| pending.push(child));
        next = pending.pop();
    }
}

/// [`each`], to be changed. What a visit adds below the schema is visited in turn.
pub(crate) fn each_mut(root: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    let mut pending = Vec::with_capacity(AT_ONCE);
    let mut next = Some(root);
    while let Some(schema) = next {
        visit(schema);
        meet_children_mut(schema, |_, child| pending.push(child));
        next = pending.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keywords_are_told_from_properties_of_the_same_name() {
        let schema = json!({
            "properties": { "properties": { "title": "a" }, "$ref": { "title": "b" }, "items": true },
            "default": { "items": { "title": "no" } },
            "enum": [{ "not": { "title": "no" } }],
            "title": "root"
        });
        let mut titles = Vec::new();
        each(&schema, &mut |schema| {
            titles.push(schema.get("title").and_then(Value::as_str));
        });
        titles.sort_unstable();
        assert_eq!(titles, [None, Some("a"), Some("b"), Some("root")]);
    }

    #[test]
    fn both_walks_find_the_same_children() {
        let mut schema = json!({
            "items": [{ "a": 1 }, true], "dependencies": { "x": ["y"], "z": {} }, "then": {}, "anyOf": [{}, 3]
        });
        let read: Vec<String> = children(&schema).iter().map(|child| format!("{child:?}")).collect();
        assert_eq!(read.len(), 5);
        let written: Vec<String> = children_mut(&mut schema).iter().map(|child| format!("{child:?}")).collect();
        assert_eq!(read, written);
    }

    #[test]
    fn depth_does_not_matter() {
        let mut schema = json!({});
        for _ in 0..100_000 {
            let mut outer = Map::new();
            outer.insert("not".to_owned(), schema);
            schema = Value::Object(outer);
        }
        let mut seen = 0;
        each(&schema, &mut |_| seen += 1);
        assert_eq!(seen, 100_001);
        // Dropping a value this deep is recursive, and would overflow the stack.
        std::mem::forget(schema);
    }
}
