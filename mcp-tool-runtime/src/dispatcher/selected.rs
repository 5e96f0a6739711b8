//! A dispatcher with some of the tools of another one.

use std::sync::{Arc, OnceLock};

use super::{Dispatcher, Inner, ToolEntry};
use crate::call::ToolShared;
use crate::listing::prepared::Definitions;
use crate::listing::rules::{ListedTool, Rule};
use crate::operations::{Selection, SelectionError};

impl Dispatcher {
    /// Returns a dispatcher that serves only the selected tools. This dispatcher does not change.
    ///
    /// For the new dispatcher, the tools that are left out do not exist: not in lists, documents or completions, not
    /// for calls, and not for tools that call other tools. Both dispatchers share states, permits of
    /// [`max_concurrency`](crate::DispatcherBuilder::max_concurrency), limits of callers and tasks.
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
    /// Returns a [`SelectionError`] if no tool has one of the names or tags.
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
            // The selected tool calls the tools of the new dispatcher, not of the old one.
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
            tasks: Arc::clone(&inner.tasks),
        }
        .into_dispatcher()
    }
}
