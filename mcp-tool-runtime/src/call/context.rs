//! What a tool can learn about the call it answers.

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Instant;

use serde_json::{Map, Value};

use super::live::Live;
use super::{CallId, Extensions, Meta, Sender};
use crate::ProtocolVersion;
use crate::tool::state::States;

/// The call that a tool answers: its id, the request's metadata, what the server attached, progress and cancellation.
///
/// A function takes it as `#[mcp_tool(context)] cx: &CallContext`. A clone is another handle on the same call, for
/// tasks that the tool starts.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler};
///
/// struct WhoAmI;
///
/// impl ToolHandler for WhoAmI {
///     fn definition(&self) -> mcp::Tool {
///         mcp::Tool::new("who_am_i", "Name the user.", json!({"type": "object"}))
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
    pub(crate) common: Arc<Common>,
    /// Made when there first is something to be shared. Most calls end as they began, with one handle and nobody who
    /// asks for progress.
    pub(crate) live: OnceLock<Arc<Live>>,
}

/// What all calls of a tool share.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) states: Arc<States>,
    pub(crate) sender: Arc<Sender>,
}

impl Clone for CallContext {
    fn clone(&self) -> Self {
        self.with_extensions(self.extensions.clone())
    }
}

impl CallContext {
    /// Another handle on the same call, with what a layer attached.
    pub(crate) fn with_extensions(&self, extensions: Extensions) -> Self {
        Self {
            call_id: self.call_id.clone(),
            meta: self.meta.clone(),
            extensions,
            protocol_version: self.protocol_version,
            deadline: self.deadline,
            common: Arc::clone(&self.common),
            live: Arc::clone(self.live()).into(),
        }
    }

    /// Nothing is reported from now on.
    pub(crate) fn end(&self) {
        // Where there is nothing shared, nobody reports.
        if let Some(live) = self.live.get() {
            live.end();
        }
    }

    pub(crate) fn states(&self) -> &States {
        &self.common.states
    }

    pub(crate) fn live(&self) -> &Arc<Live> {
        self.live.get_or_init(|| Arc::new(Live::new(None)))
    }

    /// The id of this call, the caller's or a fresh one.
    #[must_use]
    pub fn call_id(&self) -> &CallId {
        &self.call_id
    }

    /// The name under which the tool was called.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.common.sender.tool_name
    }

    /// The request's `_meta`, empty when it had none.
    #[must_use]
    pub fn meta(&self) -> &Map<String, Value> {
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        self.meta.as_deref().unwrap_or(&NONE)
    }

    /// What the server attached to this request.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// The protocol version of the request; [`ProtocolVersion::LATEST`] where none was said.
    #[must_use]
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.protocol_version
    }

    /// Reports how far the call has come, of how much in all, and what is happening.
    ///
    /// A value that is not above the last one is dropped, since progress increases with each report; so is one after
    /// the call has ended, and every one when the caller did not ask for progress.
    ///
    /// ```
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::{Arc, Mutex};
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallContext, CallToolRequest, Dispatcher};
    ///
    /// /// Count to a number.
    /// #[mcp_tool]
    /// async fn count(to: u8, #[mcp_tool(context)] cx: &CallContext) -> u8 {
    ///     for step in 1..=to {
    ///         cx.progress(step.into(), f64::from(to), format!("counting {step}"));
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
    /// # let waker = std::task::Waker::noop();
    /// # let mut run = std::pin::pin!(run());
    /// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
    /// ```
    pub fn progress(&self, done: f64, total: impl Into<Option<f64>>, message: impl Into<Option<String>>) {
        if let Some(live) = self.live.get() {
            live.report(super::Progress { done, total: total.into(), message: message.into() });
        }
    }

    /// Whether the caller has given up, or the time is over. The tool's own future is dropped then; this is for what
    /// it started elsewhere: tasks, and functions on the blocking pool.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.live.get().is_some_and(|live| live.is_cancelled())
    }

    /// Waits until the call is cancelled. Of a call that was answered it waits for ever, so wait for something else
    /// beside it.
    pub async fn cancelled(&self) {
        self.live().cancelled().await;
    }

    /// When the call will be over at the latest, if there is a limit.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}
