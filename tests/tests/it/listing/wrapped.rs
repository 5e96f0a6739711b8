//! A tool inside a handler of the user's, which passes on what it wraps: what the tool declares holds in every carrier.

use std::sync::atomic::{AtomicU32, Ordering};

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::http::{Page, Rest};
use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, CallToolRequest, Dispatcher, Extensions, Output, ProtocolVersion, ToolError,
    ToolHandler, ToolMetadata, Vendor, mcp, mcp_tool,
};
use rmcp::ServerHandler;
use rmcp::ServiceExt as _;
use rmcp::handler::server::router::Router;
use serde_json::json;
use tower::ServiceExt as _;

use super::Caller;
use super::transports::{Carrier, exchange_lines, request};
use crate::run::{built, exact};

static RUNS: AtomicU32 = AtomicU32::new(0);

/// Place an order.
#[mcp_tool(scopes("orders:write"))]
async fn place_order(share: String) -> String {
    RUNS.fetch_add(1, Ordering::SeqCst);
    share
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

struct Existing;

impl ServerHandler for Existing {}

/// Calls the tool through each way that a call can arrive on. Returns after which of them it ran.
async fn carriers_that_call(dispatcher: &Dispatcher, caller: Option<&Caller>) -> Vec<String> {
    let arguments = json!({"share": "ACME"});
    let params = json!({"name": "place_order", "arguments": arguments});
    let version = ProtocolVersion::V2025_11_25;
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(caller.clone());
    }
    let mut ran = Vec::new();
    let mut note = |carrier: &str| {
        if RUNS.swap(0, Ordering::SeqCst) > 0 {
            ran.push(carrier.to_owned());
        }
    };
    let mut call = CallToolRequest::new("place_order", arguments.clone());
    call.extensions = extensions.clone();
    let _ = dispatcher.call(call).await;
    note("call");
    // It takes no extensions, so it calls on behalf of nobody.
    let _ = dispatcher.call_json(params.to_string().as_bytes(), version).await;
    note("call_json");
    for carrier in Carrier::ALL {
        for version in [version, ProtocolVersion::V2026_07_28] {
            let _ = carrier.ask(dispatcher, caller, version, &request(version, "tools/call", params.clone())).await;
        }
        note(&format!("{carrier:?}"));
    }
    let mut router = Router::new(Existing);
    for route in dispatcher.rmcp_routes() {
        router = router.with_tool(route);
    }
    let (near, far) = tokio::io::duplex(1 << 16);
    let running = tokio::spawn(async move {
        if let Ok(running) = router.serve(far).await {
            let _ = running.waiting().await;
        }
    });
    exchange_lines(near, version, &request(version, "tools/call", params.clone())).await;
    running.await.expect("no panic");
    note("rmcp_routes");
    let post = |path: &str, body: String| {
        let mut request = Request::post(format!("http://localhost/{path}"))
            .header("content-type", "application/json")
            .body(Body::from(body))
            .expect("a request");
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller.clone());
        }
        request
    };
    let _ = Rest::new(dispatcher.clone()).oneshot(post("place_order", arguments.to_string())).await;
    note("Rest");
    let answer = Page::new(dispatcher.clone()).oneshot(post("?call", params.to_string())).await;
    let answer = answer.unwrap_or_else(|never| match never {});
    let _ = answer.into_body().collect().await;
    note("Page");
    let function = json!({"name": "place_order", "arguments": arguments.to_string()});
    let message = json!({"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]});
    let _ = dispatcher.seen_by(&extensions).export(Vendor::OpenAiChat).answer(&message).await;
    note("export");
    let mut cli = Cli::new(dispatcher.clone());
    if let Some(caller) = caller {
        cli = cli.with_extension(caller.clone());
    }
    let _ = cli.run_with(["call", "place_order", "--share", "ACME"], &Io::captured("")).await;
    note("cli");
    ran
}

#[tokio::test]
async fn a_wrapped_tool_keeps_its_scopes_in_every_carrier() {
    let dispatcher = built(exact().tool(Wrapper(place_order {})).visible_by_scopes::<Caller>());
    let nobody = carriers_that_call(&dispatcher, None).await;
    assert_eq!(nobody, [""; 0]);
    let trader = Caller::with_scopes(&["orders:write"]);
    let carriers = carriers_that_call(&dispatcher, Some(&trader)).await;
    let attached = ["call", "Protocol", "Endpoint", "Stdio", "SdkHttp", "SdkStdio", "Rest", "Page", "export", "cli"];
    assert_eq!(carriers, attached, "a caller with the scope reaches the tool");
}
