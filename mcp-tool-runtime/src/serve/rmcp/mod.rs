//! Serves a dispatcher with the official Rust SDK, `rmcp` (feature `rmcp`).
//!
//! The SDK provides transports, sessions and version negotiation. [`Server`] adds the tools. It works with every
//! transport of the SDK:
//!
//! ```no_run
//! use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
//! use rmcp::ServiceExt as _;
//!
//! /// Add two numbers.
//! #[mcp_tool]
//! async fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
//! let server = mcp_tool_runtime::rmcp::Server::new(dispatcher);
//! server.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
//! # Ok(())
//! # }
//! ```
//!
//! For HTTP, enable the SDK's feature `transport-streamable-http-server`. The SDK calls the closure below for each
//! session, or for each request if there are no sessions:
//!
//! ```
//! use mcp_tool_runtime::{rmcp::Server, Dispatcher};
//! use rmcp::transport::streamable_http_server::{
//!     StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
//! };
//!
//! let server = Server::new(Dispatcher::builder().build()?);
//! let config = StreamableHttpServerConfig::default().enforce_origin_validation();
//! // A `tower::Service`: `axum::Router::new().nest_service("/mcp", service)`.
//! let service = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);
//! # let _ = service;
//! # Ok::<(), mcp_tool_runtime::BuildError>(())
//! ```
//!
//! # Differences from the servers without an SDK
//!
//! The SDK parses the messages, so it handles some cases differently from the modules `http` and `stdio` of this crate:
//!
//! - If the arguments have a duplicate key, the last value is used. `http` and `stdio` refuse it.
//! - Over stdio, text that is not JSON gets no answer.
//! - A call that still runs five seconds after the end of the input is dropped.
//!
//! A server that also has resources or prompts implements the SDK's `ServerHandler` itself, and adds the tools of a
//! dispatcher to its router: see [`Dispatcher::rmcp_routes`].
//!
//! # Types of the SDK in the signature of a tool
//!
//! While a server moves from the SDK to this crate, tool by tool, a tool of this crate can still return types of the
//! SDK: [`rmcp::ErrorData`] (its message reaches the model, its code and data are for programs),
//! [`rmcp::Json<T>`](::rmcp::Json), and [`rmcp::model::ContentBlock`], alone or in a `Vec`. An alias of such a type
//! works like the type.
//!
//! ```
//! use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
//! use rmcp::{ErrorData, Json};
//!
//! /// Divide two numbers.
//! #[mcp_tool]
//! async fn divide(a: i64, b: i64) -> Result<Json<i64>, ErrorData> {
//!     a.checked_div(b).map(Json).ok_or_else(|| ErrorData::invalid_params("b must not be zero", None))
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use mcp_tool_runtime::{json, CallToolRequest};
//! let dispatcher = Dispatcher::builder().tools(tools![divide]).build()?;
//! let response = dispatcher.call(CallToolRequest::new("divide", json!({"a": 6, "b": 0}))).await?;
//! assert_eq!(response.error().unwrap().message(), "b must not be zero");
//! # Ok(())
//! # }
//! ```

mod call;
mod routes;
mod types;

use std::sync::Arc;

use ::rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CustomRequest, CustomResult, GetTaskParams,
    GetTaskResult, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool, UpdateTaskParams,
};
use ::rmcp::service::RequestContext;
use ::rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::repeated_arguments::RepeatedArguments;
use crate::dispatcher::Gate;
use crate::mcp::identity::{Identity, TASKS_EXTENSION};
use crate::mcp::params::VERSION_KEY;
use crate::{Dispatcher, Extensions, ProtocolVersion};

/// What the SDK knows about a request.
type Context = RequestContext<RoleServer>;

/// A dispatcher as a `ServerHandler` of the SDK, for every protocol version that the SDK negotiates.
///
/// The [`extensions`](crate::CallContext::extensions) of each call contain the peer (`rmcp::Peer<RoleServer>`), the
/// SDK's own extensions (`rmcp::model::Extensions`), and each value in these. Over HTTP they also contain the request's
/// `http::request::Parts`, `http::HeaderMap` and extensions. A tool can take each of them as `#[mcp_tool(extension)]`.
///
/// A call is dropped if the client cancels its request. From protocol version 2026-07-28 on, a closed HTTP connection
/// also drops it. Progress goes to the clients that asked for it, in order and before the result. A client that reads
/// slowly misses reports, and the result waits up to a second for those that are queued.
///
/// ```
/// use mcp_tool_runtime::{rmcp::Server, Dispatcher};
/// use rmcp::ServerHandler as _;
///
/// let dispatcher = Dispatcher::builder().info("notes", "0.3.1").instructions("Notes of one team.").build()?;
/// let server = Server::new(dispatcher);
/// assert_eq!(server.get_info().server_info.name, "notes");
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Server {
    dispatcher: Dispatcher,
    tools: Arc<[Vec<Tool>; 3]>,
    repeated_arguments: RepeatedArguments,
    extensions: Extensions,
    config: ServerConfig,
}

impl Server {
    /// Creates a handler for the tools of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        let tools =
            ProtocolVersion::ALL.map(|version| dispatcher.list_all_for(version).iter().map(types::tool).collect());
        let Identity { name, title, version, instructions } = dispatcher.identity().clone();
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        if dispatcher.has_tasks() {
            config.capabilities.extensions = Some([(TASKS_EXTENSION.to_owned(), JsonObject::new())].into());
        }
        config.server_info = Implementation::new(name, version);
        config.server_info.title = title;
        config.instructions = instructions;
        let repeated_arguments = RepeatedArguments::new(&dispatcher);
        Self { dispatcher, tools: Arc::new(tools), repeated_arguments, extensions: Extensions::new(), config }
    }

    /// Attaches a value to every request. An example over stdio is the user of this process, read from an environment
    /// variable. Tools take the value as `#[mcp_tool(extension)]`, and
    /// [visibility rules](crate::DispatcherBuilder::visible) read it.
    ///
    /// ```
    /// # use mcp_tool_runtime::{rmcp::Server, Dispatcher};
    /// struct User(String);
    ///
    /// let user = User(std::env::var("NOTES_USER").unwrap_or_default());
    /// let server = Server::new(Dispatcher::builder().build()?).with_extension(user);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Compares the arguments of a call with the headers that repeat them, unless the SDK has already done so. See
    /// `get_tool`. Returns the gate of the call, if the comparison needed one.
    fn check_repeated_arguments(
        &self,
        params: &CallToolRequestParams,
        context: &Context,
    ) -> Result<Option<Gate<'_>>, ErrorData> {
        let Some(parts) = context.extensions.get::<http::request::Parts>() else { return Ok(None) };
        if !self.dispatcher.has_rules() || version(context).is_legacy() {
            return Ok(None);
        }
        let extensions = call::extensions(&self.extensions, context.extensions.clone(), context.peer.clone());
        let gate = self.dispatcher.gate(&params.name, &extensions);
        let arguments = || Some(params.arguments.clone().map_or_else(Value::default, Value::Object));
        let checked = self.repeated_arguments.check(&parts.headers, &gate, arguments);
        checked.map_err(|text| ErrorData::header_mismatch(text, None))?;
        Ok(Some(gate))
    }
}

/// Returns the version that the request names, or else the one that the SDK negotiated. Returns 2025-06-18 if this
/// crate does not know that version.
fn version(context: &Context) -> ProtocolVersion {
    // Read the text of the entry directly, because the SDK's own method would first convert the entry to a type of the
    // SDK.
    let version = match context.meta.0.0.get(VERSION_KEY) {
        Some(Value::String(version)) => version.parse().ok(),
        _ => context.peer.peer_info().and_then(|info| info.protocol_version.as_str().parse().ok()),
    };
    version.unwrap_or(ProtocolVersion::V2025_06_18)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.config.clone()
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        // There is only one page, so no cursor is valid.
        if params.is_some_and(|params| params.cursor.is_some()) {
            return Err(ErrorData::invalid_params("invalid cursor", None));
        }
        let version = version(&context);
        let tools = &self.tools[version.index()];
        let tools = if self.dispatcher.has_rules() {
            let seen = self.dispatcher.seen_by(&call::extensions(&self.extensions, context.extensions, context.peer));
            seen.select(tools).into_iter().cloned().collect()
        } else {
            tools.clone()
        };
        let mut list = ListToolsResult::with_all_items(tools);
        if !version.is_legacy() {
            let (ttl, scope) = self.dispatcher.list_caching();
            list.ttl_ms = Some(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
            list.cache_scope = types::same_form(&scope).ok();
        }
        Ok(list)
    }

    /// The SDK calls this before `call_tool`, to compare the arguments of the call with the headers that repeat them.
    /// No rule has been checked by then, so an error about a mismatch would reveal that a hidden tool exists. If there
    /// are rules, this method therefore returns `None`, and `call_tool` does the comparison instead.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        if self.dispatcher.has_rules() {
            return None;
        }
        self.tools[ProtocolVersion::LATEST.index()].iter().find(|tool| tool.name == name).cloned()
    }

    fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: Context,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send + '_ {
        let gate = self.check_repeated_arguments(&params, &context);
        let request = gate.map(|gate| {
            (call::request(params.name, params.arguments, params.input_responses, params.request_state), gate)
        });
        call::run(&self.dispatcher, &self.extensions, request, context, call::call_or_task)
    }

    async fn get_task(&self, params: GetTaskParams, context: Context) -> Result<GetTaskResult, ErrorData> {
        let extensions = call::extensions(&self.extensions, context.extensions, context.peer);
        let snapshot = self.dispatcher.find_task(&params.task_id, &extensions).await.map_err(call::error)?;
        serde_json::from_slice(&snapshot.detailed("")).map_err(types::internal)
    }

    async fn update_task(&self, params: UpdateTaskParams, context: Context) -> Result<(), ErrorData> {
        let extensions = call::extensions(&self.extensions, context.extensions, context.peer);
        self.dispatcher.find_task(&params.task_id, &extensions).await.map(|_| ()).map_err(call::error)
    }

    async fn cancel_task(&self, params: CancelTaskParams, context: Context) -> Result<(), ErrorData> {
        let extensions = call::extensions(&self.extensions, context.extensions, context.peer);
        self.dispatcher.cancel_task(&params.task_id, &extensions).await.map_err(call::error)
    }

    /// The SDK calls this for unknown methods, and also for a `tools/call` whose parameters it cannot parse.
    async fn on_custom_request(&self, request: CustomRequest, context: Context) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            let message = format!("unknown method {}", crate::json::violation::quote_name(&request.method));
            return Err(ErrorData::new(::rmcp::model::ErrorCode::METHOD_NOT_FOUND, message, None));
        }
        let request = call::from_raw_params(request.params).map(|request| (request, None));
        let version = version(&context);
        let response = call::run(&self.dispatcher, &self.extensions, request, context, call::call).await?;
        types::result_as_value(&response, version).map(CustomResult)
    }
}
