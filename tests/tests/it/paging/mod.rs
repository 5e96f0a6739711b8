//! Lists and texts in pages, and budgets.

mod budgets;
mod consents;
mod cursors;
mod everywhere;
mod excerpts;
mod lists;
mod random;

use mcp_tool_runtime::{CallToolResponse, Dispatcher};
use serde_json::Value;

/// Follows the cursors to the end, under this argument, and returns the responses.
fn pages(dispatcher: &Dispatcher, name: &str, mut arguments: Value, argument: &str) -> Vec<CallToolResponse> {
    let mut pages = Vec::new();
    loop {
        let page = crate::run::call(dispatcher, name, arguments.clone());
        assert!(page.is_success(), "{page:?}");
        assert!(pages.len() < 10_000, "the pages have no end");
        let cursor = page.next_cursor().map(str::to_owned);
        pages.push(page);
        match cursor {
            Some(cursor) => arguments[argument] = cursor.into(),
            None => return pages,
        }
    }
}

/// Returns the value of a page.
fn value(page: &CallToolResponse) -> Value {
    page.deserialize().expect("a value")
}

/// Returns the items of all pages.
fn joined(pages: &[CallToolResponse]) -> Vec<Value> {
    let items = |page: &CallToolResponse| value(page)["items"].as_array().expect("items").clone();
    pages.iter().flat_map(items).collect()
}
