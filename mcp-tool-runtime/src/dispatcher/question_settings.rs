//! The settings of questions (feature `ask`).

use std::sync::Arc;
use std::time::Duration;

use super::DispatcherBuilder;

impl DispatcherBuilder {
    /// Sets the keys that sign the state of a call between two rounds of questions (feature `ask`). `audience` is the name of the
    /// server that the state is for. The first key signs, and all keys verify. By default, each process creates a random key.
    ///
    /// Replicas of a server need the same keys and the same audience, because the next round of a call can reach another replica. To
    /// replace a key, first give all replicas the keys `[old, new]`, then `[new, old]`, and finally `[new]`, once the states of the old
    /// key have expired. [`build`](Self::build) fails if there is no key, if a key is all zeros or is given twice, or if the audience
    /// is empty.
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
    /// A client can send a state repeatedly until it expires, so do not set this longer than needed. [`build`](Self::build) fails if it
    /// is less than a millisecond.
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

    /// Sets the function that identifies the principal, which is the sender of a request (feature `ask`). A state is rejected if another
    /// principal sends it back. By default, the principal is the caller whose token [`http::Bearer`](crate::http::Bearer) has checked
    /// (feature `auth`), or else the HTTP header `Authorization`.
    ///
    /// `principal` gets the values that the transport attached to the request, before the dispatcher's layers run. Set it if the header
    /// changes between two rounds, as it does with short-lived tokens. Also set it if an HTTP layer removes the header: otherwise no
    /// request has a principal, and the state of one caller is valid for all callers. [`Dispatcher::lint`](crate::Dispatcher::lint)
    /// reports a server that distinguishes callers without `principal`. With the feature `tracing`, the first such request logs a
    /// warning.
    ///
    /// A request without a principal never matches one with a principal. If `principal` panics, the client cannot be asked, and a
    /// state that it sends is rejected.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// struct User { id: String }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .principal(|extensions| extensions.get::<User>().map(|user| user.id.clone()))
    ///     .build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn principal(
        mut self,
        principal: impl Fn(&crate::Extensions) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.setting("principal").ask.principal = Some(Arc::new(principal));
        self
    }

    /// Asks the user for consent before each call of the tools that the function selects (feature `ask`). The functions of these
    /// tools do not change.
    ///
    /// The question is the title of the tool with its arguments, each in one line, quoted and cut to 200 characters. It is asked
    /// after the layers, when the arguments are known to be valid, and before the questions of the tool itself. Its key is
    /// `consent`. As with a [`Consent`](crate::Consent) parameter, the tool does not run without a yes to the very text that was
    /// shown, nor where nobody can be asked. A tool with a `Consent` parameter asks by itself already, and is left as it is.
    ///
    /// With several such functions, one that selects the tool is enough. They are called once, in [`build`](Self::build).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{CallToolRequest, Dispatcher, Reply, Scripted, json, mcp_tool, tools};
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
    pub fn consent_for(mut self, needs_consent: impl Fn(&crate::ToolInfo) -> bool + Send + Sync + 'static) -> Self {
        self.setting("consent_for");
        self.consent_for.push(Box::new(needs_consent));
        self
    }

    /// Disables questions for the clients that the function selects (feature `ask`), for example for clients that declare support for
    /// forms but never show them. Their calls run as if the client had declared no capabilities. If the function panics, questions are
    /// disabled.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder().disable_questions_for(|client| client.name() == "example-editor").build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn disable_questions_for(
        mut self,
        is_off: impl Fn(&crate::ClientInfo) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.setting("disable_questions_for").ask.questions_off = Some(Arc::new(is_off));
        self
    }
}
