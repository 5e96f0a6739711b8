//! One call: its request, its context, its state while it runs, and its response.
//!
//! A [`request`] arrives as a value, with its [`_meta`](mod@meta). The tool sees the [`context`], and [`state`] is the part of it that
//! changes. A [`parent_call`] is what started a nested call. [`response`] is the outcome, which the codecs in `mcp` and `otc` write.
//! A [`dispatch_error`] is the error of a request that reaches no tool, and a [`shared_state`] is a value that tools share. A
//! [`budget`] limits the [`tokens`] of a result, and [`labels`] are the tags and scopes of a tool.
//!
//! Imports from `json`, `output`, `mcp` and `otc`. A call also carries what `ask` needs.

mod box_future;
pub(crate) mod budget;
pub(crate) mod catch_panic;
pub(crate) mod checked_value;
pub(crate) mod claims;
mod context;
mod dispatch_error;
mod extensions;
mod id;
mod labels;
pub(crate) mod meta;
mod parent_call;
pub(crate) mod permit;
mod request;
mod response;
pub(crate) mod settings;
pub(crate) mod shared_state;
mod state;
pub(crate) mod tokens;

pub use box_future::BoxFuture;
pub use context::CallContext;
pub(crate) use context::ToolShared;
pub use dispatch_error::DispatchError;
pub use extensions::Extensions;
pub use id::{CallId, InvalidCallId};
pub use labels::Labels;
pub(crate) use meta::Meta;
pub(crate) use parent_call::{MAX_DEPTH, ParentCall, StartCall};
pub(crate) use request::Answers;
pub use request::CallToolRequest;
pub(crate) use request::answers;
pub use response::CallToolResponse;
pub(crate) use response::{ResultFormat, milliseconds, result_meta};
pub use settings::ExactCalls;
pub use state::Progress;
pub(crate) use state::{CallState, ProgressSink};
