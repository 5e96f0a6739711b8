//! Rules of visibility in the servers of the official SDK.

use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::rmcp::Server;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::run;

/// A server of the SDK with the routes of a dispatcher.
struct Routed(ToolRouter<Self>);

impl ServerHandler for Routed {
    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.call(ToolCallContext::new(self, params, context)).await
    }
}

#[tokio::test]
async fn a_call_of_a_route_is_subject_to_the_rules() {
    let any = |name| run::taking(name, json!({ "type": "object" }));
    // Every caller has a peer. The routes are made without a caller.
    let builder = run::exact().tool(any("open")).tool(any("closed"));
    let builder =
        builder.visible(|tool, extensions| tool.name() == "open" || extensions.get::<Peer<RoleServer>>().is_none());
    let mut router = ToolRouter::new();
    for route in run::built(builder).rmcp_routes() {
        router.add_route(route);
    }
    assert!(router.has_route("open") && router.has_route("closed"));

    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        if let Ok(running) = Routed(router).serve(theirs).await {
            let _ = running.waiting().await;
        }
    });
    let (answers, mut requests) = tokio::io::split(ours);
    let mut answers = BufReader::new(answers).lines();
    let mut ask = async |message: Value| -> Value {
        requests.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
        let line = answers.next_line().await.expect("a line").expect("the server lives");
        serde_json::from_str(&line).expect("JSON")
    };
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    ask(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
    let call = |id: u32, name: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": {} } });
    let open = ask(call(1, "open")).await;
    assert_eq!(open["result"]["isError"], false, "{open}");
    let closed = ask(call(2, "closed")).await;
    assert_eq!(closed["error"]["message"], "tool not found", "{closed}");
}

#[tokio::test]
async fn clients_of_older_versions_need_no_headers_that_repeat_arguments_with_rules_either() {
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    let schema = json!({ "type": "object", "properties": { "region": region }, "required": ["region"] });
    for has_rules in [false, true] {
        let mut builder = run::exact().tool(run::taking("t", schema.clone()));
        if has_rules {
            builder = builder.visible(|_, _| true);
        }
        let server = Server::new(run::built(builder));
        let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
        let service: StreamableHttpService<_, LocalSessionManager> =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
        let call = async |version: &str, header: Option<&str>| -> Value {
            let mut post = Request::post("/").header("host", "localhost").header("content-type", "application/json");
            post = post.header("accept", "application/json, text/event-stream").header("mcp-protocol-version", version);
            let mut params = json!({ "name": "t", "arguments": { "region": "eu" } });
            if version == "2026-07-28" {
                post = post.header("mcp-method", "tools/call").header("mcp-name", "t");
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": version,
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                });
            }
            if let Some(header) = header {
                post = post.header("mcp-param-region", header);
            }
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            let request = post.body(Full::<Bytes>::from(message.to_string())).expect("a request");
            let body = service.handle(request).await.into_body().collect().await.expect("a body").to_bytes();
            serde_json::from_slice(&body).expect("JSON")
        };
        for answer in [call("2025-11-25", None).await, call("2026-07-28", Some("eu")).await] {
            assert_eq!(answer["result"]["isError"], false, "{has_rules} {answer}");
        }
        for header in [None, Some("us")] {
            let answer = call("2026-07-28", header).await;
            assert_eq!(answer["error"]["code"], -32020, "{has_rules} {header:?} {answer}");
        }
    }
}
