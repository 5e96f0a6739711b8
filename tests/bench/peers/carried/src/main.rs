//! This library carried by the official SDK, and the SDK's own tools in the same build, on the same carrier: the SDK's server loop on
//! an in-memory pipe.

use bench_workloads::serve::{self, Contestant, Ready};
use bench_workloads::{Level, Workload};
use mcp_tool_runtime::rmcp::Server;

fn carried(workload: Workload, exact: bool) -> Box<dyn Ready> {
    bench_rmcp::on_stdio(workload, move || Server::new(bench_ours::library::dispatcher(workload, exact)))
}

fn own(workload: Workload, _: bool) -> Box<dyn Ready> {
    bench_rmcp::stdio(workload)
}

fn main() {
    let stdio = || Workload::all().filter(|workload| workload.level() == Level::Stdio).collect();
    serve::main(&[
        Contestant { name: "carried", workloads: stdio(), prepare: carried },
        Contestant { name: "carried-own", workloads: stdio(), prepare: own },
    ]);
}
