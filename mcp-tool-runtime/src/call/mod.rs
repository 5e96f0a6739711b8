//! One call: its request, its context, its state while it runs, and its response.
//!
//! A [`request`] arrives as a value, with its [`_meta`](mod@meta). The tool sees the [`context`], and [`state`] is the
//! part of the context that changes. [`response`] is the outcome, which the codecs in `mcp` and `otc` write.
//! [`shared_state`] holds what all calls of a tool share, and a [`budget`] limits the tokens of a result.
//!
//! Imports from `arguments`, `ask`, `json`, `mcp`, `otc` and `output`.

use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

pub(crate) mod budget;
pub(crate) mod catch_panic;
pub(crate) mod claims;
mod context;
mod extensions;
mod id;
pub(crate) mod meta;
pub(crate) mod permit;
mod progress;
mod request;
mod response;
pub(crate) mod settings;
pub(crate) mod shared_state;
mod state;

pub use context::CallContext;
pub(crate) use context::ToolShared;
pub use extensions::Extensions;
#[cfg(feature = "tasks")]
pub(crate) use id::IdempotencyKey;
pub use id::{CallId, InvalidCallId};
pub(crate) use meta::Meta;
pub use progress::Progress;
pub use request::CallToolRequest;
pub(crate) use request::{Answers, answers};
#[cfg(feature = "tasks")]
pub(crate) use response::REPLAYED;
pub use response::{CallToolResponse, DispatchError};
pub(crate) use response::{ResultFormat, milliseconds, result_meta};
pub use settings::ExactCalls;
pub use shared_state::Labels;
pub(crate) use state::{CallState, MAX_DEPTH, ParentCall, ProgressSink, StartCall};

/// A boxed future that is `Send`.
///
/// ```
/// use mcp_tool_runtime::BoxFuture;
///
/// let future: BoxFuture<'_, u8> = Box::pin(async { 7 });
/// ```
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Adds a property to a JSON object, if there is a value.
pub(crate) fn add_property(object: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[name] = value.into();
    }
}

/// Locks a mutex, even if a thread has panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
