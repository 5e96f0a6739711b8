//! One call: its request, its context, its state while it runs, and its response.
//!
//! [`request`] is what arrives as a value, [`params`] and [`mod@meta`] are what arrives as bytes. [`context`] is what the tool sees,
//! and [`state`] the part of it that changes. A [`caller`] is the call that started another one. [`response`] is the outcome;
//! the codecs in `mcp` and `otc` write it. The module imports
//! from `document` and `tool`, and never from `dispatcher`, which drives a call.

mod caller;
pub(crate) mod catch_panic;
mod context;
mod extensions;
mod id;
mod meta;
pub(crate) mod params;
#[cfg(debug_assertions)]
pub(crate) mod reentry;
mod request;
mod response;
pub(crate) mod semaphore;
pub(crate) mod settings;
pub(crate) mod start_time;
mod state;

pub(crate) use caller::{Caller, MAX_DEPTH, StartCall};
pub use context::CallContext;
pub(crate) use context::ToolShared;
pub use extensions::Extensions;
pub use id::{CallId, InvalidCallId};
#[cfg(feature = "http")]
pub(crate) use meta::CAPABILITIES_KEY;
#[cfg(any(feature = "http", feature = "rmcp"))]
pub(crate) use meta::VERSION_KEY;
pub(crate) use meta::{Meta, RequestMeta};
pub(crate) use params::RequestParams;
#[cfg(feature = "ask")]
pub(crate) use request::Answers;
pub use request::CallToolRequest;
#[cfg(all(feature = "ask", feature = "rmcp"))]
pub(crate) use request::answers;
pub use response::CallToolResponse;
pub(crate) use response::{CallOutcome, ResultFormat, meta, milliseconds};
pub use state::Progress;
pub(crate) use state::{CallState, ProgressSink};
