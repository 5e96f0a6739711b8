//! A tool inside a handler of the user's, which passes on what it wraps: what the tool declares holds in every carrier.

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Dispatcher, Output, ToolError, ToolHandler, ToolMetadata, mcp, mcp_tool,
};
use serde_json::json;

use super::Caller;
use super::carriers::call_over_each;
use crate::run::{built, exact};

/// Place an order.
#[mcp_tool(scopes("orders:write"))]
async fn place_order(share: String) -> String {
    format!("bought {share}")
}

/// Logs calls, say.
pub(crate) struct Wrapper<H>(pub(crate) H);

impl<H: ToolHandler> ToolHandler for Wrapper<H> {
    fn definition(&self) -> mcp::Tool {
        self.0.definition()
    }

    fn metadata(&self) -> ToolMetadata {
        self.0.metadata()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        self.0.call(cx, arguments)
    }
}

/// Returns the carriers over which a call reaches the tool.
async fn carriers_that_call(dispatcher: &Dispatcher, caller: Option<&Caller>) -> Vec<String> {
    let answers = call_over_each(dispatcher, caller, "place_order", &json!({"share": "ACME"})).await;
    let ran = answers.into_iter().filter(|(_, answer)| answer.contains("bought ACME"));
    let mut carriers: Vec<_> = ran.map(|(carrier, _)| carrier).collect();
    carriers.dedup();
    carriers
}

#[tokio::test]
async fn a_wrapped_tool_keeps_its_scopes_in_every_carrier() {
    let dispatcher = built(exact().tool(Wrapper(place_order {})).visible_by_scopes::<Caller>());
    let nobody = carriers_that_call(&dispatcher, None).await;
    assert_eq!(nobody, [""; 0]);
    let trader = Caller::with_scopes(&["orders:write"]);
    let carriers = carriers_that_call(&dispatcher, Some(&trader)).await;
    let attached =
        ["call", "Protocol", "Endpoint", "Stdio", "SdkHttp", "SdkStdio", "PlainHttp", "Page", "export", "cli"];
    assert_eq!(carriers, attached, "a caller with the scope reaches the tool");
}
