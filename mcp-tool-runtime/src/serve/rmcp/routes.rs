//! The tools of a dispatcher in the router of a server that has more than them.

use ::rmcp::handler::server::router::tool::ToolRoute;
use ::rmcp::handler::server::tool::ToolCallContext;

use super::{call, types};
use crate::{Dispatcher, ProtocolVersion};

/// A router lists the same definitions to every client, so they have the shape that every client takes.
const SHAPE: ProtocolVersion = ProtocolVersion::V2025_11_25;

impl Dispatcher {
    /// The tools as routes for the SDK's router, so that a server whose author wrote its `ServerHandler` can offer them
    /// beside its own tools, prompts and resources (feature `rmcp`).
    ///
    /// A router lists one set of definitions to clients of all versions. Definitions and results are therefore in the
    /// form of 2025-11-25 for all of them: an output that is not an object is `{"result": …}`. Of two tools of one name
    /// the router keeps the last one. All else is as with [`Server`](super::Server).
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
    /// /// The server as it was: with prompts and resources, say.
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
                Box::pin(async move {
                    let response = call::answer(&dispatcher, request, context.request_context).await?;
                    Ok(types::result(response.to_mcp(SHAPE))?.into())
                })
            })
        };
        self.list_for(SHAPE).iter().map(route).collect()
    }
}
