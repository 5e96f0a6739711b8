//! The memory that hostile arguments take while they are read, checked and refused: a constant for each byte of the request. The tests have a
//! binary of their own, because they count the allocations of the whole process.

#[path = "../it/run.rs"]
#[expect(dead_code, reason = "the tests of `it` use the rest")]
mod run;

use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_tool_runtime::{Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata, mcp};
use peak_alloc::PeakAlloc;
use serde_json::{Map, Value, json};

use crate::run::LATEST;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Waits until no other test runs: two would count each other's memory.
fn alone() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most that a call takes for each byte of its request. Measured at most: 26 for a megabyte, 18 of which are the document, and 75 for a
/// chain of twenty references, each of which remembers its result for each value.
const MOST_PER_BYTE: usize = 80;

/// The most that a call takes for any request: what a search for errors remembers, and the errors. Measured at most: 0.7 MiB.
const MOST_AT_ONCE: usize = 1 << 20;

/// The bytes of a large request.
const LARGE: usize = 1 << 20;

/// A tool that does not read its arguments: a `Value` of them would take more memory than everything before.
struct Unread(Value);

impl ToolHandler for Unread {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("tool", "Written by hand.", self.0.clone())
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Output::value(1) })
    }
}

/// Calls the tool, checks the peak of the memory, and returns if the arguments were accepted.
fn is_accepted(what: &str, schema: &Value, arguments: &str) -> bool {
    let dispatcher = run::built(run::exact().tool(Unread(schema.clone())).max_argument_bytes(4 << 20));
    let params = format!(r#"{{"name":"tool","arguments":{arguments}}}"#);
    // The first call also builds what later calls reuse.
    run::now(dispatcher.call_json(br#"{"name":"tool","arguments":{"none":1}}"#, LATEST)).expect("a result");
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = run::now(dispatcher.call_json(params.as_bytes(), LATEST)).expect("a result");
    let peak = MEMORY.peak_usage() - before;
    println!("{what}: {peak} bytes for {} bytes", params.len());
    assert!(peak < MOST_AT_ONCE + MOST_PER_BYTE * params.len(), "{what}: {peak} bytes for {} bytes", params.len());
    let result: Value = serde_json::from_slice(&result).expect("JSON");
    result["isError"] != true
}

fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn list(element: &str, bytes: usize) -> String {
    format!("[{}]", vec![element; bytes / (element.len() + 1)].join(","))
}

/// A union of objects that require many names each.
fn union_of(branches: usize, names: usize) -> Value {
    let branch = |at: usize| {
        let names: Vec<_> = (0..names).map(|name| format!("b{at}_{name}")).collect();
        json!({"type": "object", "required": names})
    };
    json!({"anyOf": (0..branches).map(branch).collect::<Vec<_>>()})
}

#[test]
fn i4_many_errors_in_many_branches_take_little_memory() {
    let _alone = alone();
    let elements = json!({"type": "array", "items": union_of(60, 60)});
    let in_branches = json!({"anyOf": [elements, {"type": "array", "items": elements}, {"type": "string"}]});
    for (what, schema) in [("a list", &elements), ("lists in branches", &in_branches)] {
        let schema = object(&json!({"a": schema}));
        for bytes in [100, 1_000, 20_000, LARGE] {
            let arguments = format!(r#"{{"a":{}}}"#, list("{}", bytes));
            assert!(!is_accepted(&format!("{what}, {bytes}"), &schema, &arguments));
        }
    }
}

#[test]
fn i4_unions_that_contain_themselves_take_little_memory() {
    let _alone = alone();
    let node = json!({"anyOf": [
        {"type": "integer"},
        {"type": "array", "items": {"$ref": "#/$defs/node"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}, "unevaluatedProperties": false}
    ]});
    let mut schema = object(&json!({"a": {"$ref": "#/$defs/node"}}));
    schema["$defs"] = json!({"node": node});
    let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
    for (what, element, is_valid) in [
        ("empty lists", "[]", true),
        ("empty objects", "{}", true),
        ("scalars", "1", true),
        ("wrong", "\"\"", false),
        ("deep", &deep, true),
    ] {
        let arguments = format!(r#"{{"a":{}}}"#, list(element, LARGE));
        assert_eq!(is_accepted(what, &schema, &arguments), is_valid);
    }
}

#[test]
fn i4_chains_of_references_take_little_memory() {
    let _alone = alone();
    let definition = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        (format!("d{at}"), json!({"allOf": [next, next], "oneOf": [next, {"type": "boolean"}]}))
    };
    let last = ("d20".to_owned(), json!({"type": ["integer", "array"]}));
    let mut schema = object(&json!({"a": {"type": "array", "items": {"$ref": "#/$defs/d0"}}}));
    schema["$defs"] = (0..20).map(definition).chain([last]).collect::<Map<_, _>>().into();
    // Each level remembers its result for each value.
    for (what, element, is_valid) in [("accepted", "1234567", true), ("refused", "\"12345\"", false)] {
        let arguments = format!(r#"{{"a":{}}}"#, list(element, 100_000));
        assert_eq!(is_accepted(what, &schema, &arguments), is_valid);
    }
}

#[test]
fn i4_distinct_elements_take_little_memory() {
    let _alone = alone();
    let schema = object(&json!({"a": {"type": "array", "uniqueItems": true}}));
    let values = |value: &dyn Fn(usize) -> String| {
        let all: Vec<_> = (0..LARGE / 12).map(value).collect();
        format!(r#"{{"a":[{}]}}"#, all.join(","))
    };
    assert!(is_accepted("numbers", &schema, &values(&|n| n.to_string())));
    assert!(is_accepted("lists", &schema, &values(&|n| format!("[{n}]"))));
    assert!(is_accepted("objects", &schema, &values(&|n| format!(r#"{{"a":{n}}}"#))));
    assert!(!is_accepted("twice", &schema, &values(&|n| (n / 2).to_string())));
    let large = json!({"k": (0..1_000).collect::<Vec<_>>()}).to_string();
    assert!(!is_accepted("large", &schema, &format!(r#"{{"a":{}}}"#, list(&large, LARGE))));
}

#[test]
fn i4_long_names_take_little_memory() {
    let _alone = alone();
    let schema = object(&json!({"a": {"additionalProperties": {"type": "array", "items": union_of(20, 20)}}}));
    let name = "n".repeat(LARGE / 2);
    assert!(!is_accepted("unknown", &schema, &format!(r#"{{"{name}":1}}"#)));
    assert!(!is_accepted("above errors", &schema, &format!(r#"{{"a":{{"{name}":{}}}}}"#, list("{}", 1_000))));
    assert!(!is_accepted("above more errors", &schema, &format!(r#"{{"a":{{"{name}":{}}}}}"#, list("{}", LARGE / 2))));
    let levels = format!("{}1{}", format!(r#"{{"{}":"#, "n".repeat(10_000)).repeat(100), "}".repeat(100));
    assert!(!is_accepted("levels", &schema, &format!(r#"{{"a":{levels}}}"#)));
}

#[test]
fn i4_patterns_with_groups_take_little_memory() {
    let _alone = alone();
    for pattern in [r"^((a|b)+c?)*$", r"^(?:(?:a?){40}b?)+$", r"^(\w{1,40}\s?)*$", r"^[\p{L}\p{N} ]{1,64}$"] {
        let schema = object(&json!({"a": {"type": "string", "pattern": pattern}}));
        let text = "ab".repeat(LARGE / 8);
        is_accepted(pattern, &schema, &format!(r#"{{"a":"{text}"}}"#));
        assert!(!is_accepted(pattern, &schema, &format!(r#"{{"a":"{text}!"}}"#)));
    }
}

/// A stream of a million rows, in which the rows before the cursor are skipped as a database skips them.
struct Rows(std::ops::Range<u64>);

impl futures_core::Stream for Rows {
    type Item = String;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<String>> {
        std::task::Poll::Ready(self.0.next().map(|id| format!("{id:09}, a row of a table with a million rows")))
    }
}

/// List the rows.
#[mcp_tool_runtime::mcp_tool]
async fn rows(from: u64, after: mcp_tool_runtime::Cursor<u64>) -> mcp_tool_runtime::Paged<String> {
    let next = after.position().map_or(from, |last| last + 1);
    mcp_tool_runtime::Paged::stream(Rows(next..1_000_000)).by(|row| row[..9].parse::<u64>().unwrap_or_default())
}

/// The most that a page of 20,000 tokens takes. Measured: 256 KB, five times its text. That are the text, what was recorded of it for its
/// check, and the result with both forms of it.
const MOST_OF_A_PAGE: usize = 1 << 19;

#[test]
fn r9_a_page_of_a_million_rows_takes_the_memory_of_the_page_wherever_it_starts() {
    let _alone = alone();
    let dispatcher = run::built(run::exact().tools(mcp_tool_runtime::tools![rows]));
    for from in [0, 500_000, 998_000] {
        let mut arguments = json!({"from": from});
        let mut next = from;
        for _ in 0..3 {
            let params = json!({"name": "rows", "arguments": arguments}).to_string();
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage();
            let result = run::now(dispatcher.call_json(params.as_bytes(), LATEST)).expect("a result");
            let peak = MEMORY.peak_usage() - before;
            let result: Value = serde_json::from_slice(&result).expect("JSON");
            let page = &result["structuredContent"];
            let items = page["items"].as_array().expect("items");
            println!("from {next}: {} rows, {peak} bytes", items.len());
            assert!(items[0].as_str().is_some_and(|row| row.starts_with(&format!("{next:09}"))));
            assert!(peak < MOST_OF_A_PAGE, "from {next}: {peak} bytes");
            next += items.len() as u64;
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            arguments["after"] = cursor.into();
        }
        assert!(from < 998_000 || next == 1_000_000);
    }
}

#[test]
fn names_of_arguments_go_with_their_tools() {
    #[mcp_tool_runtime::mcp_tool]
    /// Look it up.
    async fn look_up(word: String) -> String {
        word
    }

    let _alone = alone();
    let rename = |number: usize| {
        let name = format!("{number}_{}", "x".repeat(1_000));
        let tool = look_up {}.with_argument("word", |argument| argument.with_name(name.as_str()));
        assert!(tool.definition().input_schema["properties"].get(&name).is_some());
    };
    rename(0);
    let before = MEMORY.current_usage();
    // A tenant may choose the names.
    (1..1_000).for_each(rename);
    let kept = MEMORY.current_usage().saturating_sub(before);
    assert!(kept < 100_000, "{kept} bytes of 1,000,000");
}
