//! The same tool in another shape.

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, CallToolRequest, Extensions, IntoService as _, Middleware, Output,
    ProtocolVersion, ToolError, ToolHandler, ToolMetadata, mcp, mcp_tool, mcp_tools, middleware,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::run::{built, call, exact, faults, names, now, value};

/// Unit of a temperature.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

/// Get the weather.
#[mcp_tool]
async fn get_weather(
    location: String,
    #[serde(default, alias = "unit")] units: Units,
    debug: Option<bool>,
    #[schemars(range(min = 1, max = 7))] days: u8,
) -> String {
    format!("{location} {units:?} {debug:?} {days}")
}

fn properties(tool: &mcp::Tool) -> Vec<&str> {
    tool.input_schema["properties"].as_object().expect("properties").keys().map(String::as_str).collect()
}

#[test]
fn a_renamed_tool_has_a_title_from_its_new_name() {
    let dispatcher = built(exact().tool(get_weather {}.with_name("weather")));
    assert_eq!(dispatcher.list()[0].title.as_deref(), Some("Weather"));
    assert_eq!(value(&dispatcher, "weather", json!({"location": "Paris", "days": 1})), "Paris Celsius None 1");
    let error = call(&dispatcher, "weather", json!({})).error().expect("an error").message().to_owned();
    assert!(error.contains("location: required"), "{error}");
}

#[test]
fn a_title_of_the_author_survives_a_new_name() {
    /// Titled.
    #[mcp_tool(title = "My own")]
    async fn titled() {}

    assert_eq!(titled {}.with_name("other").definition().title.as_deref(), Some("My own"));
}

#[test]
fn one_function_can_be_several_tools() {
    let dispatcher = built(
        exact()
            .tool(get_weather {})
            .tool(get_weather {}.with_name("weather").with_description("Another text.").with_fixed("days", 3)),
    );
    assert_eq!(names(&dispatcher), ["get_weather", "weather"]);
    assert_eq!(dispatcher.list()[1].description.as_deref(), Some("Another text."));
    assert_eq!(properties(&dispatcher.list()[0]), ["location", "units", "debug", "days"]);
    assert_eq!(properties(&dispatcher.list()[1]), ["location", "units", "debug"]);
}

#[test]
fn a_fixed_argument_is_gone_and_has_its_value() {
    let dispatcher = built(
        exact().tool(get_weather {}.with_fixed("units", Units::Fahrenheit).with_fixed("days", 2).without("debug")),
    );
    let tool = &dispatcher.list()[0];
    assert_eq!(properties(tool), ["location"]);
    assert_eq!(tool.input_schema["required"], json!(["location"]));
    assert_eq!(value(&dispatcher, "get_weather", json!({"location": "Paris"})), "Paris Fahrenheit None 2");
    for name in ["units", "unit", "days", "debug"] {
        let response = call(&dispatcher, "get_weather", json!({"location": "Paris", name: null}));
        let error = response.error().unwrap_or_else(|| panic!("{name} is accepted")).message();
        assert!(error.contains(&format!("{name}: not known")), "{error}");
    }
}

#[test]
fn required_is_gone_with_the_last_required_argument() {
    let tool = get_weather {}.with_fixed("location", "Paris").with_fixed("days", 1).definition();
    assert_eq!(tool.input_schema.get("required"), None);
}

#[test]
fn no_client_can_send_a_removed_argument_where_unknown_ones_are_ignored() {
    /// Ignore what is unknown.
    #[mcp_tool(allow_unknown)]
    async fn lenient(#[serde(default, alias = "who")] user: String, debug: Option<bool>) -> String {
        format!("{user} {debug:?}")
    }

    let dispatcher = built(exact().tool(lenient {}.with_fixed("user", "ann").without("debug")));
    for sent in [json!({"user": "eve"}), json!({"who": "eve"}), json!({"debug": true}), json!({"debug": "x", "who": 7})]
    {
        assert_eq!(value(&dispatcher, "lenient", sent.clone()), "ann None", "{sent}");
    }
}

#[test]
fn a_definition_that_only_a_removed_argument_uses_is_gone_too() {
    #[derive(Deserialize, Serialize, JsonSchema)]
    struct Tree {
        children: Vec<Tree>,
    }

    /// Count a tree.
    #[mcp_tool]
    async fn count(tree: Tree, depth: Option<u8>) -> usize {
        tree.children.len() + usize::from(depth.unwrap_or_default())
    }

    assert!(count {}.definition().input_schema.get("$defs").is_some());
    let fixed = count {}.with_fixed("tree", Tree { children: vec![Tree { children: Vec::new() }] });
    assert_eq!(fixed.definition().input_schema.get("$defs"), None);
    assert_eq!(value(&built(exact().tool(fixed)), "count", json!({})), 1);
}

#[test]
fn a_field_of_whole_arguments_can_be_fixed() {
    #[derive(Deserialize, JsonSchema)]
    struct Query {
        text: String,
        limit: Option<u8>,
    }

    /// Search.
    #[mcp_tool]
    async fn search(#[mcp_tool(arguments)] query: Query) -> String {
        format!("{} {:?}", query.text, query.limit)
    }

    let dispatcher = built(exact().tool(search {}.with_fixed("limit", 5)));
    assert_eq!(value(&dispatcher, "search", json!({"text": "x"})), "x Some(5)");
}

#[test]
fn null_for_an_optional_argument_hides_it() {
    let dispatcher = built(exact().tool(get_weather {}.with_fixed("debug", None::<bool>)));
    assert_eq!(properties(&dispatcher.list()[0]), ["location", "units", "days"]);
    assert_eq!(value(&dispatcher, "get_weather", json!({"location": "Paris", "days": 1})), "Paris Celsius None 1");
}

#[test]
fn a_fixed_value_that_the_schema_refuses_is_an_error_that_names_both() {
    let found = faults(exact().tool(get_weather {}.with_fixed("units", "kelvin").with_fixed("days", 8)));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("tool `get_weather`: the fixed value of `units`, \"kelvin\": expected"), "{found:?}");
    assert!(found[1].starts_with("tool `get_weather`: the fixed value of `days`, 8: expected"), "{found:?}");
}

#[test]
fn a_shape_that_does_not_fit_is_an_error() {
    /// Take anything.
    #[mcp_tool(input_schema = anything)]
    async fn by_hand(#[mcp_tool(arguments)] all: Map<String, Value>) -> usize {
        all.len()
    }

    fn anything() -> Value {
        json!({"type": "object", "properties": {"a": {}}})
    }

    let cases: [(mcp_tool_runtime::tool::ShapedTool, &str); 6] = [
        (get_weather {}.without("location"), "`location` cannot be hidden, because it is required"),
        (
            get_weather {}.without("debugg"),
            "`debugg` cannot be hidden: there is no such argument; did you mean `debug`?",
        ),
        (get_weather {}.with_fixed("xyz", 1), "`xyz` cannot be fixed: there is no such argument"),
        (
            get_weather {}.with_fixed("days", 1).without("days"),
            "`days` cannot be hidden: there is no such argument; it was fixed or removed before",
        ),
        (by_hand {}.with_fixed("a", 1), "`a` cannot be fixed, because the input schema is written by hand"),
        (get_weather {}.with_name("two words"), "a name has 1 to 128 of the characters"),
    ];
    for (tool, expected) in cases {
        let found = faults(exact().tool(tool));
        assert!(found.len() == 1 && found[0].contains(expected), "{expected}: {found:?}");
    }
    assert_eq!(faults(exact().tool(get_weather {}.with_description(" "))).len(), 1);
}

#[test]
fn two_shapes_of_one_name_are_an_error() {
    let found = faults(exact().tool(get_weather {}).tool(get_weather {}.with_fixed("days", 1)));
    assert!(found[0].contains("two tools are named `get_weather`"), "{found:?}");
}

/// Writes its name into a log, then goes on.
fn log(name: &'static str, log: &Arc<Mutex<Vec<String>>>) -> impl Middleware {
    let log = Arc::clone(log);
    middleware::from_fn(move |request, cx, next| {
        log.lock().expect("no panic").push(format!("{name} {}", cx.tool_name()));
        Box::pin(next.run(request, cx))
    })
}

/// Name yourself.
#[mcp_tool]
async fn plain(#[mcp_tool(context)] cx: &CallContext) -> String {
    cx.tool_name().to_owned()
}

struct Service;

#[mcp_tools]
impl Service {
    /// Name yourself.
    #[mcp_tool]
    async fn method(&self) -> u8 {
        1
    }
}

#[test]
fn layers_run_outside_in_builder_first() {
    let seen = Arc::default();
    let dispatcher = built(
        exact()
            .middleware(log("builder", &seen))
            .tool(
                plain {}.with_name("other").with_middleware(log("first", &seen)).with_middleware(log("second", &seen)),
            )
            .service(
                Service.with_middleware(log("service", &seen)).with_middleware(log("inner", &seen)).with_tags(["x"]),
            )
            .tool(plain {}),
    );
    let called = |name| {
        call(&dispatcher, name, json!({}));
        std::mem::take(&mut *seen.lock().expect("no panic"))
    };
    assert_eq!(called("other"), ["builder other", "first other", "second other"]);
    assert_eq!(called("method"), ["builder method", "service method", "inner method"]);
    assert_eq!(called("plain"), ["builder plain"]);
}

#[test]
fn a_layer_of_one_tool_works_without_layers_of_the_builder() {
    let answer = middleware::from_fn(|_, _, _| Box::pin(async { Output::value("from the layer") }));
    let dispatcher = built(exact().tool(plain {}.with_middleware(answer)).tool(plain {}.with_name("other")));
    assert_eq!(value(&dispatcher, "plain", json!({})), "from the layer");
    assert_eq!(value(&dispatcher, "other", json!({})), "other");
    let params = br#"{"name": "plain", "arguments": {}}"#;
    let bytes = now(dispatcher.call_json(params, ProtocolVersion::LATEST)).expect("a result");
    assert!(String::from_utf8_lossy(&bytes).contains("from the layer"));
}

#[test]
fn tags_and_scopes_of_shapes_are_those_of_the_tools() {
    let dispatcher = built(
        exact()
            .tool(plain {}.with_tags(["public"]))
            .service(Service.with_tags(["public"]).with_scopes(["service"]))
            .tool(plain {}.with_name("other"))
            .visible(|tool, _| tool.tags().contains("public") && !tool.scopes().contains("service"))
            .scopes_are_read(),
    );
    let seen = dispatcher.seen_by(&Extensions::new());
    assert_eq!(seen.list().iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["plain"]);
}

#[test]
fn a_hand_written_tool_and_a_boxed_one_have_shapes_too() {
    struct ByHand;

    impl ToolHandler for ByHand {
        fn definition(&self) -> mcp::Tool {
            mcp::Tool::new("by_hand", "By hand.", json!({"type": "object"})).with_title("By Hand")
        }

        fn metadata(&self) -> ToolMetadata {
            ToolMetadata::new()
        }

        fn call<'a>(
            &'a self,
            _: &'a CallContext,
            arguments: Arguments<'a>,
        ) -> BoxFuture<'a, Result<Output, ToolError>> {
            Box::pin(async move { Output::value(arguments.to_value()) })
        }
    }

    let boxed: Box<dyn ToolHandler> = Box::new(ByHand);
    let dispatcher = built(exact().tool(ByHand.with_name("one")).tool(boxed.with_name("two").with_tags(["x"])));
    assert_eq!(names(&dispatcher), ["one", "two"]);
    assert_eq!(dispatcher.list()[1].title.as_deref(), Some("Two"));
    let request = CallToolRequest::new("two", json!({"a": 1}));
    assert!(now(dispatcher.call(request)).expect("a response").is_success());
}

#[test]
fn a_shape_of_a_shape_keeps_both() {
    let inner: Box<dyn ToolHandler> = Box::new(get_weather {}.with_fixed("days", 4).with_tags(["a"]));
    let dispatcher = built(exact().tool(inner.with_name("outer").with_fixed("location", "Rome").without("debug")));
    assert_eq!(properties(&dispatcher.list()[0]), ["units"]);
    assert_eq!(value(&dispatcher, "outer", json!({"unit": "fahrenheit"})), "Rome Fahrenheit None 4");
}
