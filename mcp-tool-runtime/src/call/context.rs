//! The context of a call, as its tool sees it.

use std::sync::{Arc, LazyLock, OnceLock, Weak};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::progress::{Amount, Message, Total};
use super::state::CallState;
use super::{CallId, CallToolRequest, Extensions, Labels, Meta, ParentCall, ResultFormat, StartCall};
use crate::ProtocolVersion;
use crate::ask::in_place::Waiting;
use crate::call::shared_state::States;

/// The context of a call. A tool reads from it, for example, the call's id, the request's `_meta` and the extensions
/// that the server attached. Through it, the tool also reports progress and notices a cancellation.
///
/// A tool takes it as `#[mcp_tool(context)] cx: &CallContext`. Clones refer to the same call, and can be moved into
/// tasks that the tool spawns.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata};
///
/// struct WhoAmI;
///
/// impl ToolHandler for WhoAmI {
///     fn definition(&self) -> mcp::Tool {
///         mcp::Tool::new("who_am_i", "Get the name of the user.", json!({"type": "object"}))
///     }
///
///     fn metadata(&self) -> ToolMetadata {
///         ToolMetadata::new()
///     }
///
///     fn call<'a>(&'a self, cx: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         Box::pin(async move {
///             let user = cx.extensions().get::<String>().ok_or_else(|| ToolError::new("nobody is signed in"))?;
///             Output::value(format!("{user}, in call {}", cx.call_id()))
///         })
///     }
/// }
/// ```
#[derive(Debug)]
pub struct CallContext {
    pub(crate) call_id: CallId,
    pub(crate) meta: Option<Meta>,
    pub(crate) extensions: Extensions,
    pub(crate) protocol_version: ProtocolVersion,
    pub(crate) deadline: Option<Instant>,
    pub(crate) tool: Arc<ToolShared>,
    /// The call that started this one, or `None` if no call started it.
    pub(crate) parent: Option<Arc<ParentCall>>,
    /// The extensions that the transport attached. The visibility rules read only these. `None` if they are the same as
    /// `extensions`.
    pub(crate) attached: Option<Extensions>,
    /// The state of the call. It is allocated on first use, because most calls never clone their context or report
    /// progress.
    pub(crate) state: OnceLock<Arc<CallState>>,
    /// The questions of the call, if its tool asks any.
    pub(crate) asking: Option<Arc<crate::ask::session::Session>>,
}

/// The parts of a tool that all its calls share.
#[derive(Clone, Default)]
pub(crate) struct ToolShared {
    pub(crate) states: Arc<States>,
    pub(crate) format: Arc<ResultFormat>,
    pub(crate) tags: Labels,
    pub(crate) scopes: Labels,
    /// The dispatcher of the tool, once it is built. The dispatcher owns the tool, so this reference is weak.
    pub(crate) dispatcher: OnceLock<Weak<dyn StartCall>>,
}

impl ToolShared {
    /// Returns the dispatcher, or `None` if the context has outlived all handles of the dispatcher, or never had a
    /// dispatcher.
    pub(crate) fn dispatcher(&self) -> Option<Arc<dyn StartCall>> {
        self.dispatcher.get()?.upgrade()
    }
}

debug_struct!(ToolShared, tool => format: tool.format);

impl Clone for CallContext {
    fn clone(&self) -> Self {
        self.with_extensions(self.extensions.clone())
    }
}

impl CallContext {
    /// Creates the context of a call that no dispatcher runs, for a unit test of a function that takes a context.
    ///
    /// The context has the name, the id, the `_meta`, the extensions and the progress listener of the request. It has
    /// no state, and [`call`](Self::call) finds no other tool.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_tool_runtime::{json, mcp_tool, CallContext, CallToolRequest};
    ///
    /// /// Say who is calling, and in which call.
    /// #[mcp_tool]
    /// async fn who(#[mcp_tool(context)] cx: &CallContext) -> String {
    ///     let user = cx.extensions().get::<&str>().copied().unwrap_or("nobody");
    ///     format!("{user} in {}", cx.call_id())
    /// }
    ///
    /// let request = CallToolRequest::new("who", json!({})).with_call_id("call-1").with_extension("ann");
    /// assert_eq!(who(&CallContext::detached(request)).await, "ann in call-1");
    /// # }
    /// ```
    pub fn detached(request: CallToolRequest) -> Self {
        let CallToolRequest { name, call_id, meta, extensions, protocol_version, progress, .. } = request;
        let format = Arc::new(ResultFormat { tool_name: name.into(), ..ResultFormat::default() });
        Self {
            call_id: call_id.unwrap_or_else(CallId::generate),
            meta: meta.map(Meta::from),
            extensions,
            protocol_version,
            deadline: None,
            tool: Arc::new(ToolShared { format, ..ToolShared::default() }),
            parent: None,
            attached: None,
            state: OnceLock::from(Arc::new(CallState::new(progress))),
            asking: None,
        }
    }

    /// Returns another context for the same call, with other extensions.
    pub(crate) fn with_extensions(&self, extensions: Extensions) -> Self {
        Self {
            call_id: self.call_id.clone(),
            meta: self.meta.clone(),
            extensions,
            protocol_version: self.protocol_version,
            deadline: self.deadline,
            tool: Arc::clone(&self.tool),
            parent: self.parent.clone(),
            attached: Some(self.attached().clone()),
            state: Arc::clone(self.call_state()).into(),
            asking: self.asking.clone(),
        }
    }

    /// Returns what a nested call needs to know about this call.
    pub(crate) fn as_parent(&self) -> ParentCall {
        ParentCall {
            call_id: self.call_id.clone(),
            depth: 1 + self.parent.as_ref().map_or(0, |parent| parent.depth),
            state: Arc::clone(self.call_state()),
            deadline: self.deadline(),
            attached: self.attached().clone(),
        }
    }

    pub(crate) fn attached(&self) -> &Extensions {
        self.attached.as_ref().unwrap_or(&self.extensions)
    }

    /// Notes that the tool's own work begins. The time after which the call may become a task is measured from this
    /// moment.
    pub(crate) fn begin(&self) {
        if let Some(state) = self.state.get() {
            state.begin();
        }
    }

    /// Notes that a question no longer needs an answer. `None` stands for all questions. Once no question needs an
    /// answer, also notes that the tool's own work begins.
    pub(crate) fn settle(&self, question: Option<usize>) {
        if let (Some(_), Some(asking)) = (self.state.get(), &self.asking)
            && asking.settle(question)
        {
            self.begin();
        }
    }

    pub(crate) fn call_state(&self) -> &Arc<CallState> {
        self.state.get_or_init(|| Arc::new(CallState::new(None)))
    }

    /// Returns the call's id, which was sent by the caller or generated.
    pub fn call_id(&self) -> &CallId {
        &self.call_id
    }

    /// Returns the name of the tool.
    pub fn tool_name(&self) -> &str {
        &self.tool.format.tool_name
    }

    /// Returns the tags of the tool, for example for a middleware that counts calls.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, middleware, mcp_tool, tools, CallToolRequest, Dispatcher, ToolError};
    ///
    /// /// Place an order.
    /// #[mcp_tool(tags("trade"))]
    /// async fn place_order() {}
    ///
    /// let closed = middleware::from_fn(|request, cx, next| {
    ///     Box::pin(async move {
    ///         if cx.tags().contains("trade") {
    ///             return Err(ToolError::new("the market is closed"));
    ///         }
    ///         next.run(request, cx).await
    ///     })
    /// });
    /// let dispatcher = Dispatcher::builder().tools(tools![place_order]).middleware(closed).build()?;
    /// assert!(!dispatcher.call(CallToolRequest::new("place_order", json!({}))).await?.is_success());
    /// # Ok(())
    /// # }
    /// ```
    pub fn tags(&self) -> &Labels {
        &self.tool.tags
    }

    /// Returns the scopes that a caller of the tool needs, for example for a middleware that writes an audit log.
    pub fn scopes(&self) -> &Labels {
        &self.tool.scopes
    }

    /// Returns the request's `_meta`. It is empty if the request has none.
    pub fn meta(&self) -> &Map<String, Value> {
        static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        self.meta.as_ref().map_or(&EMPTY, Meta::map)
    }

    /// Returns the values that the server attached to the request.
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// Returns the protocol version of the request, or [`ProtocolVersion::LATEST`] if it names none.
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.protocol_version
    }

    /// Reports progress to the client: the amount done, the total or `None`, and a message or `None`. Amounts are
    /// floats or integers.
    ///
    /// The protocol requires progress to increase, so a report is dropped unless `done` is greater than in the previous
    /// report. All reports are dropped if the client did not ask for progress, or after the call has ended. The message
    /// is for people, and is truncated to 4 KiB.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::{Arc, Mutex};
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallContext, CallToolRequest, Dispatcher};
    ///
    /// /// Count to a number.
    /// #[mcp_tool]
    /// async fn count(to: u8, #[mcp_tool(context)] cx: &CallContext) -> u8 {
    ///     for step in 1..=to {
    ///         cx.progress(step, to, format!("counting {step}"));
    ///     }
    ///     to
    /// }
    ///
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let sink = Arc::clone(&seen);
    /// let request = CallToolRequest::new("count", json!({"to": 3}))
    ///     .with_progress(move |progress| sink.lock().unwrap().push(progress.done));
    /// Dispatcher::builder().tools(tools![count]).build()?.call(request).await?;
    /// assert_eq!(*seen.lock().unwrap(), [1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn progress(&self, done: impl Amount, total: impl Total, message: impl Message) {
        if let Some(state) = self.state.get() {
            let (done, total) = (done.into_amount(), total.into_total());
            state.report(super::Progress { done, total, message: message.into_message(), is_heartbeat: false });
        }
    }

    /// Returns `true` if the client has cancelled the call, or if the call has timed out.
    ///
    /// In both cases, the tool's future is dropped. Only `blocking` tools, and tasks that a tool has spawned, continue
    /// to run and need this method.
    ///
    /// ```
    /// use mcp_tool_runtime::CallContext;
    ///
    /// fn sum_of_squares(cx: &CallContext, limit: u64) -> Option<u64> {
    ///     (0..limit).try_fold(0_u64, |sum, n| if cx.is_cancelled() { None } else { sum.checked_add(n * n) })
    /// }
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.get().is_some_and(|state| state.is_cancelled())
    }

    /// Waits until the client has cancelled the call, or the call has timed out.
    ///
    /// If the call is answered instead, this method never returns. Use it in a `select` with other work. The tool's own
    /// future is dropped when the call is cancelled, so only code that outlives that future, such as a spawned task,
    /// notices the cancellation.
    ///
    /// ```
    /// use mcp_tool_runtime::{CallContext, mcp_tool};
    ///
    /// /// Start an export.
    /// #[mcp_tool]
    /// async fn export(#[mcp_tool(context)] cx: &CallContext) -> &'static str {
    ///     let cx = cx.clone();
    ///     tokio::spawn(async move {
    ///         tokio::select! {
    ///             () = cx.cancelled() => eprintln!("cancelled"),
    ///             () = tokio::task::yield_now() => eprintln!("exported"),
    ///         }
    ///     });
    ///     "started"
    /// }
    /// ```
    pub async fn cancelled(&self) {
        self.call_state().cancelled().await;
    }

    /// Returns the time at which the call times out, if it has a timeout. Time spent waiting for the user's answers
    /// postpones it, and so does the time that a task waits for its turn.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline?.checked_add(self.paused())
    }

    /// Returns the time that does not count towards the timeout: the pauses that have ended, and the time that a task
    /// has waited for its permit.
    pub(crate) fn paused(&self) -> Duration {
        let queued = self.state.get().and_then(|state| state.queued()).unwrap_or_default();
        queued + self.waited()
    }

    /// Returns `true` while time does not count towards the timeout: while a task waits for its permit, or while a call
    /// waits for the user's answers.
    #[cfg(feature = "tokio")]
    pub(crate) fn is_paused(&self) -> bool {
        self.state.get().is_some_and(|state| state.queued().is_none()) || self.waiting().is_some_and(Waiting::is_paused)
    }

    /// Returns the number of the current round of the call, starting at 1 (feature `ask`).
    ///
    /// From protocol version 2026-07-28 on, a tool with questions is called again with the user's answers. Each of
    /// these calls is a round, and middlewares run in every round.
    pub fn round(&self) -> u32 {
        self.asking.as_ref().map_or(1, |session| session.round())
    }

    /// Returns how long the call has waited for the user's answers, not counting a wait that has not ended yet.
    pub(crate) fn waited(&self) -> Duration {
        self.waiting().map_or(Duration::ZERO, Waiting::paused)
    }

    /// Returns the pauses of this call, if an asker answers its questions while the call waits.
    pub(crate) fn waiting(&self) -> Option<&Waiting> {
        self.asking.as_ref()?.waiting()
    }
}
