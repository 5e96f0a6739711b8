//! The official SDK.
//!
//! - `rmcp`: its fastest form. The router is built once and called directly: deserializes `params` as its request type, calls
//!   `ToolRouter::call` and serializes its result type. A message uses its message types and `Service::handle_request` of a handler that
//!   keeps its router.
//! - `rmcp-default`: as in its documentation, with `#[tool_router]` and `#[tool_handler]`. Calls `ServerHandler::call_tool` and
//!   `list_tools`, which rebuild the router on each call.
//!
//! HTTP is its `StreamableHttpService` without sessions and with JSON responses, and stdio its server loop on an in-memory pipe.
//!
//! It validates neither arguments nor results against schemas. The tools wrap values that are not objects.

mod tools;

pub use rmcp;

use std::hint::black_box;
use std::sync::Arc;

use bench_workloads::driven::{driven, piped};
use bench_workloads::http::{HttpRequest, body, requests as http_requests};
use bench_workloads::serve::{Contestant, Ready};
use bench_workloads::{Level, Tool, Workload, prefixes, requests};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientJsonRpcMessage, JsonRpcMessage, ListToolsResult, NumberOrString,
    ServerJsonRpcMessage,
};
use rmcp::service::{Peer, RequestContext, RunningService, serve_directly};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, Service};
use tokio::io::DuplexStream;
use tokio::runtime::{Builder, Runtime};

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
        let is_message = workload.level() == Level::Message;
        let asked = if is_message { requests::message(workload) } else { requests::params(workload) };
        async move || {
            let _ = (&running, &pipe);
            let router = &kept.router;
            match workload {
                Workload::List30 | Workload::List1000 => written(&ListToolsResult::with_all_items(router.list_all())),
                Workload::Build30 | Workload::Build1000 => written(&self::router(workload).map.len()),
                Workload::Call(Level::Message, _) => {
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
        Workload::Call(_, Tool::Order) => ready(workload, Order),
        Workload::Call(_, Tool::Search | Tool::Row) => ready(workload, Search),
        Workload::Call(_, Tool::Text) => ready(workload, Text),
        Workload::Add30 | Workload::List30 => ready(workload, Thirty),
        _ => ready(workload, Sum),
    }
}

/// Returns a server of the SDK on a pipe.
pub fn on_stdio<S: ServerHandler>(workload: Workload, server: impl FnOnce() -> S + 'static) -> Box<dyn Ready> {
    piped(requests::message(workload), move |pipe| {
        tokio::spawn(serve_directly(server(), pipe, None).waiting());
    })
}

/// Returns its own tools.
#[must_use]
pub fn server(workload: Workload) -> impl ServerHandler {
    Kept { router: router(workload) }
}

/// Returns a server of the SDK as its tower service.
pub fn on_http<S: ServerHandler>(workload: Workload, server: S) -> Box<dyn Ready> {
    Box::new(Http::new(workload, server))
}

/// Its tower service, and requests for it.
struct Http<S: ServerHandler> {
    runtime: Runtime,
    workload: Workload,
    service: StreamableHttpService<Arc<S>, LocalSessionManager>,
    stock: Vec<HttpRequest>,
}

impl<S: ServerHandler> Http<S> {
    fn new(workload: Workload, server: S) -> Self {
        let mut config = StreamableHttpServerConfig::default();
        (config.legacy_session_mode, config.json_response) = (false, true);
        let server = Arc::new(server);
        let service = StreamableHttpService::new(move || Ok(Arc::clone(&server)), Arc::default(), config);
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { runtime, workload, service, stock: Vec::new() }
    }
}

impl<S: ServerHandler> Ready for Http<S> {
    fn stock(&mut self, calls: u64) {
        self.stock = http_requests(self.workload, calls);
    }

    fn is_stocked(&self) -> bool {
        true
    }

    fn run(&mut self, calls: u64) {
        self.runtime.block_on(async {
            for _ in 0..calls {
                let request = self.stock.pop().expect("enough requests");
                black_box(body(self.service.handle(request).await).await);
            }
        });
    }

    fn answer(&mut self) -> Vec<u8> {
        let request = http_requests(self.workload, 1).remove(0);
        self.runtime.block_on(async { body(self.service.handle(request).await).await }).into()
    }
}

fn fastest(workload: Workload, exact: bool) -> Box<dyn Ready> {
    match workload.level() {
        Level::Http => on_http(workload, server(workload)),
        Level::Stdio => on_stdio(workload, move || server(workload)),
        _ => best(workload, exact),
    }
}

/// Returns the contestants.
#[must_use]
pub fn contestants() -> Vec<Contestant> {
    let is_default =
        |workload: &Workload| matches!(workload, Workload::Call(Level::Params, _) | Workload::Add30 | Workload::List30);
    let is_done = |workload: &Workload| {
        *workload != Workload::BuildApart && !matches!(workload.level(), Level::Value | Level::Ruled | Level::Recorded)
    };
    vec![
        Contestant { name: "rmcp", workloads: Workload::all().filter(is_done).collect(), prepare: fastest },
        Contestant { name: "rmcp-default", workloads: Workload::all().filter(is_default).collect(), prepare: default },
    ]
}
