//! Two schemas as one, without the change in meaning that copying keywords would bring.

use serde_json::{Map, Value, json};

/// Keywords that describe and decide nothing: the ones beside a reference replace the definition's.
fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly" | "$comment"
    ) || keyword.starts_with("x-")
}

/// Keywords that look at each other: one of them means something else beside another.
const FAMILIES: [&[&str]; 3] = [
    &["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
    &["prefixItems", "items", "contains", "minContains", "maxContains", "unevaluatedItems"],
    &["if", "then", "else"],
];

/// The schema that admits what both admit, with the annotations of `site` where both have them.
///
/// Where the keywords of the two would disturb each other, `inner` goes under `allOf`, which is always right.
///
/// ```
/// # mcp_tool_runtime::__step! { merge:
/// site    {"description": "home"}
/// inner   {"description": "an address", "type": "object"}
/// after   {"description": "home", "type": "object"}
/// # }
/// ```
pub(super) fn merge(site: Map<String, Value>, inner: Value) -> Value {
    let inner = match inner {
        Value::Object(inner) => inner,
        Value::Bool(true) => Map::new(),
        _ => Map::from_iter([("not".to_owned(), json!({}))]),
    };
    Value::Object(if disturbs(&site, &inner) { side_by_side(site, inner) } else { joined(site, inner) })
}

fn disturbs(site: &Map<String, Value>, inner: &Map<String, Value>) -> bool {
    site.iter().filter(|(keyword, _)| !is_annotation(keyword)).any(|(keyword, value)| {
        let family = FAMILIES.iter().find(|family| family.contains(&keyword.as_str()));
        let relatives = family.into_iter().flat_map(|family| family.iter());
        let meets_a_relative = relatives.filter(|other| *other != keyword).any(|other| inner.contains_key(*other));
        meets_a_relative
            || inner.get(keyword).is_some_and(|other| match (keyword.as_str(), value, other) {
                ("required" | "allOf", Value::Array(_), Value::Array(_)) => false,
                ("properties", Value::Object(own), Value::Object(other)) => {
                    own.iter().any(|(name, schema)| other.get(name).is_some_and(|theirs| theirs != schema))
                }
                _ => value != other,
            })
    })
}

fn side_by_side(mut site: Map<String, Value>, inner: Map<String, Value>) -> Map<String, Value> {
    match site.entry("allOf").or_insert_with(|| json!([])) {
        Value::Array(all) => all.push(Value::Object(inner)),
        other => *other = json!([inner]),
    }
    site
}

fn joined(site: Map<String, Value>, mut inner: Map<String, Value>) -> Map<String, Value> {
    for (keyword, mut value) in site {
        match (&mut value, inner.get_mut(&keyword)) {
            // The tag of an internally tagged enum stands at the site and comes first.
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
    fn properties_of_both_are_kept() {
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
    fn keywords_that_would_disturb_each_other_stay_apart() {
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
    fn booleans_are_schemas_too() {
        assert_eq!(merged(json!({ "description": "d" }), json!(true)), json!({ "description": "d" }));
        assert_eq!(merged(json!({}), json!(false)), json!({ "not": {} }));
    }
}
