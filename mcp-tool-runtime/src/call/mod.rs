//! One call: its request, what the tool sees of it, its response.

mod context;
mod extensions;
pub(crate) mod guard;
mod id;
mod live;
mod params;
mod request;
mod response;
pub(crate) mod settings;
pub(crate) mod start;
pub(crate) mod turnstile;

pub use context::CallContext;
pub(crate) use context::Common;
pub use extensions::Extensions;
pub use id::{CallId, InvalidCallId};
pub use live::Progress;
pub(crate) use live::{Live, Sink};
pub(crate) use params::{Meta, Params, RawParams, request_fault};
pub use request::CallToolRequest;
pub use response::CallToolResponse;
pub(crate) use response::{Reply, Sender, meta, milliseconds, write_milliseconds};
