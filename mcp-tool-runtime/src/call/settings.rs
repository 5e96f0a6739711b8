//! The settings of a dispatcher. Most of them are read by every call.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::{CacheScope, CallId};

pub(crate) struct Settings {
    pub(crate) lax: bool,
    pub(crate) expose_developer_messages: bool,
    pub(crate) max_argument_bytes: usize,
    pub(crate) max_result_bytes: usize,
    pub(crate) budgets: super::budget::Budgets,
    pub(crate) timeout: Option<Duration>,
    pub(crate) list_ttl: Duration,
    pub(crate) list_scope: CacheScope,
    pub(crate) clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    pub(crate) call_ids: Arc<dyn Fn() -> CallId + Send + Sync>,
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
            list_ttl: Duration::from_secs(300),
            list_scope: CacheScope::Private,
            clock: Arc::new(monotonic()),
            call_ids: Arc::new(CallId::generate),
            ask: crate::ask::settings::AskSettings::default(),
        }
    }
}

/// Measures the time since its first reading. The clock of the system is read only then, because some targets, such as
/// `wasm32-unknown-unknown`, have none, and their servers set one with `clock`.
fn monotonic() -> impl Fn() -> Duration + Send + Sync {
    let start = OnceLock::new();
    move || start.get_or_init(Instant::now).elapsed()
}

impl Settings {
    /// Reads the clock. A clock that panics reads zero: a call is answered anyway.
    pub(crate) fn now(&self) -> Duration {
        catch_unwind(AssertUnwindSafe(|| (self.clock)())).unwrap_or_default()
    }

    /// Creates a call id. If the author's function panics, it is the default, a UUID.
    pub(crate) fn new_call_id(&self) -> CallId {
        catch_unwind(AssertUnwindSafe(|| (self.call_ids)())).unwrap_or_else(|_| CallId::generate())
    }
}

debug_struct!(Settings, settings => timeout: settings.timeout);
