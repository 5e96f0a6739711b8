//! Cursors that a call refuses, and tools that `build` refuses.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mcp_tool_runtime::{CallToolRequest, Cursor, Paged, ToolHandler as _, json, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{joined, pages};
use crate::run::{LATEST, call, error, exact, faults, mcp, serve};

/// List numbers.
#[mcp_tool(budget = 100)]
async fn numbers(#[serde(default)] from: u32, #[serde(default)] tags: Vec<String>) -> Paged<u32> {
    drop(tags);
    Paged::new(from..from + 1_000)
}

/// List numbers.
#[mcp_tool(budget = 100)]
async fn other_numbers(after: Cursor<u32>) -> Paged<u32> {
    Paged::by(after.position().map_or(0, |last| last + 1)..1_000, |number| *number)
}

#[test]
fn r10_a_cursor_counts_only_for_its_tool_and_its_arguments() {
    let dispatcher = serve(tools![numbers, other_numbers]);
    let arguments = json!({"from": 1, "tags": ["a", "b"]});
    let first = call(&dispatcher, "numbers", arguments);
    let cursor = first.next_cursor().expect("more");
    let same = json!({"cursor": cursor, "tags": ["a", "b"], "from": 1.0});
    assert!(call(&dispatcher, "numbers", same).is_success());
    for (name, argument, arguments, reason) in [
        ("numbers", "cursor", json!({"from": 2, "tags": ["a", "b"]}), "other arguments"),
        ("numbers", "cursor", json!({"from": 1, "tags": ["b", "a"]}), "other arguments"),
        ("numbers", "cursor", json!({"from": 1}), "other arguments"),
        ("other_numbers", "after", json!({}), "another tool"),
    ] {
        let mut arguments: Value = arguments;
        arguments[argument] = cursor.into();
        let error = error(&dispatcher, name, arguments);
        assert!(error.message().contains(reason), "{error}");
        assert_eq!(error.errors()[0].pointer(), format!("/{argument}"));
    }
}

#[derive(Deserialize, JsonSchema)]
struct Filter {
    from: Option<u32>,
    after: Cursor<u32>,
}

/// List numbers.
#[mcp_tool(budget = 100)]
async fn filtered_numbers(#[mcp_tool(arguments)] filter: Filter) -> Paged<u32> {
    let from = filter.after.position().map_or(filter.from.unwrap_or(0), |last| last + 1);
    Paged::by(from..1_000, |number| *number)
}

#[test]
fn r10_null_for_an_absent_argument_is_the_same_argument() {
    let dispatcher = serve(tools![filtered_numbers]);
    let first = call(&dispatcher, "filtered_numbers", json!({"from": null}));
    let cursor = first.next_cursor().expect("more");
    assert!(call(&dispatcher, "filtered_numbers", json!({"after": cursor})).is_success());
    let error = error(&dispatcher, "filtered_numbers", json!({"after": cursor, "from": 1}));
    assert!(error.message().contains("other arguments"), "{error}");
}

#[derive(Deserialize, JsonSchema)]
struct Range {
    #[serde(default)]
    from: u32,
    #[serde(default = "one")]
    step: usize,
    unit: Option<String>,
}

fn one() -> usize {
    1
}

/// List numbers.
#[mcp_tool(budget = 100)]
async fn numbers_in(ranges: Vec<Range>) -> Paged<u32> {
    let _ = ranges.iter().map(|range| &range.unit);
    Paged::new(ranges.into_iter().flat_map(|range| (range.from..1_000).step_by(range.step)))
}

#[test]
fn r10_defaults_and_null_inside_an_argument_are_the_same_argument() {
    let dispatcher = serve(tools![numbers_in]);
    let first = call(&dispatcher, "numbers_in", json!({"ranges": [{"step": 1.0, "unit": null}]}));
    let cursor = first.next_cursor().expect("more");
    for range in [json!({}), json!({"step": 1, "from": 0}), json!({"from": 0.0, "unit": null})] {
        let again = call(&dispatcher, "numbers_in", json!({"cursor": cursor, "ranges": [range]}));
        assert!(again.is_success(), "{range}: {:?}", again.error());
    }
    for range in [json!({"step": 2}), json!({"unit": "m"})] {
        let error = error(&dispatcher, "numbers_in", json!({"cursor": cursor, "ranges": [range]}));
        assert!(error.message().contains("other arguments"), "{error}");
    }
}

/// List numbers, and read another key than is written.
#[mcp_tool(budget = 100)]
async fn mistaken_numbers(after: Cursor<String>) -> Paged<u32> {
    drop(after);
    Paged::by(0..1_000, |number| *number)
}

/// List numbers, with keys of more than 64 bits.
#[mcp_tool(budget = 100)]
async fn huge_keys(after: Cursor<u128>) -> Paged<u32> {
    let start = after.position().map_or(0, |last| u32::try_from(u128::MAX - last).expect("a small number") + 1);
    Paged::by(start..100, |number| u128::MAX - u128::from(*number))
}

#[test]
fn r10_a_cursor_whose_key_cannot_be_read_is_refused() {
    let dispatcher = serve(tools![mistaken_numbers]);
    let first = call(&dispatcher, "mistaken_numbers", json!({}));
    let error = error(&dispatcher, "mistaken_numbers", json!({"after": first.next_cursor().expect("more")}));
    assert!(error.message().starts_with("invalid arguments: after: not a cursor, or damaged"), "{error}");
    let details = error.developer_message().expect("what the author must know");
    assert!(details.starts_with("the key in a cursor is not what `Cursor<…>` reads: "), "{details}");
}

/// List numbers, and ignore the cursor.
#[mcp_tool(budget = 100)]
async fn same_numbers(after: Cursor<u32>) -> Paged<u32> {
    let _ = after;
    Paged::by(0..1_000, |number| *number)
}

/// Otherwise, a program that collects all pages would never end.
#[test]
fn a_list_that_ignores_its_cursor_is_an_error_of_the_second_page() {
    let dispatcher = serve(tools![same_numbers]);
    let first = call(&dispatcher, "same_numbers", json!({}));
    let error = error(&dispatcher, "same_numbers", json!({"after": first.next_cursor().expect("more")}));
    assert!(error.message().contains("return only items after the cursor's key"), "{error}");
}

/// List numbers from the last one, not after it.
#[mcp_tool(budget = 100)]
async fn repeated_numbers(after: Cursor<u32>) -> Paged<u32> {
    Paged::by(after.position().copied().unwrap_or(0)..1_000, |number| *number)
}

/// List numbers from the last one, not after it, in one batch.
#[mcp_tool(budget = 100)]
async fn repeated_batches(after: Cursor<u32>) -> Paged<u32> {
    let start = after.position().copied().unwrap_or(0);
    Paged::by(start..start + 10, |number| *number)
}

/// Otherwise, one item would be on two pages.
#[test]
fn a_page_that_begins_with_the_last_item_of_the_page_before_is_an_error() {
    let dispatcher = serve(tools![repeated_numbers, repeated_batches]);
    for name in ["repeated_numbers", "repeated_batches"] {
        let first = call(&dispatcher, name, json!({}));
        let error = error(&dispatcher, name, json!({"after": first.next_cursor().expect("more")}));
        let text = "the page begins with the item that the last page ended with";
        assert!(error.message().contains(text), "{name}: {error}");
        assert!(error.message().contains("return only items after the cursor's key"), "{name}: {error}");
    }
}

/// List numbers, in pairs with one key.
#[mcp_tool(budget = 100)]
async fn pairs(after: Cursor<u32>) -> Paged<u32> {
    let start = after.position().map_or(0, |last| 2 * (last + 1));
    Paged::by(start..1_000, |number| number / 2)
}

/// Otherwise, the second item of a pair would be on no page.
#[test]
fn a_page_that_ends_between_two_items_with_one_key_is_an_error() {
    let dispatcher = serve(tools![pairs]);
    let (mut arguments, mut sent) = (json!({}), 0);
    let error = loop {
        let response = call(&dispatcher, "pairs", arguments);
        let Some(cursor) = response.next_cursor() else {
            break response.error().expect("an error").message().to_owned();
        };
        sent += mcp(&response, LATEST)["structuredContent"]["items"].as_array().map_or(0, Vec::len);
        assert!(sent < 1_000 && sent % 2 == 0, "{sent}");
        arguments = json!({ "after": cursor });
    };
    assert!(error.contains("two items have the same key"), "{error}");
}

#[test]
fn a_key_may_have_128_bits() {
    let dispatcher = serve(tools![huge_keys]);
    let all = joined(&pages(&dispatcher, "huge_keys", json!({}), "after"));
    assert_eq!(all, (0..100).map(Value::from).collect::<Vec<_>>());
}

#[test]
fn an_argument_with_its_default_is_the_same_call() {
    /// List numbers.
    #[mcp_tool(budget = 100)]
    async fn steps(
        #[mcp_tool(default = 1)] step: usize,
        #[mcp_tool(default = vec!["a".to_owned()])] tags: Vec<String>,
    ) -> Paged<u32> {
        drop(tags);
        Paged::new((0..1_000).step_by(step))
    }

    let dispatcher = serve(tools![steps]);
    let first = call(&dispatcher, "steps", json!({"step": 1.0}));
    let cursor = first.next_cursor().expect("more");
    assert!(call(&dispatcher, "steps", json!({"cursor": cursor})).is_success());
    assert!(call(&dispatcher, "steps", json!({"cursor": cursor, "tags": ["a"]})).is_success());
    let error = error(&dispatcher, "steps", json!({"cursor": cursor, "step": 2}));
    assert!(error.message().contains("other arguments"), "{error}");
}

#[derive(Deserialize, JsonSchema)]
struct Inner {
    after: Cursor<u32>,
}

#[derive(Deserialize, JsonSchema)]
struct Outer {
    page: Inner,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Selection {
    From(Inner),
    All { limit: Option<u32> },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Order {
    Up { most: u32 },
    Down {},
}

/// List numbers.
#[mcp_tool]
async fn nested(#[mcp_tool(arguments)] outer: Outer) -> Paged<u32> {
    Paged::by(outer.page.after.position().map_or(0, |last| last + 1)..300, |number| *number)
}

/// List numbers.
#[mcp_tool]
async fn in_a_list(pages: Vec<Inner>) -> Paged<u32> {
    Paged::new(pages.iter().filter_map(|page| page.after.position().copied()))
}

/// List numbers.
#[mcp_tool(root_union)]
async fn in_a_variant(#[mcp_tool(arguments)] selection: Selection) -> Paged<u32> {
    match selection {
        Selection::From(page) => Paged::new(page.after.position().map_or(0, |last| last + 1)..300),
        Selection::All { limit } => Paged::new(0..limit.unwrap_or(300)),
    }
}

/// List numbers.
#[mcp_tool(root_union)]
async fn closed(#[mcp_tool(arguments)] order: Order) -> Paged<u32> {
    match order {
        Order::Up { most } => Paged::new(0..most),
        Order::Down {} => Paged::new((0..300).rev()),
    }
}

/// List numbers.
#[mcp_tool(root_union, allow_unknown, budget = 100)]
async fn open(#[mcp_tool(arguments)] order: Order) -> Paged<u32> {
    closed(order).await
}

/// List numbers.
#[mcp_tool(root_union, budget = 100)]
async fn beside_a_union(#[serde(flatten)] order: Order, limit: Option<u32>) -> Paged<u32> {
    let _ = limit;
    closed(order).await
}

#[test]
fn build_refuses_a_cursor_that_no_client_can_send() {
    for (tool, problem) in [
        (tools![nested], "a `Cursor<…>` inside an argument or a variant"),
        (tools![in_a_list], "a `Cursor<…>` inside an argument or a variant"),
        (tools![in_a_variant], "a `Cursor<…>` inside an argument or a variant"),
        (tools![closed], "the variants of its arguments refuse others"),
    ] {
        let faults = faults(exact().tools(tool));
        assert!(faults[0].contains(problem) && faults.len() == 1, "{faults:?}");
    }
}

#[test]
fn a_union_beside_which_a_cursor_fits_has_pages() {
    let dispatcher = serve(tools![open, beside_a_union]);
    for name in ["open", "beside_a_union"] {
        let all = joined(&pages(&dispatcher, name, json!({"kind": "up", "most": 200}), "cursor"));
        assert_eq!(all.len(), 200, "{name}");
    }
}

#[test]
fn build_refuses_a_shape_that_takes_the_cursor_away() {
    let shapes = [
        other_numbers {}.with_fixed("after", "x"),
        other_numbers {}.with_fixed_from("after", |_| "x"),
        other_numbers {}.without("after"),
        other_numbers {}.with_argument("after", |after| after.with_default("x")),
    ];
    for shaped in shapes {
        let faults = faults(exact().tool(shaped));
        let is_told =
            |fault: &String| fault.contains("because it is a `Cursor<…>`: a client sends it to get the next page");
        assert!(faults.iter().any(is_told), "{faults:?}");
    }
}

/// Each has a right checksum, which needs no secret.
#[test]
fn r10_a_cursor_of_a_key_that_is_none_is_refused() {
    let dispatcher = serve(tools![other_numbers]);
    let first = call(&dispatcher, "other_numbers", json!({}));
    let nested = "[".repeat(3_000);
    for key in ["", "null", "[1e400]", "\"", nested.as_str()] {
        let cursor = forged(first.next_cursor().expect("more"), &[&[1], key.as_bytes()].concat());
        let error = error(&dispatcher, "other_numbers", json!({ "after": cursor }));
        assert!(error.message().contains("not a cursor, or damaged"), "{key}: {error}");
    }
}

/// Returns the cursor with other bytes after its tool and its arguments.
fn forged(cursor: &str, start: &[u8]) -> String {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).expect("base64");
    let mut forged = [&bytes[..12], start].concat();
    let sum = forged
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    forged.extend(sum.to_be_bytes());
    URL_SAFE_NO_PAD.encode(forged)
}

/// List numbers, without an end and without waiting.
#[mcp_tool(budget = 100)]
async fn endless() -> Paged<u32> {
    Paged::stream(futures_util::stream::repeat(1))
}

#[tokio::test]
async fn a_forged_position_in_an_endless_list_ends_with_the_timeout() {
    let dispatcher = serve(tools![endless]);
    let first = dispatcher.call(CallToolRequest::new("endless", json!({}))).await.expect("a tool");
    let far = forged(first.next_cursor().expect("more"), &[0, 0x7f, 0, 0, 0, 0, 0, 0, 0]);
    let limited = exact().tools(tools![endless]).timeout(Duration::from_millis(100)).build().expect("a valid tool");
    let request = CallToolRequest::new("endless", json!({ "cursor": far }));
    let response = limited.call(request).await.expect("a tool");
    assert!(response.error().expect("an error").message().contains("100 ms"), "{response:?}");
}

#[test]
fn a_cursor_from_before_the_pages_went_by_key_is_refused() {
    /// List numbers.
    #[mcp_tool(name = "other_numbers", budget = 100)]
    async fn by_position() -> Paged<u32> {
        Paged::new(0..1_000)
    }

    let old = call(&serve(tools![by_position]), "other_numbers", json!({}));
    let error = error(&serve(tools![other_numbers]), "other_numbers", json!({"after": old.next_cursor()}));
    assert!(error.message().contains("not a cursor, or damaged"), "{error}");
}

#[test]
fn r10_a_cursor_with_one_bit_changed_is_refused() {
    let dispatcher = serve(tools![numbers, other_numbers]);
    for (name, argument) in [("numbers", "cursor"), ("other_numbers", "after")] {
        let first = call(&dispatcher, name, json!({}));
        let cursor = first.next_cursor().expect("more");
        for (at, bit) in (0..cursor.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = cursor.to_owned().into_bytes();
            damaged[at] ^= 1 << bit;
            let Ok(damaged) = String::from_utf8(damaged) else { continue };
            let error = error(&dispatcher, name, json!({ argument: damaged }));
            assert!(
                error.message().starts_with(&format!("invalid arguments: {argument}: not a cursor, or damaged")),
                "{error}"
            );
        }
    }
    assert!(error(&dispatcher, "numbers", json!({"cursor": ""})).message().contains("leave the argument out"));
    assert!(error(&dispatcher, "numbers", json!({"cursor": 7})).message().contains("expected a string"));
}

#[test]
fn i3_null_means_that_there_is_no_cursor() {
    let dispatcher = serve(tools![numbers, other_numbers]);
    for (name, argument) in [("numbers", "cursor"), ("other_numbers", "after")] {
        let first = call(&dispatcher, name, json!({ argument: null }));
        assert_eq!(first.next_cursor(), call(&dispatcher, name, json!({})).next_cursor());
    }
}

mod generic {
    use mcp_tool_runtime::{Cursor, Paged, mcp_tools};

    pub(super) struct Service<T>(pub(super) T);

    #[mcp_tools]
    impl<T: Send + Sync + 'static> Service<T> {
        /// List numbers.
        #[mcp_tool]
        async fn two(&self, first: Cursor<u32>, second: Cursor<u32>) -> Paged<u32> {
            Paged::new(first.position().copied().into_iter().chain(second.position().copied()))
        }

        /// List numbers.
        #[mcp_tool]
        async fn taken(&self, cursor: String) -> Paged<u32> {
            Paged::new([u32::from(cursor.is_empty())])
        }

        /// List numbers.
        #[mcp_tool]
        async fn unused(&self, after: Cursor<u32>) -> Vec<u32> {
            after.position().copied().into_iter().collect()
        }
    }
}

#[test]
fn build_reports_what_the_compiler_cannot_see_in_a_generic_block() {
    let faults = faults(exact().service(generic::Service(())));
    assert_eq!(
        faults,
        [
            "tool `two`: it has two parameters of the type `Cursor<…>`; remove one of them",
            "tool `taken`: it returns pages, which add an argument `cursor`; rename its own, or give it the type `Cursor<…>`",
            "tool `unused`: it has a `Cursor<…>`, and does not return a `Paged<…>`; return one, or remove the parameter",
        ]
    );
}

#[test]
fn a_shaped_tool_keeps_its_pages() {
    let tool = numbers {}.with_name("from_seven").with_fixed("from", 7).without("tags");
    let dispatcher = serve(vec![Box::new(tool)]);
    let first = call(&dispatcher, "from_seven", json!({}));
    let second = call(&dispatcher, "from_seven", json!({"cursor": first.next_cursor()}));
    let [first, second] = [first, second].map(|page| super::value(&page)["items"].as_array().expect("items").clone());
    assert_eq!(first[0], 7);
    assert_eq!(second[0], 7 + first.len());
}
