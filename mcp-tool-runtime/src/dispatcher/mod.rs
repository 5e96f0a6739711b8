//! The tools of a server, ready to be listed and called.

mod build;
mod builder;
mod call;
mod describe;
mod entry;
mod fault;
pub(crate) mod layer;
#[cfg(feature = "tokio")]
mod limit;
mod report;
#[cfg(feature = "tracing")]
mod span;

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use build::BuildError;
pub use builder::DispatcherBuilder;
pub use fault::DispatchError;

use crate::call::turnstile::Turnstile;
pub(crate) use call::Last;
#[cfg(feature = "http")]
pub(crate) use call::{Answered, Carried, Ready};
use entry::Entry;
#[cfg(all(feature = "http", feature = "tracing"))]
pub(crate) use span::RequestId;

use crate::call::settings::Settings;
use crate::document::quick_hash::QuickMap;
use crate::{ProtocolVersion, mcp};
use layer::Layer;

/// Lists tools and answers calls.
///
/// What can be made once is made once: definitions and validators in [`build`](DispatcherBuilder::build), the definitions
/// and the bytes of the list in the shape of a protocol version when that is first asked for. A clone is another handle on
/// the same tools.
///
/// ```
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
///
/// /// Greet somebody.
/// #[mcp_tool]
/// async fn greet(
///     /// Whom to greet.
///     name: String,
/// ) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![greet]).build()?;
/// assert_eq!(dispatcher.list()[0].name, "greet");
///
/// let response = dispatcher.call(CallToolRequest::new("greet", json!({"name": "Ann"}))).await?;
/// assert_eq!(response.deserialize::<String>()?, "Hello, Ann!");
///
/// let response = dispatcher.call(CallToolRequest::new("greet", json!({"nam": 7}))).await?;
/// assert_eq!(
///     response.error().unwrap().message(),
///     "invalid arguments:\n- nam: not known; did you mean `name`?\n- name: required, but missing",
/// );
/// # Ok(())
/// # }
/// # let waker = std::task::Waker::noop();
/// # let mut run = std::pin::pin!(run());
/// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
/// ```
#[derive(Clone)]
pub struct Dispatcher {
    inner: Arc<Inner>,
}

struct Inner {
    entries: Vec<Entry>,
    /// Their places. One look-up costs the same among one tool and among a thousand.
    by_name: QuickMap<Arc<str>, usize>,
    natural: Vec<mcp::Tool>,
    /// Per version, made when first asked for.
    projected: [OnceLock<Vec<mcp::Tool>>; 3],
    lists: [OnceLock<Box<[u8]>>; 3],
    layers: Vec<Box<dyn Layer>>,
    turnstile: Option<Arc<Turnstile>>,
    settings: Arc<Settings>,
}

impl Dispatcher {
    /// Starts a dispatcher without tools.
    pub fn builder() -> DispatcherBuilder {
        DispatcherBuilder::default()
    }

    /// The definitions in the order of registration, with the natural output schemas.
    #[must_use]
    pub fn list(&self) -> &[mcp::Tool] {
        &self.inner.natural
    }

    /// The definitions in the shape of one protocol version: before 2026-07-28 an output that is not an object is
    /// published as `{"result": …}`, before 2025-11-25 there are no icons.
    #[must_use]
    pub fn list_for(&self, version: ProtocolVersion) -> &[mcp::Tool] {
        self.inner.projected[version.index()].get_or_init(|| build::projected(&self.inner.natural, version))
    }

    /// The bytes of the result of `tools/list` for one protocol version.
    #[must_use]
    pub fn list_json(&self, version: ProtocolVersion) -> &[u8] {
        self.inner.lists[version.index()].get_or_init(|| build::list(self.list_for(version), version, self.settings()))
    }

    fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    #[cfg(feature = "http")]
    pub(crate) fn max_argument_bytes(&self) -> usize {
        self.settings().max_argument_bytes
    }

    /// How long, and by whom, a list may be kept.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) fn list_caching(&self) -> (std::time::Duration, mcp::CacheScope) {
        (self.settings().list_ttl, self.settings().list_scope)
    }
}

/// Shows the names of the tools.
impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.list().iter().map(|tool| &tool.name).collect();
        f.debug_struct("Dispatcher").field("tools", &names).finish_non_exhaustive()
    }
}
