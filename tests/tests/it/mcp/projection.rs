//! The schema, the structured value and the text of a result in each protocol version (section 3, rule R3).

use std::collections::BTreeMap;

use mcp_tool_runtime::mcp::Icon;
use mcp_tool_runtime::{Output, ProtocolVersion, mcp, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, LEGACY, built, call, exact, listed, serve};

/// A result and its form in legacy versions.
struct Case {
    name: &'static str,
    /// The value that the tool returns.
    value: Value,
    /// Whether legacy versions send `{"result": value}`.
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

macro_rules! tools_returning {
    ($($name:ident: $type:ty = $value:expr;)+) => {$(
        /// Returns a value.
        #[mcp_tool]
        async fn $name() -> $type {
            $value
        }
    )+};
}

tools_returning! {
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

fn cases() -> (mcp_tool_runtime::Dispatcher, Vec<Case>) {
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
    let case = |name, value, wrapped| Case { name, value, wrapped };
    let row = json!({"id": 1});
    let cases = vec![
        case("object", row.clone(), false),
        case("tagged", json!({"kind": "Found", "id": 1}), false),
        case("tagged_unit", json!({"kind": "Missing"}), false),
        case("map", json!({"a": 1}), false),
        case("text", json!("say \"hi\""), true),
        case("integer", json!(-7), true),
        case("float", json!(0.5), true),
        case("flag", json!(true), true),
        case("list", json!([{"id": 1}, {"id": 2}]), true),
        case("empty_list", json!([]), true),
        case("tuple", json!([1, "a"]), true),
        case("mixed_row", row.clone(), true),
        case("mixed_text", json!("a"), true),
        case("some", row, true),
        case("none", json!(null), true),
        case("colour", json!("red"), true),
        case("anything", json!({"a": null}), true),
        case("forest", json!([{"label": "a", "children": [{"label": "b", "children": []}]}]), true),
    ];
    (serve(tools), cases)
}

#[test]
fn section_3_the_latest_version_has_the_unwrapped_schema_and_value() {
    let (dispatcher, cases) = cases();
    for Case { name, value, .. } in cases {
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
fn section_3_legacy_versions_wrap_values_that_are_not_objects() {
    let (dispatcher, cases) = cases();
    for Case { name, value, wrapped } in cases {
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
fn section_3_definitions_stay_at_the_root_of_a_wrapped_schema() {
    let (dispatcher, _) = cases();
    let schema = listed(&dispatcher, "forest", LEGACY[0])["outputSchema"].clone();
    let keys: Vec<_> = schema.as_object().expect("a schema").keys().map(String::as_str).collect();
    assert_eq!(keys, ["type", "properties", "required", "$defs"]);
    assert_eq!(schema["properties"]["result"]["items"]["$ref"], "#/$defs/Tree");
    assert_eq!(schema["$defs"]["Tree"]["properties"]["children"]["items"]["$ref"], "#/$defs/Tree");
}

#[test]
fn section_3_icons_are_sent_since_2025_11_25() {
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
    let (dispatcher, cases) = cases();
    for version in ProtocolVersion::ALL {
        for Case { name, .. } in &cases {
            let schema = listed(&dispatcher, name, version)["outputSchema"].clone();
            let validator = jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
            let result = run::mcp(&call(&dispatcher, name, json!({})), version);
            let structured = result.get("structuredContent").unwrap_or_else(|| panic!("{name} has none"));
            assert!(validator.is_valid(structured), "{name} {version}: {structured}");
        }
    }
}

#[test]
fn r3_the_text_block_is_the_unwrapped_value() {
    let (dispatcher, cases) = cases();
    for version in ProtocolVersion::ALL {
        for Case { name, value, .. } in &cases {
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
fn r3_the_text_is_byte_identical_to_the_structured_value() {
    /// Returns numbers that have several textual forms.
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
fn section_3_an_older_version_is_treated_as_2025_06_18() {
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
