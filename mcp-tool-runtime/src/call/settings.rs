//! The settings of a dispatcher. Most of them are read by every call.

use std::time::{Duration, Instant};

use crate::{CallId, arguments, mcp::CacheScope};

/// The same call id and the same duration for every call, for tests that compare whole results.
///
/// A call whose request names an id keeps that id.
///
/// ```
/// use std::time::Duration;
/// use mcp_tool_runtime::{CallId, Dispatcher, ExactCalls};
///
/// let exact = ExactCalls::new(CallId::new("call-1").unwrap(), Duration::ZERO);
/// let dispatcher = Dispatcher::builder().exact_calls(exact).build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ExactCalls {
    call_id: CallId,
    duration: Duration,
}

impl ExactCalls {
    /// Creates the setting that gives every call this id and this duration.
    pub const fn new(call_id: CallId, duration: Duration) -> Self {
        Self { call_id, duration }
    }
}

pub(crate) struct Settings {
    pub(crate) lax: bool,
    pub(crate) expose_developer_messages: bool,
    pub(crate) max_argument_bytes: usize,
    pub(crate) max_result_bytes: usize,
    pub(crate) budgets: super::budget::Budgets,
    pub(crate) timeout: Option<Duration>,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) list_ttl: Duration,
    pub(crate) list_scope: CacheScope,
    pub(crate) exact_calls: Option<ExactCalls>,
    pub(crate) client_hints: Option<crate::mcp::ClientHints>,
    pub(crate) ask: crate::ask::settings::AskSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lax: false,
            expose_developer_messages: false,
            max_argument_bytes: 1 << 20,
            max_result_bytes: 4 << 20,
            budgets: super::budget::Budgets::default(),
            timeout: None,
            heartbeat: None,
            list_ttl: Duration::from_secs(300),
            list_scope: CacheScope::Private,
            exact_calls: None,
            client_hints: None,
            ask: crate::ask::settings::AskSettings::default(),
        }
    }
}

impl Settings {
    /// Reads the clock. With [`ExactCalls`], returns `None` instead, because that setting must also work on targets
    /// without a clock.
    pub(crate) fn now(&self) -> Option<Instant> {
        self.exact_calls.is_none().then(arguments::now)
    }

    /// Returns the duration of a call between two readings of the [clock](Self::now), without the time for which the
    /// call was paused. With [`ExactCalls`], returns the duration in that setting.
    pub(crate) fn duration(&self, start: Option<Instant>, end: Option<Instant>, paused: Duration) -> Duration {
        match start.zip(end) {
            Some((start, end)) => end.saturating_duration_since(start).saturating_sub(paused),
            None => self.exact_calls.as_ref().map_or(Duration::ZERO, |exact| exact.duration),
        }
    }

    pub(crate) fn new_call_id(&self) -> CallId {
        self.exact_calls.as_ref().map_or_else(CallId::generate, |exact| exact.call_id.clone())
    }
}

debug_struct!(Settings, settings => timeout: settings.timeout);
