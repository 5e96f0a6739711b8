//! `Paged`: its schema, its pages, its texts and its limits.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::TryStreamExt as _;
use mcp_tool_runtime::{Cursor, IntoToolError, Paged, mcp_tool, mcp_tools, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt as _;

use super::{joined, pages, value};
use crate::run::{LATEST, LEGACY};
use crate::run::{call, error, exact, listed, mcp, message, otc, serve};

#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Order {
    id: u32,
    article: String,
}

fn orders(range: impl Iterator<Item = u32>) -> Vec<Order> {
    range.map(|id| Order { id, article: format!("article {id}") }).collect()
}

/// List the orders of a customer.
#[mcp_tool(read_only_hint, budget = 500)]
async fn list_orders(customer: u32) -> Result<Paged<Order>, String> {
    if customer == 0 {
        Err("no such customer".to_owned())
    } else {
        Ok(Paged::new(orders(0..customer)).with_total(customer))
    }
}

type After = Cursor<u32>;

/// List all orders.
#[mcp_tool(read_only_hint, budget = 500)]
async fn list_all(after: After, limit: Option<usize>) -> Paged<Order> {
    let rows = orders(after.position().map_or(0, |id| id + 1)..200);
    Paged::by(rows.into_iter().take(limit.unwrap_or(100)), |order| order.id)
}

/// Yields numbers, and is pending before each of them.
struct Numbers {
    next: u32,
    end: u32,
    is_ready: bool,
}

impl Stream for Numbers {
    type Item = u32;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        self.is_ready = !self.is_ready;
        if self.is_ready {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.next += 1;
        Poll::Ready((self.next <= self.end).then_some(self.next - 1))
    }
}

/// Count by position.
#[mcp_tool(budget = 200)]
async fn stream() -> Paged<u32> {
    Paged::stream(Numbers { next: 0, end: 500, is_ready: false })
}

/// Count by key.
#[mcp_tool(budget = 200)]
async fn stream_by_key(cursor: Cursor<u32>) -> Paged<u32> {
    let next = cursor.position().map_or(0, |last| last + 1);
    Paged::stream(Numbers { next, end: 500, is_ready: false }).with_total(500).by(|number| *number)
}

#[test]
fn the_schemas_tell_a_model_how_to_go_on() {
    let dispatcher = serve(tools![list_orders, list_all]);
    let tool = listed(&dispatcher, "list_orders", LATEST);
    assert_eq!(tool["inputSchema"]["properties"]["cursor"]["type"], "string");
    assert_eq!(tool["inputSchema"]["required"], json!(["customer"]));
    assert_eq!(tool["outputSchema"]["required"], json!(["items"]));
    let properties: Vec<_> = tool["outputSchema"]["properties"].as_object().expect("properties").keys().collect();
    assert_eq!(properties, ["items", "next_cursor", "total"]);
    let tool = listed(&dispatcher, "list_all", LATEST);
    let after = &tool["inputSchema"]["properties"]["after"];
    assert_eq!(after.as_object().expect("a schema").keys().collect::<Vec<_>>(), ["type", "description"]);
    assert!(after["description"].as_str().expect("a text").contains("`next_cursor`"));
    assert_eq!(tool["inputSchema"]["properties"].get("cursor"), None);
    assert_eq!(tool["inputSchema"].get("required"), None);
    assert!(
        tool["outputSchema"]["properties"]["next_cursor"]["description"].as_str().expect("a text").contains("`after`")
    );
    for version in LEGACY {
        assert_eq!(listed(&dispatcher, "list_orders", version)["outputSchema"]["properties"]["items"]["type"], "array");
    }
}

#[test]
fn pages_by_position_are_the_list() {
    let dispatcher = serve(tools![list_orders]);
    for count in [1, 2, 17, 18, 300] {
        let pages = pages(&dispatcher, "list_orders", json!({ "customer": count }), "cursor");
        assert_eq!(json!(joined(&pages)), json!(orders(0..count)));
        assert!(pages.iter().all(|page| value(page)["total"] == count));
        assert_eq!(pages.len() > 1, count > 20, "{count}");
    }
    assert_eq!(message(&dispatcher, "list_orders", json!({"customer": 0})), "no such customer");
}

#[test]
fn pages_by_key_are_the_list_however_many_rows_the_function_returns() {
    let dispatcher = serve(tools![list_all]);
    for limit in [json!({}), json!({"limit": 1}), json!({"limit": 7}), json!({"limit": 1_000})] {
        let pages = pages(&dispatcher, "list_all", limit, "after");
        assert_eq!(json!(joined(&pages)), json!(orders(0..200)));
        assert!(pages.iter().rev().skip(1).all(|page| value(page)["items"] != json!([])));
    }
}

#[test]
fn pages_of_a_stream_are_what_it_yields() {
    let dispatcher = serve(tools![stream, stream_by_key]);
    for (name, argument) in [("stream", "cursor"), ("stream_by_key", "cursor")] {
        let pages = pages(&dispatcher, name, json!({}), argument);
        assert_eq!(json!(joined(&pages)), json!((0..500).collect::<Vec<_>>()), "{name}");
        assert!(pages.len() > 3 && pages.iter().all(|page| value(page)["items"] != json!([])));
    }
}

/// Numbers, and an error after some of them.
struct Failing {
    numbers: std::vec::IntoIter<u32>,
}

impl Stream for Failing {
    type Item = Result<u32, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let broken = || Err(std::io::Error::other("the secret disk is gone"));
        Poll::Ready(Some(self.numbers.next().map_or_else(broken, Ok)))
    }
}

/// Read rows by position.
#[mcp_tool(budget = 2_000)]
async fn rows(count: u32) -> Paged<u32> {
    Paged::try_stream(Failing { numbers: (0..count).collect::<Vec<_>>().into_iter() })
}

/// Read rows by key.
#[mcp_tool(budget = 2_000)]
async fn rows_by_key(count: u32, after: Cursor<u32>) -> Paged<u32> {
    let numbers: Vec<_> = (after.position().map_or(0, |last| last + 1)..count).collect();
    Paged::try_stream(Failing { numbers: numbers.into_iter() }).by(|number| *number)
}

#[test]
fn an_error_of_a_stream_ends_the_page_and_is_the_answer_to_the_next_call() {
    let dispatcher = serve(tools![rows, rows_by_key]);
    for (name, argument) in [("rows", "cursor"), ("rows_by_key", "after")] {
        let page = call(&dispatcher, name, json!({"count": 3}));
        assert_eq!(value(&page)["items"], json!([0, 1, 2]), "{name}");
        let mut next = json!({"count": 3});
        next[argument] = page.next_cursor().expect("more").into();
        for arguments in [next, json!({"count": 0})] {
            let error = error(&dispatcher, name, arguments);
            assert!(error.message().starts_with("internal error"), "{error}");
            assert_eq!(error.developer_message(), Some("the secret disk is gone"));
        }
    }
}

/// An error that says what the model may read.
#[derive(Debug, thiserror::Error, IntoToolError)]
enum RowError {
    #[error("the row {0} is locked")]
    #[tool_error(code = "LOCKED", can_retry)]
    Locked(u32),
}

fn locked_rows(count: u32) -> impl Stream<Item = Result<u32, RowError>> + Send + 'static {
    let rows: Vec<_> = (0..count).map(Ok).chain([Err(RowError::Locked(count))]).collect();
    futures_util::stream::iter(rows)
}

/// Read rows.
#[mcp_tool]
async fn masked_rows(count: u32) -> Paged<u32> {
    Paged::try_stream(locked_rows(count))
}

/// Read rows.
#[mcp_tool]
async fn told_rows(count: u32) -> Paged<u32> {
    Paged::try_stream(locked_rows(count).map_err(IntoToolError::into_tool_error))
}

#[test]
fn an_error_of_a_stream_is_masked_unless_it_is_mapped() {
    let dispatcher = serve(tools![masked_rows, told_rows]);
    let masked = error(&dispatcher, "masked_rows", json!({"count": 0}));
    assert!(masked.message().starts_with("internal error") && masked.code().is_none(), "{masked:?}");
    let page = call(&dispatcher, "told_rows", json!({"count": 2}));
    assert_eq!(value(&page)["items"], json!([0, 1]));
    let next = json!({"count": 2, "cursor": page.next_cursor().expect("more")});
    for (arguments, text) in [(json!({"count": 0}), "the row 0 is locked"), (next, "the row 2 is locked")] {
        let told = error(&dispatcher, "told_rows", arguments);
        assert_eq!((told.message(), told.code(), told.can_retry()), (text, Some("LOCKED"), true));
    }
}

/// List the numbers up to 10, some of them in a call.
#[mcp_tool]
async fn some_by_key(after: Cursor<u32>, most: u32, knows_total: bool) -> Paged<u32> {
    let start = after.position().map_or(0, |last| last + 1);
    let end = (start + most).min(10);
    let page = Paged::by(start..end, |number| *number).is_last(!knows_total && end == 10);
    if knows_total { page.with_total(10) } else { page }
}

#[test]
fn a_list_by_key_ends_without_an_empty_page_if_its_end_is_known() {
    let dispatcher = serve(tools![some_by_key]);
    for (most, knows_total, calls) in [(4, false, 3), (10, false, 1), (10, true, 1), (4, true, 4)] {
        let all = pages(&dispatcher, "some_by_key", json!({"most": most, "knows_total": knows_total}), "after");
        assert_eq!(joined(&all), (0..10).map(Value::from).collect::<Vec<_>>());
        assert_eq!(all.len(), calls, "{most} {knows_total}");
    }
}

/// List the numbers up to 300 in batches of 100, with a total that may be wrong.
#[mcp_tool]
async fn batches(after: Cursor<usize>, total: String) -> Paged<usize> {
    let start = after.position().map_or(0, |last| last + 1);
    let end = (start + 100).min(300);
    Paged::by(start..end, |number| *number).with_total(match &*total {
        "of the batch" => end - start,
        "of what is left" => 300 - start,
        _ => 300,
    })
}

#[test]
fn a_total_that_more_items_contradict_does_not_end_the_list_and_is_left_out() {
    crate::subscribers::keep_two();
    let lines = crate::subscribers::Lines::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(lines.clone()));
    let dispatcher = serve(tools![batches]);
    for (total, expected) in [
        ("of the batch", [Value::Null, Value::Null, Value::Null]),
        ("of what is left", [json!(300), json!(200), Value::Null]),
        ("true", [json!(300), json!(300), json!(300)]),
    ] {
        let all = pages(&dispatcher, "batches", json!({ "total": total }), "after");
        assert_eq!(joined(&all), (0..300).map(Value::from).collect::<Vec<_>>(), "{total}");
        let totals: Vec<_> = all.iter().map(|page| value(page)["total"].clone()).collect();
        assert_eq!(totals[..3], expected, "{total}");
        let logged = std::mem::take(&mut *lines.0.lock().expect("no panic"));
        assert_eq!(logged.len(), expected.iter().filter(|total| total.is_null()).count(), "{logged:?}");
        assert!(logged.iter().all(|line| line.starts_with("ERROR message=`with_total` is left out")), "{logged:?}");
    }
}

#[test]
fn every_carrier_and_version_gets_the_same_value() {
    let dispatcher = serve(tools![list_orders]);
    let page = call(&dispatcher, "list_orders", json!({"customer": 300}));
    let cursor = page.next_cursor().expect("more");
    assert_eq!(value(&page)["next_cursor"], cursor);
    for version in [LATEST].into_iter().chain(LEGACY) {
        let result = mcp(&page, version);
        assert_eq!(result["structuredContent"], value(&page));
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("a text")).expect("JSON");
        assert_eq!(text, value(&page));
    }
    assert_eq!(otc(&page)["value"], value(&page));
}

/// List nothing.
#[mcp_tool]
async fn totals(total: i64) -> Paged<u8> {
    Paged::new([]).with_total(total)
}

#[test]
fn a_total_that_is_not_a_number_of_items_is_left_out() {
    let dispatcher = serve(tools![totals]);
    for (total, expected) in
        [(0, json!({"items": [], "total": 0})), (-1, json!({"items": []})), (1_i64 << 53, json!({"items": []}))]
    {
        assert_eq!(crate::run::value(&dispatcher, "totals", json!({"total": total})), expected);
    }
}

/// List items whose key is `null`.
#[mcp_tool(budget = 20)]
async fn without_keys(after: Cursor<Option<u32>>) -> Paged<String> {
    let _ = after;
    Paged::by(vec!["a text".to_owned(); 100], |_| None::<u32>)
}

#[test]
fn a_key_of_null_is_an_error_since_the_list_would_start_again() {
    let error = message(&serve(tools![without_keys]), "without_keys", json!({}));
    assert!(error.contains("the key of an item is `null`"), "{error}");
}

#[test]
fn a_page_past_the_end_is_empty() {
    let dispatcher = serve(tools![list_all]);
    let last = pages(&dispatcher, "list_all", json!({}), "after").pop().expect("a page");
    assert_eq!(value(&last), json!({"items": []}));
    let dispatcher = crate::run::built(exact().tools(tools![shrinking]).state(AtomicU32::new(300)));
    let first = call(&dispatcher, "shrinking", json!({}));
    let cursor = first.next_cursor().expect("more");
    assert_eq!(value(&call(&dispatcher, "shrinking", json!({"cursor": cursor}))), json!({"items": []}));
}

/// List fewer orders each time.
#[mcp_tool(budget = 500)]
async fn shrinking(#[mcp_tool(state)] count: &AtomicU32) -> Paged<Order> {
    Paged::new(orders(0..count.fetch_sub(299, Ordering::SeqCst)))
}

/// List texts of these lengths.
#[mcp_tool(budget = 100)]
async fn texts(lengths: Vec<usize>) -> Paged<String> {
    Paged::new(lengths.into_iter().map(|length| "x".repeat(length)))
}

#[test]
fn an_item_over_the_budget_is_sent_alone_and_one_over_the_bytes_is_an_error_with_its_position() {
    let dispatcher = crate::run::built(exact().tools(tools![texts]).max_result_bytes(4_000));
    let pages = pages(&dispatcher, "texts", json!({"lengths": [10, 10, 3_000, 10, 2_000, 2_000]}), "cursor");
    let lengths = |page| {
        value(page)["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|text| text.as_str().expect("a text").len())
            .collect::<Vec<_>>()
    };
    assert_eq!(pages.iter().map(lengths).collect::<Vec<_>>(), [&[10, 10][..], &[3_000], &[10], &[2_000], &[2_000]]);
    let arguments = json!({"lengths": [10, 5_000]});
    let first = call(&dispatcher, "texts", arguments.clone());
    let mut next = arguments;
    next["cursor"] = first.next_cursor().expect("more").into();
    let error = message(&dispatcher, "texts", next);
    assert!(error.contains("item 2 of the list alone has 50") && error.contains("at most 4000"), "{error}");
}

#[test]
fn a_page_is_never_over_the_bytes_of_a_result() {
    let dispatcher = crate::run::built(exact().tools(tools![texts]).max_result_bytes(200));
    let pages = pages(&dispatcher, "texts", json!({"lengths": vec![40; 20]}), "cursor");
    assert_eq!(joined(&pages).len(), 20);
    assert!(pages.iter().all(|page| page.value().expect("a value").get().len() <= 200));
}

/// List numbers.
#[mcp_tool(text = off)]
async fn without_text() -> Paged<u8> {
    Paged::new([1, 2])
}

fn in_words(numbers: &[u32]) -> String {
    format!("{} numbers up to {:?}", numbers.len(), numbers.last())
}

/// List numbers.
#[mcp_tool(text = in_words, budget = 100)]
async fn with_text() -> Paged<u32> {
    Paged::new(0..1_000)
}

#[test]
fn the_key_text_is_for_the_page_and_not_for_the_list() {
    let dispatcher = serve(tools![without_text, with_text]);
    let result = mcp(&call(&dispatcher, "without_text", json!({})), LATEST);
    assert_eq!((&result["content"], &result["structuredContent"]), (&json!([]), &json!({"items": [1, 2]})));
    let page = call(&dispatcher, "with_text", json!({}));
    let items = value(&page)["items"].as_array().expect("items").len();
    assert!(items < 100);
    let text = format!(
        "{items} numbers up to Some({})\n\nThere may be more: call `with_text` with the same arguments and `cursor`: \"{}\"",
        items - 1,
        page.next_cursor().expect("more"),
    );
    assert_eq!(mcp(&page, LATEST)["content"][0]["text"], text);
    let all = pages(&dispatcher, "with_text", json!({}), "cursor");
    let last = mcp(all.last().expect("a page"), LATEST);
    let last = last["content"][0]["text"].as_str().expect("a text");
    assert!(last.ends_with("up to Some(999)"), "{last}");
}

/// List what is not a number.
#[mcp_tool]
async fn not_finite() -> Paged<f64> {
    Paged::new([1.0, f64::NAN])
}

#[test]
fn r7_a_number_that_is_not_finite_is_an_error_with_its_path() {
    let error = message(&serve(tools![not_finite]), "not_finite", json!({}));
    assert!(error.contains("`items[1]` is not finite"), "{error}");
}

struct Shelf<S>(S);

trait Store: Send + Sync + 'static {
    fn names(&self) -> BTreeMap<String, u32>;
}

impl Store for u32 {
    fn names(&self) -> BTreeMap<String, u32> {
        (0..*self).map(|n| (format!("name {n:04}"), n)).collect()
    }
}

#[mcp_tools(budget = 300)]
impl<S: Store> Shelf<S> {
    /// List the names.
    #[mcp_tool]
    async fn list(&self, cursor: Cursor<String>) -> Paged<(String, u32)> {
        let start = cursor.position().map_or(Bound::Unbounded, Bound::Excluded);
        let names = self.0.names();
        let rows = names.range::<String, _>((start, Bound::Unbounded)).map(|(name, n)| (name.clone(), *n));
        Paged::by(rows, |(name, _)| name.clone())
    }
}

#[test]
fn a_method_of_a_generic_service_has_pages() {
    let dispatcher = crate::run::built(exact().service(Shelf(150)));
    let pages = pages(&dispatcher, "list", json!({}), "cursor");
    assert!(pages.len() > 3);
    assert_eq!(json!(joined(&pages)), json!(150.names().into_iter().collect::<Vec<_>>()));
}
