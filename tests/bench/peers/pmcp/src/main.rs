//! `pmcp`: deserializes `params` as its request type, calls `ServerCore::handle_request` as its transports do, and serializes the result of
//! the response.
//!
//! It validates neither arguments nor results here; its feature `schema-validation` only covers results. The tools wrap values that are not
//! objects.

use bench_workloads::driven::driven;
use bench_workloads::orders::order;
use bench_workloads::searches::{Hits, Query, search};
use bench_workloads::serve::{self, Contestant, Ready};
use bench_workloads::{Conversion, Level, Summands, TOOLS, Words, Workload, Wrapped, add, convert, prefixes, requests};
use pmcp::server::builder::ServerCoreBuilder;
use pmcp::server::core::{ProtocolHandler, ServerCore};
use pmcp::server::typed_tool::TypedToolWithOutput;
use pmcp::types::jsonrpc::ResponsePayload;
use pmcp::types::{ClientRequest, Request, RequestId, ServerCapabilities};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn made<A, R>(builder: ServerCoreBuilder, name: &str, words: &str, run: fn(A) -> R) -> ServerCoreBuilder
where
    A: JsonSchema + DeserializeOwned + Send + Sync + 'static,
    R: JsonSchema + Serialize + Send + Sync + 'static,
{
    let tool = TypedToolWithOutput::new(name, move |arguments: A, _| Box::pin(async move { Ok(run(arguments)) }));
    builder.tool(name, tool.with_description(words))
}

fn tool(builder: ServerCoreBuilder, prefix: &str, name: &str) -> ServerCoreBuilder {
    let full = &format!("{prefix}{name}");
    match name {
        "order" => made(builder, full, "Place an order.", order),
        "search" => made::<Query, Hits>(builder, full, "Search all files.", |query| search(&query)),
        "text" => made::<Words, _>(builder, full, "Give a text back.", |words| Wrapped { result: words.text }),
        "convert" => made::<Conversion, _>(builder, full, "Convert a length.", |of| Wrapped { result: convert(&of) }),
        _ => made::<Summands, _>(builder, full, "Add two numbers.", |of| Wrapped { result: add(&of) }),
    }
}

fn server(workload: Workload) -> ServerCore {
    let builder = ServerCoreBuilder::new().name("bench").version("1.0.0").stateless_mode(true);
    let builder = builder.capabilities(ServerCapabilities::tools_only());
    let builder = if workload.tools() == 1 {
        tool(builder, "", workload.tool())
    } else {
        let names = prefixes(workload.tools()).flat_map(|prefix| TOOLS.map(|name| (prefix.clone(), name)));
        names.fold(builder, |builder, (prefix, name)| tool(builder, &prefix, name))
    };
    builder.build().expect("sound tools")
}

async fn asked(server: &ServerCore, request: ClientRequest) -> Vec<u8> {
    let response = server.handle_request(RequestId::Number(7), Request::Client(Box::new(request)), None).await;
    let ResponsePayload::Result(result) = response.payload else { panic!("a result") };
    serde_json::to_vec(&result).expect("a result")
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("a request")
}

fn prepare(workload: Workload, _: bool) -> Box<dyn Ready> {
    driven(async move || {
        let server = server(workload);
        let params = requests::params(workload);
        async move || match workload {
            Workload::List30 | Workload::List1000 => asked(&server, ClientRequest::ListTools(read(b"{}"))).await,
            Workload::Build30 | Workload::Build1000 => {
                drop(std::hint::black_box(self::server(workload)));
                Vec::new()
            }
            _ => asked(&server, ClientRequest::CallTool(read(&params))).await,
        }
    })
}

fn main() {
    let is_done = |workload: &Workload| {
        *workload != Workload::BuildApart && matches!(workload.level(), Level::Params | Level::Bare)
    };
    serve::main(&[Contestant { name: "pmcp", workloads: Workload::all().filter(is_done).collect(), prepare }]);
}
