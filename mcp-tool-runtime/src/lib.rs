//! Turns async Rust functions into tools that AI agents can list and call.
//!
//! ```toml
//! [dependencies]
//! mcp-tool-runtime = "0.2"
//! schemars = "1.2"
//! serde = { version = "1", features = ["derive"] }
//! tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
//! ```
//!
#![cfg_attr(feature = "stdio", doc = "```no_run")]
#![cfg_attr(not(feature = "stdio"), doc = "```ignore")]
//! use mcp_tool_runtime::{Dispatcher, IntoToolError, mcp_tool, stdio, tools};
//! use schemars::JsonSchema;
//! use serde::Serialize;
//!
//! /// Current conditions at one place.
//! #[derive(Serialize, JsonSchema)]
//! struct Weather {
//!     /// In degrees Celsius.
//!     temperature: f64,
//!     conditions: String,
//! }
//!
//! #[derive(Debug, IntoToolError)]
//! struct UnknownPlace(String);
//!
//! impl std::fmt::Display for UnknownPlace {
//!     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
//!         write!(f, "no place is called {:?}", self.0)
//!     }
//! }
//!
//! /// Get the current weather for a place.
//! #[mcp_tool(read_only_hint)]
//! async fn get_weather(
//!     /// City name or zip code.
//!     #[schemars(length(min = 1))]
//!     location: String,
//! ) -> Result<Weather, UnknownPlace> {
//!     match location.as_str() {
//!         "Paris" => Ok(Weather { temperature: 22.5, conditions: "partly cloudy".to_owned() }),
//!         _ => Err(UnknownPlace(location)),
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let dispatcher = Dispatcher::builder().tools(tools![get_weather]).build()?;
//!     stdio::serve(dispatcher).await?; // an MCP server over standard input and output
//!     Ok(())
//! }
//! ```
//!
//! # Where to look
//!
//! - [`#[mcp_tool]`](macro@mcp_tool) turns a function into a tool, [`#[mcp_tools]`](macro@mcp_tools) does the same for
//!   methods, and [`tools!`] lists tools.
//! - [`#[derive(IntoToolError)]`](macro@IntoToolError) lets a model read the errors of your own type. Errors of the
//!   types `String`, `&'static str` and [`ToolError`] need no derive. Any other error is *masked* by default: the model
//!   reads only `internal error` and a call id.
//! - [`Dispatcher`] lists the tools and answers calls. A call is a [`CallToolRequest`], and its answer is a
//!   [`CallToolResponse`].
//! - [`Paged`] and [`Excerpt`] send a long list or text in pages that fit a model's context window.
//! - [`CallContext`] gives a running tool the id and the extensions of its call, reports progress, and detects
//!   cancellation.
//! - [Guides](guide): [parameters](guide::parameters), [results](guide::results), [large
//!   results](guide::large_results), [errors](guide::errors), [state and context](guide::state_and_context), [long
//!   work](guide::long_work), [serving](guide::serving), [the command line](guide::command_line),
//!   [deployment](guide::deployment), [operating a server](guide::operating), [testing](guide::testing), [moving from
//!   rmcp](guide::from_rmcp), [performance](guide::performance), and [more](guide).
//! - Reference pages: [types and their schemas](schemas), and [compile errors with their
//!   fixes](when_it_does_not_compile).
//!
//! # What you can rely on
//!
//! - **Behaviour matches the schemas.** A dispatcher accepts exactly the arguments that its input schemas permit, and
//!   sends only results that match its output schemas. There are a few deliberate exceptions: for example, it also
//!   accepts `null` for an optional argument, and it rejects integers beyond 64 bits.
//! - **Failures reach the model.** Wrong arguments, errors, panics, timeouts and invalid results become error results
//!   that a model can act on. Text that was not written for a model is masked.
//! - **Several protocol versions are served at once:** 2025-06-18, 2025-11-25 and 2026-07-28 of the Model Context
//!   Protocol, and Open Tool Calling. Clients with an older version get responses in the 2025-06-18 format.
//! - **No async runtime or transport is required.** Requests and results are values or bytes. Only timeouts,
//!   heartbeats, `blocking`, `max_concurrency`, tasks and the servers need tokio.
//!
//! # Features
//!
//! | feature | enables |
//! | --- | --- |
//! | `stdio` (default) | `stdio::Server`: serving over standard input and output. It includes `tokio` |
//! | `http` | `http::Endpoint` (a `tower::Service`) and `http::PlainHttp`: serving over HTTP. It includes `tokio` |
//! | `auth` | `http::Bearer`: a `tower` layer that checks bearer tokens. It includes `http` |
//! | `page` | `http::Page`: a web page that shows the tools and calls them. It includes `http` |
//! | `export` | `Dispatcher::export`: the tools in the formats of `OpenAI`, Anthropic, Gemini and Bedrock, for agent loops without MCP |
//! | `rmcp` | `rmcp::Server` and `Dispatcher::rmcp_routes`: serving with the official SDK. It includes `tokio` |
//! | `ask` | the key `ask` on parameters: tools that ask the user before they run |
//! | `tasks` | the key `task`: calls that outlast their request. It includes `tokio` |
//! | `tokio` | the keys `timeout`, `heartbeat` and `blocking`, and the builder methods `timeout`, `heartbeat` and `max_concurrency` |
//! | `lint` | `Dispatcher::lint` and `contract`: checks for your tests, which find what clients would reject, and changes that break clients. It includes `export` |
//! | `cli` | `cli::Cli`: a command-line program with flags for the parameters of each tool. It includes `stdio`. Its commands `lint`, `contract` and `export` need the features `lint` and `export` |
//! | `jsonschema` | hand-written schemas that use an older draft, an `$id` below the root, or look-around in a pattern |
//! | `tracing` | a span for each call, with the attribute names of OpenTelemetry, and log entries for masked errors |
//!
//! Import names one by one. A glob import also imports the modules `rmcp` and `http`, which conflict with the crates of
//! the same names.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Features gate only public items and code that needs a feature's dependencies. Everything else is always compiled,
// whether or not an enabled feature uses it. With all features enabled, nothing may be unused.
#![cfg_attr(
    not(all(
        feature = "ask",
        feature = "auth",
        feature = "cli",
        feature = "jsonschema",
        feature = "lint",
        feature = "page",
        feature = "rmcp",
        feature = "tasks",
        feature = "tracing"
    )),
    allow(dead_code, unreachable_pub, unused_imports)
)]
// A public type that may gain a field or a variant later is `#[non_exhaustive]`.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

extern crate self as mcp_tool_runtime;

#[macro_use]
mod debug;

mod arguments;
pub mod ask;
mod call;
#[cfg(feature = "cli")]
pub mod cli;
pub mod dispatcher;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "export")]
pub mod lint;
pub mod listing;
mod log;
// The programs in the guides compile only with these features, which also enable all others that the programs need.
#[cfg(all(
    doc,
    feature = "ask",
    feature = "auth",
    feature = "cli",
    feature = "lint",
    feature = "page",
    feature = "rmcp",
    feature = "tasks",
    feature = "tracing"
))]
pub mod guide;
pub mod mcp;
pub mod operations;
pub mod otc;
mod output;
pub mod paging;
// The types in `private` may be exhaustive: generated code constructs them, and it always matches the version of this
// crate.
#[allow(clippy::exhaustive_enums, clippy::exhaustive_structs)]
mod private;
mod schema;
mod serve;
#[cfg(feature = "tasks")]
pub mod tasks;
#[cfg(not(feature = "tasks"))]
mod tasks;
pub mod tool;

#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}
#[doc = include_str!("../docs/schemas.md")]
pub mod schemas {}
#[cfg(doc)]
#[doc = include_str!("../docs/when_it_does_not_compile.md")]
pub mod when_it_does_not_compile {}

use mcp_tool_schema::json;

#[cfg(feature = "lint")]
pub use lint::contract;
#[cfg(feature = "http")]
pub use serve::http;
pub use serve::protocol;
#[cfg(feature = "rmcp")]
pub use serve::rmcp;
#[cfg(feature = "stdio")]
pub use serve::stdio;

pub use arguments::{Arguments, nullable::Nullable};
pub use ask::answer::{Answer, Consent};
pub use ask::question::Ask;
pub use call::{
    BoxFuture, CallContext, CallId, CallToolRequest, CallToolResponse, DispatchError, ExactCalls, Extensions,
    InvalidCallId, Progress,
};
#[doc(inline)]
pub use dispatcher::{Dispatcher, build::BuildError, builder::DispatcherBuilder};
pub use listing::visibility::{ToolInfo, Visibility};
pub use mcp::version::ProtocolVersion;
#[doc = include_str!("../docs/macros/into_tool_error.md")]
pub use mcp_tool_macros::IntoToolError;
#[doc = include_str!("../docs/macros/mcp_tool.md")]
pub use mcp_tool_macros::mcp_tool;
#[doc = include_str!("../docs/macros/mcp_tools.md")]
pub use mcp_tool_macros::mcp_tools;
pub use output::content::{Audio, Content, EmbeddedResource, Image, ResourceLink, Role, Text};
pub use output::error::ToolError;
pub use output::error_kind::IntoToolError;
pub use output::tool_output::{Structured, ToolOutput};
pub use output::value::Output;
pub use paging::cursor::Cursor;
pub use paging::excerpt::Excerpt;
pub use paging::paged::Paged;
#[cfg(feature = "tasks")]
pub use tasks::Tasks;
pub use tool::handler::ToolHandler;
pub use tool::metadata::ToolMetadata;
pub use tool::middleware::{self, Middleware, Next};
pub use tool::service::IntoService;

pub use schemars;
pub use serde;
pub use serde_json;
pub use serde_json::json;

/// Creates a list of tools, a `Vec<Box<dyn ToolHandler>>`, from the names of functions.
///
/// It is a compile error if two tools have the same name. An element may have a `#[cfg]`.
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
