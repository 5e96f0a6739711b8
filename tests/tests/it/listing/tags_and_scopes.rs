//! The keys `tags` and `scopes`, and the defaults of a block.

#![allow(clippy::semicolon_if_nothing_returned, reason = "tools as users write them")]

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{Dispatcher, Extensions, ToolInfo, mcp_tool, mcp_tools, tools};
use serde_json::json;

use crate::run::{built, exact, faults, now};

/// Place an order.
#[mcp_tool(tags("trade", "beta"), scopes("orders:write", "orders:read"), destructive_hint)]
async fn place_order() {}

/// Tell the time.
#[mcp_tool]
async fn clock() {}

struct Notes;

#[mcp_tools(read_only_hint, open_world_hint = false, timeout = "10s", tags("notes"), scopes("notes"))]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }

    /// Delete all notes.
    #[mcp_tool(
        read_only_hint = false,
        destructive_hint,
        open_world_hint,
        timeout = "1s",
        tags("danger", "notes"),
        scopes("notes:delete")
    )]
    async fn clear(&self) {}
}

/// Returns what a rule sees of each tool.
fn infos(builder: mcp_tool_runtime::DispatcherBuilder) -> Vec<ToolInfo> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let rule = move |tool: &ToolInfo, _: &Extensions| {
        sink.lock().expect("no panic").push(tool.clone());
        true
    };
    let _ = built(builder.visible(rule).scopes_are_read()).seen_by(&Extensions::new());
    std::mem::take(&mut *seen.lock().expect("no panic"))
}

#[test]
fn a_rule_sees_name_tags_scopes_and_hints() {
    let [order, clock] = &infos(Dispatcher::builder().tools(tools![place_order, clock]))[..] else {
        panic!("two tools")
    };
    assert_eq!(order.name(), "place_order");
    assert_eq!(order.tags().to_vec(), ["trade", "beta"]);
    assert_eq!(order.scopes().to_vec(), ["orders:write", "orders:read"]);
    assert_eq!(order.annotations().destructive_hint, Some(true));
    assert!(clock.tags().is_empty() && clock.scopes().is_empty());
    assert_eq!(clock.annotations(), &mcp_tool_runtime::mcp::ToolAnnotations::default());
}

#[test]
fn the_defaults_of_a_block_hold_where_the_method_does_not_say_otherwise() {
    let [count, clear] = &infos(Dispatcher::builder().service(Notes))[..] else { panic!("two tools") };
    let hints = |tool: &ToolInfo| {
        let hints = tool.annotations();
        [hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint]
    };
    assert_eq!(hints(count), [Some(true), None, None, Some(false)]);
    assert_eq!(hints(clear), [Some(false), Some(true), None, Some(true)]);
}

#[test]
fn tags_and_scopes_of_block_and_method_add_up() {
    let [count, clear] = &infos(Dispatcher::builder().service(Notes))[..] else { panic!("two tools") };
    assert_eq!((count.tags().to_vec(), count.scopes().to_vec()), (vec!["notes".to_owned()], vec!["notes".to_owned()]));
    assert_eq!(clear.tags().to_vec(), ["notes", "danger"]);
    assert_eq!(clear.scopes().to_vec(), ["notes", "notes:delete"]);
}

#[tokio::test(start_paused = true)]
async fn the_timeout_of_a_block_is_that_of_its_methods() {
    struct Slow;

    #[mcp_tools(timeout = "10s")]
    impl Slow {
        /// Wait for ever.
        #[mcp_tool]
        async fn wait(&self) {
            std::future::pending().await
        }

        /// Wait for ever, with less patience.
        #[mcp_tool(timeout = "1s")]
        async fn wait_less(&self) {
            std::future::pending().await
        }
    }

    let dispatcher = built(Dispatcher::builder().service(Slow));
    for (name, message) in
        [("wait", "tool `wait` timed out after 10 s"), ("wait_less", "tool `wait_less` timed out after 1 s")]
    {
        let request = mcp_tool_runtime::CallToolRequest::new(name, json!({}));
        let response = dispatcher.call(request).await.expect("a response");
        assert_eq!(response.error().expect("an error").message(), message);
    }
}

#[test]
fn a_definition_contains_neither_tags_nor_scopes() {
    let builder = Dispatcher::builder().tools(tools![place_order, clock]).visible(|_, _| true).scopes_are_read();
    let listed = serde_json::to_string(built(builder).list_all()).expect("JSON");
    assert!(!listed.contains("orders:write") && !listed.contains("beta"), "{listed}");
}

#[test]
fn scopes_that_no_rule_checks_are_an_error() {
    let found = faults(Dispatcher::builder().tools(tools![place_order]));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("tool `place_order`: it has the scope `orders:write`, and no rule checks scopes"),
        "{found:?}"
    );
}

#[test]
fn a_scope_that_a_header_cannot_carry_is_an_error() {
    use mcp_tool_runtime::ToolHandler as _;
    for scope in ["", "two words", "quote\"", "back\\slash", "größe", "line\nbreak"] {
        let found = faults(Dispatcher::builder().tool(clock {}.with_scopes([scope])).visible(|_, _| true));
        assert!(found[0].contains("is not valid"), "{scope}: {found:?}");
    }
}

#[test]
fn a_layer_reads_the_tags_and_scopes_of_the_tool_with_those_of_its_shapes() {
    use mcp_tool_runtime::{CallContext, CallToolRequest, ToolHandler as _, middleware};

    /// Place an order.
    #[mcp_tool(tags("trade"), scopes("orders:write"))]
    async fn place_order(#[mcp_tool(context)] cx: &CallContext) -> String {
        format!("{} {}", cx.tags().join(","), cx.scopes().join(","))
    }

    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let audit = middleware::from_fn(move |request, cx, next| {
        let line = (cx.tool_name().to_owned(), cx.tags().to_vec(), cx.scopes().contains("orders:write"));
        log.lock().expect("no panic").push(line);
        Box::pin(next.run(request, cx))
    });
    let orders = Dispatcher::builder().tool(place_order {}.with_tags(["beta"]).with_scopes(["orders:list"]));
    let dispatcher =
        built(exact().merge_with_prefix("shop_", orders).middleware(audit).visible(|_, _| true).scopes_are_read());
    let response = now(dispatcher.call(CallToolRequest::new("shop_place_order", json!({})))).expect("a response");
    assert_eq!(response.deserialize::<String>().expect("a text"), "trade,beta orders:write,orders:list");
    let expected = ("shop_place_order".to_owned(), vec!["trade".to_owned(), "beta".to_owned()], true);
    assert_eq!(*seen.lock().expect("no panic"), [expected]);
    let detached = CallContext::detached(CallToolRequest::new("any", json!({})));
    assert!(detached.tags().is_empty() && detached.scopes().is_empty());
}
