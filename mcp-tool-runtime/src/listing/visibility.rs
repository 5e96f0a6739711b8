//! What a visibility rule knows about a tool and its caller, and what it decides.

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
    pub(crate) former_names: Arc<[String]>,
    pub(crate) tags: Labels,
    pub(crate) scopes: Labels,
    pub(crate) annotations: ToolAnnotations,
    /// The name of the result's type, from [`ToolMetadata`](crate::ToolMetadata).
    pub(crate) result_type: &'static str,
}

impl ToolInfo {
    /// Returns the name of the tool as clients see it: the name with the prefix of its service, or a name set with
    /// [`with_name`](crate::ToolHandler::with_name).
    ///
    /// There is one exception: if the rule's builder was merged into another builder, the name has neither the prefix
    /// of [`merge_with_prefix`](crate::DispatcherBuilder::merge_with_prefix) nor a new name from the other builder, so
    /// that the rule gives the same answers before and after merging.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
    /// /// Reset the database.
    /// #[mcp_tool]
    /// async fn reset() {}
    ///
    /// let database = Dispatcher::builder().tools(tools![reset]).visible(|tool, _| tool.name() != "reset");
    /// let dispatcher = Dispatcher::builder().merge_with_prefix("db_", database).build()?;
    /// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tags of the `#[mcp_tools]` block, followed by those of the tool.
    pub fn tags(&self) -> &Labels {
        &self.tags
    }

    /// Returns the scopes of the `#[mcp_tools]` block, followed by those of the tool. A caller needs all of them.
    pub fn scopes(&self) -> &Labels {
        &self.scopes
    }

    /// Returns the hints of the definition. A hint that is not set is `None`.
    pub fn annotations(&self) -> &ToolAnnotations {
        &self.annotations
    }
}

/// Says which scopes a caller has. Implement this trait for the type that your server attaches to a request after
/// checking the caller's token, and pass that type to
/// [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes).
///
/// ```
/// use mcp_tool_runtime::listing::HasScopes;
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

/// What a rule of [`visible_to`](crate::DispatcherBuilder::visible_to) decides. `true` means [`Shown`](Self::Shown),
/// and `false` means [`Hidden`](Self::Hidden).
///
/// If a tool has several rules and one of them hides the tool, the tool is hidden. Otherwise, the first rule that
/// refuses the tool decides.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Visibility};
///
/// struct Claims { is_pro: bool }
///
/// /// Export all orders.
/// #[mcp_tool(tags("pro"))]
/// async fn export_orders() -> &'static str {
///     "done"
/// }
///
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![export_orders])
///     .visible_to::<Claims>(|tool, claims| match claims {
///         None => Visibility::Hidden,
///         Some(claims) if tool.tags().contains("pro") && !claims.is_pro => Visibility::Refused("needs the plan Pro"),
///         Some(_) => Visibility::Shown,
///     })
///     .build()?;
///
/// let request = CallToolRequest::new("export_orders", json!({})).with_extension(Claims { is_pro: false });
/// assert_eq!(dispatcher.call(request).await?.error().unwrap().message(), "needs the plan Pro");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// The caller sees the tool and can call it.
    Shown,
    /// For this caller, the tool does not exist.
    Hidden,
    /// The caller sees the tool. A call does not run, and gets an error result with this text and the code `refused`.
    Refused(&'static str),
    /// The same as [`Refused`](Self::Refused), with text that the rule writes for this caller.
    RefusedWith(String),
}

/// The error code of a refused call.
pub(crate) const REFUSED: &str = "refused";

impl Visibility {
    /// Returns the text that a refused call gets, or `None` if calls are not refused.
    pub(crate) fn refusal(&self) -> Option<&str> {
        match self {
            Self::Shown | Self::Hidden => None,
            Self::Refused(text) => Some(text),
            Self::RefusedWith(text) => Some(text),
        }
    }
}

impl From<bool> for Visibility {
    fn from(is_shown: bool) -> Self {
        if is_shown { Self::Shown } else { Self::Hidden }
    }
}

/// A rule about the claims of a caller: a function that returns a [`Visibility`] or a `bool`. See
/// [`DispatcherBuilder::visible_to`](crate::DispatcherBuilder::visible_to).
// `Fn` is a supertrait, so that rustc can infer the types of a closure's parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule about a tool and its caller",
    note = "help: write `|tool, claims| …`, and return a `bool` or a `Visibility`"
)]
pub trait VisibilityRule<C>:
    Fn(&ToolInfo, Option<&C>) -> <Self as VisibilityRule<C>>::Decision + Send + Sync + 'static
{
    #[doc(hidden)]
    type Decision: Into<Visibility>;
}

#[diagnostic::do_not_recommend]
impl<C, F, D> VisibilityRule<C> for F
where
    F: Fn(&ToolInfo, Option<&C>) -> D + Send + Sync + 'static,
    D: Into<Visibility>,
{
    type Decision = D;
}
