//! Pages in Rust, over stdio and the SDK, in lint, contracts, exports and `OpenAPI`.

use mcp_tool_runtime::lint::{Client as Reader, Severity};
use mcp_tool_runtime::{
    CallToolRequest, Excerpt, Paged, Text, contract, export::Vendor, json, mcp_tool, middleware, tools,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{self, Value};

use super::joined;
use crate::run::{built, exact, now, serve};

/// List numbers.
#[mcp_tool(budget = 100)]
async fn numbers(count: u32) -> Result<Paged<u32>, String> {
    if count == 13 { Err("13 brings bad luck".to_owned()) } else { Ok(Paged::new(0..count)) }
}

/// Read lines.
#[mcp_tool(budget = 150)]
async fn read() -> Excerpt {
    Excerpt::lines("a line\n".repeat(200))
}

#[test]
fn the_responses_of_all_pages_are_a_stream() {
    let dispatcher = serve(tools![numbers, read]);
    let all = |request: CallToolRequest| {
        let mut pages = dispatcher.pages(request);
        now(async {
            let mut all = Vec::new();
            while let Some(page) = pages.next().await {
                all.push(page);
            }
            all
        })
    };
    let pages: Vec<_> =
        all(CallToolRequest::new("numbers", json!({"count": 500}))).into_iter().map(Result::unwrap).collect();
    assert_eq!(json!(joined(&pages)), json!((0..500).collect::<Vec<_>>()));
    assert!(pages.len() > 3 && pages.last().expect("a page").next_cursor().is_none());
    assert!(all(CallToolRequest::new("read", Value::Null)).len() > 3);
    let failed = all(CallToolRequest::new("numbers", json!({"count": 13})));
    assert!(matches!(failed.as_slice(), [Ok(response)] if !response.is_success()));
    assert!(matches!(all(CallToolRequest::new("none", json!({}))).as_slice(), [Err(_)]));
    // From a cursor on, which is replaced.
    let cursor = pages[0].next_cursor().expect("more");
    let rest = all(CallToolRequest::new("numbers", json!({"count": 500, "cursor": cursor})));
    assert_eq!(rest.len(), pages.len() - 1);
}

#[test]
fn a_page_that_a_middleware_changes_has_a_next_page() {
    let redact = middleware::from_fn(|request, cx, next| {
        Box::pin(async move {
            let output = next.run(request, cx).await?;
            let json = output.as_json().map(|json| json.replace("13,", "0,"));
            match json {
                Some(json) => output.with_value(serde_json::from_str::<Value>(&json).expect("JSON")),
                None => Ok(output.with_blocks(vec![Text::new("no more").into()])),
            }
        })
    });
    let dispatcher = built(exact().tools(tools![numbers, read]).middleware(redact));
    let all = |request| {
        let mut pages = dispatcher.pages(request);
        now(async {
            let mut all = Vec::new();
            while let Some(page) = pages.next().await {
                all.push(page.expect("a page"));
            }
            all
        })
    };
    let numbers = joined(&all(CallToolRequest::new("numbers", json!({"count": 500}))));
    assert_eq!((numbers.len(), &numbers[13], &numbers[499]), (500, &json!(0), &json!(499)));
    let pages = all(CallToolRequest::new("read", Value::Null));
    assert!(pages.len() > 3 && pages.iter().all(|page| page.content() == [Text::new("no more").into()]));
}

#[derive(Serialize, JsonSchema)]
struct Order {
    id: u32,
    tags: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Orders {
    customer: String,
    notes: Vec<String>,
    list: Vec<Order>,
}

/// List orders.
#[mcp_tool]
async fn list() -> Vec<Order> {
    Vec::new()
}

/// List orders.
#[mcp_tool]
async fn nested() -> Orders {
    Orders { customer: String::new(), notes: Vec::new(), list: Vec::new() }
}

/// Get an order.
#[mcp_tool]
async fn one() -> Order {
    Order { id: 1, tags: Vec::new() }
}

/// List orders.
#[mcp_tool]
async fn paged() -> Paged<Order> {
    Paged::new([])
}

/// List orders.
#[mcp_tool(budget = 100)]
async fn limited() -> Vec<Order> {
    Vec::new()
}

#[test]
fn lint_finds_lists_of_any_length_for_clients_with_a_limit() {
    let dispatcher = serve(tools![list, nested, one, paged, limited]);
    let findings = dispatcher.lint(&[Reader::ClaudeCode, Reader::VsCode]);
    let found: Vec<_> = findings
        .iter()
        .map(|finding| (finding.tool.as_deref().expect("a tool"), finding.rule, finding.place.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("list", "unbounded-result", "/outputSchema"),
            ("nested", "unbounded-result", "/outputSchema/properties/list"),
        ]
    );
    assert_eq!(findings[0].severity, Severity::Advice);
    assert!(findings[0].problem.contains("25000 tokens"), "{}", findings[0]);
    let limited = built(exact().tools(tools![list, nested]).result_budget(10_000));
    assert_eq!(limited.lint(&[Reader::ClaudeCode]), []);
}

#[test]
fn a_contract_says_that_a_list_in_pages_is_another_result() {
    let then = serve(vec![Box::new(mcp_tool_runtime::ToolHandler::with_name(list {}, "orders"))]);
    let now = serve(vec![Box::new(mcp_tool_runtime::ToolHandler::with_name(paged {}, "orders"))]);
    let file = std::env::temp_dir().join(format!("mcp-tool-{}-pages.lock.json", std::process::id()));
    contract::write(&then, &file).expect("a file");
    let error = contract::check(&now, &file).expect_err("a change");
    std::fs::remove_file(&file).expect("the file");
    assert!(
        error.errors().iter().any(|error| error.contains("result: `type` was \"array\" and is \"object\"")),
        "{error}"
    );
}

#[test]
fn exports_and_openapi_have_the_cursor_and_no_other_tool_is_changed() {
    let dispatcher = serve(tools![numbers, one]);
    let openapi = dispatcher.openapi().to_string();
    assert!(openapi.contains("call the tool again with the same arguments"), "{openapi}");
    let exported = json!(dispatcher.export(Vendor::Anthropic).tools()).to_string();
    assert!(exported.contains("`next_cursor` of the last page"), "{exported}");
    let alone = serve(tools![one]);
    assert_eq!(json!(alone.list()[0]), json!(dispatcher.list()[1]));
}
