//! Types that are all arguments of a tool, and the form of the published schemas.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::types::{
    AnyRest, DefaultedNewtype, Defaults, Empty, External, Internal, Left, MaybeNumber, Node, Often, OnlyEnum, Ranged,
    Renamed, Strict, Titles, Twice, Unit, Untagged, WithEnum, WithMap, WithStruct,
};
use super::{assert_agreement, assert_rules, check, input, validator};
use crate::schema::project::{Shape, shape};

/// Asserts that the schema refuses an unknown argument, which serde would accept.
fn assert_closed<T: schemars::JsonSchema>(instance: &Value) {
    let schema = input::<T>();
    assert_rules(&schema);
    let mut more = instance.clone();
    more["unknown_argument"] = json!(1);
    let validator = validator(&schema);
    assert!(validator.is_valid(instance), "{instance} is refused by {schema}");
    assert!(!validator.is_valid(&more), "{more} is accepted by {schema}");
}

#[test]
fn arguments_are_closed() {
    assert_closed::<Empty>(&json!({}));
    assert_closed::<Unit>(&json!({}));
    assert_closed::<()>(&json!({}));
    assert_closed::<Strict>(&json!({ "a": 1 }));
    assert_closed::<WithStruct>(&json!({ "id": 1, "x": 1, "y": 2 }));
    assert_closed::<WithEnum>(&json!({ "id": 1, "kind": "Struct", "a": true }));
    assert_closed::<WithEnum>(&json!({ "id": 1, "kind": "Newtype", "x": 1, "y": 2 }));
    assert_closed::<OnlyEnum>(&json!({ "Newtype": 1 }));
    assert_closed::<Internal>(&json!({ "kind": "Newtype", "x": 1, "y": 2 }));
    assert_closed::<Node>(&json!({ "label": "a", "children": [] }));
}

#[test]
fn arguments_are_open_if_the_type_or_the_tool_accepts_more() {
    assert_agreement::<WithMap>(&json!([{ "id": 1, "more": 2 }]), &json!([{ "id": 1, "more": "text" }, { "more": 2 }]));
    assert_agreement::<AnyRest>(&json!([{ "a": null, "b": {} }]), &json!([[]]));
    assert_agreement::<HashMap<String, u8>>(&json!([{}, { "a": 1 }]), &json!([{ "a": "b" }]));
    let (open, _) = crate::schema::input(&mut <Empty as schemars::JsonSchema>::json_schema, true);
    assert_eq!(open, json!({ "type": "object", "properties": {} }));
}

#[test]
fn no_arguments_are_an_empty_closed_object() {
    let closed = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    assert_eq!(input::<()>().to_string(), closed);
    assert_eq!(input::<Unit>().to_string(), closed);
    assert_eq!(input::<Empty>().to_string(), closed);
}

#[test]
fn serde_and_the_schema_agree_at_the_root() {
    assert_agreement::<Twice>(
        &json!([{ "from": { "x": 1, "y": 2 }, "to": { "x": 3, "y": 4 } }]),
        &json!([{ "from": { "x": 1, "y": 2 } }]),
    );
    assert_agreement::<Renamed>(
        &json!([{ "firstName": "a", "type": 1, "$ref": "b", "title": "c" }]),
        &json!([{ "first_name": "a", "type": 1, "$ref": "b", "title": "c" }]),
    );
    assert_agreement::<WithStruct>(&json!([{ "id": 1, "x": 1, "y": 2 }]), &json!([{ "id": 1, "x": 1 }]));
    assert_agreement::<WithEnum>(
        &json!([{ "id": 1, "kind": "Unit" }, { "id": 1, "kind": "Newtype", "x": 1, "y": 2 }]),
        &json!([{ "id": 1 }, { "kind": "Unit" }, { "id": 1, "kind": "Newtype", "x": 1 }]),
    );
    assert_agreement::<OnlyEnum>(&json!([{ "Unit": null }, { "Newtype": 1 }]), &json!([{}, { "Newtype": "a" }]));
    assert_agreement::<Internal>(&json!([{ "kind": "Struct", "a": true, "b": 1 }]), &json!([{ "kind": "Struct" }]));
    assert_agreement::<Left>(&json!([{}, { "right": { "left": {} } }]), &json!([{ "right": { "left": 1 } }]));
    assert_agreement::<Often>(
        &json!([{ "a": { "first": "", "second": "" }, "b": { "first": "", "second": "" },
                  "c": { "first": "", "second": "" }, "d": { "first": "", "second": "" } }]),
        &json!([{}]),
    );
    assert_agreement::<Defaults>(&json!([{}, { "three": 4 }]), &json!([{ "three": 256 }]));
    assert_agreement::<MaybeNumber>(&json!([{ "number": null }, { "number": 1 }]), &json!([{}, { "number": "a" }]));
    assert_agreement::<DefaultedNewtype>(&json!([{}, { "number": 1 }]), &json!([{ "number": "a" }]));
}

#[test]
fn optional_properties_are_published_without_null() {
    let schema = input::<Defaults>();
    assert_eq!(
        schema["properties"],
        json!({
            "plain": { "type": "integer", "minimum": 0, "maximum": 255, "default": 0 },
            "three": { "type": "integer", "minimum": 0, "maximum": 255, "default": 3 },
            "maybe": { "type": "integer", "minimum": 0, "maximum": 255 },
            "nested": {
                "type": "object",
                "properties": { "text": { "type": "string" }, "flag": { "type": "boolean" } },
                "default": {}
            }
        })
    );
    assert!(schema.get("required").is_none());
    // An author's own type may tell `null` from absence, and the schema does not show that a newtype cannot.
    assert_eq!(input::<DefaultedNewtype>()["properties"]["number"]["type"], json!(["integer", "null"]));
    assert_eq!(input::<MaybeNumber>()["properties"]["number"]["type"], json!(["integer", "null"]));
}

#[test]
fn references_are_inlined_up_to_the_size_limit() {
    let twice = input::<Twice>();
    assert!(twice.get("$defs").is_none(), "{twice}");
    assert_eq!(twice["properties"]["from"]["description"], "A place on the screen.");
    assert_eq!(twice["properties"]["to"]["description"], "where it ends");
    let often = input::<Often>();
    assert_eq!(often["properties"]["a"], json!({ "$ref": "#/$defs/Large" }));
    let node = input::<Node>();
    assert_eq!(node["properties"]["next"], json!({ "$ref": "#/$defs/Node" }));
    assert_eq!(node["$defs"]["Node"]["properties"]["next"], json!({ "$ref": "#/$defs/Node" }));
    assert!(node["$defs"]["Node"].get("additionalProperties").is_none(), "nested objects take more: {node}");
}

#[test]
fn the_description_of_a_flattened_struct_is_not_the_description_of_the_root() {
    let schema = input::<WithStruct>();
    assert!(schema.get("description").is_none());
    assert_eq!(schema["properties"].as_object().map(serde_json::Map::len), Some(3));
}

#[test]
fn constraints_of_the_author_are_limited_to_the_range_of_the_type() {
    let schema = input::<Ranged>();
    assert_eq!(schema["properties"]["small"], json!({ "type": "integer", "minimum": 3, "maximum": 255 }));
    assert_eq!(schema["properties"]["word"], json!({ "type": "string", "pattern": "^[a-z]+$" }));
}

#[test]
fn unions_need_root_union_and_other_values_are_refused() {
    for schema in [input::<Internal>(), input::<WithEnum>()] {
        assert_eq!(schema["type"], "object");
        assert_eq!(check::input(&schema, true, false), [""; 0]);
        let errors = check::input(&schema, false, false);
        assert!(matches!(errors.as_slice(), [only] if only.contains("`oneOf`")), "{errors:?}");
    }
    for schema in [input::<External>(), input::<Untagged>(), input::<String>(), input::<Vec<u8>>()] {
        let errors = check::input(&schema, true, false);
        assert!(matches!(errors.as_slice(), [only] if only.contains("must be an object")), "{errors:?}");
    }
}

#[test]
fn outputs_have_the_shape_of_their_type() {
    let shape_of = |schema: Value| shape(&schema);
    assert_eq!(shape_of(super::output::<Node>()), Shape::Object);
    assert_eq!(shape_of(super::output::<Internal>()), Shape::ImpliedObject);
    assert_eq!(shape_of(super::output::<External>()), Shape::NotObject);
    assert_eq!(shape_of(super::output::<Option<Node>>()), Shape::NotObject);
    assert_eq!(super::output::<super::types::Point>()["description"], "A place on the screen.");
    assert_eq!(super::output::<Value>(), json!({}));
}

#[test]
fn only_titles_of_the_author_are_kept() {
    let schema = input::<Titles>();
    assert_eq!(schema["properties"]["headed"]["title"], "A thing");
    let embedded = &schema["properties"]["embedded"];
    assert_eq!(embedded["type"], "object");
    assert!(embedded.get("title").is_none() && embedded.get("$schema").is_none(), "{embedded}");
}

#[test]
fn keywords_are_sorted_and_properties_are_in_declared_order() {
    let schema = input::<Strict>();
    let number = r#"{"type":"integer","minimum":0,"maximum":255}"#;
    let expected =
        format!(r#"{{"type":"object","properties":{{"a":{number}}},"required":["a"],"additionalProperties":false}}"#);
    assert_eq!(schema.to_string(), expected);
    let renamed = input::<Renamed>();
    let names: Vec<_> = renamed["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    assert_eq!(names, ["firstName", "type", "$ref", "title"]);
}
