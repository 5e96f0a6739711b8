//! The name and version of a server: the same for clients, documents, commands and the SDK.

use ::rmcp::ServerHandler as _;
use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{Dispatcher, DispatcherBuilder, mcp_tool, mcp_tools, rmcp, tools};
use serde_json::{Value, json};

use crate::run::{LEGACY, exact, now, taking};
use crate::wire::request;

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

fn initialize(builder: DispatcherBuilder) -> Value {
    let message = request(LEGACY[0], "initialize", json!({ "protocolVersion": "2025-06-18" }));
    let protocol = Protocol::new(builder.build().expect("valid tools"));
    let answer = now(protocol.answer(message.to_string().as_bytes())).expect("an answer");
    serde_json::from_slice::<Value>(&answer).expect("JSON")["result"].take()
}

fn info(builder: DispatcherBuilder) -> Value {
    initialize(builder)["serverInfo"].take()
}

fn package() -> Value {
    json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") })
}

#[test]
fn by_default_a_server_has_the_name_and_version_of_the_package_with_its_tools() {
    assert_eq!(info(exact().tools(tools![add])), package());
    assert_eq!(info(exact().tool(add {})), package());
    assert_eq!(info(exact().service(Notes)), package());
    let by_hand = || taking("by_hand", json!({ "type": "object" }));
    assert_eq!(info(exact().tool(by_hand()).tools(tools![add])), package());
    assert_eq!(info(Dispatcher::builder().merge(Dispatcher::builder().tools(tools![add]))), package());

    let executable = std::env::current_exe().expect("a file");
    let name = executable.file_stem().and_then(|name| name.to_str()).expect("a name");
    assert_eq!(info(exact().tool(by_hand())), json!({ "name": name, "version": "0.0.0" }));
}

#[test]
fn a_merged_builder_does_not_name_the_server() {
    let other =
        || Dispatcher::builder().tools(tools![add]).info("other", "9").title("Other").instructions("Not these.");
    let result = initialize(Dispatcher::builder().merge(other()));
    assert_eq!((&result["serverInfo"], result.get("instructions")), (&package(), None));
    let result = initialize(Dispatcher::builder().info("own", "1").merge(other()));
    assert_eq!(result["serverInfo"], json!({ "name": "own", "version": "1" }));
}

#[tokio::test]
async fn every_server_document_and_command_has_the_same_identity() {
    let builder = exact().tools(tools![add]).info("sums", "1.2.3").title("Sums").instructions("Add integers.");
    let dispatcher = builder.build().expect("a tool");

    let document = dispatcher.openapi();
    assert_eq!(document["info"], json!({ "title": "Sums", "version": "1.2.3", "description": "Add integers." }));

    let config = rmcp::Server::new(dispatcher.clone()).get_info();
    let (info, instructions) = (config.server_info, config.instructions);
    assert_eq!((info.name.as_str(), info.version.as_str(), info.title.as_deref()), ("sums", "1.2.3", Some("Sums")));
    assert_eq!(instructions.as_deref(), Some("Add integers."));

    let cli = Cli::new(dispatcher);
    for (words, expected) in [("--version", "sums 1.2.3\n"), ("openapi", &*format!("{document:#}\n"))] {
        let io = Io::captured("");
        cli.run_with([words], &io).await;
        assert_eq!(io.output(), expected);
    }
}
