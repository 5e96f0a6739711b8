//! What a visibility rule knows about a tool and its caller.

use std::sync::Arc;

use crate::call::Labels;
use crate::mcp::ToolAnnotations;

/// What a rule of [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible) can check about a tool.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
///
/// /// Place an order.
/// #[mcp_tool(tags("trade"), scopes("orders:write"), destructive_hint)]
/// async fn place_order(share: String) -> String {
///     share
/// }
///
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![place_order])
///     .visible(|tool, _| {
///         assert_eq!(tool.name(), "place_order");
///         assert!(tool.tags().contains("trade") && tool.scopes().contains("orders:write"));
///         tool.annotations().destructive_hint != Some(true)
///     })
///     .scopes_are_read()
///     .build()?;
/// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ToolInfo {
    pub(crate) name: Arc<str>,
    pub(crate) tags: Labels,
    pub(crate) scopes: Labels,
    pub(crate) annotations: ToolAnnotations,
    /// The type of the result, as [`ToolMetadata`](crate::ToolMetadata) knows it.
    pub(crate) result_type: &'static str,
}

impl ToolInfo {
    /// Returns the name of the tool as clients see it: with the prefix of its service, and after
    /// [`renamed`](crate::ToolHandler::renamed).
    ///
    /// There is one exception. If the rule's builder was merged into another one, the name has neither the prefix of
    /// [`merge_as`](crate::DispatcherBuilder::merge_as) nor a new name from the other builder, so that the rule gives the same answers
    /// before and after merging.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
    /// /// Reset the database.
    /// #[mcp_tool]
    /// async fn reset() {}
    ///
    /// let database = Dispatcher::builder().tools(tools![reset]).visible(|tool, _| tool.name() != "reset");
    /// let dispatcher = Dispatcher::builder().merge_as("db_", database).build()?;
    /// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tags of the `#[mcp_tools]` block, followed by those of the tool.
    #[must_use]
    pub fn tags(&self) -> &Labels {
        &self.tags
    }

    /// Returns the scopes of the `#[mcp_tools]` block, followed by those of the tool. A caller needs all of them.
    #[must_use]
    pub fn scopes(&self) -> &Labels {
        &self.scopes
    }

    /// Returns the hints of the definition. A hint that is not set is `None`.
    #[must_use]
    pub fn annotations(&self) -> &ToolAnnotations {
        &self.annotations
    }
}

/// Says which scopes a caller has. Implement it for the type that your server attaches to a request after it has checked the
/// caller's token, and pass that type to [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes).
///
/// ```
/// use mcp_tool_runtime::HasScopes;
///
/// struct Claims { scope: String }
///
/// impl HasScopes for Claims {
///     fn has_scope(&self, scope: &str) -> bool {
///         self.scope.split(' ').any(|own| own == scope)
///     }
/// }
///
/// let claims = Claims { scope: "notes:read notes:write".to_owned() };
/// assert!(claims.has_scope("notes:read") && !claims.has_scope("notes"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which scopes a caller has",
    label = "does not implement `HasScopes`",
    note = "help: write `impl HasScopes for {Self} {{ fn has_scope(&self, scope: &str) -> bool {{ … }} }}`"
)]
pub trait HasScopes {
    /// Returns `true` if the caller has this scope.
    fn has_scope(&self, scope: &str) -> bool;
}

impl<T: HasScopes + ?Sized> HasScopes for Arc<T> {
    fn has_scope(&self, scope: &str) -> bool {
        (**self).has_scope(scope)
    }
}
