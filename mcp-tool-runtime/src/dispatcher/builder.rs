//! What a dispatcher is made of.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::call::settings::Settings;
use crate::mcp::CacheScope;
use crate::tool::state::States;
use crate::{BuildError, CallId, Dispatcher, IntoService, IntoTools, Layer, ToolHandler};

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
    pub(super) states: States,
    pub(super) layers: Vec<Box<dyn Layer>>,
    pub(super) max_concurrency: Option<usize>,
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
    pub fn tools(mut self, handlers: impl IntoTools) -> Self {
        self.handlers.extend(handlers.__mcp_into_tools());
        self
    }

    /// Adds the tools of an object: the methods under `#[mcp_tools]`, see [`IntoService`].
    pub fn service(self, service: impl IntoService) -> Self {
        self.service_as("", service)
    }

    /// Adds the tools of an object with a prefix before each name, so that several objects of one type can serve.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tools, Dispatcher};
    /// struct Shelf(&'static str);
    ///
    /// #[mcp_tools]
    /// impl Shelf {
    ///     /// Say what stands on the shelf.
    ///     #[mcp_tool]
    ///     async fn look(&self) -> String {
    ///         self.0.to_owned()
    ///     }
    /// }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .service_as("left_", Shelf("books"))
    ///     .service_as("right_", Shelf("jars"))
    ///     .build()?;
    /// assert_eq!(dispatcher.list()[1].name, "right_look");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn service_as(mut self, prefix: &str, service: impl IntoService) -> Self {
        self.handlers.extend(service.__mcp_into_tools(prefix));
        self
    }

    /// Registers a value for the tools that take it with `#[mcp_tool(state)]`. A value behind an `Arc` is also lent as
    /// what the `Arc` holds.
    ///
    /// ```
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// struct Prices { apple: u32 }
    ///
    /// /// Say what an apple costs.
    /// #[mcp_tool]
    /// async fn price_of_apple(#[mcp_tool(state)] prices: &Prices) -> u32 {
    ///     prices.apple
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![price_of_apple]).state(Prices { apple: 30 }).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("price_of_apple", json!({}))).await?;
    /// assert_eq!(response.deserialize::<u32>()?, 30);
    /// # Ok(())
    /// # }
    /// # let waker = std::task::Waker::noop();
    /// # let mut run = std::pin::pin!(run());
    /// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
    /// ```
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        if !self.states.insert(value) {
            self.faults.push(format!("two states are of type `{}`", std::any::type_name::<T>()));
        }
        self
    }

    /// Adds a layer around every call, inside of those that are there.
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.layers.push(Box::new(layer));
        self
    }

    /// How many calls run at once; the others wait for their turn. No bound unless set, and none at all is a fault.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder().max_concurrency(8).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        if calls == 0 {
            self.faults.push("`max_concurrency(0)` lets no call run; 1 is the least".to_owned());
        }
        self.max_concurrency = Some(calls);
        self
    }

    /// How long a call may take, the wait for its turn included; no limit unless set. A tool's own `timeout` counts
    /// instead. A call that takes longer is dropped, its layers with it, and answered with an error result: one that can be
    /// tried again (`can_retry`) if the tool never began, or has `read_only_hint` or `idempotent_hint`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mcp_tool_runtime::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::builder().timeout(Duration::from_secs(30)).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[cfg(feature = "tokio")]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.settings.timeout = Some(limit);
        self
    }

    /// The longest arguments that are read, in bytes of JSON; 1 MiB unless set. Longer ones are an error result.
    ///
    /// [`Dispatcher::call_json`], like the servers of this crate over HTTP and stdio, counts the text as it was sent, white
    /// space and escapes included; [`Dispatcher::call`], and so the server of `rmcp`, counts compact JSON.
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

    /// Whether a text is read as the number, boolean, array or object that it spells, where that is what was expected;
    /// not unless set. Some models send `"3"` for `3`, or an object as its JSON text.
    ///
    /// ```
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// /// Add numbers.
    /// #[mcp_tool]
    /// async fn add(numbers: Vec<i64>, negate: bool) -> i64 {
    ///     numbers.iter().sum::<i64>() * if negate { -1 } else { 1 }
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).lax(true).build()?;
    /// let request = CallToolRequest::new("add", json!({"numbers": "[1, \"2\"]", "negate": "true"}));
    /// assert_eq!(dispatcher.call(request).await?.deserialize::<i64>()?, -3);
    /// # Ok(())
    /// # }
    /// # let waker = std::task::Waker::noop();
    /// # let mut run = std::pin::pin!(run());
    /// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
    /// ```
    pub fn lax(mut self, lax: bool) -> Self {
        self.settings.lax = lax;
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
