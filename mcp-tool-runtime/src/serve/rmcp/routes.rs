//! The tools of a dispatcher as routes of the SDK.

use ::rmcp::ErrorData;
use ::rmcp::handler::server::router::tool::ToolRoute;
use ::rmcp::handler::server::tool::ToolCallContext;
use ::rmcp::service::RequestContext;

use super::{call, types};
use crate::{Dispatcher, Extensions, ProtocolVersion};

/// A router lists the same definitions to all clients, so they have the form that every client accepts.
const VERSION: ProtocolVersion = ProtocolVersion::V2025_11_25;

impl Dispatcher {
    /// Returns the tools as routes for the SDK's router (feature `rmcp`). Use it for a server that implements
    /// `ServerHandler` itself, for its own tools, prompts or resources.
    ///
    /// A router lists the same definitions to clients of all versions. So definitions and results have the form of
    /// 2025-11-25: an output that is not an object is `{"result": …}`. Of two tools with the same name, the router keeps the
    /// last. Everything else is the same as with [`Server`](super::Server).
    ///
    /// A router also lists the same tools to all callers. With rules of visibility, there is a route only for a tool that a
    /// request without any attached value sees, and a call of it is still subject to the rules. To list by caller, hold a
    /// [`Server`](super::Server) instead of routes, and call its `list_tools` and `call_tool` in those of your
    /// `ServerHandler`.
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
                let request = call::request(context.name, context.arguments);
                let request = call::with_answers(request, context.input_responses, context.request_state);
                Box::pin(async move {
                    if dispatcher.has_rules() {
                        let RequestContext { extensions, peer, .. } = &context.request_context;
                        let extensions = call::extensions(&Extensions::new(), extensions.clone(), peer.clone());
                        if !dispatcher.is_visible(&request.name, &extensions) {
                            // The router's own answer for a tool that does not exist.
                            return Err(ErrorData::invalid_params("tool not found", None));
                        }
                    }
                    let version = super::version(&context.request_context);
                    let response =
                        call::run(&dispatcher, &Extensions::new(), request, version, context.request_context).await?;
                    types::response(&response, VERSION, version)
                })
            })
        };
        self.seen_by(&Extensions::new()).list_for(VERSION).into_iter().map(route).collect()
    }
}
