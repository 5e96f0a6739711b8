//! The tools that one caller sees, and the definitions for Open Tool Calling.

use super::Dispatcher;
use super::build::reads_claims;
use crate::listing::prepared::CallerList;
use crate::listing::visibility::ToolInfo;
use crate::otc::{DefinitionError, ToolDefinition, definitions};
use crate::{Extensions, ProtocolVersion, mcp};

impl Dispatcher {
    /// Returns the tools that a caller with these extensions sees, as the servers of this crate list them.
    ///
    /// Use this method to list tools over your own transport. The lists of the dispatcher itself are those of a caller
    /// without extensions, and [`list_all`](Self::list_all) names every tool.
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
    /// assert_eq!(dispatcher.list_all().len(), 1);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn seen_by(&self, extensions: &Extensions) -> SeenBy<'_> {
        SeenBy { dispatcher: self, seen: self.seen(extensions, false), extensions: extensions.clone() }
    }

    /// Returns the positions of the tools that a caller with these extensions sees. With `ignore_scopes`, also includes
    /// tools that are hidden only because the caller lacks scopes.
    pub(crate) fn seen(&self, extensions: &Extensions, ignore_scopes: bool) -> Vec<usize> {
        let tools = self.inner.listed.iter().enumerate();
        tools.filter(|(_, tool)| tool.is_shown_to(extensions, ignore_scopes)).map(|(index, _)| index).collect()
    }

    /// Returns `true` if there is a rule. Lists may then differ between callers.
    pub(crate) fn has_rules(&self) -> bool {
        self.inner.has_rules
    }

    /// Returns `true` if a tool takes [`Claims`](crate::Claims) or a rule reads them.
    pub(crate) fn reads_claims(&self) -> bool {
        reads_claims(&self.inner.listed, self.entries().iter().map(|entry| &entry.metadata))
    }

    /// Returns the tools that a caller with these extensions sees. With `ignore_scopes`, also includes tools that are
    /// hidden only because the caller lacks scopes.
    pub(crate) fn visible_tools(
        &self,
        extensions: &Extensions,
        ignore_scopes: bool,
    ) -> impl Iterator<Item = (&ToolInfo, &mcp::Tool)> {
        let seen = self.seen(extensions, ignore_scopes).into_iter();
        seen.map(|tool| (&*self.inner.listed[tool].info, &self.list_all()[tool]))
    }

    /// Returns the list for a caller. With `ignore_scopes`, also includes tools that are hidden only because the caller
    /// lacks scopes.
    pub(crate) fn caller_list(
        &self,
        version: ProtocolVersion,
        extensions: &Extensions,
        ignore_scopes: bool,
    ) -> CallerList<'_> {
        let seen = self.has_rules().then(|| self.seen(extensions, ignore_scopes));
        CallerList { list: self.prepared_list(version), seen }
    }

    /// Returns the definitions for Open Tool Calling, which are the `tools` in the response to `GET /tools`.
    ///
    /// All tools get `version`. To check whether a request asks for it, use
    /// [`otc::Context::asks_for`](crate::otc::Context::asks_for). The schemas contain no `$ref`: every reference is
    /// replaced by its schema. Where a type contains itself, only the `type`, the `title` and the `description` remain.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, serde_json, tools, Dispatcher};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool(name = "Calculator.Add")]
    /// async fn add(
    ///     /// The first summand.
    ///     a: f64,
    ///     /// The second summand.
    ///     b: f64,
    /// ) -> f64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let body = json!({"$schema": "urn:oxp:1.0", "tools": dispatcher.list_otc("1.0.0")?});
    /// assert_eq!(body["tools"][0]["id"], "Calculator.Add@1.0.0");
    /// assert_eq!(body["tools"][0]["input_schema"]["parameters"]["required"], json!(["a", "b"]));
    /// assert_eq!(body["tools"][0]["output_schema"], json!({"type": "number"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`DefinitionError`] if a tool does not follow the specification. The specification requires names of
    /// the form `Toolkit.Tool`, with letters, digits and `_`, and at most 64 characters. Every parameter needs a
    /// description, and the version must be three integers.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        definitions(self.list(), version)
    }
}

/// The tools that one caller sees, returned by [`Dispatcher::seen_by`]. The definitions are in the order of
/// registration.
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
    /// The positions of these tools in the dispatcher.
    seen: Vec<usize>,
    pub(crate) extensions: Extensions,
}

impl<'d> SeenBy<'d> {
    /// Returns the definitions. Their output schemas are not wrapped for older protocol versions. See
    /// [`Dispatcher::list`].
    pub fn list(&self) -> Vec<&'d mcp::Tool> {
        self.select(self.dispatcher.list_all())
    }

    /// Returns the definitions for one protocol version. See [`Dispatcher::list_for`].
    pub fn list_for(&self, version: ProtocolVersion) -> Vec<&'d mcp::Tool> {
        self.select(self.dispatcher.list_all_for(version))
    }

    /// Returns the bytes of the `tools/list` result for one protocol version. See [`Dispatcher::list_json`].
    pub fn list_json(&self, version: ProtocolVersion) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.dispatcher.prepared_list(version).write_selected(&mut bytes, &self.seen);
        bytes
    }

    /// Says whether the caller sees a tool and can call it, and which rule decides this: `shown`, `hidden: …`,
    /// `refused: …`, or `unknown` if no tool has this name.
    ///
    /// The text is for the developers of the server, in a test or a log. It names hidden tools and the places of rules
    /// in the source code, so do not send it to a caller.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, listing::HasScopes};
    ///
    /// struct Claims { scope: &'static str }
    ///
    /// impl HasScopes for Claims {
    ///     fn has_scope(&self, scope: &str) -> bool {
    ///         self.scope == scope
    ///     }
    /// }
    ///
    /// /// Place an order.
    /// #[mcp_tool(tags("trade"), scopes("orders:write"))]
    /// async fn place_order() {}
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![place_order])
    ///     .visible_by_scopes::<Claims>()
    ///     .visible(|tool, _| !tool.tags().contains("trade"))
    ///     .build()?;
    /// let mut reader = Extensions::new();
    /// reader.insert(Claims { scope: "orders:read" });
    /// assert_eq!(dispatcher.seen_by(&reader).explain("place_order"), "hidden: the caller lacks the scope `orders:write`");
    ///
    /// let mut trader = Extensions::new();
    /// trader.insert(Claims { scope: "orders:write" });
    /// let why = dispatcher.seen_by(&trader).explain("place_order");
    /// assert!(why.starts_with("hidden: the rule `visible` at ") && why.ends_with(" says no"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn explain(&self, tool: &str) -> String {
        let inner = &self.dispatcher.inner;
        let found = inner.index_of(tool).map(|index| inner.listed[index].explain(&self.extensions));
        found.unwrap_or_else(|| "unknown".to_owned())
    }

    /// Returns the elements for the tools that the caller sees. `tools` has one element for each tool of the
    /// dispatcher.
    pub(crate) fn select<'t, T>(&self, tools: &'t [T]) -> Vec<&'t T> {
        self.seen.iter().map(|tool| &tools[*tool]).collect()
    }

    /// Returns the definitions for Open Tool Calling. See [`Dispatcher::list_otc`].
    ///
    /// # Errors
    ///
    /// Returns a [`DefinitionError`] if one of these tools does not follow the specification.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        definitions(self.list(), version)
    }
}

debug_struct!(SeenBy<'_>, it => tools: it.list().into_iter().map(|tool| &tool.name).collect::<Vec<_>>());
