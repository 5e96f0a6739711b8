//! `Dispatcher::lint` and `Dispatcher::costs`: what clients refuse or lose of a tool, and the size of its definition.

use std::collections::BTreeSet;

use mcp_tool_runtime::lint::{Client, Finding, Severity};
use mcp_tool_runtime::{Dispatcher, Nullable, Output, ToolHandler, mcp, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{ByHand, built, exact, serve, taking};
use crate::sample_tools;

fn by_hand(tool: impl ToolHandler) -> Dispatcher {
    built(exact().tool(tool))
}

/// Returns the violated rules of one client, each once.
fn rules(dispatcher: &Dispatcher, client: Client) -> Vec<&'static str> {
    let mut rules: Vec<_> = dispatcher.lint(&[client]).iter().map(|finding| finding.rule).collect();
    rules.dedup();
    rules
}

/// Returns the only finding of one client.
fn only(dispatcher: &Dispatcher, client: Client) -> Finding {
    let findings = dispatcher.lint(&[client]);
    let [only] = findings.as_slice() else { panic!("{findings:?}") };
    only.clone()
}

#[allow(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// A plain tool.
#[mcp_tool]
async fn plain(
    /// What to look for.
    text: String,
    /// At most so many.
    limit: u32,
    exact: bool,
) -> f64 {
    f64::from(limit) + f64::from(u8::from(exact)) + if text.is_empty() { 1.0 } else { 0.0 }
}

#[test]
fn a_plain_tool_has_no_findings() {
    assert_eq!(serve(tools![plain]).lint(Client::ALL), []);
    assert_eq!(Dispatcher::builder().build().expect("no tools").lint(Client::ALL), []);
}

#[test]
fn t11_a_tool_name_must_fit_the_limits_of_each_client() {
    let dotted = by_hand(taking("files.read", object(json!({}))));
    assert_eq!(rules(&dotted, Client::McpLegacy), [""; 0]);
    for client in [Client::ClaudeApi, Client::OpenAi, Client::OpenAiStrict] {
        let finding = only(&dotted, client);
        assert_eq!((finding.rule, finding.severity), ("tool-name", Severity::AllRefused));
        assert_eq!((finding.place.as_str(), finding.problem.as_str()), ("/name", "the name contains `.`"));
        assert_eq!((finding.tool.as_deref(), finding.client()), (Some("files.read"), Some(client)));
    }
    for (length, refusing) in [
        (58, &[][..]),
        (59, &[Client::Cursor]),
        (65, &[Client::OpenAi, Client::OpenAiStrict, Client::Gemini, Client::Cursor]),
        (121, &[Client::ClaudeCode, Client::OpenAi, Client::OpenAiStrict, Client::Gemini, Client::Cursor]),
    ] {
        let long = by_hand(taking(&"x".repeat(length), object(json!({}))));
        let clients: Vec<_> = long.lint(Client::ALL).iter().filter_map(Finding::client).collect();
        assert_eq!(clients, refusing, "{length}");
    }
    assert_eq!(rules(&by_hand(taking("2fa", object(json!({})))), Client::Gemini), ["tool-name"]);
}

#[test]
fn t1_a_union_at_the_root_is_reported() {
    let union =
        by_hand(taking("either", json!({ "type": "object", "oneOf": [object(json!({})), { "required": [] }] })));
    for (client, severity) in [
        (Client::ClaudeApi, Severity::AllRefused),
        (Client::ClaudeCode, Severity::AllRefused),
        (Client::OpenAi, Severity::AllRefused),
        (Client::VsCode, Severity::Lost),
    ] {
        let finding = only(&union, client);
        assert_eq!((finding.rule, finding.severity), ("root-union", severity), "{client}");
        assert_eq!((finding.place.as_str(), finding.problem.as_str()), ("/inputSchema", "the root has `oneOf`"));
    }
    assert_eq!(union.lint(&[Client::Cursor, Client::McpLegacy, Client::Gemini]), []);
}

#[test]
fn t4_boolean_properties_are_reported_in_input_and_output() {
    let schema = object(json!({ "a": { "type": "object", "properties": { "b/c": true } } }));
    let tool = mcp::Tool::new("any", "Take anything.", schema).with_output_schema(object(json!({ "d": false })));
    let dispatcher = by_hand(ByHand::new(tool, |_, _| Output::value(0)));
    for client in [Client::McpLegacy, Client::ClaudeCode] {
        let findings = dispatcher.lint(&[client]);
        let places: Vec<_> = findings.iter().map(|finding| finding.place.as_str()).collect();
        assert_eq!(places, ["/inputSchema/properties/a/properties/b~1c", "/outputSchema/properties/d"], "{client}");
        assert!(findings.iter().all(|finding| finding.rule == "boolean-property"));
    }
}

#[test]
fn t4_boolean_items_are_reported_in_input_and_output() {
    let schema = object(json!({
        "list": { "type": "array", "items": true },
        "pair": { "type": "array", "prefixItems": [{}, true], "items": false },
        "closed": { "type": "object", "additionalProperties": false },
        "open": { "type": "array", "items": {} },
    }));
    let output = object(json!({ "lists": { "type": "array", "items": { "type": "array", "items": true } } }));
    let tool = mcp::Tool::new("any", "Take anything.", schema).with_output_schema(output);
    let dispatcher = by_hand(ByHand::new(tool, |_, _| Output::value(0)));
    let findings = dispatcher.lint(&[Client::ClaudeCode]);
    let places: Vec<_> =
        findings.iter().map(|finding| (finding.rule, finding.place.as_str(), finding.problem.as_str())).collect();
    assert_eq!(
        places,
        [
            ("boolean-items", "/inputSchema/properties/list/items", "the schema is `true`"),
            ("boolean-items", "/inputSchema/properties/pair/items", "the schema is `false`"),
            ("boolean-items", "/outputSchema/properties/lists/items/items", "the schema is `true`"),
        ]
    );
    assert!(findings.iter().all(|finding| finding.severity == Severity::AllRefused));
}

#[test]
fn wide_integers_are_one_advice_for_the_input_and_one_for_the_output() {
    /// Take integers of many kinds.
    #[mcp_tool]
    async fn integers(
        #[schemars(range(min = -9_007_199_254_740_991_i64, max = 9_007_199_254_740_991_i64))] bounded: i64,
        small: u32,
        id: u64,
        others: Vec<i64>,
        #[schemars(extend("enum" = [1, 2]))] fixed: u64,
        #[schemars(extend("enum" = [1, 9_007_199_254_740_993_u64]))] wide: u64,
    ) -> f64 {
        drop((bounded, small, id, others, fixed, wide));
        0.0
    }
    let finding = only(&serve(tools![integers]), Client::ClaudeCode);
    assert_eq!((finding.rule, finding.severity), ("integer-range", Severity::Advice));
    assert_eq!(finding.place, "/inputSchema");
    assert_eq!(
        finding.problem,
        "values beyond ±2^53 are rounded at `/properties/id`, `/properties/others/items`, `/properties/wide`"
    );
    assert!(finding.to_string().contains("`#[schemars(range(min = -9007199254740991_i64, max = "), "{finding}");
    assert_eq!(rules(&serve(tools![integers]), Client::VsCode), [""; 0], "no source says so about this client");
}

#[test]
fn a_wide_integer_in_a_result_has_its_own_help() {
    /// Return an integer, which no attribute can bound.
    #[mcp_tool]
    async fn given() -> i64 {
        0
    }
    let finding = only(&serve(tools![given]), Client::ClaudeCode);
    assert_eq!(finding.place, "/outputSchema");
    assert!(finding.to_string().contains("return a string or a smaller type"), "{finding}");
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Inner {
    x: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: f64 },
    B { y: bool },
}

#[test]
fn strict_functions_must_stay_in_their_subset_of_json_schema() {
    /// Everything that strict functions may not have.
    #[mcp_tool]
    async fn loose(
        optional: Option<bool>,
        closed: Inner,
        tagged: Tagged,
        #[schemars(extend("format" = "uri"))] link: String,
        set: BTreeSet<u8>,
    ) {
        drop((optional, closed, tagged, link, set));
    }
    let dispatcher = serve(tools![loose]);
    assert_eq!(dispatcher.lint(&[Client::OpenAi]), []);
    let findings = dispatcher.lint(&[Client::OpenAiStrict]);
    let assert_found = |rule: &str, place: &str, problem: &str| {
        let found = findings
            .iter()
            .any(|finding| finding.rule == rule && finding.place == place && finding.problem.contains(problem));
        assert!(found, "{rule} at {place}: {findings:#?}");
    };
    assert_found("strict-optional", "/inputSchema", "not required: `optional`");
    assert_found("strict-closed", "/inputSchema/properties/tagged/oneOf/0", "it has no");
    assert_found("strict-keyword", "/inputSchema/properties/tagged", "`oneOf`");
    assert_found("strict-keyword", "/inputSchema/properties/set", "`uniqueItems`");
    assert_found("strict-format", "/inputSchema/properties/link", "`uri`");
    // The inner object is closed by `false`, which this client reads.
    let inner = findings.iter().filter(|finding| finding.place.starts_with("/inputSchema/properties/closed"));
    assert_eq!(inner.count(), 0);
}

#[test]
fn strict_functions_must_stay_in_their_size_limits() {
    let wide = |count: usize| {
        let names: Vec<_> = (0..count).map(|n| format!("p{n}")).collect();
        let mut schema = object(names.iter().map(|name| (name.clone(), json!({}))).collect());
        schema["required"] = json!(names);
        schema
    };
    let deep = |levels: usize| {
        (1..levels).fold(wide(1), |inner, _| {
            let mut outer = wide(1);
            outer["properties"]["p0"] = inner;
            outer
        })
    };
    let one = |schema: Value| {
        let mut outer = object(json!({ "a": schema }));
        outer["required"] = json!(["a"]);
        outer
    };
    let texts = |count: usize, length: usize| (0..count).map(|n| format!("{n:0length$}")).collect::<Vec<_>>();
    for (fits, too_much, expected) in [
        (deep(10), deep(11), "more than 10 objects"),
        (wide(5000), wide(5001), "5001 properties; at most 5000"),
        (one(json!({ "enum": texts(1000, 4) })), one(json!({ "enum": texts(1001, 4) })), "1001 values in enums"),
        (
            one(json!({ "enum": texts(250, 99) })),
            one(json!({ "enum": texts(251, 99) })),
            "251 values have 24849 characters",
        ),
        (
            one(json!({ "const": "x".repeat(119_999) })),
            one(json!({ "const": "x".repeat(120_000) })),
            "120001 characters",
        ),
    ] {
        assert_eq!(by_hand(taking("sized", fits)).lint(&[Client::OpenAiStrict]), [], "{expected}");
        let finding = only(&by_hand(taking("sized", too_much)), Client::OpenAiStrict);
        assert_eq!(finding.rule, "strict-size");
        assert!(finding.problem.contains(expected), "{finding}");
    }
}

#[test]
fn limits_apply_only_to_their_clients() {
    let array = by_hand(taking("a", object(json!({ "list": { "type": "array" } }))));
    assert_eq!(rules(&array, Client::VsCode), ["array-items"]);
    assert_eq!(rules(&array, Client::OpenAi), ["array-items"]);
    assert_eq!(rules(&array, Client::ClaudeCode), [""; 0]);

    let bracket = by_hand(taking("a", object(json!({ "page[size]": {} }))));
    for client in [Client::ClaudeApi, Client::ClaudeCode, Client::Cursor] {
        assert_eq!(only(&bracket, client).place, "/inputSchema/properties/page[size]");
        assert_eq!(rules(&bracket, client), ["argument-name"]);
    }

    let listed =
        object(json!({ "a": { "type": ["string", "null"] }, "b": { "const": 1 }, "c": { "exclusiveMinimum": 0 } }));
    assert_eq!(rules(&by_hand(taking("a", listed)), Client::Gemini), ["gemini-keyword", "gemini-type-list"]);

    let mut lost = object(json!({}));
    lost["required"] = json!(["ghost"]);
    assert_eq!(rules(&by_hand(taking("a", lost)), Client::VsCode), ["required-property"]);

    for (length, clients) in [(2048, &[][..]), (2049, &[Client::ClaudeCode])] {
        let tool = mcp::Tool::new("a", "ä".repeat(length), object(json!({})));
        let long = by_hand(ByHand::new(tool, |_, _| Output::value(0)));
        let findings = long.lint(&[Client::ClaudeCode, Client::OpenAi, Client::Cursor]);
        assert_eq!(findings.iter().filter_map(Finding::client).collect::<Vec<_>>(), clients, "{length}");
    }

    let many = |count: usize| {
        let all = (0..count).map(|n| Box::new(taking(&format!("t{n}"), object(json!({})))) as Box<dyn ToolHandler>);
        built(exact().tools(all.collect::<Vec<_>>()))
    };
    assert_eq!(many(80).lint(Client::ALL), []);
    assert_eq!(only(&many(81), Client::Cursor).tool.as_deref(), None);
    assert_eq!(many(129).lint(&[Client::OpenAi, Client::VsCode]).len(), 2);
}

#[test]
fn every_finding_has_a_help_and_a_source() {
    let findings = sample_tools::dispatcher().lint(Client::ALL);
    assert!(!findings.is_empty());
    for finding in &findings {
        let text = finding.to_string();
        assert!(text.contains(finding.problem.as_str()) && text.contains(finding.help), "{text}");
        assert!(finding.source.starts_with("https://") && text.contains(finding.source), "{text}");
        let date: Vec<_> = finding.date.split('-').map(str::len).collect();
        assert_eq!(date, [4, 2, 2], "{text}");
        assert_eq!(format!("{finding:?}"), text);
        assert!(!text.contains('\n'), "{text}");
    }
    let finding = only(&by_hand(taking("files.read", object(json!({})))), Client::ClaudeApi);
    assert_eq!(
        finding.to_string(),
        "Claude API refuses every tool because of `files.read` at /name: the name contains `.`; rename the tool, or its prefix \
         [tool-name, https://platform.claude.com/docs/agents-and-tools/tool-use/define-tools on 2026-11-20]"
    );
}

#[test]
fn only_tools_with_deliberate_violations_are_refused() {
    let clients =
        [Client::McpLegacy, Client::ClaudeApi, Client::ClaudeCode, Client::OpenAi, Client::VsCode, Client::Cursor];
    let findings = sample_tools::dispatcher().lint(&clients);
    let bad = findings.iter().filter(|finding| finding.severity > Severity::Advice);
    let tools: BTreeSet<_> = bad.filter_map(|finding| finding.tool.as_deref()).collect();
    // A name with a dot, a `root_union`, a hand-written schema with a union at its root, and a text that is not the value.
    assert_eq!(tools.into_iter().collect::<Vec<_>>(), ["Shop.Search", "by_hand", "find", "rows"]);
}

#[test]
fn a_cost_is_the_size_of_what_the_client_receives() {
    let dispatcher = serve(tools![plain]);
    let [legacy, api] =
        dispatcher.costs(&[Client::McpLegacy, Client::ClaudeApi]).try_into().expect("a tool, two clients");
    let tool = &dispatcher.list_for(crate::run::LEGACY[0])[0];
    let length = |value: &Value| value.to_string().len();
    assert_eq!((legacy.client, legacy.tool.as_str()), (Client::McpLegacy, "plain"));
    assert_eq!(legacy.bytes, serde_json::to_string(tool).expect("JSON").len());
    assert_eq!(legacy.input_schema, length(&tool.input_schema));
    assert_eq!(legacy.output_schema, length(tool.output_schema.as_ref().expect("a schema")));
    assert_eq!(legacy.description, "A plain tool.".len());
    let function = json!({ "name": "plain", "description": "A plain tool.", "input_schema": tool.input_schema });
    assert_eq!((api.bytes, api.output_schema), (length(&function), 0));
}

/// What changes.
#[derive(Deserialize, JsonSchema)]
#[allow(clippy::option_option, dead_code, reason = "only its schema is used")]
struct Change {
    /// The date. `null` clears it.
    due: Option<Option<String>>,
    /// The day. `null` clears it.
    #[serde(default, with = "Nullable::<String>")]
    day: Option<Option<String>>,
    /// The nullable note.
    note: Option<String>,
    /// What to return instead of `null`.
    count: u8,
}

/// Change notes. `null` clears a date.
#[mcp_tool]
#[allow(clippy::option_option, reason = "it tells `null` from absence")]
async fn change_notes(
    changes: Vec<Change>,
    /// The place. Null clears it.
    place: Option<Option<String>>,
) -> bool {
    changes.is_empty() && place.is_none()
}

#[test]
fn a_field_whose_null_is_described_and_lost_is_a_fault() {
    let findings = serve(tools![change_notes]).lint(&[]);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.rule, finding.severity), ("unpublished-null", Severity::Lost));
    assert!(finding.to_string().starts_with(
        "`change_notes` has a fault at /inputSchema/properties/changes/items/properties/due: the description speaks of `null`, \
         which is not published, and which serde by itself reads as absence; if `null` means something else, give a field \
         `Option<Option<T>>` the attribute `#[serde(default, with = \"mcp_tool_runtime::Nullable::<T>\")]`, and a parameter"
    ));
}
