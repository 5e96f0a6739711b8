//! Turn async Rust functions into tools for AI agents.
//!
//! Put `#[mcp_tool]` on an async function. The function stays an ordinary function, and is now also a tool: a
//! definition whose JSON Schemas come from its arguments and its return type, and an entry in a [`Dispatcher`] that
//! turns every call into a structured result.
//!
//! ```
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, ProtocolVersion};
//!
//! /// Add two numbers.
//! #[mcp_tool(title = "Adder", read_only_hint)]
//! async fn add(
//!     /// The first summand.
//!     a: i64,
//!     /// The second summand.
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
//!
//! let tool = &dispatcher.list()[0];
//! assert_eq!(tool.description.as_deref(), Some("Add two numbers."));
//! assert_eq!(tool.input_schema["properties"]["a"], json!({"description": "The first summand.", "type": "integer"}));
//!
//! let response = dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3}))).await?;
//! assert_eq!(response.deserialize::<i64>()?, 5);
//!
//! // The same response for each protocol and version.
//! let otc = mcp_tool_runtime::serde_json::to_value(&response)?;
//! assert_eq!(otc["value"], 5);
//! let mcp = response.to_mcp(ProtocolVersion::V2025_06_18);
//! assert_eq!(mcp.structured_content.unwrap().get(), r#"{"result":5}"#);
//! # Ok(())
//! # }
//! # let waker = std::task::Waker::noop();
//! # let mut run = std::pin::pin!(run());
//! # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
//! ```
//!
//! # What holds
//!
//! - A dispatcher accepts what its input schemas admit, and sends what its output schemas promise (feature `validate`,
//!   on by default).
//! - Whatever goes wrong in a tool is a result that a model can act on: bad arguments (all of them at once, by path),
//!   errors, panics, an output that is not what was promised. None of them shows an internal.
//! - No async runtime is needed.
//! - What is published once can be held to: [`contract`] notices a definition that breaks a client, and
//!   [`Dispatcher::lint`] one that a client would refuse.
//!
//! # Features
//!
//! | feature | gives |
//! | --- | --- |
//! | `validate` (default) | arguments and results are checked against the published schemas, formats asserted. Without it the types alone decide: what a schema says beyond its type (a range, a pattern) is published and not enforced |
//! | `rmcp` | `rmcp::Server`: a dispatcher served by the official Rust SDK; `Dispatcher::rmcp_routes` for a server of the SDK that has more than tools |
//! | `http` | `http::Endpoint`, a `tower::Service` for servers of tools alone; `stdio::serve`; `protocol::Protocol` for other transports |
//! | `tokio` | the keys `timeout` and `blocking`, and `DispatcherBuilder::timeout` |
//! | `tracing` | one span a call, in the words of OpenTelemetry; what is masked goes to the logs |
//!
//! Import names one by one: with `use mcp_tool_runtime::*` modules such as `rmcp` and `http` stand before the crates of
//! those names.
//!
//! # When something is wrong
//!
//! What the compiler says to a mistake, and what to write instead, is on the page
#![cfg_attr(doc, doc = "[when it does not compile](when_it_does_not_compile).")]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate self as mcp_tool_runtime;

mod arguments;
mod call;
mod checks;
mod dispatcher;
mod document;
pub mod mcp;
pub mod otc;
mod private;
mod schema;
#[cfg(any(feature = "http", feature = "rmcp"))]
mod serve;
mod tool;

#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}
#[doc = include_str!("../docs/schemas.md")]
pub mod schemas {}
#[cfg(doc)]
#[doc = include_str!("../docs/when_it_does_not_compile.md")]
pub mod when_it_does_not_compile {}

pub use checks::contract;
#[cfg(feature = "rmcp")]
pub use serve::rmcp;
#[cfg(feature = "http")]
pub use serve::{http, protocol, stdio};

pub use arguments::Arguments;
pub use call::{CallContext, CallId, CallToolRequest, CallToolResponse, Extensions, InvalidCallId, Progress};
pub use checks::lint::{Client, Cost, Finding, Severity};
pub use dispatcher::layer::{Layer, Next, layer_fn};
pub use dispatcher::{BuildError, DispatchError, Dispatcher, DispatcherBuilder};
pub use mcp::CacheScope;
pub use mcp::version::{ProtocolVersion, UnknownProtocolVersion};
pub use mcp_tool_macros::{IntoToolError, mcp_tool, mcp_tools};
pub use tool::content::{Annotations, Audio, Content, EmbeddedResource, Image, ResourceLink, Role, Text};
pub use tool::error::{IntoToolError, ToolError};
pub use tool::handler::{BoxFuture, IntoTools, ToolHandler};
pub use tool::output::{Output, ToolOutput};
pub use tool::service::IntoService;
pub use tool::structured::Structured;

pub use schemars;
pub use serde;
pub use serde_json;
pub use serde_json::json;

/// A list of tools: a `Vec<Box<dyn ToolHandler>>` of the named functions.
///
/// Two tools of one name do not compile. `#[cfg]` on an element works.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
///
/// mod text {
///     /// Count the words of a text.
///     #[mcp_tool_runtime::mcp_tool]
///     pub async fn count_words(text: &str) -> usize {
///         text.split_whitespace().count()
///     }
/// }
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let tools = tools![add, text::count_words, #[cfg(any())] not_today];
/// assert_eq!(tools.len(), 2);
/// # Dispatcher::builder().tools(tools).build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => {
        $crate::__private::__tools!($crate; $($tools)*)
    };
}
