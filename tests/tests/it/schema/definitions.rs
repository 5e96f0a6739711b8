//! Tool definitions: the root of the schemas, titles, order, and hand-written schemas.

use std::collections::{BTreeMap, HashMap};

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{LATEST, faults, input, listed, output, property, serve, taking};
use crate::sample_tools;

/// Ping.
#[mcp_tool]
async fn ping() {}

/// Where to look.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
enum Target {
    Id(u64),
    Name { first: String, last: Option<String> },
}

#[test]
fn t1_the_root_is_a_closed_object_that_lists_its_properties() {
    /// Takes optional arguments only.
    #[mcp_tool]
    async fn relaxed(a: Option<u8>, #[serde(default)] b: bool) -> bool {
        a.is_some() && b
    }

    let dispatcher = serve(tools![ping, relaxed]);
    assert_eq!(
        input(&dispatcher, "ping").to_string(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    assert!(input(&dispatcher, "relaxed").get("required").is_none());

    // Hand-written schemas are published untouched (rule T15).
    for tool in sample_tools::dispatcher().list().iter().filter(|tool| !["by_hand", "liar"].contains(&&*tool.name)) {
        let schema = &tool.input_schema;
        assert_eq!(schema["type"], "object", "{schema}");
        assert!(schema["properties"].is_object(), "{schema}");
        assert_ne!(schema["required"], json!([]), "{schema}");
    }
}

#[test]
fn t1_allow_unknown_leaves_the_root_open() {
    /// Take anything.
    #[mcp_tool(allow_unknown)]
    async fn open(a: u8) -> u8 {
        a
    }

    let schema = input(&serve(tools![open]), "open");
    assert!(schema.get("additionalProperties").is_none() && schema.get("unevaluatedProperties").is_none(), "{schema}");
}

#[test]
fn t1_a_flattened_map_describes_additional_arguments() {
    /// Takes an argument and a flattened map.
    #[mcp_tool]
    async fn flattened(a: u8, #[serde(flatten)] rest: BTreeMap<String, i32>) -> usize {
        usize::from(a) + rest.len()
    }

    /// Takes a map as all arguments.
    #[mcp_tool]
    async fn whole(#[mcp_tool(arguments)] all: HashMap<String, bool>) -> usize {
        all.len()
    }

    let dispatcher = serve(tools![flattened, whole]);
    assert_eq!(
        input(&dispatcher, "flattened")["additionalProperties"],
        json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX})
    );
    let whole = input(&dispatcher, "whole");
    assert_eq!(whole, json!({"type": "object", "properties": {}, "additionalProperties": {"type": "boolean"}}));
}

#[test]
fn t1_a_union_at_the_root_needs_root_union() {
    /// Find it.
    #[mcp_tool]
    async fn refused(#[mcp_tool(arguments)] target: Target) -> bool {
        matches!(target, Target::Id(_))
    }

    /// Find it.
    #[mcp_tool(root_union)]
    async fn permitted(#[mcp_tool(arguments)] target: Target) -> bool {
        matches!(target, Target::Id(_))
    }

    let found = faults(Dispatcher::builder().tools(tools![refused]));
    assert!(
        matches!(found.as_slice(), [only] if only.contains("`refused`") && only.contains("root_union")),
        "{found:?}"
    );

    let schema = input(&serve(tools![permitted]), "permitted");
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"], json!({}));
    assert_eq!(schema["oneOf"].as_array().map(Vec::len), Some(2));
    assert_eq!(schema["oneOf"][1]["properties"]["name"]["properties"]["last"], json!({"type": "string"}));
}

#[test]
fn t2_schema_dialects_and_type_name_titles_are_removed() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        size: u8,
    }

    /// A root schema as the schema of a property, with its `$schema` and its type name as title.
    fn document(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let document = schemars::schema_for!(Inner);
        assert!(document.get("$schema").is_some() && document.get("title").is_some());
        document
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[schemars(title = "Root")]
    struct Outer {
        inner: Inner,
        #[schemars(schema_with = "document")]
        embedded: Inner,
        more: Vec<Inner>,
        #[schemars(title = "As the author has it")]
        titled: String,
    }

    /// Echo.
    #[mcp_tool]
    async fn echo(#[mcp_tool(arguments)] outer: Outer) -> Outer {
        outer
    }

    let dispatcher = serve(tools![echo]);
    for schema in [input(&dispatcher, "echo"), output(&dispatcher, "echo")] {
        let text = schema.to_string();
        assert!(!text.contains("$schema"), "{text}");
        assert_eq!(text.matches(r#""title":"#).count(), 1, "{text}");
        assert!(text.contains("As the author has it"), "{text}");
    }
}

#[test]
fn t11_an_invalid_tool_name_is_refused() {
    let object = || json!({"type": "object"});
    for name in ["a", "Calculator.Add", "a-b_c.D9", &"x".repeat(128)] {
        assert!(Dispatcher::builder().tool(taking(name, object())).build().is_ok(), "{name}");
    }
    for name in ["", "a b", "a/b", "größe", "a@1.0.0", "a\n", &"x".repeat(129)] {
        let found = faults(Dispatcher::builder().tool(taking(name, object())));
        assert!(matches!(found.as_slice(), [only] if only.contains("1 to 128")), "{name:?}: {found:?}");
    }
}

#[test]
fn t12_every_tool_has_a_description_and_a_title() {
    for tool in sample_tools::dispatcher().list() {
        assert!(tool.description.as_deref().is_some_and(|text| !text.trim().is_empty()), "{tool:?}");
        assert!(tool.title.as_deref().is_some_and(|text| !text.is_empty()), "{tool:?}");
    }
    let undescribed = mcp_tool_runtime::mcp::Tool::new("undescribed", " \n", json!({"type": "object"}));
    let found = faults(Dispatcher::builder().tool(crate::run::ByHand::new(undescribed, |_, _| unreachable!())));
    assert!(
        matches!(found.as_slice(), [only] if only.contains("`undescribed`") && only.contains("description")),
        "{found:?}"
    );
}

#[test]
fn t12_properties_and_tools_keep_the_declared_order() {
    #[derive(Serialize, JsonSchema)]
    struct Row {
        zebra: u8,
        apple: u8,
        mango: u8,
    }

    /// Unsorted.
    #[mcp_tool]
    async fn zulu(zebra: u8, apple: u8, mango: u8) -> Row {
        Row { zebra, apple, mango }
    }

    let dispatcher = serve(tools![zulu, ping]);
    let keys =
        |schema: Value| schema["properties"].as_object().expect("properties").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(input(&dispatcher, "zulu")), ["zebra", "apple", "mango"]);
    assert_eq!(keys(output(&dispatcher, "zulu")), ["zebra", "apple", "mango"]);
    assert_eq!(input(&dispatcher, "zulu")["required"], json!(["zebra", "apple", "mango"]));
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["zulu", "ping"]);
    assert_eq!(dispatcher.list_json(LATEST), serve(tools![zulu, ping]).list_json(LATEST));
}

#[test]
fn t12_keywords_are_sorted() {
    /// Turn.
    #[mcp_tool]
    async fn turn(
        /// By how much.
        #[serde(default)]
        #[schemars(range(max = 9), extend("x-unit" = "degrees"))]
        angle: u8,
    ) -> u8 {
        angle
    }

    let dispatcher = serve(tools![turn]);
    assert_eq!(
        input(&dispatcher, "turn").to_string(),
        concat!(
            r#"{"type":"object","properties":{"angle":{"description":"By how much.","type":"integer","minimum":0,"#,
            r#""maximum":9,"x-unit":"degrees","default":0}},"additionalProperties":false}"#
        )
    );
}

#[test]
fn t15_a_hand_written_schema_is_published_untouched_and_enforced() {
    const TEXT: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"Order","required":["b"],"properties":{"b":{"$anchor":"b","type":"string"},"a":{"$ref":"#b"},"c":true},"allOf":[{"if":{"required":["a"]},"then":{"required":["c"]}}]}"##;

    fn written() -> Value {
        serde_json::from_str(TEXT).expect("JSON")
    }

    /// Has hand-written schemas.
    #[mcp_tool(input_schema = TEXT, output_schema = written)]
    async fn through_keys(#[mcp_tool(arguments)] all: Value) -> Value {
        all
    }

    let by_hand =
        mcp_tool_runtime::mcp::Tool::new("through_trait", "By hand.", written()).with_output_schema(written());
    let by_hand = crate::run::ByHand::new(by_hand, |_, arguments| mcp_tool_runtime::Output::value(arguments));
    let dispatcher = crate::run::built(crate::run::exact().tools(tools![through_keys]).tool(by_hand));
    for name in ["through_keys", "through_trait"] {
        let tool = listed(&dispatcher, name, LATEST);
        assert_eq!(tool["inputSchema"].to_string(), TEXT, "{name}");
        assert_eq!(tool["outputSchema"].to_string(), TEXT, "{name}");
        // The anchor and the condition are enforced.
        let message = |arguments| crate::run::message(&dispatcher, name, arguments);
        assert_eq!(message(json!({"b": 1})), "invalid arguments: b: expected a string, got an integer");
        assert_eq!(message(json!({"b": "", "a": "x"})), "invalid arguments: c: required, but missing");
        assert_eq!(crate::run::value(&dispatcher, name, json!({"b": "", "z": 1})), json!({"b": "", "z": 1}));
    }
}

#[test]
fn t15_a_manual_json_schema_impl_is_normalised() {
    struct Custom;

    impl JsonSchema for Custom {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Custom".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"title": "Custom", "type": "integer", "format": "uint8", "minimum": 0})
        }
    }

    impl<'de> Deserialize<'de> for Custom {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            u8::deserialize(deserializer).map(|_| Self)
        }
    }

    /// Take it.
    #[mcp_tool]
    async fn take(custom: Custom) {
        let _ = custom;
    }

    let schema = property(&serve(tools![take]), "take", "custom");
    assert_eq!(schema, json!({"type": "integer", "minimum": 0, "maximum": 255}));
}
