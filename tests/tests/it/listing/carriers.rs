//! No tests: one call over each way that a call can arrive on.

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::http::{Page, PlainHttp};
use mcp_tool_runtime::{CallToolRequest, Dispatcher, Extensions, ProtocolVersion, export::Vendor};
use rmcp::ServerHandler;
use rmcp::ServiceExt as _;
use rmcp::handler::server::router::Router;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::Caller;
use super::transports::{Carrier, exchange_lines, request};

struct Existing;

impl ServerHandler for Existing {}

/// Calls a tool over each carrier. Returns the names of the carriers and their answers.
pub(crate) async fn call_over_each(
    dispatcher: &Dispatcher,
    caller: Option<&Caller>,
    name: &str,
    arguments: &Value,
) -> Vec<(String, String)> {
    let params = json!({"name": name, "arguments": arguments});
    let version = ProtocolVersion::V2025_11_25;
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(caller.clone());
    }
    let mut answers = Vec::new();
    let mut note = |carrier: &str, answer: String| answers.push((carrier.to_owned(), answer));
    let mut call = CallToolRequest::new(name, arguments.clone());
    call.extensions = extensions.clone();
    let answer = dispatcher.call(call).await;
    note("call", format!("{:?}", answer.map(|response| json!(response.to_otc()).to_string())));
    // It takes no extensions, so it calls on behalf of nobody.
    let answer = dispatcher.call_json(params.to_string().as_bytes(), version).await;
    note("call_json", format!("{:?}", answer.map(|bytes| String::from_utf8(bytes).expect("UTF-8"))));
    for carrier in Carrier::ALL {
        for version in [version, ProtocolVersion::V2026_07_28] {
            let answer =
                carrier.ask(dispatcher, caller, version, &request(version, "tools/call", params.clone())).await;
            note(&format!("{carrier:?}"), answer);
        }
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
    note("rmcp_routes", exchange_lines(near, version, &request(version, "tools/call", params.clone())).await);
    running.await.expect("no panic");
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
    for (carrier, answer) in [
        ("PlainHttp", PlainHttp::new(dispatcher.clone()).oneshot(post(name, arguments.to_string())).await),
        ("Page", Page::new(dispatcher.clone()).oneshot(post("?call", params.to_string())).await),
    ] {
        let (parts, body) = answer.unwrap_or_else(|never| match never {}).into_parts();
        let body = body.collect().await.expect("a body").to_bytes();
        note(carrier, format!("{} {}", parts.status, String::from_utf8_lossy(&body)));
    }
    let function = json!({"name": name, "arguments": arguments.to_string()});
    let message = json!({"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]});
    let answer = dispatcher.seen_by(&extensions).export(Vendor::OpenAiChat).answer(&message).await;
    note("export", format!("{answer:?}"));
    let mut cli = Cli::new(dispatcher.clone());
    if let Some(caller) = caller {
        cli = cli.with_extension(caller.clone());
    }
    let io = Io::captured("");
    let _ = cli.run_with(["call", "--json", &arguments.to_string(), name], &io).await;
    note("cli", io.output() + &io.errors());
    answers
}
