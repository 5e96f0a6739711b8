//! The settings of questions (feature `ask`).

use std::sync::Arc;
use std::time::Duration;

use super::DispatcherBuilder;

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

    /// Asks the user for consent before each call of the tools that the function selects (feature `ask`). The functions
    /// of these tools do not change.
    ///
    /// The question is the title of the tool with its arguments, each in one line, quoted and cut to 200 characters. It
    /// is asked after the middlewares, when the arguments are known to be valid, and before the questions of the tool
    /// itself. Its key is `consent`. As with a [`Consent`](crate::Consent) parameter, the tool runs only after a yes to
    /// exactly the text that was shown, and never where nobody can be asked. A tool with a `Consent` parameter already
    /// asks on its own, so it is left as it is.
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
    pub fn consent_for(mut self, needs_consent: impl Fn(&crate::ToolInfo) -> bool + Send + Sync + 'static) -> Self {
        self.setting("consent_for");
        self.consent_for.push(Box::new(needs_consent));
        self
    }

    /// Disables questions for the clients that the function selects (feature `ask`), for example for clients that
    /// declare support for forms but never show them. A question that needs an answer then ends the call with an error
    /// result with the code `unavailable`, and an [`Answer`](crate::Answer) is `Unavailable`. If the function panics,
    /// questions are disabled.
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
