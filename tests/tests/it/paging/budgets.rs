//! Budgets: of a tool, a block, a builder and a client.

use mcp_tool_runtime::{CallToolRequest, Dispatcher, Paged, Text, json, mcp_tool, mcp_tools, tools};
use serde_json::Value;

use super::value;
use crate::run::{built, call, exact, message, send, serve, tokens};

/// List numbers.
#[mcp_tool]
async fn numbers(count: u64) -> Paged<u64> {
    Paged::new(0..count)
}

/// List numbers.
#[mcp_tool(budget = 100)]
async fn few_numbers(count: u64) -> Paged<u64> {
    Paged::new(0..count)
}

/// Repeat a word.
#[mcp_tool]
async fn repeat(word: String, times: usize) -> Vec<String> {
    vec![word; times]
}

/// Repeat a word in a text.
#[mcp_tool(budget = 50)]
async fn say(times: usize) -> Text {
    Text::new("hello ".repeat(times))
}

/// Return a long text.
#[mcp_tool(budget = 50)]
async fn recite() -> String {
    "hello ".repeat(1_000)
}

fn length(dispatcher: &Dispatcher, name: &str, client: Option<&str>) -> u64 {
    let mut request = CallToolRequest::new(name, json!({"count": 1_000_000}));
    if let Some(client) = client {
        let info = json!({"io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"}});
        request = request.with_meta(info.as_object().expect("an object").clone());
    }
    tokens(send(dispatcher, request).value().expect("a value").get())
}

#[test]
fn a_page_has_20_000_tokens_unless_something_else_is_said() {
    let tokens = |builder: mcp_tool_runtime::DispatcherBuilder| {
        let dispatcher = built(builder.tools(tools![numbers, few_numbers]));
        [None, Some("claude-code"), Some("tiny")]
            .map(|client| (length(&dispatcher, "numbers", client), length(&dispatcher, "few_numbers", client)))
            .map(|(all, few)| (all.div_ceil(100) * 100, few.div_ceil(100) * 100))
    };
    // Claude Code takes 50,000 characters, for which the estimate has at least 15,000 tokens.
    assert_eq!(tokens(exact()), [(20_000, 100), (15_000, 100), (20_000, 100)]);
    assert_eq!(tokens(exact().result_budget(1_000)), [(1_000, 100); 3]);
    assert_eq!(tokens(exact().result_budget(30_000)), [(30_000, 100), (15_000, 100), (30_000, 100)]);
    // A client that is told how large the results are takes them.
    let declared = || exact().client_hints(mcp_tool_runtime::mcp::ClientHints::sizes());
    assert_eq!(tokens(declared().result_budget(30_000)), [(30_000, 100); 3]);
    assert_eq!(tokens(declared())[1], (15_000, 100));
    let for_tiny =
        |budget| move |client: &mcp_tool_runtime::ask::ClientInfo| (client.name() == "tiny").then_some(budget);
    assert_eq!(tokens(exact().result_budget_for(for_tiny(5_000))), [(20_000, 100), (15_000, 100), (5_000, 100)]);
    let builder = exact().result_budget(1_000).result_budget_for(for_tiny(5_000));
    assert_eq!(tokens(builder), [(1_000, 100), (1_000, 100), (5_000, 100)]);
    let for_code = |client: &mcp_tool_runtime::ask::ClientInfo| (client.name() == "claude-code").then_some(40_000);
    assert_eq!(tokens(exact().result_budget_for(for_code))[1], (40_000, 100));
}

struct Block;

#[mcp_tools(budget = 200)]
impl Block {
    /// List numbers.
    #[mcp_tool]
    async fn of_block(&self) -> Paged<u64> {
        Paged::new(0..10_000)
    }

    /// List numbers.
    #[mcp_tool(budget = 1_000)]
    async fn of_method(&self) -> Paged<u64> {
        Paged::new(0..10_000)
    }
}

#[test]
fn a_method_has_its_own_budget_or_that_of_its_block() {
    let dispatcher = built(exact().service(Block));
    let tokens = |name| tokens(call(&dispatcher, name, json!({})).value().expect("a value").get());
    assert!((150..=200).contains(&tokens("of_block")) && (950..=1_000).contains(&tokens("of_method")));
}

#[test]
fn any_other_result_over_a_budget_of_the_author_is_an_error_that_a_model_can_act_on() {
    let dispatcher = built(exact().tools(tools![repeat, say, recite]).result_budget(1_000));
    assert!(call(&dispatcher, "repeat", json!({"word": "a", "times": 200})).is_success());
    assert_eq!(
        message(&dispatcher, "repeat", json!({"word": "a", "times": 1_000})),
        "the result has about 2071 tokens, and at most 1000 are allowed; narrow it with the arguments `word` or `times`"
    );
    assert!(call(&dispatcher, "say", json!({"times": 25})).is_success());
    assert!(message(&dispatcher, "say", json!({"times": 26})).ends_with("narrow it with the argument `times`"));
    assert!(message(&dispatcher, "recite", json!({})).ends_with("the tool has no argument that narrows it"));
}

#[test]
fn without_a_budget_any_other_result_is_as_large_as_it_was() {
    let dispatcher = serve(tools![repeat]);
    let result = call(&dispatcher, "repeat", json!({"word": "word", "times": 100_000}));
    assert_eq!(result.deserialize::<Vec<String>>().expect("a value").len(), 100_000);
}

#[test]
fn a_page_of_the_estimate_is_near_its_budget() {
    let dispatcher = serve(tools![numbers]);
    let page: Value = value(&call(&dispatcher, "numbers", json!({"count": 1_000_000})));
    let bytes = page.to_string().len();
    assert!((15_000..60_000).contains(&bytes), "{bytes}");
}
