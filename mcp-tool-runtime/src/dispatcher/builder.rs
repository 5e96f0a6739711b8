//! The builder of a dispatcher: tools, state, middlewares and settings.

use std::sync::Arc;
use std::time::Duration;

use crate::ask::ClientInfo;
use crate::call::permit::Semaphore;
use crate::call::settings::Settings;
use crate::call::shared_state::States;
use crate::listing::rules::Rule;
use crate::mcp::identity::Identity;
use crate::operations::{Observers, Rate};
use crate::tool::IntoTools;
use crate::{BuildError, Dispatcher, ExactCalls, IntoService, Middleware, ToolHandler, ToolInfo};

type ToolPredicate = dyn Fn(&ToolInfo) -> bool + Send + Sync;

/// Collects tools and settings. [`build`](Self::build) checks them all at once.
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
///     .max_argument_bytes(64 * 1024)
///     .list_ttl(Duration::from_secs(3600))
///     .build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Default)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct DispatcherBuilder {
    pub(super) handlers: Vec<Box<dyn ToolHandler>>,
    pub(super) identity: Identity,
    pub(super) settings: Settings,
    pub(super) states: States,
    /// The states of merged builders.
    pub(super) merged_states: Vec<States>,
    pub(super) middlewares: Vec<Arc<dyn Middleware>>,
    pub(super) rules: Vec<Arc<Rule>>,
    pub(super) scopes_are_read: bool,
    /// Functions that select tools. A tool needs the user's consent if at least one of them selects it.
    pub(super) consent_for: Vec<Box<ToolPredicate>>,
    /// The permits of `max_concurrency`.
    pub(super) semaphore: Option<Arc<Semaphore>>,
    pub(super) task_settings: super::tasks::TaskSettings,
    pub(super) observers: Observers,
    pub(super) limit_per_caller: Option<Rate>,
    /// The names of the builder methods that have changed a setting.
    pub(super) set: Vec<&'static str>,
    pub(super) errors: Vec<String>,
}

impl DispatcherBuilder {
    /// Registers a tool.
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

    /// Registers a list of tools, usually from [`tools!`](crate::tools). Handlers of your own are a
    /// `Vec<Box<dyn ToolHandler>>`.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// assert_eq!(dispatcher.list()[0].name, "add");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn tools(mut self, handlers: impl IntoTools) -> Self {
        self.handlers.extend(handlers.__mcp_into_tools());
        self
    }

    /// Registers an object whose type has an `#[mcp_tools] impl` block, so that its methods with `#[mcp_tool]` become
    /// tools. `service` may be an `Arc`.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use mcp_tool_runtime::{mcp_tools, Dispatcher};
    ///
    /// struct Counter(AtomicU32);
    ///
    /// #[mcp_tools]
    /// impl Counter {
    ///     /// Increase the counter and return it.
    ///     #[mcp_tool]
    ///     async fn increase(&self) -> u32 {
    ///         self.0.fetch_add(1, Ordering::Relaxed) + 1
    ///     }
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().service(Counter(AtomicU32::new(0))).build()?;
    /// assert_eq!(dispatcher.list()[0].name, "increase");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn service(self, service: impl IntoService) -> Self {
        self.service_with_prefix("", service)
    }

    /// Registers an object like [`service`](Self::service), and puts a prefix before the name of each tool. You can
    /// register several objects of one type this way.
    ///
    /// If the `#[mcp_tools]` block has its own prefix, that prefix comes second.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tools, Dispatcher};
    /// struct Shelf(&'static str);
    ///
    /// #[mcp_tools]
    /// impl Shelf {
    ///     /// List what is on the shelf.
    ///     #[mcp_tool]
    ///     async fn look(&self) -> String {
    ///         self.0.to_owned()
    ///     }
    /// }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .service_with_prefix("left_", Shelf("books"))
    ///     .service_with_prefix("right_", Shelf("jars"))
    ///     .build()?;
    /// assert_eq!(dispatcher.list()[1].name, "right_look");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn service_with_prefix(mut self, prefix: &str, service: impl IntoService) -> Self {
        self.handlers.extend(service.__mcp_into_tools(prefix, &mut self.errors));
        self
    }

    /// Registers a value that tools take as `#[mcp_tool(state)] value: &T`. If you register an `Arc<T>`, tools can take
    /// it as `&T`.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// struct Prices { apple: u32 }
    ///
    /// /// Get the price of an apple.
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
    /// ```
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.errors.extend(self.states.insert(value).err());
        self
    }

    /// Adds a [`Middleware`] around every call. It runs inside the middlewares that were added earlier.
    ///
    /// Write a closure in [`middleware::from_fn`](crate::middleware::from_fn). rustc cannot infer the types of its
    /// parameters here.
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.middlewares.push(Arc::new(middleware));
        self
    }

    /// Limits how many calls run at once (feature `tokio`). Further calls wait in the order of their arrival. The wait
    /// counts towards the timeout, unless the call is a task, but not towards the reported duration. By default, there
    /// is no limit. [`build`](Self::build) fails if `calls` is 0.
    ///
    /// To call another tool from a tool, use [`CallContext::call`](crate::CallContext::call), which needs no second
    /// permit. A tool that uses [`Dispatcher::call`] holds one permit while it waits for another. If such tools hold
    /// every permit, all calls wait forever.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder().max_concurrency(8).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[cfg(feature = "tokio")]
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        if calls == 0 {
            self.errors.push("`max_concurrency(0)` lets no call run; write 1 or more".to_owned());
        }
        self.setting("max_concurrency");
        self.semaphore = Some(Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS))));
        self
    }

    /// Sets the timeout of every call (feature `tokio`). By default, there is no timeout. A tool's own `timeout`
    /// replaces this one.
    ///
    /// The timeout includes the check of the arguments and, unless the call is a task, the wait for `max_concurrency`.
    /// If it expires before the tool starts, the tool does not run.
    ///
    /// A call that takes longer is dropped together with its middlewares, and gets an error result. The error's
    /// `can_retry` is `true` if the tool never started, or if it has `read_only_hint` or `idempotent_hint`.
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
        self.setting("timeout").timeout = Some(limit);
        self
    }

    /// Limits the size of the arguments, in bytes of JSON. The default is 1 MiB. A call with larger arguments gets an
    /// error result.
    ///
    /// [`Dispatcher::call_json`] and the HTTP and stdio servers count the text as it was sent, including whitespace and
    /// escapes. [`Dispatcher::call`] and the server for `rmcp` count compact JSON.
    pub fn max_argument_bytes(mut self, bytes: usize) -> Self {
        self.setting("max_argument_bytes").max_argument_bytes = bytes;
        self
    }

    /// Limits the size of a result's value and content, in bytes of JSON. The default is 4 MiB. A larger result becomes
    /// an error result.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.setting("max_result_bytes").max_result_bytes = bytes;
        self
    }

    /// Sets the budget of one result, in model tokens. The key `budget` of a tool replaces it.
    ///
    /// A [`Paged`](crate::Paged) or an [`Excerpt`](crate::Excerpt) is sent in pages of this size. Without this setting,
    /// the size of a page is 20,000 tokens, or less if the client is known to accept less. Any other result over the
    /// budget becomes an error result, which tells the model the size of the result and the arguments that narrow it.
    /// Without a budget, results without pages have no limit in tokens.
    ///
    /// The tokens are estimated from the bytes.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// /// Repeat a word.
    /// #[mcp_tool]
    /// async fn repeat(word: String, times: usize) -> Vec<String> {
    ///     vec![word; times]
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![repeat]).result_budget(100).build()?;
    /// let request = CallToolRequest::new("repeat", json!({"word": "echo", "times": 1_000}));
    /// let response = dispatcher.call(request).await?;
    /// assert!(response.error().unwrap().message().ends_with("narrow it with the arguments `word` or `times`"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn result_budget(mut self, tokens: u32) -> Self {
        self.setting("result_budget").budgets.of_results = Some(tokens);
        self
    }

    /// Sets the budget of one result for some clients, in tokens. `budget` returns `None` for all other clients.
    ///
    /// It replaces [`result_budget`](Self::result_budget) and what a client is known to accept. If the tool has the key
    /// `budget`, the smaller of the two applies. Clients name themselves, in the request or when a session starts.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder()
    ///     .result_budget_for(|client| (client.name() == "example-editor").then_some(5_000))
    ///     .build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn result_budget_for(mut self, budget: impl Fn(&ClientInfo) -> Option<u32> + Send + Sync + 'static) -> Self {
        self.setting("result_budget_for").budgets.of_client = Some(Arc::new(budget));
        self
    }

    /// Accepts a string that contains the expected number, boolean, array or object. Disabled by default.
    ///
    /// Some models send `"3"` for `3`, `"True"` for `true`, or an object as a string of JSON. For an optional argument
    /// whose type is not a string, `""` and `"null"` mean that the argument is absent. Strings are converted only if
    /// the arguments are not valid as they are. An error does not list values that could be converted.
    ///
    /// This setting has no effect on a tool with an argument that clients also send in a header, because the argument
    /// and the header must be equal.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
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
    /// ```
    pub fn lax(mut self, lax: bool) -> Self {
        self.setting("lax").lax = lax;
        self
    }

    /// Includes the developer messages of errors in Open Tool Calling responses. Disabled by default. MCP results never
    /// contain them.
    pub fn expose_developer_messages(mut self, expose: bool) -> Self {
        self.setting("expose_developer_messages").expose_developer_messages = expose;
        self
    }

    /// Gives every call the same id and the same duration, for tests that compare whole results.
    ///
    /// By default, ids are version 7 UUIDs, and a monotonic clock measures durations. With this setting, the system
    /// clock is not read. Use it on targets that have none, such as `wasm32-unknown-unknown`, and do not set timeouts
    /// there.
    pub fn exact_calls(mut self, exact: ExactCalls) -> Self {
        self.setting("exact_calls").exact_calls = Some(exact);
        self
    }

    /// Returns the settings to a builder method that changes one of them. Records the name of that method, because a
    /// merged builder must not change any setting.
    pub(super) fn setting(&mut self, method: &'static str) -> &mut Settings {
        if !self.set.contains(&method) {
            self.set.push(method);
        }
        &mut self.settings
    }

    /// Checks all tools and settings, and compiles the schemas.
    ///
    /// # Errors
    ///
    /// Returns a [`BuildError`] that lists every error, such as:
    ///
    /// - two tools with the same name, or a name that the protocol does not allow
    /// - a schema that the protocol does not allow, is invalid, refers to another document, or is too large
    /// - arguments that are not one object
    /// - a state that a tool takes but nobody registered, or a state type that is registered twice
    /// - scopes that no rule checks, or rules together with [`CacheScope::Public`](crate::mcp::CacheScope::Public)
    /// - a tool with tasks and a rule about callers, but no [`principal`](Self::principal)
    /// - a tool whose tasks need an extension that no worker has
    /// - an adapter that does not fit its tool, such as [`without`](crate::ToolHandler::without) for a required
    ///   argument
    /// - a merged builder with its own settings
    pub fn build(self) -> Result<Dispatcher, BuildError> {
        super::build::build(self)
    }
}

debug_struct!(DispatcherBuilder, builder => tools: builder.handlers.len());
