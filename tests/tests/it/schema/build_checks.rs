//! What `build()` accepts in a schema: references, patterns, headers and bounds.

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{exact, faults, giving, input, output, property, serve, taking, value};

/// A point.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Point {
    /// To the right.
    x: i64,
    y: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    label: String,
    #[serde(default)]
    children: Vec<Tree>,
}

fn assert_single_error(errors: &[String], parts: &[&str]) {
    assert!(matches!(errors, [only] if parts.iter().all(|part| only.contains(part))), "{errors:?}");
}

#[test]
fn t3_a_reference_is_inlined_and_the_description_of_the_parameter_wins() {
    /// Draw.
    #[mcp_tool]
    async fn draw(
        /// Where to start.
        from: Point,
        to: Point,
    ) -> Point {
        Point { x: to.x - from.x, y: to.y - from.y }
    }

    let dispatcher = serve(tools![draw]);
    for schema in [input(&dispatcher, "draw"), output(&dispatcher, "draw")] {
        assert!(!schema.to_string().contains("$ref") && !schema.to_string().contains("$defs"), "{schema}");
    }
    assert_eq!(property(&dispatcher, "draw", "from")["description"], "Where to start.");
    assert_eq!(property(&dispatcher, "draw", "to")["description"], "A point.");
    assert_eq!(property(&dispatcher, "draw", "from")["properties"]["x"]["description"], "To the right.");
}

#[test]
fn t3_definitions_of_an_embedded_schema_move_to_the_root() {
    fn tree(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        #[derive(JsonSchema)]
        #[allow(dead_code, reason = "only its schema is used")]
        struct Holder {
            tree: Tree,
        }
        schemars::schema_for!(Holder)
    }

    #[derive(Deserialize, JsonSchema)]
    struct Plan {
        #[schemars(schema_with = "tree")]
        embedded: Value,
    }

    /// Plan.
    #[mcp_tool]
    async fn plan(plan: Plan) -> Value {
        plan.embedded
    }

    let dispatcher = serve(tools![plan]);
    let schema = input(&dispatcher, "plan");
    assert!(schema["$defs"]["Tree"].is_object(), "{schema}");
    let sent = json!({"tree": {"label": "a", "children": [{"label": "b"}]}});
    assert_eq!(value(&dispatcher, "plan", json!({"plan": {"embedded": sent}})), sent);
    assert!(!crate::run::call(&dispatcher, "plan", json!({"plan": {"embedded": {"tree": {}}}})).is_success());
}

/// Two modules with types of the same names. Only the innermost types differ.
macro_rules! holders {
    ($($module:ident $field:ident)*) => {$(
        mod $module {
            use schemars::JsonSchema;
            use serde::{Deserialize, Serialize};

            #[derive(Serialize, Deserialize, JsonSchema)]
            pub(super) struct Inner {
                $field: i64,
            }

            #[derive(Serialize, Deserialize, JsonSchema)]
            pub(super) struct Outer {
                inner: Inner,
                more: Vec<Outer>,
            }

            #[derive(Serialize, Deserialize, JsonSchema)]
            pub(super) struct Holder {
                outer: Outer,
                inners: Vec<Inner>,
            }

            pub(super) fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::schema_for!(Holder)
            }
        }
    )*};
}

holders! { with_x x with_y y }

#[test]
fn t3_different_definitions_of_one_name_are_kept_apart() {
    /// Hold both.
    #[mcp_tool]
    async fn hold(
        #[schemars(schema_with = "with_x::schema")] p: with_x::Holder,
        #[schemars(schema_with = "with_y::schema")] q: with_y::Holder,
    ) -> Value {
        json!({ "p": p, "q": q })
    }

    let dispatcher = serve(tools![hold]);
    let holder = |name: &str| {
        let inner = json!({ name: 1 });
        let outer = json!({ "inner": inner, "more": [{ "inner": inner, "more": [] }] });
        json!({ "outer": outer, "inners": [inner] })
    };
    let sent = json!({ "p": holder("x"), "q": holder("y") });
    assert_eq!(value(&dispatcher, "hold", sent.clone()), sent);
    let crossed = json!({ "p": holder("y"), "q": holder("x") });
    assert!(!crate::run::call(&dispatcher, "hold", crossed).is_success());
}

#[test]
fn t3_a_recursive_type_is_a_local_reference() {
    /// Takes a recursive argument.
    #[mcp_tool]
    async fn count(tree: Tree) -> usize {
        tree.children.len()
    }

    /// Takes a recursive type as all arguments, and returns it.
    #[mcp_tool]
    async fn prune(#[mcp_tool(arguments)] tree: Tree) -> Tree {
        Tree { children: Vec::new(), ..tree }
    }

    let dispatcher = serve(tools![count, prune]);
    for schema in [input(&dispatcher, "count"), input(&dispatcher, "prune"), output(&dispatcher, "prune")] {
        let text = schema.to_string();
        assert!(!text.contains(r##""$ref":"#""##), "{text}");
        let references: Vec<_> = text.split(r#""$ref":""#).skip(1).collect();
        assert!(!references.is_empty(), "{text}");
        for reference in references {
            assert!(reference.starts_with("#/$defs/Tree\""), "{text}");
        }
        assert_eq!(schema["type"], "object");
    }
    let tree = json!({"label": "a", "children": [{"label": "b", "children": []}]});
    assert_eq!(value(&dispatcher, "prune", tree.clone()), json!({"label": "a", "children": []}));
    assert_eq!(value(&dispatcher, "count", json!({"tree": tree})), json!(1));
}

#[test]
fn t3_a_definition_that_would_double_the_schema_is_not_inlined() {
    /// An address whose description is long enough to share one definition among all parameters that have this type.
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Address {
        /// The street with the number of the house.
        street: String,
        /// The town in which the street is.
        town: String,
        /// The country in which the town is.
        country: String,
    }

    /// Ship.
    #[mcp_tool]
    async fn ship(from: Address, to: Address, bill: Address, home: Address, work: Address, spare: Address) -> bool {
        [from, to, bill, home, work, spare].iter().all(|address| address.town.is_empty())
    }

    let schema = input(&serve(tools![ship]), "ship");
    assert_eq!(schema["$defs"].as_object().map(serde_json::Map::len), Some(1), "{schema}");
    assert_eq!(schema["properties"]["spare"]["$ref"], "#/$defs/Address");
}

#[test]
fn t3_an_unused_definition_is_removed() {
    /// An optional text whose description is long enough to share one definition among all parameters. Since optional
    /// parameters are published without `null`, each gets a copy in the end, and the definition is unused.
    #[derive(Default, Deserialize, JsonSchema)]
    struct Maybe(Option<String>);

    /// Take four.
    #[mcp_tool]
    async fn take(
        #[serde(default)] north: Maybe,
        #[serde(default)] south: Maybe,
        #[serde(default)] east: Maybe,
        #[serde(default)] west: Maybe,
    ) -> bool {
        [north, south, east, west].iter().all(|Maybe(text)| text.is_none())
    }

    let schema = input(&serve(tools![take]), "take");
    assert!(schema.get("$defs").is_none(), "{schema}");
    assert_eq!(schema["properties"]["west"]["type"], "string");
}

#[test]
fn t3_remote_and_dangling_references_are_refused() {
    let remote = json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}});
    assert_single_error(&faults(exact().tool(taking("remote", remote.clone()))), &["`remote`", "`a`", "never fetched"]);
    assert_single_error(&faults(exact().tool(giving("remote", remote))), &["output schema", "`a`"]);
    let dangling = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}});
    assert_single_error(&faults(exact().tool(taking("dangling", dangling))), &["`a`", "not in this schema"]);
}

#[test]
fn t6_a_pattern_that_ecmascript_does_not_support_is_refused() {
    /// Look it up.
    #[mcp_tool]
    async fn lookup(
        #[schemars(regex(pattern = r"(?i)^[a-z]+$"))] code: String,
        #[schemars(regex(pattern = r"^[a-z]{2,4}$"))] fine: String,
    ) -> String {
        code + &fine
    }

    assert_single_error(&faults(Dispatcher::builder().tools(tools![lookup])), &["`lookup`", "`code`", "inline flag"]);
    for pattern in [r"\Aabc", r"[[:alpha:]]", r"(?=a)", r"\p{", "(", r"a\z"] {
        let schema = json!({"type": "object", "properties": {"p": {"type": "string", "pattern": pattern}}});
        assert_single_error(&faults(exact().tool(taking("p", schema))), &["`p`: the pattern"]);
    }
}

#[test]
fn t6_a_portable_pattern_is_published_and_enforced() {
    /// Look it up.
    #[mcp_tool]
    async fn lookup(#[schemars(regex(pattern = r"^[A-Z]{3}-\d+$"))] code: String) -> String {
        code
    }

    let dispatcher = serve(tools![lookup]);
    assert_eq!(property(&dispatcher, "lookup", "code")["pattern"], r"^[A-Z]{3}-\d+$");
    assert_eq!(value(&dispatcher, "lookup", json!({"code": "ABC-17"})), json!("ABC-17"));
    assert_eq!(
        crate::run::message(&dispatcher, "lookup", json!({"code": "abc-17"})),
        r"invalid arguments: code: expected a string that matches ^[A-Z]{3}-\d+$"
    );
}

fn with_header(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

#[test]
fn t14_a_header_on_an_argument_or_nested_field_is_published() {
    let schema = json!({"type": "object", "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "nested": {"type": "object", "properties": {"count": {"type": "integer", "x-mcp-header": "Count"}}},
        "force": {"type": "boolean", "x-mcp-header": "Force"}
    }});
    let dispatcher = crate::run::built(exact().tool(taking("headed", schema.clone())));
    assert_eq!(input(&dispatcher, "headed"), schema);
}

#[test]
fn t14_an_invalid_or_misplaced_header_is_refused() {
    for (schema, text) in [
        (json!({"type": "number", "x-mcp-header": "A"}), "`string`, `integer` or `boolean`"),
        (json!({"type": ["string", "null"], "x-mcp-header": "A"}), "`string`, `integer` or `boolean`"),
        (json!({"type": "string", "x-mcp-header": "My Region"}), "must be a header name"),
        (json!({"type": "string", "x-mcp-header": ""}), "must be a header name"),
        (json!({"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}), "`properties` alone"),
        (json!({"anyOf": [{"type": "string", "x-mcp-header": "A"}]}), "`properties` alone"),
    ] {
        assert_single_error(
            &faults(exact().tool(taking("headed", with_header(&schema)))),
            &["`headed`", "x-mcp-header", text],
        );
    }
    let twice = json!({"type": "object", "properties": {
        "a": {"type": "string", "x-mcp-header": "Region"}, "b": {"type": "string", "x-mcp-header": "REGION"}
    }});
    assert_single_error(&faults(exact().tool(taking("headed", twice))), &["`b`", "`a`", "ignore case"]);
}

fn nested(levels: usize) -> Value {
    (1..levels).fold(json!({"type": "object"}), |schema, _| {
        let mut outer = json!({"type": "object", "properties": {"a": null}});
        outer["properties"]["a"] = schema;
        outer
    })
}

#[test]
fn t16_a_schema_is_at_most_64_levels_deep() {
    assert!(exact().tool(taking("deep", nested(64))).tool(giving("deeper", nested(64))).build().is_ok());
    for levels in [65, 200] {
        assert_single_error(
            &faults(exact().tool(taking("deep", nested(levels)))),
            &["`deep`", "input schema", "64 nested levels"],
        );
        assert_single_error(
            &faults(exact().tool(giving("deep", nested(levels)))),
            &["`deep`", "output schema", "64 nested levels"],
        );
    }
}

#[test]
fn t16_a_schema_has_at_most_10_000_subschemas() {
    let wide = |properties: usize| {
        let properties: serde_json::Map<_, _> = (0..properties).map(|i| (format!("p{i}"), json!({}))).collect();
        json!({"type": "object", "properties": properties})
    };
    assert!(exact().tool(taking("wide", wide(9_999))).build().is_ok());
    assert_single_error(&faults(exact().tool(taking("wide", wide(10_000)))), &["`wide`", "10000 subschemas"]);
}

#[test]
fn t16_an_invalid_schema_is_refused() {
    for schema in [
        json!({"type": "object", "properties": {"a": {"type": "strin"}}}),
        json!({"type": "object", "properties": {"a": {"minLength": -1}}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "string"}),
        json!("object"),
        Value::Null,
    ] {
        let found = faults(exact().tool(taking("invalid", schema.clone())));
        assert!(found.iter().all(|error| error.starts_with("tool `invalid`: input schema: ")), "{schema}: {found:?}");
    }
}
