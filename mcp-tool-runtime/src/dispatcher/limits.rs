//! The limits of callers: the builder's settings, how callers are told apart, and which calls count.

use std::sync::Arc;

use super::gate::Rejection;
use super::run::Target;
use super::{Dispatcher, DispatcherBuilder, ToolEntry};
use crate::operations::{Limit, OpenRecord, Rate};
use crate::{CallContext, Extensions, arguments};

impl DispatcherBuilder {
    /// Limits how often one caller may call all tools together, for example to `"120/min"`. The units are `/s`, `/min`,
    /// `/h` and `/day`. A tool's own `limit` applies too.
    ///
    /// The caller is what [`principal`](Self::principal) returns, or else the subject of a token that
    /// [`http::Bearer`](crate::http::Bearer) has checked (feature `auth`). All requests without a caller share one
    /// limit, and [`lint`](crate::Dispatcher::lint) reports a server that has limits but cannot tell callers apart. A
    /// caller may use up all calls at once, and then gets them back one by one. Each process counts for itself.
    ///
    /// A call over the limit gets an error result with the code `limited`, which says when to try again. It neither
    /// waits nor runs. Lists never count, nor do calls to unknown or hidden names, nor the calls that tools make. The
    /// rounds in which the user answers questions count separately.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).limit_per_caller("1/min").build()?;
    /// let request = CallToolRequest::new("add", json!({"a": 2, "b": 3}));
    /// assert!(dispatcher.call(request.clone()).await?.is_success());
    /// let limited = dispatcher.call(request).await?;
    /// assert_eq!(limited.error().unwrap().code(), Some("limited"));
    /// assert_eq!(
    ///     limited.error().unwrap().message(),
    ///     "at most 1 call a minute of all tools together; try again in 60 s",
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit_per_caller(mut self, rate: &str) -> Self {
        self.setting("limit_per_caller");
        match Rate::parse(rate) {
            Ok(rate) => self.limit_per_caller = Some(rate),
            Err(error) => self.errors.push(format!("`limit_per_caller`: {error}")),
        }
        self
    }

    /// Sets the function that identifies the principal, the sender of a request. Only the same principal can send back
    /// the state of a question, or read or cancel a task. [Records](crate::operations::CallRecord::principal) name the
    /// principal. By default, the principal is the caller whose token [`http::Bearer`](crate::http::Bearer) has checked
    /// (feature `auth`). Without such a token, the principal of a question is the HTTP header `Authorization`, and a
    /// task has no principal, because the header may change before the task ends.
    ///
    /// `principal` gets the values that the transport attached to the request, before the dispatcher's middlewares run.
    /// Set it if the header changes between two rounds, as it does with short-lived tokens. Also set it if an HTTP
    /// layer removes the header: otherwise no request has a principal, and the state of one caller is valid for all
    /// callers. [`Dispatcher::lint`](crate::Dispatcher::lint) reports a server that tells callers apart but does not
    /// set `principal`. If the server has tasks but no `principal`, `build` rejects a tool with `task` or `once` that
    /// tells callers apart, unless a rule or a tool reads [`Claims`](crate::http::Claims). With the feature `tracing`,
    /// the first request whose state is valid for all callers logs a warning.
    ///
    /// A request without a principal never matches one with a principal. If `principal` panics, the client cannot be
    /// asked, a state that it sends is rejected, its calls do not become tasks, and it sees no task.
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
    pub fn principal(mut self, principal: impl Fn(&Extensions) -> Option<String> + Send + Sync + 'static) -> Self {
        self.setting("principal").ask.principal = Some(Arc::new(principal));
        self
    }
}

impl Dispatcher {
    /// Counts a call towards the limit of its tool and the limit of its caller.
    ///
    /// # Errors
    ///
    /// Rejects a call that is over a limit.
    #[inline]
    pub(super) fn admit<'d>(
        &self,
        target: &Target<'d>,
        cx: &CallContext,
        record: &mut OpenRecord,
    ) -> Result<(), Rejection<'d>> {
        // A nested call does not count towards the limit of the caller, who made only one call. The limit of the nested
        // tool still applies, because that tool may be the expensive one.
        let per_caller = self.inner.limit_per_caller.as_deref().filter(|_| cx.parent.is_none());
        match (target.entry.limit.as_deref(), per_caller) {
            (None, None) => Ok(()),
            (of_tool, per_caller) => self.count([of_tool, per_caller], target, cx, record),
        }
    }

    #[cold]
    fn count<'d>(
        &self,
        limits: [Option<&Limit>; 2],
        target: &Target<'d>,
        cx: &CallContext,
        record: &mut OpenRecord,
    ) -> Result<(), Rejection<'d>> {
        // Requests without a principal share one limit. They include requests for which the author's `principal`
        // function panicked.
        let caller = match record.get() {
            Some(record) => record.principal().map(str::to_owned),
            None => self.settings().ask.task_principal(cx.attached()).unwrap_or_default(),
        };
        let counted = Limit::admit(limits, caller.as_deref(), cx.round() > 1, arguments::now());
        counted.map_err(|error| Rejection::refused(target, cx.call_id.clone(), error, record))
    }

    /// Returns the name of the first tool whose calls are limited for each caller.
    pub(crate) fn limited_tool(&self) -> Option<&str> {
        let limits_all = self.inner.limit_per_caller.is_some();
        self.entries().iter().find(|entry| limits_all || entry.limit.is_some()).map(ToolEntry::name)
    }
}
