//! Lists tools and runs calls: the dispatcher, and what its methods return.

// `builder` collects tools and settings, as `identity`, `list_settings` and `question_settings` do; `merge` joins two builders. `build`
// checks them and makes a `tool_entry` for each tool. `call` turns a request into a prepared call, and `run` runs it:
// permit, middlewares, arguments, tool, output. The `gate` decides first whether it may. `nested` is a call that a tool makes, `pages` a call for each page. `seen_by` and `lists` are the lists of
// tools. This module imports all modules above it in `ARCHITECTURE.md`, and the translations of `export`, which it keeps.

pub(crate) mod build;
pub(crate) mod builder;
mod call;
mod command_line;
mod gate;
mod identity;
mod list_settings;
mod merge;
mod meta_key;
mod nested;
mod openapi;
mod page;
mod pages;
#[cfg(any(feature = "ask", feature = "tasks"))]
mod principal;
mod published_values;
#[cfg(feature = "ask")]
mod question_settings;
mod rmcp_types;
mod run;
mod seen_by;
mod span;
mod task_paths;
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
use std::collections::BTreeMap;
#[cfg(feature = "tasks")]
pub use tasks::Worker;
pub(crate) use tasks::{TaskAnswer, TaskError};
pub(crate) use tool_entry::ToolEntry;

use crate::call::permit::Semaphore;
use crate::call::settings::Settings;
use crate::listing::prepared::{PreparedList, project_definitions};
use crate::listing::rules::ListedTool;
use crate::mcp::identity::Identity;
use crate::{ProtocolVersion, mcp};

/// Lists tools and calls them.
///
/// [`build`](DispatcherBuilder::build) creates definitions and validators once. The list for a protocol version is created when it
/// is first requested. Cloning is cheap, and all clones share the same tools.
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
    /// Who sees each tool. A list reads all of them, so they are apart from the entries.
    listed: Box<[ListedTool]>,
    has_rules: bool,
    /// The indices of the tools in `entries`.
    by_name: BTreeMap<Arc<str>, usize>,
    /// The definitions with the output schemas of the types, for no particular protocol version.
    definitions: Vec<mcp::Tool>,
    /// The definitions for each protocol version, made on first use.
    projected: [OnceLock<Vec<mcp::Tool>>; 3],
    lists: [OnceLock<PreparedList>; 3],
    #[cfg(feature = "export")]
    exports: crate::export::Exports,
    semaphore: Option<Arc<Semaphore>>,
    identity: Identity,
    /// The property that results have in their `_meta` from 2026-07-28 on, with a comma before it.
    server_info: String,
    settings: Arc<Settings>,
    tasks: tasks::DispatcherTasks,
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

    /// Returns the definitions in the order of registration, with the output schemas of the types.
    ///
    /// To get the definitions that a client of one protocol version receives, use [`list_for`](Self::list_for).
    #[must_use]
    pub fn list(&self) -> &[mcp::Tool] {
        &self.inner.definitions
    }

    /// Returns the definitions for one protocol version.
    ///
    /// Versions before 2026-07-28 publish an output that is not an object as `{"result": …}`. Versions before 2025-11-25 have no
    /// icons.
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
    #[must_use]
    pub fn list_for(&self, version: ProtocolVersion) -> &[mcp::Tool] {
        self.inner.projected[version.index()].get_or_init(|| project_definitions(&self.inner.definitions, version))
    }

    /// Returns the bytes of the `tools/list` result for one protocol version.
    ///
    /// ```
    /// use mcp_tool_runtime::{serde_json, Dispatcher, ProtocolVersion};
    ///
    /// let dispatcher = Dispatcher::builder().build()?;
    /// let result: serde_json::Value = serde_json::from_slice(dispatcher.list_json(ProtocolVersion::V2025_11_25)).unwrap();
    /// assert_eq!(result["tools"], serde_json::json!([]));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn list_json(&self, version: ProtocolVersion) -> &[u8] {
        self.prepared_list(version).bytes()
    }

    fn prepared_list(&self, version: ProtocolVersion) -> &PreparedList {
        let list = || PreparedList::new(self.list_for(version), version, self.settings());
        self.inner.lists[version.index()].get_or_init(list)
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Returns the tools in the order of registration.
    pub(crate) fn entries(&self) -> &[ToolEntry] {
        &self.inner.entries
    }

    /// Returns the tool with this name.
    pub(crate) fn entry(&self, name: &str) -> Option<&ToolEntry> {
        self.inner.by_name.get(name).map(|index| &self.inner.entries[*index])
    }

    /// Returns the definitions for model vendors, as far as they have been made.
    #[cfg(feature = "export")]
    pub(crate) fn exports(&self) -> &crate::export::Exports {
        &self.inner.exports
    }

    pub(crate) fn max_argument_bytes(&self) -> usize {
        self.settings().max_argument_bytes
    }

    /// Returns `true` if the tool asks questions.
    pub(crate) fn asks(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.questions.is_some())
    }

    pub(crate) fn server_info(&self) -> &str {
        &self.inner.server_info
    }

    /// Returns how long a client may cache the list, and who may.
    pub(crate) fn list_caching(&self) -> (std::time::Duration, mcp::CacheScope) {
        (self.settings().list_ttl, self.settings().list_scope)
    }
}

debug_struct!(Dispatcher, it => tools: it.list().iter().map(|tool| &tool.name).collect::<Vec<_>>());
