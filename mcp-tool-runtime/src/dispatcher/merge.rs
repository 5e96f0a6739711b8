//! Joins the tools of two builders, and creates dispatchers with fewer tools or with one more rule.

use std::sync::{Arc, OnceLock};

use super::{Dispatcher, DispatcherBuilder, Inner, ToolEntry};
use crate::ToolHandler;
use crate::call::ToolShared;
use crate::listing::prepared::Definitions;
use crate::listing::rules::{ListedTool, Rule};
use crate::operations::{Selection, SelectionError};
use crate::tool::adapter::ShapedTool;

impl DispatcherBuilder {
    /// Adds the tools of another builder, for example one from a module or a crate that has its own tools.
    ///
    /// The other builder's middlewares and rules apply to its own tools only. This builder's middlewares and rules
    /// apply to all tools, and its middlewares run first. All tools can use the states of both builders. The other
    /// builder's name, version, title and instructions are ignored.
    ///
    /// [`build`](Self::build) fails if the other builder has a setting, such as `max_concurrency`: set it on this
    /// builder instead. It also fails if both builders have a state of the same type, unless both registered the same
    /// [`Arc`](std::sync::Arc).
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, DispatcherBuilder};
    ///
    /// mod numbers {
    ///     use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, DispatcherBuilder};
    ///
    ///     /// Add two numbers.
    ///     #[mcp_tool]
    ///     async fn add(a: i64, b: i64) -> i64 {
    ///         a + b
    ///     }
    ///
    ///     pub fn tools() -> DispatcherBuilder {
    ///         Dispatcher::builder().tools(tools![add])
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), mcp_tool_runtime::BuildError> {
    /// let dispatcher = Dispatcher::builder().merge(numbers::tools()).build()?;
    /// assert_eq!(dispatcher.list()[0].name, "add");
    /// # Ok(())
    /// # }
    /// ```
    pub fn merge(self, other: DispatcherBuilder) -> Self {
        self.merge_with_prefix("", other)
    }

    /// Adds the tools of another builder like [`merge`](Self::merge), and puts a prefix before the name of each tool.
    ///
    /// The other builder's rules see the names without the prefix, and this builder's rules see the names with it. See
    /// [`ToolInfo::name`](crate::ToolInfo::name).
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, DispatcherBuilder};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let numbers = Dispatcher::builder().tools(tools![add]);
    /// let dispatcher = Dispatcher::builder().merge_with_prefix("numbers_", numbers).build()?;
    /// assert_eq!(dispatcher.list()[0].name, "numbers_add");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn merge_with_prefix(mut self, prefix: &str, other: DispatcherBuilder) -> Self {
        let Self {
            handlers,
            states,
            merged_states,
            middlewares,
            rules,
            scopes_are_read,
            set,
            errors,
            identity: _,
            settings: _,
            // The fields below are settings too. Their values are not read: `set` contains the names of the settings
            // that were changed, and each name becomes an error.
            consent_for: _,
            semaphore: _,
            task_settings: _,
            observers: _,
            limit_per_caller: _,
        } = other;
        self.errors.extend(errors);
        let misplaced =
            |setting| format!("a merged builder sets `{setting}`; set it on the builder that it is merged into");
        self.errors.extend(set.into_iter().map(misplaced));
        self.merged_states.push(states);
        self.merged_states.extend(merged_states);
        self.handlers.extend(handlers.into_iter().map(|tool| {
            let shaped = ShapedTool::new(tool).merged(&middlewares, &rules, scopes_are_read);
            Box::new(shaped.prefixed_by_builder(prefix)) as Box<dyn ToolHandler>
        }));
        self
    }
}

impl Dispatcher {
    /// Returns a dispatcher that serves only the selected tools. This dispatcher does not change.
    ///
    /// For the new dispatcher, the tools that are left out do not exist: not in lists, documents or completions, not
    /// for calls, and not for tools that call other tools. Both dispatchers share states, tasks, the permits of
    /// [`max_concurrency`](crate::DispatcherBuilder::max_concurrency) and the limits of callers.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, operations::Selection, tools, Dispatcher};
    ///
    /// /// Read a note.
    /// #[mcp_tool(read_only_hint)]
    /// async fn read_note(id: u32) -> String {
    ///     format!("note {id}")
    /// }
    ///
    /// /// Delete a note.
    /// #[mcp_tool(destructive_hint)]
    /// async fn delete_note(id: u32) {}
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![read_note, delete_note]).build()?;
    /// let dispatcher = dispatcher.selected(&Selection::new().read_only())?;
    /// assert_eq!(dispatcher.list().len(), 1);
    /// assert_eq!(dispatcher.list()[0].name, "read_note");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`SelectionError`] if the selection contains a name or tag that no tool has.
    pub fn selected(&self, selection: &Selection) -> Result<Self, SelectionError> {
        selection.check(self.inner.listed.iter().map(|tool| &*tool.info))?;
        let tools = self.inner.listed.iter().enumerate().filter(|(_, tool)| selection.keeps(&tool.info));
        Ok(self.with_tools(&tools.map(|(index, _)| index).collect::<Vec<_>>(), None))
    }

    /// Returns a dispatcher whose tools have one more rule.
    #[cfg(feature = "http")]
    pub(crate) fn with_rule(&self, rule: Rule) -> Self {
        self.with_tools(&(0..self.inner.entries.len()).collect::<Vec<_>>(), Some(&Arc::new(rule)))
    }

    fn with_tools(&self, kept: &[usize], rule: Option<&Arc<Rule>>) -> Self {
        let inner = &*self.inner;
        let entry = |(index, kept): (usize, &usize)| {
            let entry = &inner.entries[*kept];
            // Leave `dispatcher` empty. `into_dispatcher` fills it with the new dispatcher, so that the tool does not
            // call other tools through the old one.
            let shared = ToolShared { dispatcher: OnceLock::new(), ..(*entry.shared).clone() };
            ToolEntry { index, shared: Arc::new(shared), ..entry.clone() }
        };
        let listed: Box<[_]> = kept.iter().map(|index| inner.listed[*index].with_rule(rule)).collect();
        let position = |index: usize| kept.iter().position(|kept| *kept == index);
        Inner {
            entries: kept.iter().enumerate().map(entry).collect(),
            has_rules: listed.iter().any(ListedTool::has_rules),
            listed,
            names: inner.names.moved(position),
            definitions: Definitions::new(kept.iter().map(|index| self.list_all()[*index].clone()).collect()),
            public: OnceLock::new(),
            #[cfg(feature = "export")]
            translated: OnceLock::new(),
            semaphore: inner.semaphore.clone(),
            observers: inner.observers.clone(),
            limit_per_caller: inner.limit_per_caller.clone(),
            identity: inner.identity.clone(),
            server_info: inner.server_info.clone(),
            settings: Arc::clone(&inner.settings),
            #[cfg(feature = "tasks")]
            tasks: Arc::clone(&inner.tasks),
        }
        .into_dispatcher()
    }
}
