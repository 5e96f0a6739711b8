//! `null` for an optional property means absent, inside unions and inside examples (rule I3).

use mcp_tool_runtime::{Dispatcher, mcp_tool, serde_json::Value, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::{built, exact, input, message, serve, value};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Point {
    x: Option<i32>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Line {
    x: Option<Vec<i32>>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Points(Vec<Point>),
    Lines(Vec<Line>),
    Point(Point),
    Line(Line),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: Option<i32>, inner: Option<Untagged> },
    B,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Mapped {
    Named { note: Option<i32>, id: i32 },
    Nullable { note: Value, id: Option<i32> },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Patch {
    Set { n: Value },
    Other { n: Option<i32>, k: Option<i64> },
}

/// Applies a patch.
#[mcp_tool]
async fn patch(patch: Patch, factor: f64) -> String {
    format!("{patch:?} {factor}")
}

/// Returns all.
#[mcp_tool]
async fn echo(untagged: Option<Untagged>, tagged: Option<Tagged>, mapped: Option<Mapped>) -> Value {
    json!([format!("{untagged:?}"), format!("{tagged:?}"), format!("{mapped:?}")])
}

fn dispatcher() -> Dispatcher {
    serve(tools![echo])
}

#[test]
fn i3_null_for_an_optional_property_is_absent_where_several_branches_fit() {
    let dispatcher = dispatcher();
    for (nulls, absent) in [
        (json!({"untagged": [{"x": null}]}), json!({"untagged": [{}]})),
        (json!({"untagged": {"x": null}}), json!({"untagged": {}})),
        (json!({"untagged": [{"x": [1]}, {"x": null}]}), json!({"untagged": [{"x": [1]}, {}]})),
        (
            json!({"tagged": {"kind": "A", "x": null, "inner": {"x": null}}}),
            json!({"tagged": {"kind": "A", "inner": {}}}),
        ),
        (json!({"tagged": {"kind": "A", "x": null, "inner": null}}), json!({"tagged": {"kind": "A"}})),
    ] {
        assert_eq!(value(&dispatcher, "echo", nulls.clone()), value(&dispatcher, "echo", absent), "{nulls}");
    }
}

#[test]
fn i3_null_stays_a_value_where_another_branch_accepts_it() {
    // Another argument has a `null` that must go, so the document is coerced.
    let sent = json!({"mapped": {"note": null, "id": 1}, "untagged": {"x": null}});
    let returned = value(&dispatcher(), "echo", sent);
    assert_eq!(returned[2], "Some(Named { note: None, id: 1 })");
    let nullable = value(&dispatcher(), "echo", json!({"mapped": {"note": null}, "untagged": {"x": null}}));
    assert_eq!(nullable[2], "Some(Nullable { note: Null, id: None })");
}

#[test]
fn i3_nulls_in_nested_unions_take_linear_time() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Tree {
        Left { next: Option<Box<Tree>>, x: Option<i32> },
        Right { next: Option<Box<Tree>>, x: Option<bool> },
    }

    /// Counts.
    #[mcp_tool]
    async fn count(tree: Tree) -> bool {
        let _ = &tree;
        true
    }

    let nested = |depth: usize| (0..depth).fold(json!({"x": null}), |next, _| json!({"next": next, "x": null}));
    let dispatcher = serve(tools![count]);
    assert_eq!(value(&dispatcher, "count", json!({"tree": nested(8)})), json!(true));
    assert!(message(&dispatcher, "count", json!({"tree": nested(60)})).contains("nested too deep"));
}

/// Has a constant that may be left out.
struct Constant;

impl JsonSchema for Constant {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Constant".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"oneOf": [
            {"type": "object", "properties": {"k": {"const": "a"}, "a": {"type": "integer"}}, "required": ["a"]},
            {"type": "object", "properties": {"k": {"const": "b"}, "b": {"type": "integer"}}, "required": ["b"]},
        ]})
    }
}

impl<'de> Deserialize<'de> for Constant {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        assert!(value.get("k").is_none(), "{value}");
        Ok(Self)
    }
}

/// Takes one.
#[mcp_tool]
async fn constant(value: Constant) -> bool {
    let Constant = value;
    true
}

#[test]
fn i3_null_for_an_optional_constant_is_absent() {
    assert_eq!(value(&serve(tools![constant]), "constant", json!({"value": {"k": null, "b": 1}})), json!(true));
}

/// Has examples with `None`.
#[mcp_tool(example_call(point = Point { x: None }, other = None::<i32>, union = Untagged::Point(Point { x: None })))]
async fn examples(
    #[mcp_tool(example = (Point { x: None }))] point: Point,
    #[mcp_tool(example = None::<i32>, example = Some(3))] other: Option<i32>,
    #[mcp_tool(example = Untagged::Lines(vec![Line { x: None }]))] union: Untagged,
) -> String {
    format!("{point:?} {other:?} {union:?}")
}

#[test]
fn i3_none_in_an_example_is_published_as_absent() {
    let schema = input(&serve(tools![examples]), "examples");
    assert_eq!(schema["examples"], json!([{"point": {}, "union": {}}]));
    assert_eq!(schema["properties"]["point"]["examples"], json!([{}]));
    assert_eq!(schema["properties"]["other"]["examples"], json!([3]));
    assert_eq!(schema["properties"]["union"]["examples"], json!([[{}]]));
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Request {
    Page { limit: u32, cursor: Option<String> },
    Search { text: Option<String> },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Item {
    Product { sku: String, note: Option<String> },
    Shape(Tagged),
    Numbers { values: Vec<f64>, unit: Option<String> },
    Names { values: Vec<String> },
    Big { x: i64, note: Option<String> },
    Small { x: u8 },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Query {
    name: String,
    #[serde(flatten)]
    request: Option<Request>,
}

/// Shows what it gets.
#[mcp_tool]
async fn show(request: Option<Request>, item: Option<Item>, query: Option<Query>) -> String {
    format!("{request:?} {item:?} {query:?}")
}

#[test]
fn i3_a_null_does_not_decide_which_branch_reads_the_value() {
    let dispatcher = serve(tools![patch, show]);
    for factor in [json!(2), json!(2.0)] {
        let arguments = json!({"patch": {"n": null, "k": 1}, "factor": factor});
        assert_eq!(value(&dispatcher, "patch", arguments), json!("Set { n: Null } 2"), "{factor}");
    }
    for (arguments, expected) in [
        (json!({"request": {"limit": 10.0, "cursor": null}}), "Some(Page { limit: 10, cursor: None }) None None"),
        (json!({"item": {"sku": "x", "note": null}}), r#"None Some(Product { sku: "x", note: None }) None"#),
        (json!({"item": {"values": [1.5], "unit": null}}), "None Some(Numbers { values: [1.5], unit: None }) None"),
        (json!({"item": {"x": 1000, "note": null}}), "None Some(Big { x: 1000, note: None }) None"),
        (
            json!({"query": {"name": "a", "limit": 3.0, "cursor": null}}),
            r#"None None Some(Query { name: "a", request: Some(Page { limit: 3, cursor: None }) })"#,
        ),
    ] {
        assert_eq!(value(&dispatcher, "show", arguments.clone()), json!(expected), "{arguments}");
    }
}

/// Applies patches.
#[mcp_tool]
async fn patch_all(patches: Vec<Patch>, points: Option<Vec<Point>>, factor: Option<f64>) -> String {
    format!("{patches:?} {points:?} {factor:?}")
}

#[test]
fn i3_a_null_that_the_schema_accepts_stays_beside_a_value_that_it_refuses() {
    let dispatcher = built(exact().lax(true).tools(tools![patch_all]));
    for (arguments, expected) in [
        (json!({"patches": [{"n": null, "k": 1}]}), "[Set { n: Null }] None None"),
        (json!({"patches": [{"n": null, "k": 1}], "factor": "2"}), "[Set { n: Null }] None Some(2.0)"),
        (
            json!({"patches": [{"n": null, "k": 1}], "points": [{"x": null}]}),
            "[Set { n: Null }] Some([Point { x: None }]) None",
        ),
    ] {
        assert_eq!(value(&dispatcher, "patch_all", arguments.clone()), json!(expected), "{arguments}");
    }
}

/// Applies a patch to shapes.
#[mcp_tool]
async fn patch_shapes(patch: Patch, shapes: Vec<Tagged>) -> String {
    format!("{patch:?} {}", shapes.len())
}

#[test]
fn i3_a_null_that_the_schema_accepts_stays_beside_many_values_that_it_refuses() {
    // More than the violations that are searched for at once.
    let shapes = vec![json!({"kind": "A", "x": null}); 80];
    let arguments = json!({"patch": {"n": null, "k": 1}, "shapes": shapes});
    let dispatcher = built(exact().tools(tools![patch_shapes]));
    assert_eq!(value(&dispatcher, "patch_shapes", arguments), json!("Set { n: Null } 80"));
}

#[test]
fn i3_another_mistake_makes_no_violation_of_a_value_that_is_valid_as_it_was_sent() {
    let sent = json!({"n": null, "k": "1"});
    for lax in [false, true] {
        let dispatcher = built(exact().lax(lax).tools(tools![patch, patch_all, patch_shapes]));
        let shown = value(&dispatcher, "patch_all", json!({"patches": [sent]}));
        assert_eq!(shown, json!("[Set { n: Null }] None None"));
        for (tool, arguments, mistake) in [
            ("patch_all", json!({"patches": [sent], "factor": "x"}), "factor: expected a number, got a string"),
            ("patch", json!({"patch": sent}), "factor: required, but missing"),
            // More values than are coerced one by one. A null that remains would be a violation.
            (
                "patch_shapes",
                json!({"patch": {"n": 1}, "shapes": vec![json!({"kind": "A", "x": null}); 140], "other": 1}),
                "other: not known",
            ),
        ] {
            let refused = message(&dispatcher, tool, arguments);
            assert_eq!(refused, format!("invalid arguments: {mistake}"), "{tool}");
        }
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Values {
    Numbers { values: Vec<f64>, unit: Option<String>, precision: Option<u8> },
    Names { values: Vec<String> },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Flag {
    Text { flag: String, b: Option<i64>, c: Option<i64> },
    Bool { flag: bool },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Short {
    A {
        a: i64,
        b: Option<i64>,
        #[serde(default)]
        c: i64,
    },
    B {
        a: i64,
        b: Option<i64>,
    },
}

/// Shows what it gets.
#[mcp_tool]
async fn several(values: Option<Values>, flag: Option<Flag>, short: Option<Short>) -> String {
    format!("{values:?} {flag:?} {short:?}")
}

#[test]
fn i3_all_nulls_of_a_union_are_absent_together() {
    let dispatcher = built(exact().tools(tools![several]));
    for (arguments, expected) in [
        (
            json!({"values": {"values": [1.5], "unit": null, "precision": null}}),
            "Some(Numbers { values: [1.5], unit: None, precision: None }) None None",
        ),
        (
            json!({"flag": {"flag": "yes", "b": null, "c": null}}),
            r#"None Some(Text { flag: "yes", b: None, c: None }) None"#,
        ),
        (json!({"short": {"a": 1, "b": null, "c": null}}), "None None Some(A { a: 1, b: None, c: 0 })"),
    ] {
        assert_eq!(value(&dispatcher, "several", arguments.clone()), json!(expected), "{arguments}");
    }
}
