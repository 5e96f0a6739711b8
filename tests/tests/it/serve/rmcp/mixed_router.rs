//! Tools of a dispatcher in the router of an SDK server with its own tools.

use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use super::{Client, Server, call, dispatcher, modern, request, sum};

/// An existing SDK server.
struct Mixed {
    router: ToolRouter<Self>,
    server: Server,
    greeting: &'static str,
}

impl Mixed {
    fn new() -> Self {
        let own = Tool::new("greet", "Greet.", Map::from_iter([("type".to_owned(), json!("object"))]));
        let greet = ToolRoute::new_dyn(own, |context: ToolCallContext<'_, Self>| {
            let text = context.service.greeting;
            Box::pin(async move { Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into()) })
        });
        let mut router = ToolRouter::new().with_route(greet);
        let dispatcher = dispatcher().0;
        for route in dispatcher.rmcp_routes() {
            router.add_route(route);
        }
        Self { router, server: Server::new(dispatcher), greeting: "good day" }
    }
}

impl ServerHandler for Mixed {
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
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // As the documentation of `rmcp_routes` shows.
        if !self.router.has_route(&params.name) {
            return self.server.call_tool(params, context).await;
        }
        self.router.call(ToolCallContext::new(self, params, context)).await
    }
}

/// Returns the tool names of a list with their output schemas.
fn outputs(list: &Value) -> Map<String, Value> {
    let tools = list["result"]["tools"].as_array().expect("tools");
    let pair = |tool: &Value| (tool["name"].as_str().expect("a name").to_owned(), tool["outputSchema"].clone());
    tools.iter().map(pair).collect()
}

#[tokio::test]
async fn a_router_serves_dispatcher_tools_and_its_own() {
    let mut client = Client::initialized(Mixed::new(), "2025-11-25").await;
    let list = outputs(&client.ask(request(1, "tools/list", json!({}))).await);
    assert_eq!(list.len(), 8);
    assert_eq!(list["add"]["properties"]["result"]["type"], "integer");

    let greeted = client.ask(call(2, "greet", json!({}))).await;
    assert_eq!(greeted["result"]["content"][0]["text"], "good day");
    assert_eq!(client.ask(sum(3)).await["result"]["structuredContent"], json!({"result": 5}));
    let refused = client.ask(call(4, "add", json!({"a": "x"}))).await;
    assert_eq!(refused["result"]["isError"], true);
    let attached = client.ask(call(5, "attached", json!({}))).await;
    assert_eq!(attached["result"]["structuredContent"]["result"][0], true, "the peer is attached here too");
}

#[tokio::test]
async fn a_server_beside_the_router_accepts_the_former_names() {
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::initialized(Mixed::new(), version).await;
        let list = outputs(&client.ask(request(1, "tools/list", json!({}))).await);
        assert!(!list.contains_key("plus"), "{list:?}");
        let renamed = client.ask(call(2, "plus", json!({"a": 2, "b": 3}))).await;
        assert_eq!(renamed["result"]["structuredContent"], json!({"result": 5}), "{renamed}");
        assert_eq!(renamed["result"]["_meta"]["rs.mcp-tool/renamed_to"], "add", "{renamed}");
        let unknown = client.ask(call(3, "minus", json!({}))).await;
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    }
}

/// rmcp answers so since 3.11.
#[tokio::test]
async fn methods_that_the_server_does_not_advertise_are_not_found() {
    let mut client = Client::initialized(Mixed::new(), "2025-11-25").await;
    for (id, method) in (1..).zip(["prompts/list", "resources/list", "no/such/method"]) {
        assert_eq!(client.ask(request(id, method, json!({}))).await["error"]["code"], -32601, "{method}");
    }
}

#[tokio::test]
async fn r2_structured_values_match_the_listed_schema_in_every_version() {
    let mut client = Client::of(Mixed::new());
    let list = outputs(&client.ask(modern(request(1, "tools/list", json!({})))).await);
    let reply = client.ask(modern(sum(2))).await;
    let schema = jsonschema::validator_for(&list["add"]).expect("a schema");
    assert!(schema.is_valid(&reply["result"]["structuredContent"]), "{reply}");
    assert_eq!(reply["result"]["resultType"], "complete");
}

#[tokio::test]
async fn section_6_progress_passes_through_a_router() {
    let mut client = Client::initialized(Mixed::new(), "2025-11-25").await;
    let mut ask = call(7, "report", json!({"steps": [1.0, 2.0]}));
    ask["params"]["_meta"] = json!({"progressToken": 5});
    client.send(&ask).await;
    for done in [1.0, 2.0] {
        let report = client.next().await;
        assert_eq!(
            (&report["params"]["progress"], &report["params"]["progressToken"]),
            (&json!(done), &json!(5)),
            "{report}"
        );
    }
    assert_eq!(client.next().await["id"], 7);
}

#[test]
fn a_dispatcher_can_be_called_beside_its_routes() {
    let (dispatcher, _) = dispatcher();
    let routes = dispatcher.rmcp_routes::<Mixed>();
    let names: Vec<_> = routes.iter().map(ToolRoute::name).collect();
    assert_eq!(names, ["add", "report", "hang", "panicking", "attached", "in_region", "who"]);
    assert_eq!(crate::run::value(&dispatcher, "add", json!({"a": 1, "b": 1})), 2);
}
