//! The setting that tells callers apart.

use std::sync::Arc;

use super::DispatcherBuilder;

impl DispatcherBuilder {
    /// Sets the function that identifies the principal: who sent a request. Nobody else can send back the state of a question, or read or
    /// cancel a task. [Records](crate::operations::CallRecord::principal) name the principal. By default, the principal is the caller whose
    /// token [`http::Bearer`](crate::http::Bearer) has checked (feature `auth`). Without such a token, the principal of a question is the HTTP
    /// header `Authorization`, and a task has none: the header may change before the task ends.
    ///
    /// `principal` gets the values that the transport attached to the request, before the dispatcher's middlewares run.
    /// Set it if the header changes between two rounds, as it does with short-lived tokens. Also set it if an HTTP
    /// layer removes the header: otherwise no request has a principal, and the state of one caller is valid for all
    /// callers. [`Dispatcher::lint`](crate::Dispatcher::lint) reports a server that distinguishes callers without
    /// `principal`. If the server has tasks, `build` rejects rules that read a type other than
    /// [`Claims`](crate::http::Claims). With the feature `tracing`, the first such request logs a warning.
    ///
    /// A request without a principal never matches one with a principal. If `principal` panics, the client cannot be asked, a state that it
    /// sends is rejected, its calls do not become tasks, and it sees no task.
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
}
