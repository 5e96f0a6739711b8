//! The official SDK.
//!
//! - `rmcp`: its fastest form. The router is built once and called directly: deserializes `params` as its request type, calls
//!   `ToolRouter::call` and serializes its result type. A message uses its message types and `Service::handle_request` of a handler that
//!   keeps its router.
//! - `rmcp-default`: as in its documentation, with `#[tool_router]` and `#[tool_handler]`. Calls `ServerHandler::call_tool` and
//!   `list_tools`, which rebuild the router on each call.
//! - `rmcp-stream`: its server loop with an in-memory pipe, one line in and one line out.
//!
//! It validates neither arguments nor results against schemas. The tools wrap values that are not objects.

mod tools;

use std::sync::Arc;

use bench_workloads::driven::driven;
use bench_workloads::serve::{self, Contestant, Ready};
use bench_workloads::{Workload, prefixes, requests};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientJsonRpcMessage, JsonRpcMessage, ListToolsResult, NumberOrString,
    ServerJsonRpcMessage,
};
use rmcp::service::{Peer, RequestContext, RunningService, serve_directly};
use rmcp::{ErrorData, RoleServer, ServerHandler, Service};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use crate::tools::{Five, Kept, Order, Search, Sum, Text, Thirty};

/// Returns the routes of a workload.
fn router(workload: Workload) -> ToolRouter<Five> {
    let five = Five::tool_router();
    let mut router = ToolRouter::new();
    if workload.tools() == 1 {
        router.add_route(five.map[workload.tool()].clone());
        return router;
    }
    for prefix in prefixes(workload.tools()) {
        for mut route in five.clone() {
            route.attr.name = format!("{prefix}{}", route.attr.name).into();
            router.add_route(route);
        }
    }
    router
}

/// A running server, which provides the peer that every call needs, and the client's end of its pipe.
fn served<S: ServerHandler>(server: S) -> (RunningService<RoleServer, S>, DuplexStream) {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    (serve_directly(server, theirs, None), ours)
}

fn context(peer: &Peer<RoleServer>) -> RequestContext<RoleServer> {
    RequestContext::new(NumberOrString::Number(7), peer.clone())
}

fn read(params: &[u8]) -> CallToolRequestParams {
    serde_json::from_slice(params).expect("a request's params")
}

fn written(result: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(result).expect("a result")
}

fn answered(response: Result<CallToolResponse, ErrorData>) -> Vec<u8> {
    let Ok(CallToolResponse::Complete(result)) = response else { panic!("a result") };
    written(&result)
}

fn best(workload: Workload, _: bool) -> Box<dyn Ready> {
    driven(async move || {
        let kept = Arc::new(Kept { router: router(workload) });
        let (running, pipe) = served(Five);
        let asked =
            if workload == Workload::Message { requests::message(workload) } else { requests::params(workload) };
        async move || {
            let _ = (&running, &pipe);
            let router = &kept.router;
            match workload {
                Workload::List30 | Workload::List1000 => written(&ListToolsResult::with_all_items(router.list_all())),
                Workload::Build30 | Workload::Build1000 => written(&self::router(workload).map.len()),
                Workload::Message => {
                    let message: ClientJsonRpcMessage = serde_json::from_slice(&asked).expect("a message");
                    let JsonRpcMessage::Request(request) = message else { panic!("a request") };
                    let result = Service::handle_request(&*kept, request.request, context(running.peer())).await;
                    written(&ServerJsonRpcMessage::response(result.expect("a result"), request.id))
                }
                _ => {
                    let call = ToolCallContext::new(&Five, read(&asked), context(running.peer()));
                    answered(router.call(call).await)
                }
            }
        }
    })
}

fn default(workload: Workload, _: bool) -> Box<dyn Ready> {
    fn ready<S: ServerHandler + Clone>(workload: Workload, server: S) -> Box<dyn Ready> {
        driven(async move || {
            let (running, pipe) = served(server.clone());
            let asked = requests::params(workload);
            async move || {
                let _ = &pipe;
                let context = context(running.peer());
                match workload {
                    Workload::List30 => written(&server.list_tools(None, context).await.expect("a list")),
                    _ => answered(server.call_tool(read(&asked), context).await),
                }
            }
        })
    }
    match workload {
        Workload::Order => ready(workload, Order),
        Workload::Search => ready(workload, Search),
        Workload::Text => ready(workload, Text),
        Workload::Add30 | Workload::List30 => ready(workload, Thirty),
        _ => ready(workload, Sum),
    }
}

fn stream(workload: Workload, _: bool) -> Box<dyn Ready> {
    driven(async move || {
        let (running, pipe) = served(Kept { router: router(workload) });
        let (reader, mut writer) = tokio::io::split(pipe);
        let mut reader = BufReader::new(reader);
        let mut asked = requests::message(workload);
        asked.push(b'\n');
        async move || {
            let _ = &running;
            writer.write_all(&asked).await.expect("a pipe");
            let mut line = Vec::new();
            reader.read_until(b'\n', &mut line).await.expect("a pipe");
            line.pop();
            line
        }
    })
}

fn main() {
    const DEFAULT: &[Workload] =
        &[Workload::Add, Workload::Add30, Workload::Order, Workload::Search, Workload::Text, Workload::List30];
    serve::main(&[
        Contestant { name: "rmcp", workloads: Workload::ALL.split_at(Workload::COMMON).0, prepare: best },
        Contestant { name: "rmcp-default", workloads: DEFAULT, prepare: default },
        Contestant { name: "rmcp-stream", workloads: &[Workload::Message], prepare: stream },
    ]);
}
