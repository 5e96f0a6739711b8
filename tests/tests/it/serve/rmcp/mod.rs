//! Servers of the official SDK, tested with the messages of a client: stdio lines and HTTP requests.

mod extensions;
mod http;
mod mixed_router;
mod stdio;
mod visibility;

use mcp_tool_runtime::{CallContext, Dispatcher, mcp_tool, rmcp::Server, tools};
use rmcp::{Peer, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::sync::watch;

use crate::wait::within_a_minute;

/// Add two numbers.
#[mcp_tool(formerly("plus"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Report each of these, then answer.
#[mcp_tool]
async fn report(steps: Vec<f64>, #[mcp_tool(context)] cx: &CallContext) -> usize {
    for step in &steps {
        cx.progress(*step, 10.0, format!("at {step}"));
        tokio::task::yield_now().await;
    }
    steps.len()
}

/// Wait until the call is dropped.
#[mcp_tool]
async fn hang(#[mcp_tool(state)] hanging: &watch::Sender<usize>) {
    struct Hanging<'a>(&'a watch::Sender<usize>);
    impl Drop for Hanging<'_> {
        fn drop(&mut self) {
            self.0.send_modify(|hanging| *hanging -= 1);
        }
    }
    hanging.send_modify(|hanging| *hanging += 1);
    let _hanging = Hanging(hanging);
    std::future::pending::<()>().await;
}

/// Panic.
#[mcp_tool]
async fn panicking() -> u8 {
    panic!("a secret")
}

/// Tell what came with the request.
#[mcp_tool]
async fn attached(
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(extension)] peer: Option<&Peer<RoleServer>>,
    #[mcp_tool(extension)] own: Option<&rmcp::model::Extensions>,
    #[mcp_tool(extension)] parts: Option<&::http::request::Parts>,
) -> (bool, bool, Option<String>, Option<Value>, String) {
    let agent = parts.and_then(|parts| parts.headers.get("user-agent")?.to_str().ok().map(str::to_owned));
    let note = cx.meta().get("com.example/note").cloned();
    (peer.is_some(), own.is_some(), agent, note, cx.protocol_version().to_string())
}

/// Answer with the region.
#[mcp_tool]
async fn in_region(#[mcp_tool(header = "Region")] region: String) -> String {
    region
}

/// The user that a tower layer attached to the request.
#[derive(Clone)]
struct User(&'static str);

/// Tell who asks.
#[mcp_tool]
async fn who(#[mcp_tool(extension)] user: &User) -> &'static str {
    user.0
}

/// The number of running calls of `hang`.
type Hanging = watch::Receiver<usize>;

fn dispatcher() -> (Dispatcher, Hanging) {
    let (hanging, watched) = watch::channel(0);
    let tools = tools![add, report, hang, panicking, attached, in_region, who];
    let builder =
        crate::run::exact().tools(tools).state(hanging).info("example", "1.2.3").instructions("Add with care.");
    (crate::run::built(builder), watched)
}

fn server() -> (Server, Hanging) {
    let (dispatcher, hanging) = dispatcher();
    let server = Server::new(dispatcher);
    (server, hanging)
}

/// Waits until this many calls of `hang` are running.
async fn are_hanging(hanging: &mut Hanging, count: usize) {
    within_a_minute(hanging.wait_for(|hanging| *hanging == count)).await.expect("the server lives");
}

/// The client's end of a server's standard input and output.
struct Client {
    replies: Lines<BufReader<ReadHalf<DuplexStream>>>,
    requests: WriteHalf<DuplexStream>,
    ended: tokio::task::JoinHandle<()>,
}

impl Client {
    fn of(server: impl ServerHandler) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let ended = tokio::spawn(async move {
            if let Ok(running) = server.serve(far).await {
                let _ = running.waiting().await;
            }
        });
        let (replies, requests) = tokio::io::split(near);
        Self { replies: BufReader::new(replies).lines(), requests, ended }
    }

    async fn initialized(server: impl ServerHandler, version: &str) -> Self {
        let mut client = Self::of(server);
        let reply = client.ask(initialize(version)).await;
        assert_eq!(reply["result"]["protocolVersion"], version, "{reply}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: &Value) {
        self.send_text(&format!("{message}\n")).await;
    }

    async fn send_text(&mut self, text: &str) {
        self.requests.write_all(text.as_bytes()).await.expect("the server reads");
    }

    async fn next(&mut self) -> Value {
        let line = within_a_minute(self.replies.next_line()).await.expect("a line").expect("the server lives");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    async fn ask(&mut self, request: Value) -> Value {
        self.send(&request).await;
        let reply = self.next().await;
        assert_eq!(reply["id"], request["id"], "{reply}");
        reply
    }
}

fn initialize(version: &str) -> Value {
    let params =
        json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
    json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params})
}

#[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
fn request(id: u32, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
fn call(id: u32, name: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({"name": name, "arguments": arguments}))
}

/// Adds the metadata that 2026-07-28 requires to a request.
fn modern(mut request: Value) -> Value {
    let meta = request["params"]["_meta"].take();
    let mut meta = if meta.is_null() { json!({}) } else { meta };
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    request["params"]["_meta"] = meta;
    request
}

fn sum(id: u32) -> Value {
    call(id, "add", json!({"a": 2, "b": 3}))
}
