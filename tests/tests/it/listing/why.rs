//! Which rule decides, in words.

use mcp_tool_runtime::{Dispatcher, Extensions, Visibility, mcp_tool, tools};

use super::Caller;
use crate::run::{built, exact};

/// Read orders.
#[mcp_tool(scopes("orders:read", "orders:list"))]
async fn read_orders() {}

/// Export orders.
#[mcp_tool(tags("pro"))]
async fn export_orders() {}

/// Reset the server.
#[mcp_tool(tags("staff"))]
async fn reset() {}

/// Tell the time.
#[mcp_tool]
async fn clock() {}

/// Returns a dispatcher, and the line of its first rule.
fn dispatcher() -> (Dispatcher, u32) {
    let line = line!() + 3;
    let builder = exact()
        .tools(tools![read_orders, export_orders, reset, clock])
        .visible(|tool, extensions| {
            !tool.tags().contains("staff") || extensions.get::<Caller>().is_some_and(|c| c.level > 1)
        })
        .visible_to::<Caller>(|tool, _| {
            if tool.tags().contains("pro") { Visibility::Refused("needs the plan Pro") } else { Visibility::Shown }
        })
        .visible_by_scopes::<Caller>();
    (built(builder), line)
}

fn attached(caller: Caller) -> Extensions {
    let mut extensions = Extensions::new();
    extensions.insert(caller);
    extensions
}

#[test]
fn the_rule_that_decides_is_named_with_its_place() {
    let (dispatcher, line) = dispatcher();
    let place = |line: u32| format!("{}:{line}", file!());
    let extensions = attached(Caller::with_scopes(&["orders:read"]));
    let seen = dispatcher.seen_by(&extensions);
    assert_eq!(seen.explain("clock"), "shown");
    assert_eq!(seen.explain("clok"), "unknown");
    assert_eq!(seen.explain("read_orders"), "hidden: the caller lacks the scope `orders:list`");
    let why = seen.explain("export_orders");
    assert!(why.starts_with("refused: the rule `visible_to::<Caller>` at "), "{why}");
    assert!(why.ends_with(" says `needs the plan Pro`"), "{why}");
    let why = seen.explain("reset");
    assert!(why.starts_with("hidden: the rule `visible` at ") && why.ends_with(" says no"), "{why}");
    let named: u32 = why.rsplit_once(':').and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()).expect("a line");
    assert!((line..line + 3).contains(&named) && why.contains(&place(named)), "{why}, {line}");
}

#[test]
fn a_value_that_nothing_attached_is_said() {
    let nobody = Extensions::new();
    let (dispatcher, _) = dispatcher();
    assert_eq!(
        dispatcher.seen_by(&nobody).explain("read_orders"),
        "hidden: the caller lacks the scopes `orders:read`, `orders:list`; the request has no `Caller`",
    );
    let behind_arc =
        built(exact().tools(tools![clock]).visible_to::<std::sync::Arc<Caller>>(|_, caller| caller.is_some()));
    let why = behind_arc.seen_by(&nobody).explain("clock");
    assert!(why.starts_with("hidden: the rule `visible_to::<Arc<Caller>>` at "), "{why}");
    assert!(why.ends_with(" says no; the request has no `Arc<Caller>`"), "{why}");
}

#[test]
fn a_rule_that_panics_is_said() {
    let dispatcher =
        built(exact().tools(tools![clock]).visible_to::<Caller>(|_, _| -> bool { panic!("a mistake in the rule") }));
    let why = dispatcher.seen_by(&attached(Caller::default())).explain("clock");
    assert!(why.starts_with("hidden: the rule `visible_to::<Caller>` at ") && why.ends_with(" panics"), "{why}");
}

#[test]
fn hiding_is_the_reason_whatever_other_rules_say() {
    let refuse = |_: &mcp_tool_runtime::ToolInfo, _: Option<&Caller>| Visibility::Refused("no");
    let dispatcher = built(exact().tools(tools![clock]).visible_to::<Caller>(refuse).visible(|_, _| false));
    assert!(dispatcher.seen_by(&Extensions::new()).explain("clock").starts_with("hidden: the rule `visible` at "));
}

#[test]
fn a_merged_tool_is_explained_under_its_name_in_the_dispatcher() {
    let inner = Dispatcher::builder().tools(tools![clock]).visible(|tool, _| tool.name() != "clock");
    let dispatcher = built(exact().merge_with_prefix("a_", inner));
    let seen = dispatcher.seen_by(&Extensions::new());
    assert!(seen.explain("a_clock").starts_with("hidden: the rule `visible` at "));
    assert_eq!(seen.explain("clock"), "unknown");
}
