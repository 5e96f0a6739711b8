//! A dispatcher behind the official Rust SDK, `rmcp` (feature `rmcp`).
//!
//! The SDK carries the protocol: transports, sessions, the negotiation of a version. [`Server`] gives it the tools.
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
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
//! let server = mcp_tool_runtime::rmcp::Server::new(dispatcher).with_info("calculator", "1.0.0");
//! server.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
//! # Ok(())
//! # }
//! ```

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;

use ::rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, MetaObject, PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities,
    ServerConfig, Tool,
};
use ::rmcp::service::RequestContext;
use ::rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::{CallToolRequest, DispatchError, Dispatcher, Progress, ProtocolVersion, mcp};

/// A dispatcher as a handler of the SDK.
///
/// Beside the request's own extensions (the parts of an HTTP request, say, as `rmcp::model::Extensions`) each call
/// finds the peer among [`CallContext::extensions`](crate::CallContext::extensions), as `rmcp::Peer<RoleServer>`. A
/// request that the client cancels drops its call. What the tool reports with
/// [`CallContext::progress`](crate::CallContext::progress) goes to a client that asked for it.
///
/// ```
/// use mcp_tool_runtime::{rmcp::Server, Dispatcher};
/// use rmcp::ServerHandler as _;
///
/// let dispatcher = Dispatcher::builder().build()?;
/// let server = Server::new(dispatcher).with_info("notes", "0.3.1").with_instructions("Notes of one team.");
/// assert_eq!(server.get_info().server_info.name, "notes");
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Server {
    dispatcher: Dispatcher,
    tools: Arc<[Vec<Tool>; 3]>,
    config: ServerConfig,
}

impl Server {
    /// Serves the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        let tools = ProtocolVersion::ALL.map(|version| dispatcher.list_for(version).iter().map(tool).collect());
        let config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")));
        Self { dispatcher, tools: Arc::new(tools), config }
    }

    /// Says what the server is called, and its version.
    #[must_use]
    pub fn with_info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.config.server_info = Implementation::new(name, version);
        self
    }

    /// Says how the tools are best used, for a model to read.
    #[must_use]
    pub fn with_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.config.instructions = Some(instructions.into());
        self
    }
}

/// The version that the SDK negotiated, or that the request names.
fn version(context: &RequestContext<RoleServer>) -> ProtocolVersion {
    let negotiated = context.protocol_version();
    negotiated.and_then(|version| version.as_str().parse().ok()).unwrap_or(ProtocolVersion::V2025_06_18)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.config.clone()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let version = version(&context);
        let mut list = ListToolsResult::with_all_items(self.tools[version.index()].clone());
        if !version.is_legacy() {
            let (ttl, scope) = self.dispatcher.list_caching();
            list.ttl_ms = Some(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
            list.cache_scope = Some(match scope {
                mcp::CacheScope::Public => CacheScope::Public,
                mcp::CacheScope::Private => CacheScope::Private,
            });
        }
        Ok(list)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools[ProtocolVersion::LATEST.index()].iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let version = version(&context);
        let RequestContext { ct, meta, extensions, peer, .. } = context;
        let arguments = params.arguments.map_or(Value::Null, Value::Object);
        let token = meta.get_progress_token();
        let (reports, mut queue) = mpsc::unbounded_channel();
        let mut request = CallToolRequest::new(params.name, arguments)
            .with_meta(meta.0.0)
            .with_extension(extensions)
            .with_extension(peer.clone())
            .with_protocol_version(version);
        if token.is_some() {
            // Who has hung up needs no reports.
            request = request.with_progress(move |progress| drop(reports.send(progress)));
        }
        let mut call = pin!(self.dispatcher.call(request));
        let answered = loop {
            // In this order: a report that was made before the end is sent before the result.
            tokio::select! {
                biased;
                () = ct.cancelled() => break None,
                Some(progress) = queue.recv() => report(&peer, token.as_ref(), progress).await,
                response = &mut call => break Some(response),
            }
        };
        while let Ok(progress) = queue.try_recv() {
            report(&peer, token.as_ref(), progress).await;
        }
        match answered {
            Some(Ok(response)) => Ok(result(response.to_mcp(version))?.into()),
            Some(Err(error)) => Err(protocol_error(&error)),
            // The SDK sends no response to a request that was cancelled.
            None => Err(ErrorData::internal_error("cancelled", None)),
        }
    }
}

/// Passes a report on to the client that asked for it.
async fn report(peer: &Peer<RoleServer>, token: Option<&ProgressToken>, progress: Progress) {
    let Some(token) = token else { return };
    let mut param = ProgressNotificationParam::new(token.clone(), progress.done);
    param.total = progress.total;
    param.message = progress.message;
    // A client that is gone gets no result either.
    let _ = peer.notify_progress(param).await;
}

fn protocol_error(error: &DispatchError) -> ErrorData {
    ErrorData::new(::rmcp::model::ErrorCode(error.code()), error.to_string(), None)
}

/// A definition in the SDK's types, which have the protocol's own form.
fn tool(tool: &mcp::Tool) -> Tool {
    let object = |schema: &Value| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let mut sdk =
        Tool::new_with_raw(tool.name.clone(), tool.description.clone().map(Cow::Owned), object(&tool.input_schema));
    sdk.title.clone_from(&tool.title);
    sdk.output_schema = tool.output_schema.as_ref().map(object);
    sdk.annotations = tool.annotations.as_ref().and_then(same_form);
    sdk.icons = same_form(&tool.icons).filter(|icons: &Vec<_>| !icons.is_empty());
    sdk.meta = meta(tool.meta.clone());
    sdk
}

/// The SDK's type of a document, where both have the protocol's form.
fn same_form<T: serde::de::DeserializeOwned>(ours: &impl serde::Serialize) -> Option<T> {
    serde_json::to_value(ours).and_then(serde_json::from_value).ok()
}

fn meta(meta: JsonObject) -> Option<MetaObject> {
    (!meta.is_empty()).then(|| meta.into())
}

/// A result in the SDK's types.
fn result(result: mcp::CallToolResult) -> Result<CallToolResult, ErrorData> {
    let internal = |error: serde_json::Error| ErrorData::internal_error(error.to_string(), None);
    let mut sdk = CallToolResult::default();
    sdk.content = result.content.iter().map(block).collect::<Result<_, _>>().map_err(internal)?;
    sdk.structured_content = match &result.structured_content {
        Some(value) => Some(serde_json::from_str(value.get()).map_err(internal)?),
        None => None,
    };
    sdk.is_error = result.is_error;
    sdk.meta = meta(result.meta);
    Ok(sdk)
}

fn block(content: &crate::Content) -> Result<ContentBlock, serde_json::Error> {
    match content {
        crate::Content::Text(text) if text.is_plain() => Ok(ContentBlock::text(text.text())),
        other => serde_json::to_value(other).and_then(serde_json::from_value),
    }
}
