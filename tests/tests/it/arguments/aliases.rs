//! Serde aliases (rule I3): those of a function's parameters are accepted, those inside the author's types are not
//! resolved.

use std::collections::BTreeMap;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::run::{input, lines, message, serve, value};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    #[serde(alias = "w")]
    width: u8,
    colour: Option<Colour>,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Colour {
    #[serde(alias = "crimson")]
    Red,
    Green,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Open {
    #[serde(alias = "w")]
    #[schemars(range(max = 9))]
    width: Option<u8>,
}

/// Build.
#[mcp_tool]
async fn build(
    #[serde(alias = "h", alias = "tall")]
    #[schemars(range(max = 9))]
    height: u8,
    #[serde(default, alias = "panes")] windows: Vec<Closed>,
    #[serde(alias = "paint")] colour: Option<Colour>,
    #[serde(default)] open: Option<Open>,
) -> Value {
    json!({"height": height, "windows": windows, "colour": colour, "open": open})
}

fn served() -> Dispatcher {
    serve(tools![build])
}

#[test]
fn i3_an_alias_of_a_parameter_is_accepted_and_not_published() {
    let published = input(&served(), "build").to_string();
    for alias in ["\"h\"", "tall", "panes", "paint"] {
        assert!(!published.contains(alias), "{alias}");
    }
    let expected = json!({"height": 2, "windows": [{"width": 1, "colour": "red"}], "colour": "green", "open": null});
    let windows = json!([{"width": 1, "colour": "red"}]);
    for arguments in [
        json!({"h": 2, "panes": windows, "paint": "green"}),
        json!({"paint": "green", "windows": windows, "tall": 2.0}),
    ] {
        assert_eq!(value(&served(), "build", arguments), expected);
    }
}

#[test]
fn i3_the_schema_applies_to_an_argument_under_its_alias() {
    assert_eq!(
        lines(&served(), "build", json!({"tall": 10, "panes": [{}], "paint": "blue"})),
        [
            r#"- colour: expected one of "red", "green", got another string"#,
            "- height: expected 9 or less",
            "- windows[0].width: required, but missing",
        ]
    );
}

#[test]
fn i3_two_names_of_one_parameter_at_once_are_refused() {
    assert_eq!(
        lines(&served(), "build", json!({"paint": "red", "colour": "red", "h": 1, "tall": 2, "windows": 1})),
        [
            "- paint: the same argument as `colour`; give one of them",
            "- tall: the same argument as `height`; give one of them",
            "- windows: expected an array, got an integer",
        ]
    );
    assert_eq!(
        message(&served(), "build", json!({"height": 1, "h": 1, "colour": null})),
        "invalid arguments: h: the same argument as `height`; give one of them"
    );
}

#[test]
fn i3_null_under_an_alias_of_an_optional_parameter_is_absent() {
    let arguments = json!({"height": 1, "panes": null, "paint": null});
    let expected = json!({"height": 1, "windows": [], "colour": null, "open": null});
    assert_eq!(value(&served(), "build", arguments), expected);
}

#[test]
fn i3_an_alias_inside_a_closed_type_is_unknown() {
    /// Take one struct as all the arguments.
    #[mcp_tool]
    async fn whole(#[mcp_tool(arguments)] all: Closed) -> Closed {
        all
    }

    assert_eq!(
        lines(&served(), "build", json!({"height": 1, "windows": [{"w": 1}]})),
        ["- windows[0].w: not known", "- windows[0].width: required, but missing"]
    );
    let arguments = json!({"height": 1, "windows": [{"width": 1, "colour": "crimson"}]});
    assert_eq!(
        message(&served(), "build", arguments),
        r#"invalid arguments: windows[0].colour: expected one of "red", "green", got another string"#
    );
    let dispatcher = serve(tools![whole]);
    assert_eq!(message(&dispatcher, "whole", json!({"width": 1, "w": 1})), "invalid arguments: w: not known");
}

/// An open type admits any other property, and serde decides what it does with one.
#[test]
fn i3_an_alias_inside_an_open_type_is_left_to_the_type() {
    let given = |open: Value| json!({"height": 1, "open": open});
    assert_eq!(value(&served(), "build", given(json!({"w": 3})))["open"], json!({"width": 3}));
    assert_eq!(
        message(&served(), "build", given(json!({"w": 3, "width": 3}))),
        "invalid arguments: open.width: given twice, under two of its names"
    );
}

#[test]
fn i3_an_alias_that_a_flattened_type_publishes_is_no_alias() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Place {
        lat: i8,
    }
    /// Go there.
    #[mcp_tool]
    async fn go(#[serde(alias = "lat")] latitude: Option<i8>, #[serde(flatten)] place: Place) -> Value {
        json!([latitude, place.lat])
    }
    let dispatcher = serve(tools![go]);
    assert_eq!(message(&dispatcher, "go", json!({"latitude": 1})), "invalid arguments: lat: required, but missing");
}

#[test]
fn i4_an_alias_among_many_arguments_is_found() {
    /// Take any numbers.
    #[mcp_tool]
    async fn numbers(
        #[serde(alias = "w")]
        #[schemars(range(max = 9))]
        width: Option<u8>,
        #[serde(flatten)] rest: BTreeMap<String, i64>,
    ) -> Value {
        json!([width, rest.len()])
    }
    let dispatcher = serve(tools![numbers]);
    let mut arguments: Map<String, Value> = (0..20_000).map(|index| (format!("m{index}"), index.into())).collect();
    assert_eq!(value(&dispatcher, "numbers", json!(arguments)), json!([null, 20_000]));
    arguments.insert("w".to_owned(), 3.into());
    assert_eq!(value(&dispatcher, "numbers", json!(arguments)), json!([3, 20_000]));
    arguments.insert("w".to_owned(), 10.into());
    assert_eq!(message(&dispatcher, "numbers", json!(arguments)), "invalid arguments: width: expected 9 or less");
}
