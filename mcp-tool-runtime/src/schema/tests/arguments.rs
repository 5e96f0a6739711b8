//! Types as the arguments themselves, and the shape of what is published.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::types::{
    AnyRest, DefaultedNewtype, Defaults, Empty, External, Internal, Left, MaybeNumber, Node, Often, OnlyEnum, Ranged,
    Renamed, Strict, Titles, Twice, Unit, Untagged, WithEnum, WithMap, WithStruct,
};
use super::{check, generate, input, keeps_the_rules, validator, whole};
use crate::schema::project::{Shape, shape};

/// Arguments that serde would accept and the schema, being closed, does not.
fn refuses_unknown<T: schemars::JsonSchema>(instance: &Value) {
    let schema = input::<T>();
    keeps_the_rules(&schema);
    let mut more = instance.clone();
    more["unknown_argument"] = json!(1);
    let validator = validator(&schema);
    assert!(validator.is_valid(instance), "{instance} is refused by {schema}");
    assert!(!validator.is_valid(&more), "{more} is admitted by {schema}");
}

#[test]
fn arguments_are_closed() {
    refuses_unknown::<Empty>(&json!({}));
    refuses_unknown::<Unit>(&json!({}));
    refuses_unknown::<()>(&json!({}));
    refuses_unknown::<Strict>(&json!({ "a": 1 }));
    refuses_unknown::<WithStruct>(&json!({ "id": 1, "x": 1, "y": 2 }));
    refuses_unknown::<WithEnum>(&json!({ "id": 1, "kind": "Struct", "a": true }));
    refuses_unknown::<WithEnum>(&json!({ "id": 1, "kind": "Newtype", "x": 1, "y": 2 }));
    refuses_unknown::<OnlyEnum>(&json!({ "Newtype": 1 }));
    refuses_unknown::<Internal>(&json!({ "kind": "Newtype", "x": 1, "y": 2 }));
    refuses_unknown::<Node>(&json!({ "label": "a", "children": [] }));
}

#[test]
fn unless_the_type_or_the_tool_takes_more() {
    whole::<WithMap>(&json!([{ "id": 1, "more": 2 }]), &json!([{ "id": 1, "more": "text" }, { "more": 2 }]));
    whole::<AnyRest>(&json!([{ "a": null, "b": {} }]), &json!([[]]));
    whole::<HashMap<String, u8>>(&json!([{}, { "a": 1 }]), &json!([{ "a": "b" }]));
    let open = Value::Object(generate::input(&mut <Empty as schemars::JsonSchema>::json_schema, true));
    assert_eq!(open, json!({ "type": "object", "properties": {} }));
}

#[test]
fn nothing_at_all_is_an_empty_object() {
    let closed = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    assert_eq!(input::<()>().to_string(), closed);
    assert_eq!(input::<Unit>().to_string(), closed);
    assert_eq!(input::<Empty>().to_string(), closed);
}

#[test]
fn serde_and_the_schema_agree_at_the_root() {
    whole::<Twice>(
        &json!([{ "from": { "x": 1, "y": 2 }, "to": { "x": 3, "y": 4 } }]),
        &json!([{ "from": { "x": 1, "y": 2 } }]),
    );
    whole::<Renamed>(
        &json!([{ "firstName": "a", "type": 1, "$ref": "b", "title": "c" }]),
        &json!([{ "first_name": "a", "type": 1, "$ref": "b", "title": "c" }]),
    );
    whole::<WithStruct>(&json!([{ "id": 1, "x": 1, "y": 2 }]), &json!([{ "id": 1, "x": 1 }]));
    whole::<WithEnum>(
        &json!([{ "id": 1, "kind": "Unit" }, { "id": 1, "kind": "Newtype", "x": 1, "y": 2 }]),
        &json!([{ "id": 1 }, { "kind": "Unit" }, { "id": 1, "kind": "Newtype", "x": 1 }]),
    );
    whole::<OnlyEnum>(&json!([{ "Unit": null }, { "Newtype": 1 }]), &json!([{}, { "Newtype": "a" }]));
    whole::<Internal>(&json!([{ "kind": "Struct", "a": true, "b": 1 }]), &json!([{ "kind": "Struct" }]));
    whole::<Left>(&json!([{}, { "right": { "left": {} } }]), &json!([{ "right": { "left": 1 } }]));
    whole::<Often>(
        &json!([{ "a": { "first": "", "second": "" }, "b": { "first": "", "second": "" },
                  "c": { "first": "", "second": "" }, "d": { "first": "", "second": "" } }]),
        &json!([{}]),
    );
    whole::<Defaults>(&json!([{}, { "three": 4 }]), &json!([{ "three": 256 }]));
    whole::<MaybeNumber>(&json!([{ "number": null }, { "number": 1 }]), &json!([{}, { "number": "a" }]));
    whole::<DefaultedNewtype>(&json!([{}, { "number": 1 }]), &json!([{ "number": "a" }]));
}

#[test]
fn a_property_that_may_be_left_out_is_never_null() {
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
    assert_eq!(input::<DefaultedNewtype>()["properties"]["number"]["type"], "integer");
    assert_eq!(input::<MaybeNumber>()["properties"]["number"]["type"], json!(["integer", "null"]));
}

#[test]
fn references_are_inlined_within_reason() {
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
fn text_of_a_flattened_struct_does_not_become_the_roots() {
    let schema = input::<WithStruct>();
    assert!(schema.get("description").is_none());
    assert_eq!(schema["properties"].as_object().map(serde_json::Map::len), Some(3));
}

#[test]
fn constraints_of_the_author_are_kept_within_the_type() {
    let schema = input::<Ranged>();
    assert_eq!(schema["properties"]["small"], json!({ "type": "integer", "minimum": 3, "maximum": 255 }));
    assert_eq!(schema["properties"]["word"], json!({ "type": "string", "pattern": "^[a-z]+$" }));
}

#[test]
fn a_union_needs_leave_and_a_scalar_never_gets_it() {
    for schema in [input::<Internal>(), input::<WithEnum>()] {
        assert_eq!(schema["type"], "object");
        assert_eq!(check::input(&schema, true, false), [""; 0]);
        let faults = check::input(&schema, false, false);
        assert!(matches!(faults.as_slice(), [only] if only.contains("`oneOf`")), "{faults:?}");
    }
    for schema in [input::<External>(), input::<Untagged>(), input::<String>(), input::<Vec<u8>>()] {
        let faults = check::input(&schema, true, false);
        assert!(matches!(faults.as_slice(), [only] if only.contains("must be an object")), "{faults:?}");
    }
}

#[test]
fn outputs_keep_their_shape() {
    let shape_of = |schema: Value| shape(&schema);
    assert_eq!(shape_of(super::output::<Node>()), Shape::Object);
    assert_eq!(shape_of(super::output::<Internal>()), Shape::ImpliedObject);
    assert_eq!(shape_of(super::output::<External>()), Shape::NotObject);
    assert_eq!(shape_of(super::output::<Option<Node>>()), Shape::NotObject);
    assert_eq!(super::output::<super::types::Point>()["description"], "A place on the screen.");
    assert_eq!(super::output::<Value>(), json!({}));
}

#[test]
fn titles_are_the_authors() {
    let schema = input::<Titles>();
    assert_eq!(schema["properties"]["headed"]["title"], "A thing");
    let embedded = &schema["properties"]["embedded"];
    assert_eq!(embedded["type"], "object");
    assert!(embedded.get("title").is_none() && embedded.get("$schema").is_none(), "{embedded}");
}

#[test]
fn keywords_and_properties_are_in_order() {
    let schema = input::<Strict>();
    let number = r#"{"type":"integer","minimum":0,"maximum":255}"#;
    let expected =
        format!(r#"{{"type":"object","properties":{{"a":{number}}},"required":["a"],"additionalProperties":false}}"#);
    assert_eq!(schema.to_string(), expected);
    let renamed = input::<Renamed>();
    let names: Vec<_> = renamed["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    assert_eq!(names, ["firstName", "type", "$ref", "title"]);
}
