//! `null` that is a value of its own, for example one that clears a field.

#![allow(clippy::option_option, reason = "the outer one is absence, the inner one is `null`")]

use mcp_tool_runtime::export::Vendor;
use mcp_tool_runtime::{Dispatcher, Nullable, ToolHandler as _, mcp_tool, tools};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::run::{call, input, property, serve, value};

fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

fn string_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"]})
}

/// Returns whether the schema of an argument accepts `null`.
fn accepts_null(dispatcher: &Dispatcher, tool: &str, name: &str) -> bool {
    let schema = input(dispatcher, tool);
    let property = &schema["properties"][name];
    null_is_valid(&schema, property)
}

fn null_is_valid(root: &Value, property: &Value) -> bool {
    let mut schema = json!({"$defs": root.get("$defs").cloned().unwrap_or_else(|| json!({}))});
    schema["allOf"] = json!([property]);
    jsonschema::is_valid(&schema, &Value::Null)
}

/// A value that is missing, cleared or set.
#[derive(Debug, Default)]
enum Patch {
    #[default]
    Missing,
    Clear,
    #[expect(dead_code, reason = "only `Debug` reads it")]
    Set(String),
}

impl<'de> Deserialize<'de> for Patch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl JsonSchema for Patch {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Patch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        string_or_null(generator)
    }
}

/// Nothing, or a text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Nothing,
    #[expect(dead_code, reason = "only `Debug` reads it")]
    Text(String),
}

fn text() -> Untagged {
    Untagged::Text("default".to_owned())
}

#[expect(clippy::unnecessary_wraps, reason = "the type of the parameter")]
fn five() -> Option<u8> {
    Some(5)
}

#[test]
fn t8_null_of_an_argument_that_tells_it_from_absence_is_published_and_arrives() {
    /// Set a due date.
    #[mcp_tool]
    async fn written(
        #[serde(default, deserialize_with = "some")]
        #[schemars(schema_with = "string_or_null")]
        a: Option<Option<String>>,
    ) -> String {
        format!("{a:?}")
    }
    /// Set a due date.
    #[mcp_tool]
    async fn derived(#[serde(deserialize_with = "some")] a: Option<Option<String>>) -> String {
        format!("{a:?}")
    }
    /// Set a due date.
    #[mcp_tool]
    async fn double(a: Option<Option<String>>) -> String {
        format!("{a:?}")
    }
    /// Set a due date.
    #[mcp_tool]
    async fn of_a_type(#[serde(default)] a: Patch) -> String {
        format!("{a:?}")
    }
    /// Set a due date.
    #[mcp_tool]
    async fn with_type(
        #[serde(default, alias = "b")]
        #[schemars(with = "Option<String>")]
        a: Patch,
    ) -> String {
        format!("{a:?}")
    }
    /// Set a due date.
    #[mcp_tool]
    async fn of_a_value(#[mcp_tool(default = Patch::Missing)] a: Patch) -> String {
        format!("{a:?}")
    }
    /// Set a due date.
    #[mcp_tool]
    async fn untagged(#[serde(default = "text")] a: Untagged) -> String {
        format!("{a:?}")
    }

    let dispatcher = serve(tools![written, derived, double, of_a_type, with_type, of_a_value, untagged]);
    for (tool, absent, null, set) in [
        ("written", "None", "Some(None)", "Some(Some(\"x\"))"),
        ("derived", "None", "Some(None)", "Some(Some(\"x\"))"),
        ("double", "None", "Some(None)", "Some(Some(\"x\"))"),
        ("of_a_type", "Missing", "Clear", "Set(\"x\")"),
        ("with_type", "Missing", "Clear", "Set(\"x\")"),
        ("of_a_value", "Missing", "Clear", "Set(\"x\")"),
        ("untagged", "Text(\"default\")", "Nothing", "Text(\"x\")"),
    ] {
        assert!(accepts_null(&dispatcher, tool, "a"), "{tool}: {}", input(&dispatcher, tool));
        assert!(!input(&dispatcher, tool).to_string().contains("x-mcp-tool"), "{tool}");
        assert_eq!(value(&dispatcher, tool, json!({})), absent, "{tool}");
        assert_eq!(value(&dispatcher, tool, json!({"a": null})), null, "{tool}");
        assert_eq!(value(&dispatcher, tool, json!({"a": "x"})), set, "{tool}");
    }
}

#[test]
fn t8_null_is_published_where_the_default_is_another_value() {
    /// Page.
    #[mcp_tool]
    async fn by_function(#[serde(default = "five")] a: Option<u8>) -> String {
        format!("{a:?}")
    }
    /// Page.
    #[mcp_tool]
    async fn by_value(#[mcp_tool(default = Some(5))] a: Option<u8>) -> String {
        format!("{a:?}")
    }
    /// Page.
    #[mcp_tool]
    async fn in_a_struct(
        #[mcp_tool(default = 5)]
        #[serde(alias = "b")]
        a: Option<u8>,
    ) -> String {
        format!("{a:?}")
    }
    /// Page.
    #[mcp_tool]
    async fn text(
        #[mcp_tool(default = "5")]
        #[serde(alias = "b")]
        a: Option<&str>,
    ) -> String {
        format!("{a:?}")
    }

    let dispatcher = serve(tools![by_function, by_value, in_a_struct, text]);
    for tool in ["by_function", "by_value", "in_a_struct", "text"] {
        assert!(accepts_null(&dispatcher, tool, "a"), "{tool}");
        assert_eq!(property(&dispatcher, tool, "a")["default"].to_string().trim_matches('"'), "5", "{tool}");
        assert!(value(&dispatcher, tool, json!({})).to_string().contains('5'), "{tool}");
        assert_eq!(value(&dispatcher, tool, json!({"a": null})), "None", "{tool}");
    }
}

#[test]
#[expect(clippy::many_single_char_names, reason = "each is a parameter")]
fn i3_null_is_absence_where_the_type_cannot_tell() {
    /// Page.
    #[mcp_tool]
    async fn plain(
        a: Option<u8>,
        #[serde(default)] b: Option<u8>,
        #[serde(default)] c: u8,
        #[mcp_tool(default = 5)] d: u8,
        #[serde(default = "Option::default")] e: Option<u8>,
        #[serde(alias = "g")]
        #[mcp_tool(default = 5)]
        f: u8,
    ) -> String {
        format!("{a:?} {b:?} {c} {d} {e:?} {f}")
    }

    let dispatcher = serve(tools![plain]);
    let nulls = json!({"a": null, "b": null, "c": null, "d": null, "e": null, "f": null});
    assert_eq!(value(&dispatcher, "plain", nulls), "None None 0 5 None 5");
    assert!(!input(&dispatcher, "plain").to_string().contains("null"), "{}", input(&dispatcher, "plain"));
}

/// The fields that may change.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Fields {
    #[serde(default)]
    #[schemars(schema_with = "any_of")]
    a: Patch,
    #[serde(default)]
    #[schemars(schema_with = "one_of")]
    b: Patch,
    #[serde(default)]
    #[schemars(schema_with = "listed")]
    c: Patch,
    #[serde(default = "text")]
    d: Untagged,
    #[serde(default = "five")]
    e: Option<u8>,
    plain: Option<String>,
    #[serde(default)]
    nested: Option<Point>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Point {
    x: u8,
}

fn any_of(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "string"}, {"type": "null"}]})
}

fn one_of(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [{"const": null}, {"type": "string"}]})
}

fn listed(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": [null, "x"]})
}

/// A change.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Change {
    Edit(Fields),
    Touch {
        #[serde(default = "five")]
        times: Option<u8>,
    },
}

#[test]
fn t8_null_of_a_field_is_published_where_the_schema_shows_that_it_is_a_value() {
    /// Change.
    #[mcp_tool]
    async fn nested(fields: Fields) -> String {
        format!("{fields:?}")
    }
    /// Change.
    #[mcp_tool]
    async fn flat(#[serde(flatten)] fields: Fields) -> String {
        format!("{fields:?}")
    }
    /// Change.
    #[mcp_tool]
    async fn whole(#[mcp_tool(arguments)] fields: Fields) -> String {
        format!("{fields:?}")
    }
    /// Change.
    #[mcp_tool]
    async fn variant(change: Change) -> String {
        format!("{change:?}")
    }

    let dispatcher = serve(tools![nested, flat, whole, variant]);
    let nulls = json!({"a": null, "b": null, "c": null, "d": null, "e": null, "plain": null, "nested": null});
    let expected = "Fields { a: Clear, b: Clear, c: Clear, d: Nothing, e: None, plain: None, nested: None }";
    assert_eq!(value(&dispatcher, "nested", json!({"fields": nulls})), expected);
    assert_eq!(value(&dispatcher, "flat", nulls.clone()), expected);
    assert_eq!(value(&dispatcher, "whole", nulls.clone()), expected);
    let absent =
        "Fields { a: Missing, b: Missing, c: Missing, d: Text(\"default\"), e: Some(5), plain: None, nested: None }";
    assert_eq!(value(&dispatcher, "nested", json!({"fields": {}})), absent);
    let mut edit = nulls;
    edit["kind"] = json!("Edit");
    assert_eq!(value(&dispatcher, "variant", json!({"change": edit})), format!("Edit({expected})"));
    let touch = json!({"change": {"kind": "Touch", "times": null}});
    assert_eq!(value(&dispatcher, "variant", touch), "Touch { times: None }");
    for (schema, fields) in [
        (input(&dispatcher, "nested"), property(&dispatcher, "nested", "fields")),
        (input(&dispatcher, "whole"), input(&dispatcher, "whole")),
    ] {
        for (name, property) in fields["properties"].as_object().expect("properties") {
            let expected = !["plain", "nested"].contains(&name.as_str());
            assert_eq!(null_is_valid(&schema, property), expected, "{name}: {property}");
        }
    }
}

/// The fields that may change, as most servers write them.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Changes {
    #[serde(default, deserialize_with = "some")]
    due: Option<Option<String>>,
    #[serde(default, deserialize_with = "some")]
    #[schemars(schema_with = "string_or_null")]
    by: Option<Option<String>>,
    note: Option<String>,
    #[serde(default)]
    limit: u8,
    #[serde(default, deserialize_with = "text_only")]
    tag: Option<String>,
}

/// Reads a text, and no `null`.
fn text_only<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Action {
    Edit(Changes),
    Close { limit: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Either {
    Few {
        #[serde(default)]
        due: u8,
        id: u8,
    },
    Many(Box<Changes>),
}

/// Refuses in words to clear the date.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Changes")]
#[allow(dead_code)]
struct Checked(Changes);

impl TryFrom<Changes> for Checked {
    type Error = &'static str;

    fn try_from(changes: Changes) -> Result<Self, Self::Error> {
        if changes.due == Some(None) { Err("the date cannot be cleared") } else { Ok(Self(changes)) }
    }
}

/// Change.
#[mcp_tool]
async fn checked(changes: Checked) -> String {
    format!("{changes:?}")
}

/// Change.
#[mcp_tool]
async fn nested(changes: Changes) -> String {
    format!("{changes:?}")
}

/// Change.
#[mcp_tool]
async fn listed_changes(changes: Vec<Changes>) -> String {
    format!("{:?}", changes.first())
}

/// Change.
#[mcp_tool]
async fn flat(#[serde(flatten)] changes: Changes) -> String {
    format!("{changes:?}")
}

/// Change.
#[mcp_tool]
async fn whole(#[mcp_tool(arguments)] changes: Changes) -> String {
    format!("{changes:?}")
}

/// Change.
#[mcp_tool]
async fn action(action: Action) -> String {
    format!("{action:?}")
}

/// Change.
#[mcp_tool]
async fn either(either: Either) -> String {
    format!("{either:?}")
}

#[test]
fn i3_null_reaches_a_field_whose_schema_does_not_show_that_it_is_a_value() {
    let dispatcher = serve(tools![nested, listed_changes, flat, whole, action, either, checked]);
    let changes = |due, by| format!("Changes {{ due: {due}, by: {by}, note: None, limit: 0, tag: None }}");
    let (cleared, absent) = (changes("Some(None)", "Some(None)"), changes("None", "None"));
    let nulls = json!({"due": null, "by": null, "note": null, "limit": null, "tag": null});
    for (tool, given, expected) in [
        ("nested", json!({"changes": nulls}), cleared.clone()),
        ("nested", json!({"changes": {}}), absent.clone()),
        ("nested", json!({"changes": {"limit": null, "tag": null, "due": null}}), changes("Some(None)", "None")),
        ("listed_changes", json!({"changes": [nulls]}), format!("Some({cleared})")),
        ("flat", json!({"due": null, "by": null, "limit": null}), cleared.clone()),
        ("flat", json!({}), absent.clone()),
        ("whole", nulls.clone(), cleared.clone()),
        ("whole", json!({"note": null}), absent),
        (
            "action",
            json!({"action": {"kind": "Edit", "due": null, "limit": null}}),
            format!("Edit({})", changes("Some(None)", "None")),
        ),
        ("either", json!({"either": {"by": null}}), format!("Many({})", changes("None", "Some(None)"))),
        ("either", json!({"either": {"id": 1, "due": null}}), "Few { due: 0, id: 1 }".to_owned()),
    ] {
        assert_eq!(value(&dispatcher, tool, given.clone()), expected, "{tool} {given}");
    }
    let refused = crate::run::message(&dispatcher, "checked", json!({"changes": {"due": null}}));
    assert_eq!(refused, "invalid arguments: changes: the date cannot be cleared");
    assert!(call(&dispatcher, "checked", json!({"changes": {"by": null}})).is_success());
    for tool in dispatcher.list() {
        let text = tool.input_schema.to_string();
        assert!(!text.contains("null") && !text.contains("x-mcp-tool"), "{text}");
    }
    // With `lax`, another value is wrong.
    let lax = crate::run::built(crate::run::exact().tools(tools![action, whole]).lax(true));
    let given = json!({"action": {"kind": "Edit", "due": null, "limit": "3"}});
    assert_eq!(
        value(&lax, "action", given),
        "Edit(Changes { due: Some(None), by: None, note: None, limit: 3, tag: None })"
    );
    assert_eq!(
        value(&lax, "whole", json!({"due": null, "by": "null", "limit": "3"})),
        "Changes { due: Some(None), by: Some(Some(\"null\")), note: None, limit: 3, tag: None }"
    );
}

#[test]
fn i3_null_reaches_a_field_behind_adapters_and_in_worker_arguments() {
    let dispatcher = serve(vec![
        Box::new(whole {}.with_name("renamed").with_argument("due", |due| due.with_name("until"))),
        Box::new(whole {}.with_name("defaulted").with_argument("due", |due| due.with_default("monday"))),
        Box::new(whole {}.with_name("hidden").without("limit").with_fixed("by", "ann")),
    ]);
    for (tool, given, expected) in [
        ("renamed", json!({"until": null}), "due: Some(None), by: None"),
        ("renamed", json!({}), "due: None, by: None"),
        ("defaulted", json!({"due": null, "by": null}), "due: Some(Some(\"monday\")), by: Some(None)"),
        ("hidden", json!({"due": null}), "due: Some(None), by: Some(Some(\"ann\"))"),
    ] {
        let text = value(&dispatcher, tool, given.clone());
        assert!(text.as_str().is_some_and(|text| text.contains(expected)), "{tool} {given}: {text}");
    }
    assert!(!json!(dispatcher.list()).to_string().contains("x-mcp-tool"));
}

#[test]
fn t8_a_strict_tool_does_not_use_the_null_of_a_property_for_absence() {
    /// Set a due date.
    #[mcp_tool]
    async fn update(a: Option<Option<String>>, b: Option<String>) -> String {
        format!("{a:?} {b:?}")
    }

    let dispatcher = serve(tools![update]);
    for vendor in [Vendor::OpenAiChat, Vendor::OpenAiResponses] {
        let export = dispatcher.export(vendor);
        let text = serde_json::to_string(&export.tools()).expect("JSON");
        assert!(!text.contains("\"strict\":true"), "{text}");
        let findings = export.findings();
        let found = findings.iter().find(|finding| finding.to_string().contains("without `strict`"));
        assert!(found.is_some_and(|found| found.to_string().contains("`a`")), "{findings:?}");
    }
    assert!(call(&dispatcher, "update", json!({"a": null})).is_success());
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Day {
    Monday,
    Tuesday,
}

/// The fields that may change, with the attribute of this crate.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Cleared {
    /// The date. `null` clears it.
    #[serde(default, with = "Nullable::<String>")]
    due: Option<Option<String>>,
    #[serde(default, with = "Nullable::<Day>", skip_serializing_if = "Option::is_none")]
    day: Option<Option<Day>>,
    #[serde(default, with = "Nullable::<Point>")]
    point: Option<Option<Point>>,
    #[serde(default, with = "Nullable::<Value>")]
    any: Option<Option<Value>>,
    note: Option<String>,
}

/// Its field has no default.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only `Debug` reads it")]
struct Required {
    #[serde(with = "Nullable::<u8>")]
    #[schemars(range(max = 5))]
    due: Option<Option<u8>>,
}

/// Change.
#[mcp_tool(example_call(cleared = json!({"due": null, "day": null, "note": null})))]
async fn clear(
    #[mcp_tool(example = json!({"due": null, "point": null, "note": null}))] cleared: Cleared,
    list: Option<Vec<Cleared>>,
) -> String {
    format!("{cleared:?} {}", list.map_or(0, |list| list.iter().filter(|of| of.due == Some(None)).count()))
}

/// Change.
#[mcp_tool]
async fn clear_all(#[mcp_tool(arguments)] cleared: Cleared) -> String {
    format!("{cleared:?}")
}

/// Change.
#[mcp_tool]
async fn clear_flat(#[serde(flatten)] cleared: Cleared) -> String {
    format!("{cleared:?}")
}

/// Change.
#[mcp_tool]
async fn required(required: Required) -> String {
    format!("{required:?}")
}

/// Change.
#[mcp_tool]
async fn of_a_parameter(#[serde(default, with = "Nullable::<String>")] due: Option<Option<String>>) -> String {
    format!("{due:?}")
}

#[test]
fn t8_null_of_a_nullable_field_is_published_and_arrives() {
    let dispatcher = serve(tools![clear, clear_all, clear_flat, required, of_a_parameter]);
    let nulls = json!({"due": null, "day": null, "point": null, "any": null, "note": null});
    let expected =
        "Cleared { due: Some(None), day: Some(None), point: Some(None), any: Some(None), note: None }".to_owned();
    assert_eq!(value(&dispatcher, "clear", json!({"cleared": nulls, "list": [nulls, {}]})), expected.clone() + " 1");
    let set = json!({"due": "x", "day": "monday", "point": {"x": 1}, "any": 2, "note": "y"});
    let text = value(&dispatcher, "clear", json!({"cleared": set}));
    let set = r#"due: Some(Some("x")), day: Some(Some(Monday)), point: Some(Some(Point { x: 1 })), any: Some(Some(Number(2)))"#;
    assert!(text.as_str().is_some_and(|text| text.contains(set)), "{text}");
    for tool in ["clear_all", "clear_flat"] {
        assert_eq!(value(&dispatcher, tool, nulls.clone()), expected, "{tool}");
        let absent = "Cleared { due: None, day: None, point: None, any: None, note: None }";
        assert_eq!(value(&dispatcher, tool, json!({})), absent, "{tool}");
    }
    let schema = input(&dispatcher, "clear_all");
    for (name, property) in schema["properties"].as_object().expect("properties") {
        assert_eq!(null_is_valid(&schema, property), name != "note", "{name}: {property}");
        assert!(property.get("default").is_none(), "{property}");
    }
    // An example keeps each `null` that is published.
    let schema = input(&dispatcher, "clear");
    assert_eq!(schema["examples"], json!([{"cleared": {"due": null, "day": null}}]));
    assert_eq!(schema["properties"]["cleared"]["examples"], json!([{"due": null, "point": null}]));
    // Without a default, serde requires the field, and so does the schema.
    assert_eq!(value(&dispatcher, "required", json!({"required": {"due": null}})), "Required { due: Some(None) }");
    assert_eq!(
        crate::run::message(&dispatcher, "required", json!({"required": {}})),
        "invalid arguments: required.due: required, but missing"
    );
    assert_eq!(property(&dispatcher, "required", "required")["properties"]["due"]["maximum"], 5);
    // A model of a strict tool would send `null` for what it leaves out.
    let export = dispatcher.export(Vendor::OpenAiResponses);
    let is_strict = |name: &str| export.tools().iter().any(|tool| tool["name"] == name && tool["strict"] == true);
    for (arguments, read) in [(json!({}), "None"), (json!({"due": null}), "Some(None)")] {
        assert_eq!(value(&dispatcher, "of_a_parameter", arguments), read);
    }
    assert!(
        !is_strict("of_a_parameter")
            && !is_strict("clear")
            && !is_strict("clear_all")
            && !is_strict("clear_flat")
            && is_strict("required")
    );
}

#[test]
fn a_nullable_field_is_written_as_it_was_read() {
    for written in [json!({"due": null, "day": null}), json!({"due": "x", "day": "tuesday"}), json!({"due": null})] {
        let read: Cleared = serde_json::from_value(written.clone()).expect("valid");
        let mut again = json!(read);
        again.as_object_mut().expect("an object").retain(|name, _| ["due", "day"].contains(&name.as_str()));
        assert_eq!(again, written);
    }
}
