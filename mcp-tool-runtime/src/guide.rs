//! Guides that each teach one subject, starting from a complete program.
//!
//! | guide | shows how to |
//! | --- | --- |
//! | [`parameters`] | declare arguments, and let a model correct its mistakes |
//! | [`results`] | return structured values, text, images and JSON from other services |
//! | [`large_results`] | send long lists and texts in pages that fit a context window |
//! | [`errors`] | decide what a model reads when a call fails |
//! | [`state_and_context`] | use shared state, the current user, progress, cancellation, methods and middlewares |
//! | [`asking`] | ask the user before a tool runs |
//! | [`long_work`] | let a call outlast its request, in one process or on many machines |
//! | [`dynamic_tools`] | register tools whose schemas are known only at run time |
//! | [`audience`] | show each caller only some tools, reject calls, and offer one function as several tools |
//! | [`authentication`] | authenticate callers with bearer tokens |
//! | [`serving`] | serve tools over stdio, over HTTP, or with the official SDK |
//! | [`axum_application`] | add tools to an axum application with its own login and layers |
//! | [`command_line`] | call tools from a terminal, and install a server in a client |
//! | [`distribution`] | release a server, so that people can install it with `npx`, `brew`, a double click or from the registry |
//! | [`deployment`] | run replicas, shut down, set limits and read logs |
//! | [`operating`] | count calls, write an audit log, and know what each outcome means |
//! | [`open_tool_calling`] | serve tools over Open Tool Calling |
//! | [`model_vendors`] | give tools directly to a model from OpenAI, Anthropic, Google or Amazon, without MCP |
//! | [`plain_http`] | let any program call tools over HTTP, with an OpenAPI document |
//! | [`page`] | try tools in a browser |
//! | [`testing`] | test tools, and detect changes that break clients |
//! | [`from_rmcp`] | move tools from the official SDK |
//! | [`from_other_libraries`] | move tools from turbomcp, from tower-mcp, or from your own protocol code |
//! | [`performance`] | measure a call, and see what the crate adds to your build |
//!
//! Two more pages are for looking things up: [types and their schemas](crate::schemas), and
//! [compile errors with their fixes](crate::when_it_does_not_compile).

#[doc = include_str!("../docs/guide/parameters.md")]
pub mod parameters {}

#[doc = include_str!("../docs/guide/results.md")]
pub mod results {}

#[doc = include_str!("../docs/guide/large_results.md")]
pub mod large_results {}

#[doc = include_str!("../docs/guide/errors.md")]
pub mod errors {}

#[doc = include_str!("../docs/guide/state_and_context.md")]
pub mod state_and_context {}

#[doc = include_str!("../docs/guide/asking.md")]
pub mod asking {}

#[doc = include_str!("../docs/guide/long_work.md")]
pub mod long_work {}

#[doc = include_str!("../docs/guide/dynamic_tools.md")]
pub mod dynamic_tools {}

#[doc = include_str!("../docs/guide/audience.md")]
pub mod audience {}

#[doc = include_str!("../docs/guide/authentication.md")]
pub mod authentication {}

#[doc = include_str!("../docs/guide/serving.md")]
pub mod serving {}

#[doc = include_str!("../docs/guide/axum_application.md")]
pub mod axum_application {}

#[doc = include_str!("../docs/guide/command_line.md")]
pub mod command_line {}

#[doc = include_str!("../docs/guide/distribution.md")]
pub mod distribution {}

#[doc = include_str!("../docs/guide/deployment.md")]
pub mod deployment {}

#[doc = include_str!("../docs/guide/operating.md")]
pub mod operating {}

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
