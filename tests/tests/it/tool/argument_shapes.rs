//! Arguments with other names and defaults, and values that come from the call.

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, CallToolRequest, Consent, Cursor, Dispatcher, Extensions, Output, Paged,
    ProtocolVersion, ToolError, ToolHandler, ToolMetadata,
    ask::{Reply, Scripted},
    export::Vendor,
    mcp, mcp_tool, middleware,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::listing::Caller;
use crate::listing::carriers::call_over_each;
use crate::listing::transports::{Carrier, request};
use crate::run::{built, call, exact, faults, now, value};

/// A place, which the type checks further than its schema.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
struct Place(String);

impl TryFrom<String> for Place {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, &'static str> {
        if name.is_empty() { Err("a place has a name") } else { Ok(Self(name)) }
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.0
    }
}

impl Clone for Place {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Get the weather.
#[mcp_tool(example_call(loc = Place("Rome".to_owned()), days = 2))]
async fn get_weather(
    /// Where.
    #[serde(alias = "place")]
    loc: Place,
    #[schemars(range(min = 1, max = 7))] days: u8,
    note: Option<String>,
) -> String {
    format!("{} {days} {note:?}", loc.0)
}

fn renamed() -> impl ToolHandler {
    get_weather {}.with_argument("loc", |a| a.with_name("location").with_description("A city."))
}

fn properties(tool: &mcp::Tool) -> Vec<&str> {
    tool.input_schema["properties"].as_object().expect("properties").keys().map(String::as_str).collect()
}

fn error_of(dispatcher: &Dispatcher, name: &str, arguments: Value) -> ToolError {
    call(dispatcher, name, arguments).error().expect("an error").clone()
}

#[test]
fn the_definition_has_the_new_name_everywhere() {
    let dispatcher = built(exact().tool(renamed()));
    let tool = &dispatcher.list()[0];
    assert_eq!(properties(tool), ["location", "days", "note"]);
    assert_eq!(tool.input_schema["required"], json!(["location", "days"]));
    assert_eq!(tool.input_schema["properties"]["location"]["description"], "A city.");
    assert_eq!(tool.input_schema["examples"], json!([{"location": "Rome", "days": 2}]));
    let everything = json!([tool, dispatcher.openapi(), dispatcher.export(Vendor::Anthropic).tools()]);
    assert!(!everything.to_string().contains("loc\\\"") && !everything.to_string().contains("\"loc\""), "{everything}");
    assert_eq!(value(&dispatcher, "get_weather", json!({"location": "Paris", "days": 1})), "Paris 1 None");
}

#[test]
fn errors_have_the_new_name() {
    let dispatcher = built(exact().tool(renamed()));
    let error = |arguments| error_of(&dispatcher, "get_weather", arguments);
    let message = |arguments| error(arguments).message().to_owned();
    assert_eq!(message(json!({"days": 1})), "invalid arguments: location: required, but missing");
    let old = message(json!({"loc": "Paris", "days": 1}));
    assert_eq!(old, "invalid arguments:\n- location: required, but missing\n- loc: not known");
    let typo = message(json!({"locatoin": "Paris", "days": 1}));
    assert!(typo.contains("- locatoin: not known; did you mean `location`?"), "{typo}");
    // The schema accepts it, and the type does not.
    let refused = error(json!({"location": "", "days": 1}));
    assert_eq!(refused.message(), "invalid arguments: location: a place has a name");
    assert_eq!((refused.errors()[0].parameter(), refused.errors()[0].pointer()), ("location", "/location"));
}

#[test]
fn an_error_inside_an_argument_has_its_new_name_at_the_start() {
    #[derive(Deserialize, JsonSchema)]
    struct Trip {
        to: Vec<Place>,
    }

    /// Travel.
    #[mcp_tool]
    async fn travel(trip: Trip) -> usize {
        trip.to.len()
    }

    let tool = travel {}.with_argument("trip", |a| a.with_name("a journey/x"));
    let error = error_of(&built(exact().tool(tool)), "travel", json!({"a journey/x": {"to": ["Rome", ""]}}));
    assert_eq!(error.message(), "invalid arguments: [\"a journey/x\"].to[1]: a place has a name");
    assert_eq!(error.errors()[0].parameter(), "[\"a journey/x\"].to[1]");
    assert_eq!(error.errors()[0].pointer(), "/a journey~1x/to/1");
}

#[test]
fn what_is_coerced_is_coerced_under_the_new_name() {
    /// Count.
    #[mcp_tool]
    async fn count(n: Option<i64>, whole: i64, flags: Vec<bool>) -> String {
        format!("{n:?} {whole} {flags:?}")
    }

    let tool = || {
        count {}
            .with_argument("n", |a| a.with_name("number"))
            .with_argument("whole", |a| a.with_name("n"))
            .with_argument("flags", |a| a.with_name("switches"))
    };
    let strict = built(exact().tool(tool()));
    assert_eq!(value(&strict, "count", json!({"number": null, "n": 3.0, "switches": []})), "None 3 []");
    let lax = built(exact().lax(true).tool(tool()));
    let sent = json!({"number": "null", "n": "3", "switches": "[\"True\", false]"});
    assert_eq!(value(&lax, "count", sent), "None 3 [true, false]");
}

#[test]
fn a_type_reads_an_integer_under_the_new_name() {
    /// Reads a value that its schema does not describe.
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Loose {
        #[schemars(with = "Value")]
        number: i64,
    }

    /// Read.
    #[mcp_tool]
    async fn read(loose: Loose) -> i64 {
        loose.number
    }

    let tool = read {}.with_argument("loose", |a| a.with_name("given"));
    assert_eq!(value(&built(exact().tool(tool)), "read", json!({"given": {"number": 7.0}})), 7);
}

#[test]
fn i3_an_alias_stays_an_alias_of_the_argument() {
    let dispatcher = built(exact().tool(renamed()));
    assert_eq!(value(&dispatcher, "get_weather", json!({"place": "Paris", "days": 1})), "Paris 1 None");
    let both = error_of(&dispatcher, "get_weather", json!({"place": "Paris", "location": "Rome", "days": 1}));
    assert_eq!(both.message(), "invalid arguments: place: the same argument as `location`; give one of them");
    let to_alias = built(exact().tool(get_weather {}.with_argument("loc", |a| a.with_name("place"))));
    assert_eq!(value(&to_alias, "get_weather", json!({"place": "Paris", "days": 1})), "Paris 1 None");
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Filter {
    #[serde(alias = "category")]
    kind: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Query {
    #[serde(alias = "where")]
    filter: Filter,
    limit: Option<u8>,
}

#[test]
fn i3_aliases_inside_the_types_are_accepted_under_the_new_name() {
    /// Search.
    #[mcp_tool(accept_aliases)]
    async fn search(filter: Filter) -> String {
        filter.kind
    }

    /// Search with one type.
    #[mcp_tool(accept_aliases)]
    async fn find(#[mcp_tool(arguments)] query: Query) -> String {
        format!("{} {:?}", query.filter.kind, query.limit)
    }

    for new in ["selection", "where", "kind"] {
        let search = search {}.with_argument("filter", |a| a.with_name(new));
        let find = find {}.with_argument("filter", |a| a.with_name(new));
        let dispatcher = built(exact().tool(search).tool(find));
        for kind in ["kind", "category"] {
            assert_eq!(value(&dispatcher, "search", json!({new: {kind: "x"}})), "x", "{new}");
            assert_eq!(value(&dispatcher, "find", json!({new: {kind: "x"}})), "x None", "{new}");
        }
        // The type would read the argument under its alias, but no shape has given it that name.
        assert_eq!(call(&dispatcher, "find", json!({"where": {"kind": "x"}})).error().is_none(), new == "where");
        assert!(call(&dispatcher, "find", json!({"filter": {"kind": "x"}})).error().is_some(), "{new}");
    }
}

#[test]
fn where_unknown_arguments_are_ignored_the_old_name_is_ignored() {
    /// Ignore what is unknown.
    #[mcp_tool(allow_unknown)]
    async fn lenient(loc: Option<String>) -> String {
        format!("{loc:?}")
    }

    let dispatcher = built(exact().tool(lenient {}.with_argument("loc", |a| a.with_name("location"))));
    assert_eq!(value(&dispatcher, "lenient", json!({"loc": "Paris"})), "None");
    assert_eq!(value(&dispatcher, "lenient", json!({"loc": "Paris", "location": "Rome"})), "Some(\"Rome\")");
}

/// Answer with the region, which is in a header too.
#[mcp_tool]
async fn region(#[mcp_tool(header = "Region")] region: String) -> String {
    region
}

#[tokio::test]
async fn t14_the_header_of_an_argument_repeats_it_under_its_new_name() {
    let dispatcher = built(exact().tool(region {}.with_argument("region", |a| a.with_name("area"))));
    let version = ProtocolVersion::V2026_07_28;
    assert_eq!(dispatcher.list()[0].input_schema["properties"]["area"]["x-mcp-header"], "Region");
    let call = request(version, "tools/call", json!({"name": "region", "arguments": {"area": "eu"}}));
    for carrier in [Carrier::Endpoint, Carrier::SdkHttp] {
        let answer = carrier.ask(&dispatcher, None, version, &call).await;
        assert!(answer.starts_with("400") && answer.contains("-32020"), "{carrier:?}: {answer}");
    }
    let answer = Carrier::Endpoint.ask(&dispatcher, None, version, &call).await;
    assert!(answer.contains("it must repeat `area`"), "{answer}");
}

#[tokio::test]
async fn a_question_shows_the_value_of_a_renamed_argument() {
    /// Delete a note.
    #[mcp_tool]
    async fn delete(id: u32, #[mcp_tool(ask = "Delete note \"{id}\"?")] sure: Consent) -> u32 {
        let Consent { .. } = sure;
        id
    }

    let dispatcher = built(exact().tool(delete {}.with_argument("id", |a| a.with_name("note_id"))));
    let user = Scripted::new().reply("sure", Reply::yes());
    let request = CallToolRequest::new("delete", json!({"note_id": 7})).with_asker(user.clone());
    let response = dispatcher.call(request).await.expect("a response");
    assert_eq!(response.deserialize::<u32>().expect("a number"), 7);
    assert_eq!(user.asked()[0].message(), "Delete note \"7\"?");
}

#[test]
fn a_default_is_published_and_makes_the_argument_optional() {
    let tool = get_weather {}
        .with_argument("loc", |a| a.with_name("location").with_default(Place("Paris".to_owned())))
        .with_argument("days", |a| a.with_default(3));
    let dispatcher = built(exact().tool(tool));
    let schema = &dispatcher.list()[0].input_schema;
    assert_eq!((schema.get("required"), &schema["properties"]["location"]["default"]), (None, &json!("Paris")));
    for (sent, expected) in [
        (json!({}), "Paris 3 None"),
        (json!({"location": null, "days": null}), "Paris 3 None"),
        (json!({"place": "Rome", "days": 1}), "Rome 1 None"),
    ] {
        assert_eq!(value(&dispatcher, "get_weather", sent.clone()), expected, "{sent}");
    }
    let found = faults(exact().tool(get_weather {}.with_argument("days", |a| a.with_name("length").with_default(9))));
    assert!(found[0].starts_with("tool `get_weather`: the default of `length`: expected 7 or less"), "{found:?}");
}

#[test]
fn shapes_of_shapes_apply_one_after_the_other() {
    let swapped = get_weather {}
        .with_argument("note", |a| a.with_name("x"))
        .with_argument("loc", |a| a.with_name("note"))
        .with_argument("x", |a| a.with_name("loc"));
    let dispatcher = built(exact().tool(swapped));
    assert_eq!(properties(&dispatcher.list()[0]), ["note", "days", "loc"]);
    let sent = json!({"note": "Paris", "days": 1, "loc": "hot"});
    assert_eq!(value(&dispatcher, "get_weather", sent), "Paris 1 Some(\"hot\")");
    let error = error_of(&dispatcher, "get_weather", json!({"note": "", "days": 1}));
    assert_eq!(error.message(), "invalid arguments: note: a place has a name");
    assert_eq!(value(&dispatcher, "get_weather", json!({"place": "Paris", "days": 1})), "Paris 1 None");

    let fixed = renamed()
        .with_fixed("location", "Paris")
        .with_argument("days", |a| a.with_name("length"))
        .with_fixed("length", 2);
    let dispatcher = built(exact().tool(fixed));
    assert_eq!(properties(&dispatcher.list()[0]), ["note"]);
    assert_eq!(value(&dispatcher, "get_weather", json!({})), "Paris 2 None");
    let hidden =
        error_of(&built(exact().tool(renamed().with_fixed("location", ""))), "get_weather", json!({"days": 1}));
    assert!(hidden.message().starts_with("internal error"), "{hidden:?}");
}

struct ByHand;

impl ToolHandler for ByHand {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("by_hand", "By hand.", json!({"type": "object", "properties": {"a": {}}}))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { Output::value(arguments.to_value()) })
    }
}

#[derive(Deserialize, JsonSchema)]
struct Open {
    name: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Take anything.
#[mcp_tool]
async fn open(#[mcp_tool(arguments)] open: Open) -> usize {
    open.rest.len() + open.name.len()
}

#[test]
fn a_default_leaves_arguments_of_any_name_as_they_are() {
    let dispatcher = built(exact().tool(open {}.with_argument("name", |a| a.with_default("ann"))));
    assert_eq!(value(&dispatcher, "open", json!({"name": "ab", "extra": 1})), 3);
    assert_eq!(value(&dispatcher, "open", json!({"extra": 1, "more": 2})), 5);
}

#[test]
fn a_shape_of_an_argument_that_does_not_fit_is_an_error() {
    for (tool, expected) in [
        (
            get_weather {}.with_argument("locc", |a| a.with_name("location")),
            "`locc` cannot be changed: there is no such argument; did you mean `loc`?",
        ),
        (get_weather {}.with_argument("loc", |a| a.with_name("days")), "there is another argument `days`"),
        (
            renamed().with_argument("loc", |a| a.with_description("x")),
            "`loc` cannot be changed: there is no such argument; it was renamed to `location` before",
        ),
        (
            get_weather {}.with_fixed("loc", "Paris").with_argument("loc", |a| a.with_description("x")),
            "`loc` cannot be changed: there is no such argument; it was fixed or removed before",
        ),
        (open {}.with_argument("name", |a| a.with_name("title")), "the tool takes arguments of any name"),
        (ByHand.with_argument("a", |a| a.with_description("x")), "because the input schema is written by hand"),
        (ByHand.with_fixed_from("a", |_| 1), "because the input schema is written by hand"),
        (open {}.with_fixed_from("name", |_| "x"), "the tool takes arguments of any name"),
        (get_weather {}.with_fixed_from("locc", |_| "x"), "`locc` cannot be fixed: there is no such argument"),
    ] {
        let found = faults(exact().tool(tool));
        assert!(found.len() == 1 && found[0].contains(expected), "{expected}: {found:?}");
    }
}

/// List orders of a tenant.
#[mcp_tool(allow_unknown)]
async fn list_orders(
    #[serde(alias = "customer")]
    #[schemars(length(min = 2))]
    tenant: String,
    page: Option<u8>,
) -> String {
    format!("orders of {tenant} {page:?}")
}

fn of_tenant() -> impl ToolHandler {
    list_orders {}
        .with_fixed_from("tenant", |extensions: &Extensions| Some(extensions.get::<Caller>()?.scopes.first()?.clone()))
}

#[tokio::test]
async fn no_caller_sets_a_value_from_the_call_in_any_carrier() {
    let dispatcher = built(exact().tool(of_tenant()));
    assert_eq!(properties(&dispatcher.list()[0]), ["page"]);
    let caller = Caller::with_scopes(&["acme"]);
    for sent in [json!({}), json!({"tenant": "evil"}), json!({"customer": "evil"}), json!({"tenant": 1, "page": 2})] {
        for (carrier, answer) in call_over_each(&dispatcher, Some(&caller), "list_orders", &sent).await {
            // These carry no caller.
            if ["call_json", "rmcp_routes"].contains(&&*carrier) {
                assert!(answer.contains("internal error in tool"), "{carrier}: {answer}");
            } else {
                assert!(answer.contains("orders of acme"), "{carrier}, {sent}: {answer}");
            }
        }
    }
}

#[tokio::test]
async fn a_call_without_a_valid_value_fails_and_names_nothing() {
    let dispatcher = built(exact().tool(of_tenant()));
    // The second caller's tenant is too short for the schema.
    for caller in [None, Some(Caller::default()), Some(Caller::with_scopes(&["x"]))] {
        for (carrier, answer) in
            call_over_each(&dispatcher, caller.as_ref(), "list_orders", &json!({"tenant": "evil"})).await
        {
            assert!(answer.contains("internal error in tool"), "{carrier}: {answer}");
            assert!(!answer.contains("tenant") && !answer.contains("orders of"), "{carrier}: {answer}");
        }
    }
    let request = CallToolRequest::new("list_orders", json!({})).with_extension(Caller::with_scopes(&["x"]));
    let response = dispatcher.call(request).await.expect("a response");
    let message = response.error().and_then(ToolError::developer_message).expect("a message").to_owned();
    assert!(message.starts_with("the value of `tenant` from the extensions of the call is not valid"), "{message}");
}

#[test]
fn a_function_that_panics_or_returns_another_type_is_an_internal_error() {
    let panics = list_orders {}.with_fixed_from("tenant", |_| -> String { panic!("a bug with acme") });
    let number = list_orders {}.with_fixed_from("tenant", |_| 12).with_name("number");
    let plain = list_orders {}.with_fixed_from("tenant", |_| "plain").with_name("plain");
    let dispatcher = built(exact().tool(panics).tool(number).tool(plain));
    for name in ["list_orders", "number"] {
        let message = error_of(&dispatcher, name, json!({})).message().to_owned();
        assert_eq!(message, format!("internal error in tool `{name}` (call_id call-1)"));
    }
    assert_eq!(value(&dispatcher, "plain", json!({})), "orders of plain None");
}

#[test]
fn a_value_from_the_call_sees_what_a_layer_attached() {
    let sign_in = middleware::from_fn(|request, cx, next| {
        request.extensions.insert(Caller::with_scopes(&["acme"]));
        Box::pin(next.run(request, cx))
    });
    let dispatcher = built(exact().middleware(sign_in).tool(of_tenant()));
    assert_eq!(value(&dispatcher, "list_orders", json!({"page": 1})), "orders of acme Some(1)");
}

#[test]
fn the_error_of_a_type_about_a_value_from_the_call_is_masked() {
    let tool = get_weather {}.with_argument("loc", |a| a.with_name("location")).with_fixed_from("location", |_| "");
    let error = error_of(&built(exact().tool(tool)), "get_weather", json!({"days": 1}));
    assert_eq!(error.message(), "internal error in tool `get_weather` (call_id call-1)");
    assert!(error.errors().is_empty());
}

#[tokio::test]
async fn the_command_line_has_flags_with_the_new_names() {
    use mcp_tool_runtime::cli::{Cli, Io};

    let cli = Cli::new(built(exact().tool(renamed())));
    let io = Io::captured("");
    cli.run_with(["call", "--output", "text", "get_weather", "--location", "Paris", "--days", "1"], &io).await;
    assert_eq!(io.output(), "Paris 1 None\n", "{}", io.errors());
    let io = Io::captured("");
    cli.run_with(["call", "get_weather", "--location", "", "--days", "1"], &io).await;
    assert!(io.errors().contains("--location: a place has a name"), "{}", io.errors());
}

#[test]
fn the_arguments_that_narrow_a_result_are_those_of_the_client() {
    let dispatcher = built(exact().tool(renamed()).result_budget(1));
    let sent = json!({"location": "P".repeat(100), "days": 1});
    let error = now(dispatcher.call(CallToolRequest::new("get_weather", sent))).expect("a response");
    let message = error.error().expect("an error").message().to_owned();
    assert!(message.ends_with("narrow it with the arguments `location`, `days` or `note`"), "{message}");
}

#[test]
fn a_cursor_is_sent_under_the_new_name() {
    /// List numbers.
    #[mcp_tool(budget = 100)]
    async fn numbers(after: Cursor<u32>) -> Paged<u32> {
        Paged::by(after.position().map_or(0, |last| last + 1)..1_000, |number| *number)
    }

    /// List numbers from one on.
    #[mcp_tool(budget = 100)]
    async fn from(one: u32) -> Paged<u32> {
        Paged::new(one..one + 1_000)
    }

    let dispatcher = built(
        exact()
            .tool(numbers {}.with_argument("after", |a| a.with_name("page")))
            .tool(from {}.with_argument("one", |a| a.with_name("start"))),
    );
    assert_eq!(properties(&dispatcher.list()[1]), ["start", "cursor"]);
    for (name, argument, arguments) in [("numbers", "page", json!({})), ("from", "cursor", json!({"start": 5}))] {
        let first = call(&dispatcher, name, arguments.clone());
        let mut arguments = arguments;
        arguments[argument] = first.next_cursor().expect("more").into();
        let second = call(&dispatcher, name, arguments.clone());
        let items = |response: &mcp_tool_runtime::CallToolResponse| {
            response.deserialize::<Value>().expect("a page")["items"].as_array().expect("items").clone()
        };
        let last = items(&first).last().and_then(Value::as_u64).expect("a number");
        assert_eq!(items(&second)[0], json!(last + 1), "{name}");
        arguments[argument] = json!("damaged");
        let error = error_of(&dispatcher, name, arguments);
        assert!(error.message().contains(&format!("{argument}: not a cursor, or damaged")), "{error}");
    }
}
