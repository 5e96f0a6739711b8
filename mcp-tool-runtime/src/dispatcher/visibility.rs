//! Which callers see which tools: the builder's rules, and the tools that one caller sees.

use std::fmt;
use std::sync::Arc;

use super::list::PreparedList;
use super::{Dispatcher, DispatcherBuilder, VisibilityRules};
#[cfg(feature = "http")]
use crate::DispatchError;
use crate::tool::info::{HasScopes, ToolInfo};
use crate::tool::selection::Selection;
use crate::tool::visibility::Rule;
use crate::{Extensions, ProtocolVersion, mcp};

impl DispatcherBuilder {
    /// Adds a rule that decides for each request which tools its caller sees. A tool is visible if all rules return `true`.
    ///
    /// A tool that a caller does not see is neither in the lists for that caller nor callable: a call of it gets the same answer
    /// as a call of a tool that does not exist. The rule reads what the server attached to the request, and runs before everything
    /// else, so it should be fast and not depend on anything but its parameters. A rule that panics hides the tool.
    ///
    /// Lists then differ between callers, so [`build`](Self::build) refuses
    /// [`CacheScope::Public`](crate::CacheScope::Public). A list may depend on who the caller is, but not on the connection.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Extensions};
    ///
    /// struct User { is_tester: bool }
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// /// Multiply two numbers.
    /// #[mcp_tool(tags("beta"))]
    /// async fn multiply(a: i64, b: i64) -> i64 {
    ///     a * b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![add, multiply])
    ///     .visible(|tool, extensions| {
    ///         !tool.tags().contains("beta") || extensions.get::<User>().is_some_and(|user| user.is_tester)
    ///     })
    ///     .build()?;
    ///
    /// let mut extensions = Extensions::new();
    /// extensions.insert(User { is_tester: false });
    /// assert_eq!(dispatcher.seen_by(&extensions).list().len(), 1);
    ///
    /// let request = CallToolRequest::new("multiply", json!({"a": 2, "b": 3}));
    /// let error = dispatcher.call(request.clone().with_extension(User { is_tester: false })).await.unwrap_err();
    /// assert_eq!(error.to_string(), "unknown tool `multiply`");
    /// assert!(dispatcher.call(request.with_extension(User { is_tester: true })).await?.is_success());
    /// # Ok(())
    /// # }
    /// ```
    pub fn visible(mut self, rule: impl Fn(&ToolInfo, &Extensions) -> bool + Send + Sync + 'static) -> Self {
        self.rules.push(Arc::new(Rule::Predicate(Box::new(rule))));
        self
    }

    /// Shows each tool only to callers that have all scopes that the tool's key `scopes` names.
    ///
    /// `C` is the type of the value that the server attaches to a request after it has checked the caller's token. A request
    /// without such a value has no scopes. A tool without scopes is visible to all. Everything else is as with
    /// [`visible`](Self::visible).
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, HasScopes};
    ///
    /// struct Claims { scopes: Vec<String> }
    ///
    /// impl HasScopes for Claims {
    ///     fn has_scope(&self, scope: &str) -> bool {
    ///         self.scopes.iter().any(|own| own == scope)
    ///     }
    /// }
    ///
    /// /// Place an order.
    /// #[mcp_tool(scopes("orders:write"))]
    /// async fn place_order(share: String) -> String {
    ///     share
    /// }
    ///
    /// let dispatcher =
    ///     Dispatcher::builder().tools(tools![place_order]).visible_by_scopes::<Claims>().build()?;
    ///
    /// let mut extensions = Extensions::new();
    /// assert!(dispatcher.seen_by(&extensions).list().is_empty());
    /// extensions.insert(Claims { scopes: vec!["orders:write".to_owned()] });
    /// assert_eq!(dispatcher.seen_by(&extensions).list()[0].name, "place_order");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn visible_by_scopes<C: HasScopes + Send + Sync + 'static>(mut self) -> Self {
        self.rules.push(Arc::new(Rule::scopes_of::<C>()));
        self
    }

    /// Adds the tags of each tool to its definition, as `<prefix>/tags` in `_meta`; off by default.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool(tags("numbers"))]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).list_tags(true).build()?;
    /// assert_eq!(dispatcher.list()[0].meta["rs.mcp-tool/tags"], json!(["numbers"]));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn list_tags(mut self, listed: bool) -> Self {
        self.setting("list_tags").list_tags = listed;
        self
    }
}

impl Dispatcher {
    /// Returns the tools that a caller with these extensions sees, as the servers of this crate list them.
    ///
    /// Use it to list tools over a transport of your own. The methods of the dispatcher itself list every tool; they are for
    /// the server's own use.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, ProtocolVersion};
    ///
    /// /// Reset the server.
    /// #[mcp_tool(tags("admin"))]
    /// async fn reset() {}
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![reset])
    ///     .visible(|tool, _| !tool.tags().contains("admin"))
    ///     .build()?;
    /// let seen = dispatcher.seen_by(&Extensions::new());
    /// assert_eq!(seen.list_json(ProtocolVersion::V2025_11_25), br#"{"tools":[]}"#);
    /// assert_eq!(dispatcher.list().len(), 1);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn seen_by(&self, extensions: &Extensions) -> SeenBy<'_> {
        SeenBy {
            dispatcher: self,
            visible: self.inner.visibility_rules.visible(extensions),
            #[cfg(feature = "export")]
            extensions: extensions.clone(),
        }
    }

    /// Returns `true` if there is a rule, so that lists differ between callers.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) fn has_rules(&self) -> bool {
        self.inner.visibility_rules.has_rules()
    }

    /// Returns `true` if there is a tool of this name and the caller sees it.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) fn is_visible(&self, name: &str, extensions: &Extensions) -> bool {
        self.inner.by_name.get(name).is_some_and(|tool| self.inner.visibility_rules.shows(*tool, extensions))
    }

    /// Returns the error of a call if there is no tool of this name, or the caller does not see it.
    #[cfg(feature = "http")]
    pub(crate) fn unknown_name(&self, name: &str, extensions: &Extensions) -> Option<DispatchError> {
        self.target(name, extensions).err()
    }

    /// Returns the scopes of the tool of this name, if nothing but scopes hides it from the caller.
    #[cfg(feature = "http")]
    pub(crate) fn insufficient_scopes(&self, name: &str, extensions: &Extensions) -> Option<&ToolInfo> {
        let tool = *self.inner.by_name.get(name)?;
        let visibility_rules = &self.inner.visibility_rules;
        visibility_rules.lacks_only_scopes(tool, extensions).then(|| &visibility_rules.tools()[tool])
    }

    /// Returns the tools that a caller with these extensions sees. With `ignore_scopes`, it includes the tools that are hidden only for
    /// lack of scopes.
    #[cfg(any(feature = "cli", feature = "http"))]
    pub(crate) fn visible_tools(
        &self,
        extensions: &Extensions,
        ignore_scopes: bool,
    ) -> impl Iterator<Item = (&ToolInfo, &mcp::Tool)> {
        let select = if ignore_scopes { VisibilityRules::visible_with_scopes } else { VisibilityRules::visible };
        let visible = select(&self.inner.visibility_rules, extensions);
        let tools = self.inner.visibility_rules.tools().iter().zip(&self.inner.definitions).enumerate();
        tools.filter(move |(tool, _)| visible.contains(*tool)).map(|(_, tool)| tool)
    }

    /// Returns the list for a caller. With `ignore_scopes`, it includes the tools that are hidden only for lack of scopes.
    pub(crate) fn caller_list(
        &self,
        version: ProtocolVersion,
        extensions: &Extensions,
        ignore_scopes: bool,
    ) -> CallerList<'_> {
        let visibility_rules = &self.inner.visibility_rules;
        let select = if ignore_scopes { VisibilityRules::visible_with_scopes } else { VisibilityRules::visible };
        let list = self.prepared_list(version);
        let tools = match visibility_rules.has_rules().then(|| select(visibility_rules, extensions)) {
            None => ListedTools::All,
            Some(visible) => list.kept(&visible).map_or(ListedTools::Selected(visible), ListedTools::Kept),
        };
        CallerList { list, tools }
    }
}

/// The `tools/list` result for one caller, which is not written yet.
pub(crate) struct CallerList<'d> {
    list: &'d PreparedList,
    tools: ListedTools,
}

enum ListedTools {
    /// All callers see all tools.
    All,
    /// The caller sees these tools.
    Selected(Selection),
    /// The whole result.
    Kept(Arc<[u8]>),
}

impl CallerList<'_> {
    /// Returns the number of bytes of the result, or one more.
    pub(crate) fn length(&self) -> usize {
        match &self.tools {
            ListedTools::All => self.list.bytes().len(),
            ListedTools::Selected(visible) => self.list.capacity_for(visible),
            ListedTools::Kept(result) => result.len(),
        }
    }

    /// Appends the result.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        match &self.tools {
            ListedTools::All => bytes.extend_from_slice(self.list.bytes()),
            ListedTools::Selected(visible) => self.list.write_selected(bytes, visible),
            ListedTools::Kept(result) => bytes.extend_from_slice(result),
        }
    }

    /// Appends the array of definitions alone.
    #[cfg(feature = "http")]
    pub(crate) fn write_tools(&self, bytes: &mut Vec<u8>) {
        match &self.tools {
            ListedTools::All => bytes.extend_from_slice(self.list.array_bytes()),
            ListedTools::Selected(visible) => self.list.write_array(bytes, visible),
            ListedTools::Kept(result) => bytes.extend_from_slice(&result[self.list.array_in(result)]),
        }
    }
}

/// The tools that one caller sees, returned by [`Dispatcher::seen_by`]. The definitions are in the order of registration.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
///
/// struct Admin;
///
/// /// Say hello.
/// #[mcp_tool]
/// async fn greet() -> String {
///     "Hello".to_owned()
/// }
///
/// /// Reset the server.
/// #[mcp_tool(tags("admin"))]
/// async fn reset() {}
///
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![greet, reset])
///     .visible(|tool, caller| !tool.tags().contains("admin") || caller.get::<Admin>().is_some())
///     .build()?;
///
/// let mut admin = Extensions::new();
/// admin.insert(Admin);
/// assert_eq!(dispatcher.seen_by(&admin).list().len(), 2);
/// let anybody = dispatcher.seen_by(&Extensions::new());
/// assert_eq!(anybody.list()[0].name, "greet");
/// assert_eq!(anybody.list().len(), 1);
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct SeenBy<'d> {
    pub(crate) dispatcher: &'d Dispatcher,
    visible: Selection,
    #[cfg(feature = "export")]
    pub(crate) extensions: Extensions,
}

impl<'d> SeenBy<'d> {
    /// Returns the definitions. Their output schemas are not wrapped for older protocol versions. See [`Dispatcher::list`].
    #[must_use]
    pub fn list(&self) -> Vec<&'d mcp::Tool> {
        self.select(self.dispatcher.list())
    }

    /// Returns the definitions for one protocol version. See [`Dispatcher::list_for`].
    #[must_use]
    pub fn list_for(&self, version: ProtocolVersion) -> Vec<&'d mcp::Tool> {
        self.select(self.dispatcher.list_for(version))
    }

    /// Returns the bytes of the `tools/list` result for one protocol version. They are copied from bytes that `build` has
    /// prepared. See [`Dispatcher::list_json`].
    #[must_use]
    pub fn list_json(&self, version: ProtocolVersion) -> Vec<u8> {
        let list = self.dispatcher.prepared_list(version);
        if let Some(kept) = list.kept(&self.visible) {
            return kept.to_vec();
        }
        let mut bytes = Vec::new();
        list.write_selected(&mut bytes, &self.visible);
        bytes
    }

    /// Selects from a list with an element for each tool.
    pub(crate) fn select<'t, T>(&self, tools: &'t [T]) -> Vec<&'t T> {
        self.visible.iter().map(|tool| &tools[tool]).collect()
    }
}

/// Shows the names of the tools.
impl fmt::Debug for SeenBy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.list().into_iter().map(|tool| &tool.name).collect();
        f.debug_struct("SeenBy").field("tools", &names).finish()
    }
}
