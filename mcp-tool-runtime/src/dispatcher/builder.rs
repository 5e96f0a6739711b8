//! What a dispatcher is made of.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::mcp::CacheScope;
use crate::settings::Settings;
use crate::{BuildError, CallId, Dispatcher, ToolHandler};

/// Collects tools and settings; [`build`](Self::build) checks them all at once.
///
/// ```
/// use std::time::Duration;
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![add])
///     .meta_prefix("com.example")
///     .max_argument_bytes(64 * 1024)
///     .list_ttl(Duration::from_secs(3600))
///     .build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Default)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct DispatcherBuilder {
    pub(super) handlers: Vec<Box<dyn ToolHandler>>,
    pub(super) settings: Settings,
    pub(super) faults: Vec<String>,
}

impl DispatcherBuilder {
    /// Adds a tool.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, Dispatcher};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let dispatcher = Dispatcher::builder().tool(add {}).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn tool(mut self, handler: impl ToolHandler) -> Self {
        self.handlers.push(Box::new(handler));
        self
    }

    /// Adds the tools of a list, [`tools!`](crate::tools) say.
    pub fn tools(mut self, handlers: impl IntoIterator<Item = Box<dyn ToolHandler>>) -> Self {
        self.handlers.extend(handlers);
        self
    }

    /// The longest arguments that are read, in bytes of JSON; 1 MiB unless set. Longer ones are an error result.
    pub fn max_argument_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_argument_bytes = bytes;
        self
    }

    /// The longest value or content that is sent, in bytes of JSON; 4 MiB unless set. A longer one becomes an error
    /// result.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_result_bytes = bytes;
        self
    }

    /// Whether Open Tool Calling responses carry the developer messages of errors; not unless set.
    pub fn expose_developer_messages(mut self, expose: bool) -> Self {
        self.settings.expose_developer_messages = expose;
        self
    }

    /// The prefix of the keys that the dispatcher writes into `_meta`; `rs.mcp-tool` unless set.
    ///
    /// It is made of labels between dots, like a domain name in reverse. Prefixes that the protocol reserves
    /// (`io.modelcontextprotocol`, `com.mcp`) are refused by [`build`](Self::build).
    pub fn meta_prefix(mut self, prefix: &str) -> Self {
        self.faults.extend(super::build::prefix_fault(prefix));
        self.settings.prefix_keys(prefix);
        self
    }

    /// Adds an entry to the `_meta` of every result.
    pub fn server_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let key = key.into();
        self.faults.extend(super::build::key_fault(&key));
        self.settings.server_meta.insert(key, value.into());
        self
    }

    /// How long a client may keep the list of tools; 5 minutes unless set.
    pub fn list_ttl(mut self, ttl: Duration) -> Self {
        self.settings.list_ttl = ttl;
        self
    }

    /// Who may keep the list of tools; [`CacheScope::Private`] unless set.
    pub fn list_scope(mut self, scope: CacheScope) -> Self {
        self.settings.list_scope = scope;
        self
    }

    /// The clock that durations are read from, for exact tests; a monotonic one unless set.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mcp_tool_runtime::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::builder().clock(|| Duration::ZERO).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// Where fresh call ids come from, for exact tests; UUIDs of version 7 unless set.
    ///
    /// ```
    /// use mcp_tool_runtime::{CallId, Dispatcher};
    ///
    /// let dispatcher = Dispatcher::builder().call_ids(|| CallId::from("call-1")).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn call_ids(mut self, call_ids: impl Fn() -> CallId + Send + Sync + 'static) -> Self {
        self.settings.call_ids = Arc::new(call_ids);
        self
    }

    /// Checks everything and makes ready what calls and lists need.
    ///
    /// # Errors
    ///
    /// Every fault at once: two tools of one name, a name or a schema that the protocol refuses, a schema that is not
    /// valid or not local or too large, arguments that are not one object, a reserved prefix.
    pub fn build(self) -> Result<Dispatcher, BuildError> {
        super::build::build(self)
    }
}

/// Shows how many tools there are.
impl fmt::Debug for DispatcherBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DispatcherBuilder").field("tools", &self.handlers.len()).finish_non_exhaustive()
    }
}
