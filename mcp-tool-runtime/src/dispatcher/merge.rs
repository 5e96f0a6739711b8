//! Joins the tools of two builders.

use super::DispatcherBuilder;
use crate::ToolHandler;
use crate::tool::adapter::ShapedTool;

impl DispatcherBuilder {
    /// Adds the tools of another builder, for example of a module or a crate that has its own tools.
    ///
    /// The other builder's middlewares and rules apply to its own tools only. This builder's middlewares and rules apply to all tools, and
    /// its middlewares run first. All tools can use the states of both builders. The other builder's name, version, title and instructions
    /// are ignored.
    ///
    /// [`build`](Self::build) fails if the other builder has a setting, such as `max_concurrency`: set it on this builder instead. It
    /// also fails if both builders have a state of the same type, unless both registered the same [`Arc`](std::sync::Arc).
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
            // This is a setting too.
            consent_for: _,
            semaphore: _,
            task_settings: _,
            observers: _,
            limit_per_caller: _,
        } = other;
        self.errors.extend(errors);
        self.errors.extend(
            set.into_iter().map(|setting| {
                format!("a merged builder sets `{setting}`; set it on the builder that it is merged into")
            }),
        );
        self.merged_states.push(states);
        self.merged_states.extend(merged_states);
        self.handlers.extend(handlers.into_iter().map(|tool| {
            let shaped = ShapedTool::new(tool).merged(&middlewares, &rules, scopes_are_read);
            Box::new(shaped.prefixed_by_builder(prefix)) as Box<dyn ToolHandler>
        }));
        self
    }
}
