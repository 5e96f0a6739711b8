//! The SDK's own extensions: what a server puts there reaches the tools of a dispatcher, as rmcp's `Extension<T>` does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ::http::Request;
use ::http::request::Parts;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::rmcp::Server;
use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::{Client, call, initialize, request};
use crate::wait::within_a_minute;

#[derive(Clone)]
struct Tenant(&'static str);

/// Say who asks.
#[mcp_tool]
async fn tenant(#[mcp_tool(extension)] tenant: &Tenant) -> &'static str {
    tenant.0
}

/// Say with which program.
#[mcp_tool]
async fn agent(#[mcp_tool(extension)] parts: &Parts) -> String {
    parts.headers["user-agent"].to_str().expect("text").to_owned()
}

/// Count the calls of a session.
#[mcp_tool]
async fn visits(#[mcp_tool(extension)] visits: &Arc<AtomicU32>) -> u32 {
    visits.fetch_add(1, Ordering::Relaxed) + 1
}

fn dispatcher() -> Dispatcher {
    Dispatcher::builder().tools(tools![tenant, agent, visits]).build().expect("three tools")
}

/// An existing server, which puts its values into the SDK's extensions.
struct Existing {
    router: ToolRouter<Self>,
    dispatcher: Dispatcher,
    tenant: Option<Tenant>,
    visits: Arc<AtomicU32>,
}

impl Existing {
    fn new(tenant: Option<Tenant>) -> Self {
        let dispatcher = dispatcher();
        let mut router = ToolRouter::new();
        for route in dispatcher.rmcp_routes() {
            router.add_route(route);
        }
        Self { router, dispatcher, tenant, visits: Arc::default() }
    }

    fn values(&self) -> rmcp::model::Extensions {
        let mut values = rmcp::model::Extensions::new();
        values.insert(Arc::clone(&self.visits));
        if let Some(tenant) = self.tenant.clone() {
            values.insert(tenant);
        }
        values
    }
}

impl ServerHandler for Existing {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.router.list_all()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        context.extensions.extend(self.values());
        self.router.call(ToolCallContext::new(self, params, context)).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        context.extensions.extend(self.values());
        self.dispatcher.rmcp_custom_request(request, context).await
    }
}

/// A server with the tools of a dispatcher alone, which puts its values into the SDK's extensions.
struct Wrapped(Server);

impl ServerHandler for Wrapped {
    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        context.extensions.insert(Tenant("bob"));
        self.0.list_tools(params, context).await
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        context.extensions.insert(Tenant("bob"));
        self.0.call_tool(params, context).await
    }
}

fn text(reply: &Value) -> &Value {
    &reply["result"]["content"][0]["text"]
}

#[tokio::test]
async fn an_extension_of_the_sdk_reaches_a_tool_through_the_routes_and_through_the_server() {
    let mut client = Client::initialized(Existing::new(Some(Tenant("ann"))), "2025-11-25").await;
    assert_eq!(text(&client.ask(call(1, "tenant", json!({}))).await), "ann");
    let mut client = Client::initialized(Existing::new(None), "2025-11-25").await;
    assert_eq!(client.ask(call(1, "tenant", json!({}))).await["error"]["code"], -32603);
    let mut client = Client::initialized(Wrapped(Server::new(dispatcher())), "2025-11-25").await;
    assert_eq!(text(&client.ask(call(1, "tenant", json!({}))).await), "bob");
}

#[tokio::test]
async fn a_rule_of_visibility_reads_an_extension_of_the_sdk() {
    let builder = Dispatcher::builder().tools(tools![tenant]);
    let dispatcher = builder.visible(|_, extensions| extensions.get::<Tenant>().is_some()).build().expect("a tool");
    let mut client = Client::initialized(Wrapped(Server::new(dispatcher.clone())), "2025-11-25").await;
    let list = client.ask(request(1, "tools/list", json!({}))).await;
    assert_eq!(list["result"]["tools"][0]["name"], "tenant", "{list}");
    assert_eq!(text(&client.ask(call(2, "tenant", json!({}))).await), "bob");
    let mut client = Client::initialized(Server::new(dispatcher), "2025-11-25").await;
    assert_eq!(client.ask(call(1, "tenant", json!({}))).await["error"]["code"], -32602);
}

#[tokio::test]
async fn arguments_that_are_no_object_are_an_error_result_through_the_routes() {
    let mut client = Client::initialized(Existing::new(Some(Tenant("ann"))), "2025-11-25").await;
    for arguments in [json!([1]), json!("{}"), json!(5)] {
        let reply = client.ask(call(1, "tenant", arguments)).await;
        assert_eq!(reply["result"]["isError"], true, "{reply}");
        assert!(
            text(&reply).as_str().is_some_and(|text| text.starts_with("invalid arguments: expected an object")),
            "{reply}"
        );
    }
    // What is not for the dispatcher has the SDK's own answer.
    for (message, code) in [
        (call(2, "another", json!([])), -32601),
        (request(3, "tools/call", json!({"arguments": []})), -32602),
        (request(4, "unknown/method", json!({})), -32601),
    ] {
        assert_eq!(client.ask(message).await["error"]["code"], code);
    }
}

#[tokio::test]
async fn each_session_over_http_has_its_own_state_and_its_own_parts() {
    let config = StreamableHttpServerConfig::default().with_allowed_origins(["http://localhost:*"]);
    let service: StreamableHttpService<Existing, LocalSessionManager> =
        StreamableHttpService::new(|| Ok(Existing::new(None)), Arc::default(), config.clone());
    let shared = Server::new(dispatcher());
    let per_session: StreamableHttpService<Server, LocalSessionManager> = StreamableHttpService::new(
        move || Ok(shared.clone().with_extension(Arc::<AtomicU32>::default())),
        Arc::default(),
        config,
    );
    for is_routed in [true, false] {
        let send = async |session: Option<&str>, message: Value| {
            let mut post = Request::post("/")
                .header("host", "localhost:8000")
                .header("user-agent", "test/7")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream");
            if let Some(session) = session {
                post = post.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
            }
            let request = post.body(Full::new(Bytes::from(message.to_string()))).expect("a request");
            let reply = within_a_minute(async {
                if is_routed { service.handle(request).await } else { per_session.handle(request).await }
            })
            .await;
            let session = reply.headers().get("mcp-session-id").map(|id| id.to_str().expect("text").to_owned());
            let bytes = within_a_minute(reply.into_body().collect()).await.expect("a body").to_bytes();
            let text = String::from_utf8_lossy(&bytes);
            let last = text.lines().filter_map(|line| line.strip_prefix("data:")).rfind(|data| data.trim().len() > 1);
            (session, last.map_or(Value::Null, |data| serde_json::from_str(data).expect("JSON")))
        };
        let mut sessions = Vec::new();
        for _ in 0..2 {
            let session = send(None, initialize("2025-11-25")).await.0.expect("a session");
            let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            send(Some(&session), initialized).await;
            sessions.push(session);
        }
        for (session, expected) in [(0, "1"), (0, "2"), (1, "1"), (0, "3")] {
            let (_, reply) = send(Some(&sessions[session]), call(1, "visits", json!({}))).await;
            assert_eq!(text(&reply), expected, "{reply}");
        }
        let (_, reply) = send(Some(&sessions[0]), call(2, "agent", json!({}))).await;
        assert_eq!(text(&reply), "test/7", "{reply}");
    }
}
