//! This library carried by the official SDK, and the SDK's own tools in the same build, on the same carrier: the SDK's server loop on
//! an in-memory pipe, or its tower service.

use std::time::Instant;

use bench_rmcp::rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject, MetaObject};
use bench_rmcp::rmcp::service::RequestContext;
use bench_rmcp::rmcp::{ErrorData, RoleServer, ServerHandler};
use bench_workloads::serve::{self, Contestant, Ready};
use bench_workloads::{Level, Workload};
use mcp_tool_runtime::CallId;
use mcp_tool_runtime::rmcp::Server;

fn served<S: ServerHandler>(workload: Workload, server: impl FnOnce() -> S + 'static) -> Box<dyn Ready> {
    match workload.level() {
        Level::Http => bench_rmcp::on_http(workload, server()),
        _ => bench_rmcp::on_stdio(workload, server),
    }
}

fn carried(workload: Workload, exact: bool) -> Box<dyn Ready> {
    served(workload, move || Server::new(bench_ours::library::dispatcher(workload, exact)))
}

fn own(workload: Workload, _: bool) -> Box<dyn Ready> {
    served(workload, move || bench_rmcp::server(workload))
}

/// A server whose results say the id and the duration of the call, as those of this library do.
struct WithMeta<S> {
    server: S,
    exact: bool,
}

impl<S: ServerHandler> ServerHandler for WithMeta<S> {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let started = (!self.exact).then(Instant::now);
        let mut response = self.server.call_tool(request, context).await?;
        if let CallToolResponse::Complete(result) = &mut response {
            let id = if self.exact {
                CallId::new(bench_ours::library::STILL_ID).expect("a valid id")
            } else {
                CallId::generate()
            };
            let duration = started.map_or(0.0, |started| started.elapsed().as_secs_f64() * 1_000.0);
            let mut meta = JsonObject::with_capacity(2);
            meta.insert("rs.mcp-tool/call_id".to_owned(), id.as_str().into());
            meta.insert("rs.mcp-tool/duration".to_owned(), duration.into());
            result.meta = Some(MetaObject(meta));
        }
        Ok(response)
    }
}

fn own_with_meta(workload: Workload, exact: bool) -> Box<dyn Ready> {
    served(workload, move || WithMeta { server: bench_rmcp::server(workload), exact })
}

fn main() {
    let workloads =
        || Workload::all().filter(|workload| matches!(workload.level(), Level::Http | Level::Stdio)).collect();
    serve::main(&[
        Contestant { name: "carried", workloads: workloads(), prepare: carried },
        Contestant { name: "carried-own", workloads: workloads(), prepare: own },
        Contestant { name: "carried-own-meta", workloads: workloads(), prepare: own_with_meta },
    ]);
}
