//! Merges two schemas into one without changing their meaning.

use serde_json::{Map, Value, json};

/// Returns `true` for annotations, which do not affect validation. Next to a reference, they replace the annotations of
/// the definition.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly" | "$comment"
    ) || keyword.starts_with("x-")
}

/// Groups of keywords that affect each other: adding one changes the meaning of another.
const RELATED: [&[&str]; 3] = [
    &["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
    &["prefixItems", "items", "contains", "minContains", "maxContains", "unevaluatedItems"],
    &["if", "then", "else"],
];

/// Returns a schema that accepts the values that both schemas accept.
///
/// `site` has the keywords next to a reference or a union, and `inner` is the definition or the only branch.
/// Annotations of `site` win over those of `inner`.
///
/// If keywords of the two would affect each other, `inner` goes under `allOf`, which is always correct. The tag of an
/// internally tagged enum is an exception: serde takes it out before the variant reads the other properties, so an
/// `additionalProperties` of the variant does not apply to it.
///
/// ```text
/// site    {"description": "home"}
/// inner   {"description": "an address", "type": "object"}
/// after   {"description": "home", "type": "object"}
/// ```
pub(super) fn merge(site: Map<String, Value>, inner: Value) -> Value {
    let inner = keywords_of(inner);
    let is_apart = conflicts(&site, &inner) && !is_tag_beside_map(&site, &inner);
    Value::Object(if is_apart { with_all_of(site, inner) } else { combined(site, inner) })
}

/// Returns the keywords of a schema. `true` has none, and `false` is written as `{"not": {}}`.
pub(in crate::schema) fn keywords_of(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(true) => Map::new(),
        _ => Map::from_iter([("not".to_owned(), json!({}))]),
    }
}

/// Merges `inner` into a schema, and removes the keyword that `inner` comes from, such as the `$ref` that led to it.
pub(in crate::schema) fn merge_into(schema: &mut Value, keyword: &str, inner: Value) {
    if let Value::Object(mut site) = schema.take() {
        site.shift_remove(keyword);
        *schema = merge(site, inner);
    }
}

/// Returns `true` if `site` describes only the tag of an internally tagged enum, and `inner` describes a variant and
/// has a schema as its `additionalProperties`.
fn is_tag_beside_map(site: &Map<String, Value>, inner: &Map<String, Value>) -> bool {
    let Some(Value::Object(properties)) = site.get("properties") else { return false };
    let mut properties = properties.iter();
    let (Some((tag, schema)), None) = (properties.next(), properties.next()) else { return false };
    let is_tag = schema["const"].is_string() && site.get("required").is_some_and(|required| *required == json!([tag]));
    let has_only_the_tag = site.iter().all(|(keyword, value)| {
        is_annotation(keyword)
            || matches!(keyword.as_str(), "properties" | "required")
            || keyword == "type" && inner.get("type").is_none_or(|other| other == value)
    });
    let keeps_names_apart = inner.get("properties").is_none_or(|properties| properties.get(tag).is_none());
    is_tag
        && has_only_the_tag
        && keeps_names_apart
        && inner.get("additionalProperties").is_some_and(Value::is_object)
        && !inner.contains_key("patternProperties")
        && !inner.contains_key("unevaluatedProperties")
}

fn conflicts(site: &Map<String, Value>, inner: &Map<String, Value>) -> bool {
    site.iter().filter(|(keyword, _)| !is_annotation(keyword)).any(|(keyword, value)| {
        let related = RELATED.iter().find(|group| group.contains(&keyword.as_str())).into_iter().copied().flatten();
        let affects_another = related.filter(|other| *other != keyword).any(|other| inner.contains_key(*other));
        affects_another
            || inner.get(keyword).is_some_and(|other| match (keyword.as_str(), value, other) {
                ("required" | "allOf", Value::Array(_), Value::Array(_)) => false,
                ("properties", Value::Object(own), Value::Object(other)) => {
                    own.iter().any(|(name, schema)| other.get(name).is_some_and(|theirs| theirs != schema))
                }
                _ => value != other,
            })
    })
}

fn with_all_of(mut site: Map<String, Value>, inner: Map<String, Value>) -> Map<String, Value> {
    match site.entry("allOf").or_insert_with(|| json!([])) {
        Value::Array(all) => all.push(Value::Object(inner)),
        other => *other = json!([inner]),
    }
    site
}

fn combined(site: Map<String, Value>, mut inner: Map<String, Value>) -> Map<String, Value> {
    for (keyword, mut value) in site {
        match (&mut value, inner.get_mut(&keyword)) {
            // The site's properties go first, because they may include the tag of an internally tagged enum.
            (Value::Object(own), Some(Value::Object(theirs))) if keyword == "properties" => {
                for (name, schema) in std::mem::take(theirs) {
                    own.entry(name).or_insert(schema);
                }
            }
            (Value::Array(own), Some(Value::Array(theirs))) if keyword == "required" || keyword == "allOf" => {
                for item in std::mem::take(theirs) {
                    if !own.contains(&item) {
                        own.push(item);
                    }
                }
            }
            _ => {}
        }
        inner.insert(keyword, value);
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(site: Value, inner: Value) -> Value {
        let Value::Object(site) = site else { panic!("a site is an object") };
        merge(site, inner)
    }

    #[test]
    fn annotations_of_the_site_win() {
        assert_eq!(
            merged(
                json!({ "description": "home", "default": 1, "x-order": 2 }),
                json!({ "description": "any", "default": 3, "type": "integer", "title": "N" })
            ),
            json!({ "description": "home", "default": 1, "x-order": 2, "type": "integer", "title": "N" })
        );
    }

    #[test]
    fn properties_of_both_are_combined() {
        assert_eq!(
            merged(
                json!({ "type": "object", "properties": { "kind": { "const": "a" } }, "required": ["kind"] }),
                json!({ "type": "object", "properties": { "size": {} }, "required": ["size"] })
            ),
            json!({
                "type": "object",
                "properties": { "kind": { "const": "a" }, "size": {} },
                "required": ["kind", "size"]
            })
        );
    }

    #[test]
    fn keywords_that_affect_each_other_are_kept_apart() {
        let site = json!({ "description": "d", "properties": { "a": {} } });
        for inner in [
            json!({ "properties": { "b": {} }, "additionalProperties": false }),
            json!({ "properties": { "a": { "type": "string" } } }),
            json!({ "patternProperties": { "^a$": { "type": "string" } } }),
        ] {
            assert_eq!(
                merged(site.clone(), inner.clone()),
                json!({ "description": "d", "properties": { "a": {} }, "allOf": [inner] })
            );
        }
        assert_eq!(
            merged(json!({ "minimum": 3, "allOf": [{}] }), json!({ "minimum": 5 })),
            json!({ "minimum": 3, "allOf": [{}, { "minimum": 5 }] })
        );
    }

    #[test]
    fn the_tag_of_an_enum_is_not_an_additional_property_of_its_variant() {
        let map =
            json!({ "type": "object", "properties": { "id": {} }, "additionalProperties": { "type": "integer" } });
        let tag = json!({ "type": "object", "properties": { "kind": { "type": "string", "const": "a" } }, "required": ["kind"] });
        assert_eq!(
            merged(tag, map.clone()),
            json!({
                "type": "object",
                "properties": { "kind": { "type": "string", "const": "a" }, "id": {} },
                "required": ["kind"],
                "additionalProperties": { "type": "integer" }
            })
        );
        // None of these is a tag: two properties, an optional property, or a property without `const`.
        for site in [
            json!({ "properties": { "a": { "const": "a" }, "b": { "const": "b" } }, "required": ["a", "b"] }),
            json!({ "properties": { "a": { "const": "a" } } }),
            json!({ "properties": { "a": { "type": "string" } }, "required": ["a"] }),
        ] {
            assert_eq!(merged(site, map.clone())["allOf"], json!([map]));
        }
    }

    #[test]
    fn boolean_schemas_can_be_merged() {
        assert_eq!(merged(json!({ "description": "d" }), json!(true)), json!({ "description": "d" }));
        assert_eq!(merged(json!({}), json!(false)), json!({ "not": {} }));
    }
}
