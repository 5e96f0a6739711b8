//! The settings for how the server introduces itself, who sees which tools, and how questions are asked.

use std::sync::Arc;
use std::time::Duration;

use super::{Dispatcher, DispatcherBuilder};
use crate::listing::VisibilityRule;
use crate::listing::rules::Rule;
use crate::mcp::identity::Identity;
use crate::mcp::{CacheScope, ClientHints};
use crate::tool::metadata::{Package, ToolMetadata};
use crate::{Extensions, ToolInfo, listing::HasScopes};

impl DispatcherBuilder {
    /// Adds hints to the definitions, for the clients that read them. By default, no hints are sent. The keys
    /// `always_load` and `search_hint` of `#[mcp_tool]` are hints for a single tool.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp, Dispatcher};
    ///
    /// let dispatcher = Dispatcher::builder().client_hints(mcp::ClientHints::sizes()).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn client_hints(mut self, hints: ClientHints) -> Self {
        let settings = self.setting("client_hints");
        settings.budgets.are_declared = true;
        settings.client_hints = Some(hints);
        self
    }

    /// Adds a rule that decides for each request which tools its caller sees. A tool is visible if all rules return
    /// `true`. For a rule about one attached value, or a rule that refuses calls with a message, see
    /// [`visible_to`](Self::visible_to).
    ///
    /// A caller can neither list nor call a tool that the rules hide. A call gets the same answer as if the tool did
    /// not exist.
    ///
    /// The rule gets the values that the server attached to the request. It runs before everything else, so it should
    /// be fast. It is asked for each list and each call. A rule that panics hides the tool.
    ///
    /// With a rule, lists differ between callers, so [`build`](Self::build) rejects
    /// [`CacheScope::Public`](crate::mcp::CacheScope::Public). A list may depend on who the caller is, but not on the
    /// connection.
    ///
    /// ```
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
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
    /// # let waker = std::task::Waker::noop();
    /// # let mut run = std::pin::pin!(run());
    /// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
    /// ```
    #[track_caller]
    pub fn visible(mut self, rule: impl Fn(&ToolInfo, &Extensions) -> bool + Send + Sync + 'static) -> Self {
        self.rules.push(Arc::new(Rule::new("visible", rule)));
        self
    }

    /// Adds a rule about a value that the server attached to the request, such as the claims of a token. Without such a
    /// value, the rule gets `None`.
    ///
    /// The rule returns a `bool`, as a rule of [`visible`](Self::visible) does, or a [`Visibility`](crate::Visibility).
    /// A tool that it *refuses* is listed, and a call gets an error result with the text of the rule. The call does not
    /// run: no middleware sees it, and its arguments are not checked. [`http::PlainHttp`](crate::http::PlainHttp)
    /// answers it with status 403.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, Visibility};
    ///
    /// struct Claims { plan: String }
    ///
    /// /// Export all orders.
    /// #[mcp_tool(tags("pro"))]
    /// async fn export_orders() {}
    ///
    /// /// Delete all orders.
    /// #[mcp_tool(tags("admin"))]
    /// async fn delete_orders() {}
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![export_orders, delete_orders])
    ///     .visible_to::<Claims>(|tool, _| !tool.tags().contains("admin"))
    ///     .visible_to::<Claims>(|tool, claims| match claims {
    ///         Some(claims) if tool.tags().contains("pro") && claims.plan != "pro" => Visibility::Refused("needs the plan Pro"),
    ///         _ => claims.is_some().into(),
    ///     })
    ///     .build()?;
    ///
    /// let mut extensions = Extensions::new();
    /// extensions.insert(Claims { plan: "free".to_owned() });
    /// assert_eq!(dispatcher.seen_by(&extensions).list()[0].name, "export_orders");
    /// assert_eq!(dispatcher.seen_by(&extensions).list().len(), 1);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[track_caller]
    pub fn visible_to<C: Send + Sync + 'static>(mut self, rule: impl VisibilityRule<C>) -> Self {
        self.rules.push(Arc::new(Rule::about(rule)));
        self
    }

    /// Adds a rule that shows each tool only to callers that have all its scopes.
    ///
    /// `C` is the type of the value that the server attaches to a request after it has checked the caller's token. A
    /// request without such a value has no scopes. A tool without scopes is visible to everybody. See
    /// [`visible`](Self::visible) for what applies to all rules.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, listing::HasScopes};
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
    #[track_caller]
    pub fn visible_by_scopes<C: HasScopes + Send + Sync + 'static>(mut self) -> Self {
        self.rules.push(Arc::new(Rule::scopes_of::<C>()));
        self
    }

    /// Declares that a rule of [`visible`](Self::visible) checks the scopes of tools. If you use neither this method
    /// nor [`visible_by_scopes`](Self::visible_by_scopes), [`build`](Self::build) rejects a tool with scopes, because
    /// everybody could call it.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
    /// # /// Place an order.
    /// # #[mcp_tool(scopes("orders:write"))]
    /// # async fn place_order(share: String) -> String { share }
    /// struct Grants(Vec<String>);
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![place_order])
    ///     .visible(|tool, extensions| {
    ///         let granted = extensions.get::<Grants>();
    ///         tool.scopes().iter().all(|scope| granted.is_some_and(|granted| granted.0.contains(scope)))
    ///     })
    ///     .scopes_are_read()
    ///     .build()?;
    /// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn scopes_are_read(mut self) -> Self {
        self.scopes_are_read = true;
        self
    }

    /// Sets how long a client may cache the list of tools (`ttlMs`, from protocol version 2026-07-28 on). The default
    /// is 5 minutes.
    pub fn list_ttl(mut self, ttl: Duration) -> Self {
        self.setting("list_ttl").list_ttl = ttl;
        self
    }

    /// Sets who may cache the list of tools (`cacheScope`, from protocol version 2026-07-28 on). The default is
    /// [`CacheScope::Private`].
    pub fn list_scope(mut self, scope: CacheScope) -> Self {
        self.setting("list_scope").list_scope = scope;
        self
    }

    /// Sets the name and version of the server, which clients, generated documents and the command line show.
    ///
    /// By default, they come from the package that contains the [`tools!`](crate::tools) list or the service. If all
    /// tools are written by hand, the name is that of the executable, and the version is `0.0.0`.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder()
    ///     .info("calculator", "1.0.0")
    ///     .title("Calculator")
    ///     .instructions("All numbers are integers.")
    ///     .build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        (self.identity.name, self.identity.version) = (name.into(), version.into());
        self
    }

    /// Sets the display name of the server.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// Sets instructions that tell the model how to use the tools.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.identity.instructions = Some(instructions.into());
        self
    }
}

/// Returns the identity that the builder sets, or else the identity of the first package that a tool names. A merged
/// builder's tools count only if no other tool names a package. If no tool names a package, because all tools are
/// written by hand, the name is that of the executable.
pub(super) fn or_of_tools(identity: Identity, tools: &[ToolMetadata]) -> Identity {
    if !identity.name.is_empty() {
        return identity;
    }
    let packages = tools.iter().filter_map(|tool| Some((tool.is_merged, tool.package?)));
    let (name, version) = match packages.min_by_key(|(is_merged, _)| *is_merged) {
        Some((_, Package { name, version })) => (name.to_owned(), version.to_owned()),
        None => (executable().unwrap_or_else(|| "server".to_owned()), "0.0.0".to_owned()),
    };
    Identity { name, version, ..identity }
}

fn executable() -> Option<String> {
    Some(std::env::current_exe().ok()?.file_stem()?.to_str()?.to_owned())
}

impl Dispatcher {
    pub(crate) fn identity(&self) -> &Identity {
        &self.inner.identity
    }
}

#[cfg(feature = "ask")]
impl DispatcherBuilder {
    /// Sets the keys that sign the state of a call between two rounds of questions (feature `ask`). `audience` is the
    /// name of the server that the state is for. The first key signs, and all keys verify. By default, each process
    /// creates a random key.
    ///
    /// Replicas of a server need the same keys and the same audience, because the next round of a call can reach
    /// another replica. To replace a key, first give all replicas the keys `[old, new]`, then `[new, old]`, and finally
    /// `[new]`, once the states of the old key have expired. [`build`](Self::build) fails if there is no key, if a key
    /// is all zeros or is given twice, or if the audience is empty.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// # fn secret() -> [u8; 32] { [7; 32] }
    /// let dispatcher = Dispatcher::builder().state_keys("notes.example.com", [secret()]).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn state_keys(mut self, audience: impl Into<String>, keys: impl IntoIterator<Item = [u8; 32]>) -> Self {
        let audience = audience.into();
        if audience.trim().is_empty() {
            self.errors.push("`state_keys`: the audience is empty; write the name of the server".to_owned());
        }
        let ask = &mut self.setting("state_keys").ask;
        ask.audience = audience;
        ask.has_own_keys = true;
        match crate::ask::state::Keys::new(keys) {
            Ok(keys) => ask.keys = Some(keys),
            Err(error) => self.errors.push(error.to_owned()),
        }
        self
    }

    /// Sets how long a user may take to answer the questions of one round (feature `ask`). The default is 10 minutes.
    ///
    /// A client can send a state repeatedly until it expires, so do not set this longer than needed.
    /// [`build`](Self::build) fails if it is less than a millisecond.
    ///
    /// ```
    /// use std::time::Duration;
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder().state_ttl(Duration::from_secs(120)).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn state_ttl(mut self, ttl: Duration) -> Self {
        if ttl.as_millis() == 0 {
            self.errors
                .push("`state_ttl` is 0, so no user could answer in time; write how long a user may take".to_owned());
        }
        self.setting("state_ttl").ask.ttl = ttl;
        self
    }

    /// Asks the user for consent before each call to a tool that `needs_consent` selects (feature `ask`). The code of
    /// these tools does not change.
    ///
    /// The question is the title of the tool with its arguments. Each argument is on its own line, quoted and truncated
    /// to 200 characters. The question is asked after the middlewares, when the arguments are known to be valid, and
    /// before the questions of the tool itself. Its key is `consent`. As with a [`Consent`](crate::Consent) parameter,
    /// the tool runs only after a yes to exactly the text that was shown, and never where nobody can be asked. A tool
    /// with a `Consent` parameter already asks on its own, so it is left as it is.
    ///
    /// If there are several such functions, it is enough that one of them selects the tool. They are called once, in
    /// [`build`](Self::build).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{CallToolRequest, Dispatcher, json, mcp_tool, tools, ask::{Reply, Scripted}};
    ///
    /// /// Delete a file.
    /// #[mcp_tool(title = "Delete file", destructive_hint)]
    /// async fn delete_file(path: String) -> String {
    ///     format!("{path} is deleted")
    /// }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![delete_file])
    ///     .consent_for(|tool| tool.annotations().destructive_hint == Some(true))
    ///     .build()?;
    ///
    /// let user = Scripted::new().reply("consent", Reply::yes());
    /// let request = CallToolRequest::new("delete_file", json!({"path": "a.txt"}));
    /// assert!(!dispatcher.call(request.clone()).await?.is_success());
    /// assert!(dispatcher.call(request.with_asker(user.clone())).await?.is_success());
    /// assert_eq!(user.asked()[0].message(), "Run \"Delete file\"?\n\npath: \"a.txt\"");
    /// # Ok(())
    /// # }
    /// ```
    pub fn consent_for(mut self, needs_consent: impl Fn(&ToolInfo) -> bool + Send + Sync + 'static) -> Self {
        self.setting("consent_for");
        self.consent_for.push(Box::new(needs_consent));
        self
    }

    /// Disables questions for the clients that `is_off` selects (feature `ask`), for example for clients that declare
    /// support for forms but never show them. A question that needs an answer then ends the call with an error result,
    /// whose code is `unavailable`, and an [`Answer`](crate::Answer) is `Unavailable`. If `is_off` panics, questions
    /// are disabled.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder().disable_questions_for(|client| client.name() == "example-editor").build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn disable_questions_for(
        mut self,
        is_off: impl Fn(&crate::ask::ClientInfo) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.setting("disable_questions_for").ask.questions_off = Some(Arc::new(is_off));
        self
    }
}
