//! Lists tools and runs calls: the dispatcher, and what its methods return.

// `builder` collects tools and settings, with the help of `settings`. `merge` adds the tools of one builder to another,
// and derives a dispatcher with only some of the tools of an existing one. `build` checks all tools together.
// `checked_tool` checks each tool, with `declared`, and makes its `tool_entry`.
//
// `gate` decides whether a caller may call a tool. `call` turns a request into a prepared call, and `run` runs it:
// permit, middlewares, arguments, tool, output. `nested` runs the calls that a tool makes, and `pages` makes one call
// for each page. `seen_by` lists the tools of one caller. This module imports all modules above it in
// `ARCHITECTURE.md`.

pub(crate) mod build;
pub(crate) mod builder;
mod call;
mod checked_tool;
mod declared;
mod gate;
#[cfg(feature = "tokio")]
mod heartbeat;
mod limits;
mod merge;
mod names;
mod nested;
mod openapi;
mod pages;
mod record;
mod run;
mod seen_by;
mod settings;
mod span;
mod tasks;
#[cfg(feature = "tokio")]
mod timeout;
mod tool_entry;

use std::sync::{Arc, OnceLock};

use builder::DispatcherBuilder;
pub(crate) use call::TransportContext;
pub(crate) use gate::{Gate, Rejection};
pub(crate) use openapi::Access;
pub use pages::Pages;
pub(crate) use run::PreparedCall;
pub use seen_by::SeenBy;
#[cfg(feature = "export")]
use std::any::Any;
#[cfg(feature = "tasks")]
pub use tasks::Worker;
pub(crate) use tasks::{TaskAnswer, TaskError};
pub(crate) use tool_entry::ToolEntry;

use serde_json::Value;

use crate::arguments::type_error::invalid_arguments;
use crate::call::permit::Semaphore;
use crate::call::settings::Settings;
use crate::listing::prepared::{Definitions, PreparedList};
use crate::listing::rules::ListedTool;
use crate::mcp::identity::Identity;
use crate::operations::{Limit, Observers};
use crate::{Extensions, ProtocolVersion, ToolError, ToolInfo, mcp};

/// Lists tools and calls them.
///
/// [`build`](DispatcherBuilder::build) creates definitions and validators once. The list for a protocol version is
/// created when it is first requested. Cloning is cheap, and all clones share the same tools.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
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
/// ```
#[derive(Clone)]
pub struct Dispatcher {
    inner: Arc<Inner>,
}

struct Inner {
    entries: Vec<ToolEntry>,
    /// The tools as lists and rules see them. Each request for a list goes through all of them, so they are stored
    /// compactly, apart from `entries`.
    listed: Box<[ListedTool]>,
    has_rules: bool,
    /// The names of the tools, with the indices of the tools in `entries`.
    names: names::Names,
    definitions: Definitions,
    /// The definitions that a caller without extensions sees. They are created only if there are rules.
    public: OnceLock<Definitions>,
    /// The definitions for model vendors. Only `export` knows their type.
    #[cfg(feature = "export")]
    translated: OnceLock<Box<dyn Any + Send + Sync>>,
    semaphore: Option<Arc<Semaphore>>,
    /// The functions of `on_call`, if there are any.
    observers: Option<Arc<Observers>>,
    limit_per_caller: Option<Arc<Limit>>,
    identity: Identity,
    /// From protocol version 2026-07-28 on, this property is added to the `_meta` of results. The text begins with a
    /// comma.
    server_info: String,
    settings: Arc<Settings>,
    #[cfg(feature = "tasks")]
    tasks: Arc<tasks::DispatcherTasks>,
}

impl Inner {
    /// Returns the index of the tool that has this name now, or had it before.
    fn index_of(&self, name: &str) -> Option<usize> {
        self.names.find(name).map(|(index, _)| index)
    }
}

impl Dispatcher {
    /// Creates a builder without tools.
    ///
    /// ```
    /// use mcp_tool_runtime::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::builder().build()?;
    /// assert!(dispatcher.list().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn builder() -> DispatcherBuilder {
        DispatcherBuilder::default()
    }

    /// Returns the definitions in the order of registration. The output schemas are not wrapped for older protocol
    /// versions.
    ///
    /// If there are [rules](DispatcherBuilder::visible), this is what a caller without extensions sees. This way, a
    /// list that is sent to a caller by mistake names no hidden tools. The rules are asked once, when the list is first
    /// needed. [`seen_by`](Self::seen_by) lists the tools of another caller, and [`list_all`](Self::list_all) all
    /// tools.
    ///
    /// To get the definitions that a client of one protocol version receives, use [`list_for`](Self::list_for).
    pub fn list(&self) -> &[mcp::Tool] {
        self.public().natural()
    }

    /// Returns the definitions of all tools, including those that rules hide. This list is for the server's own use,
    /// for example in a test.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
    ///
    /// /// Reset the server.
    /// #[mcp_tool(tags("admin"))]
    /// async fn reset() {}
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![reset])
    ///     .visible(|tool, _| !tool.tags().contains("admin"))
    ///     .build()?;
    /// assert_eq!(dispatcher.list_all().len(), 1);
    /// assert!(dispatcher.list().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn list_all(&self) -> &[mcp::Tool] {
        self.inner.definitions.natural()
    }

    /// Returns the definitions of all tools for one protocol version.
    pub(crate) fn list_all_for(&self, version: ProtocolVersion) -> &[mcp::Tool] {
        self.inner.definitions.of_version(version)
    }

    /// Returns the definitions that a caller without extensions sees.
    fn public(&self) -> &Definitions {
        if !self.has_rules() {
            return &self.inner.definitions;
        }
        self.inner.public.get_or_init(|| {
            let seen = self.seen(&Extensions::new(), false);
            Definitions::new(seen.into_iter().map(|tool| self.list_all()[tool].clone()).collect())
        })
    }

    /// Returns the definitions of the same tools as [`list`](Self::list), for one protocol version.
    ///
    /// Versions before 2026-07-28 publish an output that is not an object as `{"result": …}`. Versions before
    /// 2025-11-25 have no icons.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, ProtocolVersion};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let legacy = dispatcher.list_for(ProtocolVersion::V2025_11_25)[0].output_schema.as_ref().unwrap();
    /// assert_eq!(legacy["properties"]["result"]["type"], "integer");
    /// let latest = dispatcher.list_for(ProtocolVersion::V2026_07_28)[0].output_schema.as_ref().unwrap();
    /// assert_eq!(latest["type"], "integer");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn list_for(&self, version: ProtocolVersion) -> &[mcp::Tool] {
        self.public().of_version(version)
    }

    /// Returns the bytes of the `tools/list` result for one protocol version, with the same tools as
    /// [`list`](Self::list).
    ///
    /// ```
    /// use mcp_tool_runtime::{serde_json, Dispatcher, ProtocolVersion};
    ///
    /// let dispatcher = Dispatcher::builder().build()?;
    /// let result: serde_json::Value = serde_json::from_slice(dispatcher.list_json(ProtocolVersion::V2025_11_25)).unwrap();
    /// assert_eq!(result["tools"], serde_json::json!([]));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn list_json(&self, version: ProtocolVersion) -> &[u8] {
        self.public().list(version, self.list_caching()).bytes()
    }

    fn prepared_list(&self, version: ProtocolVersion) -> &PreparedList {
        self.inner.definitions.list(version, self.list_caching())
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Returns the tools in the order of registration.
    pub(crate) fn entries(&self) -> &[ToolEntry] {
        &self.inner.entries
    }

    /// Returns the tool that has this name now, or had it before.
    pub(crate) fn entry(&self, name: &str) -> Option<&ToolEntry> {
        self.inner.index_of(name).map(|index| &self.inner.entries[index])
    }

    /// Returns the current name of a tool that had this name before.
    #[cfg(feature = "export")]
    pub(crate) fn name_of_former(&self, name: &str) -> Option<&str> {
        let (index, format) = self.inner.names.find(name)?;
        format.map(|_| self.inner.entries[index].name())
    }

    /// Returns the value in which `export` keeps the definitions for model vendors, and creates it on first use.
    #[cfg(feature = "export")]
    pub(crate) fn translated<T: Default + Send + Sync + 'static>(&self) -> Option<&T> {
        self.inner.translated.get_or_init(|| Box::<T>::default()).downcast_ref()
    }

    /// Returns `true` if the tool asks questions.
    pub(crate) fn asks(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.questions.is_some())
    }

    pub(crate) fn server_info(&self) -> &str {
        &self.inner.server_info
    }

    /// Returns how long the list may be cached, and by whom: a list that depends on the caller is never shared.
    pub(crate) fn list_caching(&self) -> (std::time::Duration, mcp::CacheScope) {
        let settings = self.settings();
        let scope = if self.has_rules() { mcp::CacheScope::Private } else { settings.list_scope };
        (settings.list_ttl, scope)
    }

    // The methods below are for carriers, such as HTTP and the command line. They return facts about a tool, and check
    // arguments without running the tool.

    /// Returns what rules see of a tool, such as its tags. `name` is the current name of the tool or a former one.
    pub(crate) fn tool_info(&self, name: &str) -> Option<&ToolInfo> {
        self.inner.index_of(name).map(|index| &*self.inner.listed[index].info)
    }

    /// Returns a JSON object for each question of a tool: the key of the question, whether it asks for consent, whether
    /// it is optional, and the schema of its form.
    pub(crate) fn questions_of(&self, name: &str) -> Vec<Value> {
        let questions = self.entry(name).into_iter().flat_map(ToolEntry::questions);
        let written = questions.map(|question| {
            let spec = &question.spec;
            serde_json::json!({
                "key": spec.key, "consent": spec.is_consent, "optional": spec.is_optional, "schema": question.form.schema(),
            })
        });
        written.collect()
    }

    /// Checks arguments against the input schema of a tool without calling it, and returns the error if they are
    /// invalid. This is for a carrier that has itself found a mistake in a call, and so must not run the tool.
    pub(crate) fn argument_error(&self, tool: &str, arguments: &Value, extensions: &Extensions) -> Option<ToolError> {
        let target = self.gate(tool, extensions).target()?;
        let checked = target.document(Some(arguments)).map_err(|violation| vec![*violation]);
        let checked =
            checked.and_then(|mut document| target.entry.check_arguments(target.tool, &mut document, extensions));
        checked.err().map(|violations| invalid_arguments(&violations))
    }

    /// Returns `true` if the arguments are wrong, and there is no middleware that could correct them.
    #[cfg(feature = "export")]
    pub(crate) fn always_refuses(&self, tool: &str, arguments: &Value, extensions: &Extensions) -> bool {
        let has_middleware = self.entry(tool).is_none_or(|entry| !entry.metadata.middlewares.is_empty());
        !has_middleware && self.argument_error(tool, arguments, extensions).is_some()
    }
}

debug_struct!(Dispatcher, it => tools: it.list_all().iter().map(|tool| &tool.name).collect::<Vec<_>>());
