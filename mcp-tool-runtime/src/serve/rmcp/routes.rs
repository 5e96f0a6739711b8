//! The tools of a dispatcher as routes of the SDK.

use ::rmcp::handler::server::router::tool::ToolRoute;
use ::rmcp::handler::server::tool::ToolCallContext;
use ::rmcp::model::{CustomRequest, CustomResult, ErrorCode};
use ::rmcp::service::RequestContext;
use ::rmcp::{ErrorData, RoleServer};

use super::{call, types};
use crate::dispatcher::Gate;
use crate::operations::{Carrier, Outcome};
use crate::{Dispatcher, Extensions, ProtocolVersion};

/// The protocol version that determines the form of definitions and results. A router lists the same definitions to all
/// clients, and every client accepts this form.
const VERSION: ProtocolVersion = ProtocolVersion::V2025_11_25;

impl Dispatcher {
    /// Returns the tools as routes for the SDK's router (feature `rmcp`). Use it for a server that implements
    /// `ServerHandler` itself, for its own tools, prompts or resources.
    ///
    /// A router lists the same definitions to clients of all versions. So definitions and results have the form of
    /// 2025-11-25: an output that is not an object is `{"result": …}`. If two tools have the same name, the router
    /// keeps the last one. Everything else is the same as with [`Server`](super::Server).
    ///
    /// A router also lists the same tools to all callers. If there are visibility rules, only the tools that are
    /// visible to a request without attached values have routes, and the rules still apply to each call. To list the
    /// tools by caller, hold a [`Server`](super::Server) instead of routes, and call its `list_tools` and `call_tool`
    /// from the same methods of your `ServerHandler`.
    ///
    /// A router lists all its routes, but former names (`formerly`) must not be listed. So they have no routes, and the
    /// router finds a tool only by its present name. To accept former names too, hold a [`Server`](super::Server) next
    /// to the router, and pass it the calls to names that the router does not have:
    ///
    /// ```
    /// use rmcp::handler::server::{router::tool::ToolRouter, tool::ToolCallContext};
    /// use rmcp::model::{CallToolRequestParams, CallToolResponse};
    /// use rmcp::{ErrorData, RoleServer, ServerHandler, service::RequestContext};
    ///
    /// struct Existing {
    ///     router: ToolRouter<Self>,
    ///     server: mcp_tool_runtime::rmcp::Server,
    /// }
    ///
    /// impl ServerHandler for Existing {
    ///     async fn call_tool(
    ///         &self,
    ///         request: CallToolRequestParams,
    ///         context: RequestContext<RoleServer>,
    ///     ) -> Result<CallToolResponse, ErrorData> {
    ///         if !self.router.has_route(&request.name) {
    ///             return self.server.call_tool(request, context).await;
    ///         }
    ///         self.router.call(ToolCallContext::new(self, request, context)).await
    ///     }
    /// }
    /// ```
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
    /// use rmcp::{ServerHandler, handler::server::router::tool::ToolRouter};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// /// An existing server with prompts and resources.
    /// struct Existing;
    ///
    /// impl ServerHandler for Existing {}
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let mut router = ToolRouter::<Existing>::new();
    /// for route in dispatcher.rmcp_routes() {
    ///     router.add_route(route);
    /// }
    /// assert!(router.has_route("add"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn rmcp_routes<S: Send + Sync + 'static>(&self) -> Vec<ToolRoute<S>> {
        let route = |tool| {
            let dispatcher = self.clone();
            ToolRoute::new_dyn(types::tool(tool), move |context: ToolCallContext<'_, S>| {
                let dispatcher = dispatcher.clone();
                let ToolCallContext { name, arguments, input_responses, request_state, request_context, .. } = context;
                let request = call::request(name, arguments, input_responses, request_state);
                Box::pin(async move {
                    let gate = dispatcher.has_rules().then(|| {
                        let RequestContext { extensions, peer, .. } = &request_context;
                        let extensions = call::extensions(&Extensions::new(), extensions.clone(), peer.clone());
                        dispatcher.gate(&request.name, &extensions)
                    });
                    if gate.as_ref().is_some_and(Gate::is_hidden) {
                        dispatcher.open_record(Carrier::Rmcp).end(Outcome::UnknownTool);
                        // Answer as the router itself does for a tool that does not exist.
                        return Err(ErrorData::invalid_params("tool not found", None));
                    }
                    let version = super::version(&request_context);
                    let (attached, request) = (Extensions::new(), Ok((request, gate)));
                    let response = call::run(&dispatcher, &attached, request, request_context, call::call).await?;
                    types::response(&response, VERSION, version)
                })
            })
        };
        self.seen_by(&Extensions::new()).list_for(VERSION).into_iter().map(route).collect()
    }

    /// Answers a call whose parameters the SDK cannot parse, for a server with the [routes](Self::rmcp_routes) of this
    /// dispatcher (feature `rmcp`).
    ///
    /// The SDK parses only arguments that are an object, and passes all other calls to `on_custom_request`. By default,
    /// `on_custom_request` answers with an error about an unknown method, which no model reads. With this method, the
    /// answer is an error result, as for any other mistake in the arguments:
    ///
    /// ```
    /// use mcp_tool_runtime::Dispatcher;
    /// use rmcp::model::{CustomRequest, CustomResult};
    /// use rmcp::service::RequestContext;
    /// use rmcp::{ErrorData, RoleServer, ServerHandler};
    ///
    /// struct Existing {
    ///     dispatcher: Dispatcher,
    /// }
    ///
    /// impl ServerHandler for Existing {
    ///     async fn on_custom_request(
    ///         &self,
    ///         request: CustomRequest,
    ///         context: RequestContext<RoleServer>,
    ///     ) -> Result<CustomResult, ErrorData> {
    ///         self.dispatcher.rmcp_custom_request(request, context).await
    ///     }
    /// }
    /// ```
    ///
    /// If tools take values that your `call_tool` inserts into `context.extensions`, insert them here as well.
    ///
    /// # Errors
    ///
    /// The SDK's own answer to an unknown method, if the request is not a call to a tool of this dispatcher. The error
    /// of the call, if the call cannot reach the tool.
    pub async fn rmcp_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let unknown = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method.clone(), None);
        if request.method != "tools/call" {
            return Err(unknown);
        }
        let request = call::from_raw_params(request.params)?;
        let extensions = call::extensions(&Extensions::new(), context.extensions.clone(), context.peer.clone());
        let gate = self.gate(&request.name, &extensions);
        if gate.is_hidden() {
            // Do not record a call to a tool that this dispatcher does not know: other code may provide that tool.
            if self.entry(&request.name).is_some() {
                self.open_record(Carrier::Rmcp).end(Outcome::UnknownTool);
            }
            return Err(unknown);
        }
        let request = Ok((request, Some(gate)));
        let response = call::run(self, &Extensions::new(), request, context, call::call).await?;
        types::result_as_value(&response, VERSION).map(CustomResult)
    }
}
