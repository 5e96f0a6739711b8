//! Keys of functions and parameters that add to a definition, and the places where a tool can be defined.

use std::borrow::Cow;

use mcp_tool_runtime::{CallContext, CallToolRequest, ToolHandler, mcp_tool, tools};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{self, LATEST, LEGACY, built, exact, input, lines, listed, message, property, send, serve, value};

#[test]
fn icons_may_repeat_and_sizes_are_split_at_blanks() {
    /// With icons.
    #[mcp_tool(
        icon(src = "https://example.com/a.png", mime_type = "image/png", sizes = "48x48  96x96", theme = "dark"),
        icon(src = "data:image/svg+xml;base64,PHN2Zy8+")
    )]
    async fn shown() {}

    let dispatcher = serve(tools![shown]);
    let icons = json!([
        {"src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["48x48", "96x96"], "theme": "dark"},
        {"src": "data:image/svg+xml;base64,PHN2Zy8+"}
    ]);
    for version in [LEGACY[1], LATEST] {
        assert_eq!(listed(&dispatcher, "shown", version)["icons"], icons, "{version}");
    }
    assert!(listed(&dispatcher, "shown", LEGACY[0]).get("icons").is_none());
}

#[test]
fn meta_accepts_values_of_every_kind() {
    const OWNER: &str = "team-7";

    /// With metadata.
    #[mcp_tool(
        meta("com.example/owner" = OWNER),
        meta("com.example/since" = 2_026),
        meta("plain" = json!({"a": [true, null]}))
    )]
    async fn marked() {}

    let dispatcher = serve(tools![marked]);
    for version in [LEGACY[0], LEGACY[1], LATEST] {
        assert_eq!(
            listed(&dispatcher, "marked", version)["_meta"],
            json!({"com.example/owner": "team-7", "com.example/since": 2026, "plain": {"a": [true, null]}})
        );
    }
}

#[test]
fn a_deprecation_without_a_note_is_published() {
    /// Say goodbye.
    #[deprecated]
    #[mcp_tool]
    async fn bare() {}

    /// Not this.
    #[mcp_tool(description = "Wave.")]
    #[deprecated = "say hello"]
    async fn short() {}

    let dispatcher = serve(tools![bare, short]);
    let texts: Vec<_> = dispatcher.list().iter().filter_map(|tool| tool.description.as_deref()).collect();
    assert_eq!(texts, ["[DEPRECATED] Say goodbye.", "[DEPRECATED: say hello] Wave."]);
}

#[test]
fn a_description_can_come_from_a_file_and_from_doc_attributes() {
    #[mcp_tool(description = include_str!("../../../ui/pass/description.txt"))]
    async fn read() {}

    #[doc = "From an"]
    #[doc = concat!("attri", "bute.")]
    #[mcp_tool]
    async fn doc() {}

    let dispatcher = serve(tools![read, doc]);
    let text = include_str!("../../../ui/pass/description.txt").trim();
    assert_eq!(dispatcher.list()[0].description.as_deref(), Some(text));
    let text = dispatcher.list()[1].description.as_deref();
    assert_eq!(text.map(|text| text.replace('\n', " ")).as_deref(), Some("From an attribute."));
}

#[test]
fn allow_unknown_ignores_unknown_arguments() {
    /// Forgive.
    #[mcp_tool(allow_unknown)]
    async fn forgive(a: u8) -> u8 {
        a
    }

    let dispatcher = serve(tools![forgive]);
    assert_ne!(input(&dispatcher, "forgive")["additionalProperties"], json!(false));
    assert_eq!(value(&dispatcher, "forgive", json!({"a": 1, "b": 2})), json!(1));
    assert_eq!(message(&dispatcher, "forgive", json!({"b": 2})), "invalid arguments: a: required, but missing");
}

fn schema_by_hand() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "title": "Kept",
        "properties": {"n": {"type": "integer", "multipleOf": 2}}
    })
}

#[test]
fn t15_hand_written_schemas_are_published_unchanged_and_enforced() {
    const NUMBER: &str = r#"{"title": "Kept too", "type": "object", "properties": {"half": {"maximum": 5}}}"#;

    /// Halve.
    #[mcp_tool(input_schema = schema_by_hand, output_schema = NUMBER)]
    async fn halve(n: Option<u32>) -> Value {
        json!({"half": n.map(|n| n / 2)})
    }

    let dispatcher = serve(tools![halve]);
    assert_eq!(input(&dispatcher, "halve").to_string(), schema_by_hand().to_string());
    assert_eq!(run::output(&dispatcher, "halve"), serde_json::from_str::<Value>(NUMBER).expect("JSON"));
    assert_eq!(value(&dispatcher, "halve", json!({"n": 8})), json!({"half": 4}));
    assert!(message(&dispatcher, "halve", json!({"n": 7})).starts_with("invalid arguments: n: "));
    let text = message(&dispatcher, "halve", json!({"n": 14}));
    assert!(text.starts_with("tool `halve` produced an invalid result: `half`: "), "{text}");
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

/// Read, and never written.
#[derive(Clone, Deserialize, schemars::JsonSchema)]
struct Secret(u8);

#[test]
fn a_default_is_published_and_used_for_an_absent_argument() {
    /// Defaults of every kind.
    #[mcp_tool]
    #[expect(clippy::too_many_arguments, reason = "one of each kind")]
    async fn defaults(
        #[mcp_tool(default = 10)] count: u16,
        #[mcp_tool(default = "Paris")] city: String,
        #[mcp_tool(default = "text")] borrowed: &str,
        #[mcp_tool(default = Units::Fahrenheit)] units: Units,
        #[mcp_tool(default = vec![1, 2])] list: &[u8],
        #[mcp_tool(default = 3)] maybe: Option<u8>,
        #[mcp_tool(default = "c")] cow: Cow<'static, str>,
        #[mcp_tool(default = Secret(7))] secret: Secret,
        #[mcp_tool(default = u64::from(count_of()) + 1)] sum: u64,
    ) -> Value {
        json!([count, city, borrowed, units, list, maybe, cow, secret.0, sum])
    }

    fn count_of() -> u8 {
        8
    }

    let dispatcher = serve(tools![defaults]);
    assert!(input(&dispatcher, "defaults").get("required").is_none());
    let published = |name| property(&dispatcher, "defaults", name).get("default").cloned();
    for (name, default) in [
        ("count", json!(10)),
        ("city", json!("Paris")),
        ("borrowed", json!("text")),
        ("units", json!("fahrenheit")),
        ("list", json!([1, 2])),
        ("maybe", json!(3)),
        ("cow", json!("c")),
        ("sum", json!(9)),
    ] {
        assert_eq!(published(name), Some(default), "{name}");
    }
    assert_eq!(published("secret"), None, "it cannot be written");
    let all = json!([10, "Paris", "text", "fahrenheit", [1, 2], 3, "c", 7, 9]);
    assert_eq!(value(&dispatcher, "defaults", json!({})), all);
    let nulls = json!({"count": null, "city": null, "borrowed": null, "units": null, "list": null, "secret": null});
    assert_eq!(value(&dispatcher, "defaults", nulls), all);
    let given = json!({"count": 1, "city": "", "units": "celsius", "list": [], "maybe": 4, "secret": 1, "sum": 0});
    assert_eq!(value(&dispatcher, "defaults", given), json!([1, "", "text", "celsius", [], 4, "c", 1, 0]));
    assert_eq!(
        lines(&dispatcher, "defaults", json!({"count": -1, "city": 5})),
        ["- city: expected a string, got an integer", "- count: expected 0 or more"]
    );
}

#[test]
fn examples_are_published() {
    /// With examples.
    #[mcp_tool]
    async fn shown(
        /// Where.
        #[mcp_tool(example = "Paris", example = "90210")]
        place: String,
        #[mcp_tool(example = 3)] days: Option<u8>,
        #[mcp_tool(example = Units::Celsius, default = Units::Fahrenheit)] units: Units,
    ) -> Value {
        json!([place, days, units])
    }

    let dispatcher = serve(tools![shown]);
    assert_eq!(property(&dispatcher, "shown", "place")["examples"], json!(["Paris", "90210"]));
    assert_eq!(property(&dispatcher, "shown", "place")["description"], "Where.");
    assert_eq!(property(&dispatcher, "shown", "days")["examples"], json!([3]));
    assert_eq!(property(&dispatcher, "shown", "units")["examples"], json!(["celsius"]));
    assert_eq!(property(&dispatcher, "shown", "units")["default"], "fahrenheit");
}

#[test]
fn t14_a_header_is_published() {
    /// Run a query in a region.
    #[mcp_tool]
    async fn query(
        #[mcp_tool(header = "Region")] region: &str,
        #[mcp_tool(header = "Dry-Run", default = true)] dry: bool,
        #[mcp_tool(header = "Rows")] rows: Option<u32>,
    ) -> Value {
        json!([region, dry, rows])
    }

    let dispatcher = serve(tools![query]);
    for (name, header) in [("region", "Region"), ("dry", "Dry-Run"), ("rows", "Rows")] {
        assert_eq!(property(&dispatcher, "query", name)["x-mcp-header"], header);
    }
    assert_eq!(value(&dispatcher, "query", json!({"region": "eu"})), json!(["eu", true, null]));
}

#[test]
fn the_context_describes_the_call() {
    /// Tell.
    #[mcp_tool(name = "tell-me")]
    async fn tell(#[mcp_tool(context)] cx: &CallContext) -> Value {
        let number = cx.extensions().get::<u8>();
        json!([cx.call_id().as_str(), cx.tool_name(), cx.meta(), number, cx.protocol_version().to_string()])
    }

    let dispatcher = serve(tools![tell]);
    assert_eq!(input(&dispatcher, "tell-me")["properties"], json!({}));
    let meta = json!({"com.example/a": 1});
    let request = CallToolRequest::new("tell-me", json!({})).with_meta(meta.as_object().cloned().unwrap_or_default());
    let request = request.with_extension(7_u8).with_call_id("mine").with_protocol_version(LEGACY[1]);
    assert_eq!(run::otc(&send(&dispatcher, request))["value"], json!(["mine", "tell-me", meta, 7, "2025-11-25"]));
}

macro_rules! constant {
    ($name:ident, $text:literal, $value:expr, $of:ty) => {
        #[doc = $text]
        #[mcp_tool]
        async fn $name(#[mcp_tool(default = $value)] or: $of) -> $of {
            or
        }
    };
}

#[test]
fn tools_can_be_defined_by_macros_in_functions_and_with_raw_identifiers() {
    constant!(seven, "Seven.", 7, u8);
    constant!(r#loop, "Round.", "round".to_owned(), String);

    /// Raw.
    #[mcp_tool]
    async fn r#type(r#in: u8) -> u8 {
        r#in
    }

    let dispatcher = serve(tools![seven, r#loop, r#type]);
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["seven", "loop", "type"]);
    assert_eq!(dispatcher.list()[1].description.as_deref(), Some("Round."));
    assert_eq!(value(&dispatcher, "seven", json!({})), json!(7));
    assert_eq!(value(&dispatcher, "loop", json!({"or": "x"})), json!("x"));
    assert_eq!(value(&dispatcher, "type", json!({"in": 3})), json!(3));
}

#[test]
fn tools_can_be_added_one_by_one_as_lists_and_boxed() {
    /// One.
    #[mcp_tool]
    async fn one() {}

    /// Two.
    #[mcp_tool]
    async fn two() {}

    /// Three.
    #[mcp_tool]
    async fn three() {}

    let boxed: Box<dyn ToolHandler> = Box::new(two {});
    let dispatcher = built(exact().tool(one {}).tool(boxed).tools(tools![three]));
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "three"]);
}

/// Tools with the names of crates that the module uses.
mod named_like_crates {
    use ::uuid::Uuid;
    use fastrand::Rng;
    use mcp_tool_runtime::mcp_tool;

    /// Create an id. `use ::uuid` names the crate, because `uuid` alone is the tool as well.
    #[mcp_tool]
    pub(super) async fn uuid() -> Uuid {
        Uuid::nil()
    }

    /// Draw a number. Its handle has another name, so `use fastrand` names the crate.
    #[mcp_tool(handler = FastRand)]
    pub(super) async fn fastrand(seed: u64) -> u8 {
        Rng::with_seed(seed).u8(..1)
    }
}

#[test]
fn a_tool_can_have_the_name_of_a_crate_that_its_module_uses() {
    let dispatcher = serve(tools![named_like_crates::uuid, named_like_crates::FastRand]);
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["uuid", "fastrand"]);
}

#[test]
fn hints_for_clients_are_in_the_metadata_of_a_definition() {
    /// Refund an order.
    #[mcp_tool(always_load, search_hint = "refund chargeback", budget = 30_001)]
    async fn refund() {}

    /// Search the orders.
    #[mcp_tool(always_load = false, budget = 200_000)]
    async fn search() {}

    /// Greet somebody.
    #[mcp_tool]
    async fn greet() {}

    let meta = |builder: mcp_tool_runtime::DispatcherBuilder| {
        let dispatcher = built(builder.tools(tools![refund, search, greet]));
        ["refund", "search", "greet"].map(|name| listed(&dispatcher, name, LATEST)["_meta"].clone())
    };
    let of_refund = json!({"anthropic/alwaysLoad": true, "anthropic/searchHint": "refund chargeback"});
    assert_eq!(meta(exact()), [of_refund.clone(), Value::Null, Value::Null]);
    let sizes = || exact().client_hints(mcp_tool_runtime::mcp::ClientHints::sizes());
    let mut with_size = of_refund;
    with_size["anthropic/maxResultSizeChars"] = 100_004.into();
    let most = json!({"anthropic/maxResultSizeChars": 500_000});
    assert_eq!(meta(sizes()), [with_size.clone(), most.clone(), Value::Null]);
    let of_all = json!({"anthropic/maxResultSizeChars": 3_000});
    assert_eq!(meta(sizes().result_budget(900)), [with_size, most, of_all]);
}
