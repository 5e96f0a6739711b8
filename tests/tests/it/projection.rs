//! One outcome in the shapes of three versions (section 3), and the text beside it (rule R3).

use std::collections::BTreeMap;

use mcp_tool_runtime::mcp::Icon;
use mcp_tool_runtime::{Output, ProtocolVersion, mcp, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, LEGACY, built, call, exact, listed, serve};

/// One output in every version.
struct Shape {
    name: &'static str,
    /// The value as the tool has it.
    value: Value,
    /// Whether legacy versions get `{"result": value}`.
    wrapped: bool,
}

#[derive(Serialize, JsonSchema)]
struct Row {
    id: u8,
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Found { id: u8 },
    Missing,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Mixed {
    Row(Row),
    Text(&'static str),
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
}

#[derive(Serialize, JsonSchema)]
struct Tree {
    label: &'static str,
    children: Vec<Tree>,
}

macro_rules! shapes {
    ($($name:ident: $type:ty = $value:expr;)+) => {$(
        /// One shape.
        #[mcp_tool]
        async fn $name() -> $type {
            $value
        }
    )+};
}

shapes! {
    object: Row = Row { id: 1 };
    tagged: Tagged = Tagged::Found { id: 1 };
    tagged_unit: Tagged = Tagged::Missing;
    map: BTreeMap<String, u8> = BTreeMap::from([("a".to_owned(), 1)]);
    text: String = "say \"hi\"".to_owned();
    integer: i32 = -7;
    float: f64 = 0.5;
    flag: bool = true;
    list: Vec<Row> = vec![Row { id: 1 }, Row { id: 2 }];
    empty_list: Vec<Row> = Vec::new();
    tuple: (u8, String) = (1, "a".to_owned());
    mixed_row: Mixed = Mixed::Row(Row { id: 1 });
    mixed_text: Mixed = Mixed::Text("a");
    some: Option<Row> = Some(Row { id: 1 });
    none: Option<Row> = None;
    colour: Colour = Colour::Red;
    anything: Value = json!({"a": null});
    forest: Vec<Tree> = vec![Tree { label: "a", children: vec![Tree { label: "b", children: vec![] }] }];
}

fn shapes() -> (mcp_tool_runtime::Dispatcher, Vec<Shape>) {
    let tools = tools![
        object,
        tagged,
        tagged_unit,
        map,
        text,
        integer,
        float,
        flag,
        list,
        empty_list,
        tuple,
        mixed_row,
        mixed_text,
        some,
        none,
        colour,
        anything,
        forest
    ];
    let shape = |name, value, wrapped| Shape { name, value, wrapped };
    let row = json!({"id": 1});
    let shapes = vec![
        shape("object", row.clone(), false),
        shape("tagged", json!({"kind": "Found", "id": 1}), false),
        shape("tagged_unit", json!({"kind": "Missing"}), false),
        shape("map", json!({"a": 1}), false),
        shape("text", json!("say \"hi\""), true),
        shape("integer", json!(-7), true),
        shape("float", json!(0.5), true),
        shape("flag", json!(true), true),
        shape("list", json!([{"id": 1}, {"id": 2}]), true),
        shape("empty_list", json!([]), true),
        shape("tuple", json!([1, "a"]), true),
        shape("mixed_row", row.clone(), true),
        shape("mixed_text", json!("a"), true),
        shape("some", row, true),
        shape("none", json!(null), true),
        shape("colour", json!("red"), true),
        shape("anything", json!({"a": null}), true),
        shape("forest", json!([{"label": "a", "children": [{"label": "b", "children": []}]}]), true),
    ];
    (serve(tools), shapes)
}

#[test]
fn section_3_the_latest_version_has_the_natural_schema_and_value() {
    let (dispatcher, shapes) = shapes();
    for Shape { name, value, .. } in shapes {
        let natural = dispatcher.list().iter().find(|tool| tool.name == name).expect("a tool").output_schema.clone();
        let mut published = listed(&dispatcher, name, LATEST)["outputSchema"].clone();
        if name.starts_with("tagged") {
            assert_eq!(published.as_object_mut().and_then(|schema| schema.shift_remove("type")), Some(json!("object")));
        }
        assert_eq!(Some(published), natural, "{name}");
        assert_eq!(run::mcp(&call(&dispatcher, name, json!({})), LATEST)["structuredContent"], value, "{name}");
    }
}

#[test]
fn section_3_legacy_versions_have_objects_only() {
    let (dispatcher, shapes) = shapes();
    for Shape { name, value, wrapped } in shapes {
        for version in LEGACY {
            let schema = &listed(&dispatcher, name, version)["outputSchema"];
            assert_eq!(schema["type"], "object", "{name}");
            let result = run::mcp(&call(&dispatcher, name, json!({})), version);
            if wrapped {
                assert_eq!(schema["required"], json!(["result"]), "{name}");
                assert_eq!(schema["properties"].as_object().map(serde_json::Map::len), Some(1), "{name}");
                assert_eq!(result["structuredContent"], json!({"result": value}), "{name}");
            } else {
                assert_eq!(*schema, listed(&dispatcher, name, LATEST)["outputSchema"], "{name}");
                assert_eq!(result["structuredContent"], value, "{name}");
            }
        }
    }
}

#[test]
fn section_3_definitions_are_hoisted_out_of_the_wrapping() {
    let (dispatcher, _) = shapes();
    let schema = listed(&dispatcher, "forest", LEGACY[0])["outputSchema"].clone();
    let keys: Vec<_> = schema.as_object().expect("a schema").keys().map(String::as_str).collect();
    assert_eq!(keys, ["type", "properties", "required", "$defs"]);
    assert_eq!(schema["properties"]["result"]["items"]["$ref"], "#/$defs/Tree");
    assert_eq!(schema["$defs"]["Tree"]["properties"]["children"]["items"]["$ref"], "#/$defs/Tree");
}

#[test]
fn section_3_icons_are_sent_from_2025_11_25_on() {
    let tool = mcp::Tool::new("drawn", "With an icon.", json!({"type": "object"}))
        .with_icon(Icon::new("https://example.com/i.png").with_mime_type("image/png").with_sizes(["48x48"]));
    let dispatcher = built(exact().tool(ByHand::new(tool, |_, _| Output::value(1))));
    assert!(listed(&dispatcher, "drawn", ProtocolVersion::V2025_06_18).get("icons").is_none());
    for version in [ProtocolVersion::V2025_11_25, LATEST] {
        assert_eq!(
            listed(&dispatcher, "drawn", version)["icons"],
            json!([{"src": "https://example.com/i.png", "mimeType": "image/png", "sizes": ["48x48"]}])
        );
    }
}

#[test]
fn r2_structured_content_is_valid_against_the_schema_of_its_version() {
    let (dispatcher, shapes) = shapes();
    for version in ProtocolVersion::ALL {
        for Shape { name, .. } in &shapes {
            let schema = listed(&dispatcher, name, version)["outputSchema"].clone();
            let check = jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
            let result = run::mcp(&call(&dispatcher, name, json!({})), version);
            let structured = result.get("structuredContent").unwrap_or_else(|| panic!("{name} has none"));
            assert!(check.is_valid(structured), "{name} {version}: {structured}");
        }
    }
}

#[test]
fn r3_one_text_block_with_the_natural_value() {
    let (dispatcher, shapes) = shapes();
    for version in ProtocolVersion::ALL {
        for Shape { name, value, .. } in &shapes {
            let result = run::mcp(&call(&dispatcher, name, json!({})), version);
            let text = match value {
                Value::String(own) if version != LATEST => own.clone(),
                value => value.to_string(),
            };
            assert_eq!(result["content"], json!([{"type": "text", "text": text}]), "{name} {version}");
        }
    }
}

#[test]
fn r3_the_text_has_the_bytes_of_the_structured_value() {
    /// Numbers that can be written in more than one way.
    #[mcp_tool]
    async fn numbers() -> (f64, f64, u64, f32) {
        (1e300, -0.0, u64::MAX, 0.1)
    }

    let response = call(&serve(tools![numbers]), "numbers", json!({}));
    let result = response.to_mcp(LATEST);
    let value = result.structured_content.as_ref().expect("a value").get();
    assert_eq!(value, "[1e+300,-0.0,18446744073709551615,0.1]");
    assert_eq!(run::json(&result.content), json!([{"type": "text", "text": value}]));
    assert_eq!(response.value().expect("a value").get(), value);
    let wrapped = response.to_mcp(LEGACY[0]).structured_content.expect("a value");
    assert_eq!(wrapped.get(), format!(r#"{{"result":{value}}}"#));
}

#[test]
fn section_3_an_older_version_has_the_shape_of_2025_06_18() {
    for (text, version) in [
        ("2024-11-05", LEGACY[0]),
        ("2025-03-26", LEGACY[0]),
        ("2025-06-18", LEGACY[0]),
        ("2025-11-25", LEGACY[1]),
        ("2026-07-28", LATEST),
    ] {
        assert_eq!(text.parse(), Ok(version));
    }
    for version in ProtocolVersion::ALL {
        assert_eq!(version.to_string().parse(), Ok(version));
    }
    assert!("2031-01-01".parse::<ProtocolVersion>().is_err() && "".parse::<ProtocolVersion>().is_err());
}
