//! Guides, each about one subject. Every page starts with a complete program.
//!
//! | guide | answers |
//! | --- | --- |
//! | [`parameters`] | how do parameters become arguments, and what may a model get wrong? |
//! | [`results`] | how does a return value become a result? |
//! | [`errors`] | what does a model read when a call fails? |
//! | [`state_and_context`] | how does a tool get shared state, the user, progress, cancellation? methods, layers |
//! | [`asking`] | how does a tool ask its user before it runs? |
//! | [`dynamic_tools`] | how do I write a tool whose schema is only known at run time? |
//! | [`authentication`] | how do I authenticate callers, and show each of them only their own tools? |
//! | [`serving`] | how do I serve tools over stdio, HTTP, or with the official SDK? |
//! | [`command_line`] | how do I call tools from a terminal, and install a server in a client? |
//! | [`deployment`] | how do I run replicas, shut down, set limits, read logs? |
//! | [`open_tool_calling`] | how do I answer Open Tool Calling? |
//! | [`model_vendors`] | how do I give the tools to a model of OpenAI, Anthropic, Gemini or Bedrock, without a protocol? |
//! | [`plain_http`] | how do I let any program call tools over HTTP, with an OpenAPI document? |
//! | [`page`] | how do I look at tools and try them in a browser? |
//! | [`testing`] | how do I test tools and keep clients working? |
//! | [`from_rmcp`] | how do I move tools from the official SDK? |
//! | [`from_other_libraries`] | how do I move tools from turbomcp, from tower-mcp, or from code that implements the protocol by hand? |
//! | [`performance`] | what does a call cost, and what does the crate cost to build? |
//!
//! Two more pages are lists to search: [types and their schemas](crate::schemas), and
//! [compile errors with their fixes](crate::when_it_does_not_compile).

#[doc = include_str!("../docs/guide/parameters.md")]
pub mod parameters {}

#[doc = include_str!("../docs/guide/results.md")]
pub mod results {}

#[doc = include_str!("../docs/guide/errors.md")]
pub mod errors {}

#[doc = include_str!("../docs/guide/state_and_context.md")]
pub mod state_and_context {}

#[doc = include_str!("../docs/guide/asking.md")]
pub mod asking {}

#[doc = include_str!("../docs/guide/dynamic_tools.md")]
pub mod dynamic_tools {}

#[doc = include_str!("../docs/guide/authentication.md")]
pub mod authentication {}

#[doc = include_str!("../docs/guide/serving.md")]
pub mod serving {}

#[doc = include_str!("../docs/guide/command_line.md")]
pub mod command_line {}

#[doc = include_str!("../docs/guide/deployment.md")]
pub mod deployment {}

#[doc = include_str!("../docs/guide/open_tool_calling.md")]
pub mod open_tool_calling {}

#[doc = include_str!("../docs/guide/model_vendors.md")]
pub mod model_vendors {}

#[doc = include_str!("../docs/guide/plain_http.md")]
pub mod plain_http {}

#[doc = include_str!("../docs/guide/page.md")]
pub mod page {}

#[doc = include_str!("../docs/guide/testing.md")]
pub mod testing {}

#[doc = include_str!("../docs/guide/from_rmcp.md")]
pub mod from_rmcp {}

#[doc = include_str!("../docs/guide/from_other_libraries.md")]
pub mod from_other_libraries {}

#[doc = include_str!("../docs/guide/performance.md")]
pub mod performance {}
