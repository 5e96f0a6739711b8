//! Every public type is `Send` and `Sync`, so that it can be used from tasks of a multi-threaded runtime. A field that is neither
//! would take that away without any other sign.

use mcp_tool_runtime::lint::{Client, Cost, Finding, Severity};
use mcp_tool_runtime::{
    Arguments, Audio, BoxFuture, BuildError, CallContext, CallId, CallToolRequest, CallToolResponse, Content,
    DispatchError, Dispatcher, DispatcherBuilder, EmbeddedResource, Extensions, Image, InvalidCallId, Middleware, Next,
    Output, Progress, ProtocolVersion, ResourceLink, Role, Structured, Text, ToolError, ToolHandler, contract, http,
    mcp::{self, CacheScope},
    otc, protocol, rmcp, stdio,
};

fn send<T: Send>() {}
fn send_and_sync<T: Send + Sync>() {}

macro_rules! send_and_sync {
    ($($type:ty),* $(,)?) => { $(send_and_sync::<$type>();)* };
}

#[test]
fn public_types_are_send_and_sync() {
    send_and_sync!(Dispatcher, DispatcherBuilder, BuildError, DispatchError);
    send_and_sync!(
        CallToolRequest,
        CallToolResponse,
        CallContext,
        CallId,
        InvalidCallId,
        Extensions,
        Progress,
        Arguments<'static>
    );
    send_and_sync!(Output, Structured<String>, ToolError, Box<dyn ToolHandler>, Box<dyn Middleware>, Next<'static>);
    send_and_sync!(Content, Text, Image, Audio, ResourceLink, EmbeddedResource, mcp::Annotations, Role);
    send_and_sync!(http::Bearer, http::BearerBuilder, http::BearerError, http::Claims, http::InvalidToken, http::Keys);
    send_and_sync!(http::BearerService<http::Endpoint>, http::BearerBody<String>);
    send_and_sync!(ProtocolVersion, mcp::UnknownProtocolVersion, CacheScope);
    send_and_sync!(mcp::Tool, mcp::ToolAnnotations, mcp::Icon, mcp::CallToolResult);
    send_and_sync!(
        otc::Context,
        otc::ToolDefinition,
        otc::InputSchema,
        otc::DefinitionError,
        otc::ParameterError,
        otc::ValidationError<'static>
    );
    send_and_sync!(Client, Severity, Finding, Cost, contract::ContractError);
    send_and_sync!(http::Endpoint, http::Body, protocol::Protocol, stdio::Server, rmcp::Server);
    // Futures are polled by one task at a time.
    send::<BoxFuture<'static, ()>>();
    send::<http::ResponseFuture>();
}

#[test]
fn futures_of_calls_can_be_spawned() {
    fn spawned<T: Send>(_: T) {}
    let dispatcher = Dispatcher::builder().build().expect("no tools are no error");
    spawned(dispatcher.call(CallToolRequest::new("add", serde_json::Value::Null)));
    spawned(dispatcher.call_json(b"{}", ProtocolVersion::LATEST));
}
