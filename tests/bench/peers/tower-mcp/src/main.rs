//! `tower-mcp`: deserializes `params` as its request type, calls its router as a tower service and serializes its result type. It has no
//! workloads of whole messages: those name the version 2026-07-28, which it does not support.
//!
//! There are two builds: with its feature `schema-validation` it validates arguments and results. The tools wrap values that are not
//! objects. Its text blocks are indented JSON, written by `CallToolResult::from_serialize`.

use std::future::poll_fn;

use bench_workloads::driven::driven;
use bench_workloads::orders::order;
use bench_workloads::searches::{Hits, Query, search};
use bench_workloads::serve::{self, Contestant, Ready};
use bench_workloads::{Conversion, Level, Summands, TOOLS, Words, Workload, Wrapped, add, convert, prefixes, requests};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower::Service;
use tower_mcp::protocol::{McpRequest, RequestId};
use tower_mcp::router::{McpRouter, RouterRequest};
use tower_mcp::{CallToolResult, Tool, ToolBuilder};

fn made<A, R>(name: String, words: &str, run: fn(A) -> R) -> Tool
where
    A: JsonSchema + DeserializeOwned + Send + Sync + 'static,
    R: JsonSchema + Serialize + Send + 'static,
{
    ToolBuilder::new(name)
        .description(words)
        .output_schema_for::<R>()
        .handler(move |arguments: A| async move { CallToolResult::from_serialize(&run(arguments)) })
        .build()
}

fn tool(prefix: &str, name: &str) -> Tool {
    let full = format!("{prefix}{name}");
    match name {
        "order" => made(full, "Place an order.", order),
        "search" => made::<Query, Hits>(full, "Search all files.", |query| search(&query)),
        "text" => made::<Words, _>(full, "Give a text back.", |words| Wrapped { result: words.text }),
        "convert" => made::<Conversion, _>(full, "Convert a length.", |of| Wrapped { result: convert(&of) }),
        _ => made::<Summands, _>(full, "Add two numbers.", |of| Wrapped { result: add(&of) }),
    }
}

fn router(workload: Workload) -> McpRouter {
    let router = McpRouter::new().server_info("bench", "1.0.0");
    if workload.tools() == 1 {
        return router.tool(tool("", workload.tool()));
    }
    let names = prefixes(workload.tools()).flat_map(|prefix| TOOLS.map(|name| (prefix.clone(), name)));
    names.fold(router, |router, (prefix, name)| router.tool(tool(&prefix, name)))
}

/// Sends one request and returns the bytes of its result.
async fn asked(router: &mut McpRouter, request: McpRequest) -> Vec<u8> {
    let Ok(()) = poll_fn(|cx| router.poll_ready(cx)).await;
    let Ok(response) = router.call(RouterRequest::new(RequestId::Number(7), request)).await;
    serde_json::to_vec(&response.inner.expect("a result")).expect("a result")
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("a request")
}

fn prepare(workload: Workload, _: bool) -> Box<dyn Ready> {
    const HELLO: &[u8] =
        br#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}"#;
    driven(async move || {
        let mut router = router(workload);
        asked(&mut router, McpRequest::Initialize(read(HELLO))).await;
        router.session().mark_initialized();
        let bytes = requests::params(workload);
        async move || match workload {
            Workload::List30 | Workload::List1000 => asked(&mut router, McpRequest::ListTools(read(b"{}"))).await,
            Workload::Build30 | Workload::Build1000 => {
                drop(std::hint::black_box(self::router(workload)));
                Vec::new()
            }
            _ => asked(&mut router, McpRequest::CallTool(read(&bytes))).await,
        }
    })
}

fn main() {
    let name = if cfg!(feature = "checked") { "tower-mcp-checked" } else { "tower-mcp" };
    let is_done = |workload: &Workload| {
        *workload != Workload::BuildApart && matches!(workload.level(), Level::Params | Level::Bare)
    };
    serve::main(&[Contestant { name, workloads: Workload::all().filter(is_done).collect(), prepare }]);
}
