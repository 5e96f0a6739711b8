//! Whole calls as examples: `example_call`.

use mcp_tool_runtime::{
    Dispatcher,
    export::{Strict, Vendor},
    mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{parts, serve};
use crate::cli::described;

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Units {
    Celsius,
    Fahrenheit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    limit: u8,
}

/// Get the weather.
#[mcp_tool(
    example_call(location = "Paris", units = Units::Celsius, days = 3, page = Page { limit: 5 }),
    example_call(location = "Oslo", country = "NO", units = None)
)]
async fn weather(
    #[serde(rename = "place")] location: &str,
    country: Option<String>,
    units: Option<Units>,
    #[mcp_tool(default = 1)] days: u32,
    #[serde(flatten)] page: Option<Page>,
) -> String {
    drop((country, units, days, page));
    location.to_owned()
}

#[tokio::test]
async fn an_example_has_the_names_and_values_that_a_client_sends() {
    let dispatcher = serve(tools![weather]);
    let examples =
        json!([{ "place": "Paris", "units": "celsius", "days": 3, "limit": 5 }, { "place": "Oslo", "country": "NO" }]);
    assert_eq!(dispatcher.list()[0].input_schema["examples"], examples);
    let anthropic = dispatcher.export(Vendor::Anthropic);
    let definition = &anthropic.tools()[0];
    assert_eq!(definition["input_examples"], examples);
    assert!(definition["input_schema"].get("examples").is_none());
    let chat = dispatcher.export(Vendor::OpenAiChat).strict(Strict::Off);
    assert_eq!(parts(&chat.tools()[0], Vendor::OpenAiChat).1["examples"], examples);
    let gemini = dispatcher.export(Vendor::Gemini);
    assert!(gemini.findings()[0].problem.contains("`examples`"), "{:?}", gemini.findings());
    let page = described(dispatcher).await;
    assert!(page.contains(r#"Example: `{"place":"Oslo","country":"NO"}`"#), "{page}");
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

#[test]
fn an_example_of_an_argument_can_be_a_struct() {
    /// Draw.
    #[mcp_tool]
    async fn draw(#[mcp_tool(example = Point { x: 1, y: 2 }, default = Point { x: 0, y: 0 })] at: Point) -> i32 {
        at.x + at.y
    }
    let dispatcher = serve(tools![draw]);
    let at = &dispatcher.list()[0].input_schema["properties"]["at"];
    assert_eq!((&at["examples"], &at["default"]), (&json!([{ "x": 1, "y": 2 }]), &json!({ "x": 0, "y": 0 })));
}

macro_rules! greeting {
    ($name:ident, $word:literal) => {
        /// Greet.
        #[mcp_tool(example_call(person = "Ann", times = 2, at = Point { x: 1, y: 2 }))]
        async fn $name(person: String, #[mcp_tool(example = 1 + 1)] times: u8, at: Option<Point>) -> String {
            format!("{} {person}, {times} {}", $word, at.map_or(0, |at| at.x))
        }
    };
}

greeting!(hello, "Hello");

#[test]
fn a_macro_can_write_a_tool_with_examples() {
    let dispatcher = serve(tools![hello]);
    let schema = &dispatcher.list()[0].input_schema;
    assert_eq!(schema["examples"], json!([{ "person": "Ann", "times": 2, "at": { "x": 1, "y": 2 } }]));
    assert_eq!(schema["properties"]["times"]["examples"], json!([2]));
}

#[test]
fn build_refuses_an_example_that_the_tool_would_refuse() {
    /// Wait.
    #[mcp_tool(
        example_call(seconds = 100),
        example_call(),
        example_call(seconds = "ten"),
        example_call(seconds = 5_000_000_000),
        example_call(second = 1, seconds = 1)
    )]
    async fn wait(#[schemars(range(max = 60))] seconds: u8) -> u8 {
        seconds
    }
    let error = Dispatcher::builder().tools(tools![wait]).build().expect_err("five wrong examples");
    assert_eq!(error.errors().len(), 5, "{error}");
    assert!(error.errors()[0].contains(r#"the example {"seconds":100}: seconds: "#), "{error}");
    assert!(error.errors()[1].contains("the example {}: seconds: required, but missing"), "{error}");
    assert!(error.errors()[2].contains(r#"the example {"seconds":"ten"}: seconds: expected an integer"#), "{error}");
    assert!(error.errors()[3].contains("seconds: expected 60 or less"), "{error}");
    assert!(error.errors()[4].contains("second: not known; did you mean `seconds`?"), "{error}");
}

#[test]
fn the_whole_arguments_can_be_an_example() {
    /// List.
    #[mcp_tool(example_call(page = Page { limit: 7 }))]
    async fn list(#[mcp_tool(arguments)] page: Page) -> u8 {
        page.limit
    }
    assert_eq!(serve(tools![list]).list()[0].input_schema["examples"], json!([{ "limit": 7 }]));
}

#[test]
fn a_fixed_argument_is_in_no_example() {
    use mcp_tool_runtime::ToolHandler as _;
    let shaped = weather {}.with_fixed("units", Units::Fahrenheit);
    let dispatcher = Dispatcher::builder().tool(shaped).build().expect("a shape");
    let examples = &dispatcher.list()[0].input_schema["examples"];
    assert_eq!(examples[0], json!({ "place": "Paris", "days": 3, "limit": 5 }));
}
