//! `call --all`: one list of all pages.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::schemars::JsonSchema;
use mcp_tool_runtime::{Dispatcher, Excerpt, Paged, mcp_tool, tools};
use serde::Serialize;
use serde_json::Value;

use super::{FAILURE, USAGE, cli, run, run_on};

/// List numbers.
#[mcp_tool(budget = 100)]
async fn numbers(count: u32) -> Result<Paged<u32>, String> {
    if count == 13 { Err("13 brings bad luck".to_owned()) } else { Ok(Paged::new(0..count)) }
}

/// List numbers until the database fails.
#[mcp_tool(budget = 100)]
async fn failing(#[mcp_tool(state)] runs: &AtomicUsize) -> Result<Paged<u32>, String> {
    if runs.fetch_add(1, Ordering::Relaxed) == 2 {
        Err("the database is down".to_owned())
    } else {
        Ok(Paged::new(0..1_000))
    }
}

#[tokio::test]
async fn a_list_that_ends_early_is_valid_json() {
    for io in [Io::captured(""), Io::captured("").with_terminal(80)] {
        let dispatcher = Dispatcher::builder().tools(tools![failing]).state(AtomicUsize::new(0)).build();
        let cli = Cli::new(dispatcher.expect("a tool"));
        let failed = run_on(&cli, "call failing --all", io).await;
        let list: Vec<u32> = serde_json::from_str(&failed.output).expect("a list");
        assert!(!list.is_empty() && list.iter().zip(0..).all(|(item, place)| *item == place));
        assert_eq!(failed.code, ExitCode::from(FAILURE));
        assert!(failed.errors.contains("the database is down"), "{}", failed.errors);
    }
}

fn numbered(count: u32) -> String {
    (0..count).fold(String::new(), |text, n| text + &format!("line {n}\n"))
}

/// Read lines.
#[mcp_tool(budget = 150)]
async fn read(count: u32) -> Excerpt {
    Excerpt::lines(numbered(count))
}

/// Greet.
#[mcp_tool]
async fn greet(#[serde(default)] all: bool) -> String {
    format!("hello {}", if all { "all" } else { "you" })
}

#[derive(Serialize, JsonSchema)]
struct Order {
    items: Vec<String>,
    total: u32,
}

/// Get an order.
#[mcp_tool]
async fn order() -> Order {
    Order { items: vec!["tea".to_owned()], total: 3 }
}

#[tokio::test]
async fn all_pages_are_printed_as_one_list() {
    let cli = cli(tools![numbers, read, greet]);
    for count in [0, 1, 1_000] {
        for words in [format!("call numbers --count {count} --all"), format!("call --all numbers --count {count}")] {
            let list: Vec<u32> = serde_json::from_str(&run(&cli, &words).await.answer()).expect("a list");
            assert!(list.into_iter().eq(0..count));
        }
        let io = Io::captured("").with_terminal(80);
        let text = run_on(&cli, &format!("call numbers --all --count {count}"), io).await.answer();
        let list: Vec<u32> = serde_json::from_str(&text).expect("a list");
        assert!(list.into_iter().eq(0..count));
    }
    // A person who sees one page learns how to get all.
    let more = "  help: there may be more: `--all` prints all pages\n";
    for (words, expected) in [
        ("call numbers --output text --count 1000", more),
        ("call numbers --output text --count 1000 --all", ""),
        ("call numbers --output text --count 1", ""),
        ("call numbers --output json --count 1000", ""),
    ] {
        assert_eq!(run(&cli, words).await.errors, expected, "{words}");
    }
    let page: Value = serde_json::from_str(&run(&cli, "call numbers --count 1000").await.answer()).expect("a page");
    let cursor = page["next_cursor"].as_str().expect("more");
    let next = run(&cli, &format!("call numbers --count 1000 --cursor={cursor}")).await.answer();
    let next: Value = serde_json::from_str(&next).expect("a page");
    assert_eq!(next["items"][0], page["items"].as_array().expect("items").len());
}

#[tokio::test]
async fn all_parts_of_a_text_are_printed_without_the_notes() {
    let cli = cli(tools![numbers, read, greet]);
    let text = numbered(300);
    assert_eq!(run(&cli, "call --output text read --count 300 --all").await.answer(), text);
}

fn sum(page: &[u32]) -> String {
    format!("the sum of this page is {}", page.iter().sum::<u32>())
}

/// List numbers with a text.
#[mcp_tool(budget = 100, text = sum)]
async fn summed(count: u32) -> Paged<u32> {
    Paged::new(0..count)
}

#[tokio::test]
async fn all_pages_are_a_list_of_json_although_each_page_has_a_text() {
    let cli = cli(tools![summed]);
    assert_eq!(run(&cli, "call --output text summed --count 3").await.answer(), "the sum of this page is 3\n");
    let text = run(&cli, "call --output text summed --count 1000 --all").await.answer();
    let list: Vec<u32> = serde_json::from_str(&text).expect("a list");
    assert!(list.into_iter().eq(0..1_000));
}

#[tokio::test]
async fn all_of_another_tool_is_its_answer() {
    let cli = cli(tools![numbers, read, greet, order]);
    let whole = run(&cli, "call --all greet").await;
    assert_eq!(whole.errors, "  note: greet has no pages, so `--all` changes nothing\n");
    assert_eq!(whole.answer(), "\"hello you\"\n");
    let items = run(&cli, "call --all order").await;
    assert_eq!(items.errors, "  note: order has no pages, so `--all` changes nothing\n");
    assert_eq!(items.answer(), "{\"items\":[\"tea\"],\"total\":3}\n");
    let flag = run(&cli, "call greet --all").await;
    assert_eq!((flag.errors.as_str(), flag.output.as_str()), ("", "\"hello all\"\n"));
    // Pages of which one is enough.
    for words in ["call --all numbers --count 1", "call --all read --count 1"] {
        assert_eq!(run(&cli, words).await.errors, "", "{words}");
    }
    let mcp = run(&cli, "call --all --output mcp numbers --count 1").await.error(USAGE);
    assert!(mcp.contains("  --all: prints one list, so write `--output text` or `--output json`\n"), "{mcp}");
    assert!(run(&cli, "call --all numbers --count 13").await.error(FAILURE).contains("13 brings bad luck"));
    assert!(run(&cli, "call --all numbers --count 5 --cursor x").await.error(USAGE).contains("--cursor: not a cursor"));
}
