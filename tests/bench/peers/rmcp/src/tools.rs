//! The tools, written for the macros of this SDK.

use bench_workloads::orders::{self, order};
use bench_workloads::searches::{Hits, Query, search};
use bench_workloads::{Conversion, Summands, Words, Wrapped, add, convert};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};

/// Emits an impl block of tools for a server, with a router of this name.
macro_rules! tools {
    ($server:ident, $router:ident: $($tool:ident = $run:expr, $words:literal, $arguments:ty => $output:ty;)*) => {
        #[tool_router(router = $router, vis = "pub(crate)")]
        impl $server {
            $(
                #[tool(description = $words)]
                fn $tool(&self, Parameters(of): Parameters<$arguments>) -> Json<$output> {
                    let run = $run;
                    Json(run(of))
                }
            )*
        }
    };
}

/// Emits all five tools under the given names.
macro_rules! five {
    ($server:ident, $router:ident: $add:ident $order:ident $search:ident $text:ident $convert:ident) => {
        tools! { $server, $router:
            $add = |of: Summands| Wrapped { result: add(&of) }, "Add two numbers.", Summands => Wrapped<i64>;
            $order = order, "Place an order.", orders::Arguments => orders::Order;
            $search = |of: Query| search(&of), "Search all files.", Query => Hits;
            $text = |of: Words| Wrapped { result: of.text }, "Give a text back.", Words => Wrapped<String>;
            $convert = |of: Conversion| Wrapped { result: convert(&of) }, "Convert a length.", Conversion => Wrapped<f64>;
        }
    };
}

/// A server with one tool, as in the documentation.
macro_rules! one {
    ($server:ident: $($tool:tt)*) => {
        #[derive(Clone)]
        pub(crate) struct $server;

        tools! { $server, tool_router: $($tool)* }

        #[tool_handler]
        impl ServerHandler for $server {}
    };
}

one! { Sum: add = |of: Summands| Wrapped { result: add(&of) }, "Add two numbers.", Summands => Wrapped<i64>; }
one! { Order: order = order, "Place an order.", orders::Arguments => orders::Order; }
one! { Search: search = |of: Query| search(&of), "Search all files.", Query => Hits; }
one! { Text: text = |of: Words| Wrapped { result: of.text }, "Give a text back.", Words => Wrapped<String>; }

/// The server of the routes in the fastest form.
#[derive(Clone)]
pub(crate) struct Five;

five! { Five, tool_router: add order search text convert }

impl ServerHandler for Five {}

/// A handler that keeps its router.
pub(crate) struct Kept {
    pub(crate) router: ToolRouter<Five>,
}

impl ServerHandler for Kept {
    async fn call_tool(
        &self,
        request: rmcp::model::CallToolRequestParams,
        context: rmcp::service::RequestContext<rmcp::RoleServer>,
    ) -> Result<rmcp::model::CallToolResponse, rmcp::ErrorData> {
        self.router.call(rmcp::handler::server::tool::ToolCallContext::new(&Five, request, context)).await
    }
}

/// A server with 30 tools, as in the documentation: it adds up its routers.
#[derive(Clone)]
pub(crate) struct Thirty;

five! { Thirty, first: add order search text convert }
five! { Thirty, second: s1_add s1_order s1_search s1_text s1_convert }
five! { Thirty, third: s2_add s2_order s2_search s2_text s2_convert }
five! { Thirty, fourth: s3_add s3_order s3_search s3_text s3_convert }
five! { Thirty, fifth: s4_add s4_order s4_search s4_text s4_convert }
five! { Thirty, sixth: s5_add s5_order s5_search s5_text s5_convert }

impl Thirty {
    fn tool_router() -> ToolRouter<Self> {
        Self::first() + Self::second() + Self::third() + Self::fourth() + Self::fifth() + Self::sixth()
    }
}

#[tool_handler]
impl ServerHandler for Thirty {}
