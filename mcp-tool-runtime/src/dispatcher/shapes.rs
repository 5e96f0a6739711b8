//! What a builder changes in all its tools.

use super::DispatcherBuilder;
use crate::call::Labels;
use crate::tool::adapter::ShapedTool;
use crate::{Layer, ToolHandler};

/// The changes of a builder.
#[derive(Default)]
pub(super) struct Shapes {
    tags: Labels,
    scopes: Labels,
    names: Vec<Box<NewName>>,
}

type NewName = dyn Fn(&str) -> String + Send + Sync;

impl Shapes {
    /// Changes the tools of the builder.
    pub(super) fn apply(&self, tools: Vec<Box<dyn ToolHandler>>) -> Vec<Box<dyn ToolHandler>> {
        let Self { tags, scopes, names } = self;
        if tags.is_empty() && scopes.is_empty() && names.is_empty() {
            return tools;
        }
        let shaped = |tool| -> Box<dyn ToolHandler> {
            let tool = tags.iter().fold(ShapedTool::new(tool), ShapedTool::tagged);
            let tool = scopes.iter().fold(tool, ShapedTool::scoped);
            Box::new(names.iter().fold(tool, |tool: ShapedTool, name| {
                let name = name(tool.name());
                tool.renamed_by_builder(name)
            }))
        };
        tools.into_iter().map(shaped).collect()
    }
}

impl DispatcherBuilder {
    /// Adds a tag to every tool of this builder, also to those that are registered later.
    ///
    /// Use it for a builder that you [`merge`](Self::merge) into another one, whose other tools do not get the tag:
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, DispatcherBuilder, Extensions};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// /// Reset the server.
    /// #[mcp_tool]
    /// async fn reset() {}
    ///
    /// fn admin_tools() -> DispatcherBuilder {
    ///     Dispatcher::builder().tools(tools![reset])
    /// }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![add])
    ///     .merge(admin_tools().tagged("admin").renamed(|name| format!("admin_{name}")))
    ///     .visible(|tool, _| !tool.tags().contains("admin"))
    ///     .build()?;
    /// assert_eq!(dispatcher.list()[1].name, "admin_reset");
    /// assert_eq!(dispatcher.seen_by(&Extensions::new()).list().len(), 1);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn tagged(mut self, tag: impl Into<String>) -> Self {
        self.shapes.tags.add(tag);
        self
    }

    /// Adds a scope that a caller needs to every tool of this builder. See [`tagged`](Self::tagged).
    pub fn scoped(mut self, scope: impl Into<String>) -> Self {
        self.shapes.scopes.add(scope);
        self
    }

    /// Adds a [`Layer`] around every tool of this builder. This is [`layer`](Self::layer), under the name that it has for one tool and
    /// for a service.
    pub fn layered(self, layer: impl Layer) -> Self {
        self.layer(layer)
    }

    /// Renames every tool of this builder. The function gets the present name. See [`tagged`](Self::tagged) for an example.
    ///
    /// Rules of this builder see the new names. Rules of builders that were merged into it see the names that the tools had there.
    pub fn renamed<N: Into<String>>(mut self, name: impl Fn(&str) -> N + Send + Sync + 'static) -> Self {
        self.shapes.names.push(Box::new(move |present| name(present).into()));
        self
    }
}
