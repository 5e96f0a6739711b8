//! Whatever way a tool takes into a dispatcher, what it declares comes with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mcp_tool_runtime::{
    CallToolRequest, Consent, Dispatcher, DispatcherBuilder, Extensions, IntoService as _, ToolError, ToolHandler,
    ask::{Reply, Scripted},
    export::Vendor,
    mcp_tool, mcp_tools, middleware,
};
use rmcp::ServerHandler;
use serde_json::{Value, json};

use super::Caller;
use super::wrapped::Wrapper;
use crate::run::{built, exact};

struct Stock(u8);

/// Place an order.
#[mcp_tool(tags("orders"), scopes("orders:write"), timeout = "50ms")]
async fn order(
    #[mcp_tool(header = "Share")] share: String,
    millis: u64,
    note: Option<String>,
    #[mcp_tool(ask = "Sure?")] sure: Consent,
    #[mcp_tool(extension)] _caller: &Caller,
    #[mcp_tool(state)] stock: &Stock,
) -> String {
    let Consent { .. } = sure;
    tokio::time::sleep(Duration::from_millis(millis)).await;
    format!("{share} {note:?} {}", stock.0)
}

struct Desk;

#[mcp_tools(tags("orders"), scopes("orders:write"), timeout = "50ms")]
impl Desk {
    /// Place an order.
    #[mcp_tool]
    async fn order(
        &self,
        #[mcp_tool(header = "Share")] share: String,
        millis: u64,
        note: Option<String>,
        #[mcp_tool(ask = "Sure?")] sure: Consent,
        #[mcp_tool(extension)] caller: &Caller,
        #[mcp_tool(state)] stock: &Stock,
    ) -> String {
        order(share, millis, note, sure, caller, stock).await
    }
}

/// Each way, with the name that the tool then has. The layer is around the tool itself.
fn ways(runs: &Arc<AtomicU32>) -> Vec<(&'static str, DispatcherBuilder)> {
    let layer = || {
        let runs = Arc::clone(runs);
        middleware::from_fn(move |request, cx, next| {
            runs.fetch_add(1, Ordering::SeqCst);
            Box::pin(next.run(request, cx))
        })
    };
    let tool = || order {}.with_middleware(layer());
    let boxed = || -> Box<dyn ToolHandler> { Box::new(tool()) };
    let builder = Dispatcher::builder;
    vec![
        ("order", builder().tool(tool())),
        ("order", builder().tools([boxed()])),
        ("order", builder().tool(Wrapper(tool()))),
        ("order", builder().tool(Wrapper(Wrapper(boxed())).with_description("Buy."))),
        ("buy", builder().tool(tool().with_name("buy").with_tags(["new"]))),
        ("buy", builder().tool(Wrapper(order {}).with_name("buy").with_middleware(layer()).without("note"))),
        ("order", builder().tool(tool().with_fixed("note", "fixed").with_scopes(["other"]))),
        ("order", builder().merge(builder().tool(tool()))),
        (
            "a_b_order",
            builder()
                .merge_with_prefix("a_", builder().merge_with_prefix("b_", builder().tool(tool().without("note")))),
        ),
        ("order", builder().service(Desk.with_middleware(layer()))),
        ("desk_order", builder().service_with_prefix("desk_", Desk.with_middleware(layer()).with_tags(["new"]))),
        (
            "m_desk_order",
            builder().merge_with_prefix(
                "m_",
                builder().service_with_prefix("desk_", Desk.with_middleware(layer()).with_scopes(["other"])),
            ),
        ),
    ]
}

struct Existing;

impl ServerHandler for Existing {}

#[tokio::test(start_paused = true)]
async fn what_a_tool_declares_comes_with_it() {
    let runs = Arc::new(AtomicU32::new(0));
    let trader = Caller::with_scopes(&["orders:write", "other"]);
    let mut count = 0;
    for (name, builder) in ways(&runs) {
        let builder = exact().merge(builder).state(Stock(7)).visible_by_scopes::<Caller>();
        let dispatcher = built(builder);
        let [tool] = dispatcher.list_all() else { panic!("one tool: {dispatcher:?}") };
        assert_eq!(tool.name, name);
        assert_eq!(tool.input_schema["properties"]["share"]["x-mcp-header"], "Share", "{name}");

        let nobody = dispatcher.seen_by(&Extensions::new());
        assert!(nobody.list().is_empty() && nobody.export(Vendor::OpenAiChat).tools().is_empty(), "{name}");
        assert!(dispatcher.rmcp_routes::<Existing>().is_empty(), "{name}");
        let mut extensions = Extensions::new();
        extensions.insert(trader.clone());
        let seen = dispatcher.seen_by(&extensions);
        assert_eq!((seen.list().len(), seen.export(Vendor::OpenAiChat).tools().len()), (1, 1), "{name}");

        let request = |millis: u64| CallToolRequest::new(name, json!({"share": "ACME", "millis": millis}));
        let refused = dispatcher.call(request(0)).await.expect_err("nobody sees it");
        assert_eq!(refused.to_string(), format!("unknown tool `{name}`"));
        assert_eq!(runs.load(Ordering::SeqCst), count, "{name}");

        let user = || Scripted::new().reply("sure", Reply::yes());
        let call = |millis, user: &Scripted| {
            dispatcher.call(request(millis).with_extension(trader.clone()).with_asker(user.clone()))
        };
        let asked = user();
        let response = call(0, &asked).await.expect("a response");
        let value: Value = response.deserialize().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            value.as_str().is_some_and(|text| text.starts_with("ACME ") && text.ends_with(" 7")),
            "{name}: {value}"
        );
        assert_eq!(asked.asked().len(), 1, "{name}");
        let late = call(60, &user()).await.expect("a response");
        let message = late.error().map(ToolError::message);
        assert_eq!(message, Some(&*format!("tool `{name}` timed out after 50 ms")));
        count += 2;
        assert_eq!(runs.load(Ordering::SeqCst), count, "the layer of {name}");
    }
}
