//! Names that serde takes beside the published ones (rule I3), wherever they stand.

use std::collections::BTreeMap;

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::run::{input, lines, message, serve, value};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Window {
    #[serde(alias = "w")]
    width: u8,
    #[serde(alias = "h", alias = "tall")]
    #[schemars(range(max = 9))]
    height: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct House {
    #[serde(default, alias = "panes")]
    windows: Vec<Window>,
    #[serde(alias = "paint")]
    colour: Colour,
    next: Option<Box<House>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Colour {
    #[serde(alias = "crimson")]
    Red,
    Green,
}

/// Build.
#[mcp_tool]
async fn build(#[mcp_tool(arguments)] house: House) -> House {
    house
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Part {
    Open {
        #[serde(alias = "w")]
        #[schemars(range(max = 9))]
        width: Option<u8>,
        #[serde(flatten)]
        rest: BTreeMap<String, i64>,
    },
    #[serde(alias = "Pane")]
    Held(Window),
}

/// Fit.
#[mcp_tool]
async fn fit(parts: Vec<Part>) -> Vec<Part> {
    parts
}

#[test]
fn i3_an_alias_is_accepted_wherever_it_stands() {
    let dispatcher = serve(tools![build, fit]);
    let published = input(&dispatcher, "build").to_string() + &input(&dispatcher, "fit").to_string();
    for alias in ["\"w\"", "tall", "panes", "paint", "crimson", "Pane"] {
        assert!(!published.contains(alias), "{alias}");
    }
    assert_eq!(
        value(
            &dispatcher,
            "build",
            json!({"panes": [{"w": 1, "tall": 2}], "paint": "crimson", "next": {"paint": "green", "panes": [{"w": 3}]}})
        ),
        json!({
            "windows": [{"width": 1, "height": 2}],
            "colour": "red",
            "next": {"windows": [{"width": 3, "height": null}], "colour": "green", "next": null}
        })
    );
    assert_eq!(
        value(
            &dispatcher,
            "fit",
            json!({"parts": [{"kind": "Open", "w": 3, "x": 1}, {"h": 1, "w": 2.0, "kind": "Pane"}]})
        ),
        json!([{"kind": "Open", "width": 3, "x": 1}, {"kind": "Held", "width": 2, "height": 1}])
    );
}

#[test]
fn i3_an_alias_is_bound_by_what_the_schema_says_of_the_member() {
    let dispatcher = serve(tools![build, fit]);
    assert_eq!(
        lines(
            &dispatcher,
            "build",
            json!({"colour": "red", "windows": [{"w": 1, "h": 10}, {"width": -1, "tall": true}]})
        ),
        [
            "- windows[0].height: expected 9 or less",
            "- windows[1].height: expected an integer, got a boolean",
            "- windows[1].width: expected 0 or more",
        ]
    );
    for part in [json!({"kind": "Open", "w": 10}), json!({"kind": "Open", "a": 1, "w": 10.0, "z": 1})] {
        assert_eq!(
            message(&dispatcher, "fit", json!({"parts": [{"kind": "Pane", "w": 1}, part]})),
            "invalid arguments: parts[1].width: expected 9 or less"
        );
    }
}

#[test]
fn i3_both_names_at_once_are_a_fault() {
    let dispatcher = serve(tools![build, fit]);
    assert_eq!(
        lines(
            &dispatcher,
            "build",
            json!({"paint": "red", "colour": "red", "windows": [{"width": 1, "w": 1, "h": 2, "tall": 2}]})
        ),
        [
            "- paint: the same argument as `colour`; give one of them",
            "- windows[0].tall: the same argument as `height`; give one of them",
            "- windows[0].w: the same argument as `width`; give one of them",
        ]
    );
    assert_eq!(
        message(&dispatcher, "fit", json!({"parts": [{"kind": "Open", "width": 1, "w": 1}]})),
        "invalid arguments: parts[0].width: given twice, under two of its names"
    );
}

#[test]
fn i4_members_that_nobody_knows_cost_bounded_time() {
    let dispatcher = serve(tools![fit]);
    let mut part: Map<String, Value> = (0..20_000).map(|index| (format!("m{index}"), index.into())).collect();
    part.insert("kind".to_owned(), "Open".into());
    assert_eq!(value(&dispatcher, "fit", json!({"parts": [part]}))[0]["m7"], 7);
    part.insert("w".to_owned(), 10.into());
    let refused = message(&dispatcher, "fit", json!({"parts": [part]}));
    assert_eq!(refused, "invalid arguments: parts[0].width: expected 9 or less");
    // Where there would be too much to ask, it is not let through unasked.
    let parts: Vec<_> = (0..40).map(|_| json!({"kind": "Open", "w": 10, "x": 1})).collect();
    assert_eq!(
        message(&dispatcher, "fit", json!({"parts": parts})),
        "invalid arguments: expected fewer members that are not known"
    );
}

#[test]
fn i3_a_null_under_another_name_hides_no_other_names() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Size {
        #[serde(alias = "w")]
        width: u8,
    }
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Pair {
        #[serde(default, alias = "inside")]
        inner: Vec<u8>,
        pair: (u8, Size),
    }
    /// Give back a pair.
    #[mcp_tool]
    async fn paired(value: Pair) -> Pair {
        value
    }
    let dispatcher = serve(tools![paired]);
    let given = json!({"value": {"inside": null, "pair": [1, {"w": 3}]}});
    assert_eq!(value(&dispatcher, "paired", given), json!({"inner": [], "pair": [1, {"width": 3}]}));
}
