//! The settings of a dispatcher. Most of them are read by every call.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::{CacheScope, CallId};

#[expect(clippy::struct_excessive_bools, reason = "each is a method of the builder")]
pub(crate) struct Settings {
    /// What is before the slash in the keys of the `_meta` entries that the dispatcher writes.
    pub(crate) meta_prefix: String,
    pub(crate) call_id_key: String,
    /// The text of a `_meta` before the call id, and between the call id and the duration. Made once, because almost every
    /// result has just these two entries.
    pub(crate) meta_before_call_id: String,
    pub(crate) meta_before_duration: String,
    /// The `_meta` entries that every result has, with `null` as their values. Cloning this map takes half as many instructions as inserting the
    /// entries.
    pub(crate) call_meta: Map<String, Value>,
    pub(crate) server_meta: Map<String, Value>,
    pub(crate) lax: bool,
    pub(crate) expose_developer_messages: bool,
    pub(crate) max_argument_bytes: usize,
    pub(crate) max_result_bytes: usize,
    pub(crate) budgets: super::budget::Budgets,
    pub(crate) timeout: Option<Duration>,
    pub(crate) list_ttl: Duration,
    pub(crate) compact_output_schemas: bool,
    pub(crate) list_scope: CacheScope,
    pub(crate) list_tags: bool,
    pub(crate) clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    pub(crate) call_ids: Arc<dyn Fn() -> CallId + Send + Sync>,
    pub(crate) ask: crate::ask::settings::AskSettings,
}

impl Default for Settings {
    fn default() -> Self {
        let mut settings = Self {
            meta_prefix: String::new(),
            call_id_key: String::new(),
            meta_before_call_id: String::new(),
            meta_before_duration: String::new(),
            call_meta: Map::new(),
            server_meta: Map::new(),
            lax: false,
            expose_developer_messages: false,
            max_argument_bytes: 1 << 20,
            max_result_bytes: 4 << 20,
            budgets: super::budget::Budgets::default(),
            timeout: None,
            list_ttl: Duration::from_secs(300),
            compact_output_schemas: false,
            list_scope: CacheScope::Private,
            list_tags: false,
            clock: Arc::new(monotonic()),
            call_ids: Arc::new(CallId::generate),
            ask: crate::ask::settings::AskSettings::default(),
        };
        settings.set_meta_prefix("rs.mcp-tool");
        settings
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

    /// Returns the key of a `_meta` entry that the dispatcher writes.
    pub(crate) fn meta_key(&self, name: &str) -> String {
        [&self.meta_prefix, "/", name].concat()
    }

    /// Sets the prefix of the `_meta` entries that the dispatcher writes.
    pub(crate) fn set_meta_prefix(&mut self, prefix: &str) {
        prefix.clone_into(&mut self.meta_prefix);
        self.call_id_key = self.meta_key("call_id");
        let duration_key = self.meta_key("duration");
        // The keys need no escapes: the builder checks the prefix.
        self.meta_before_call_id = format!(r#"{{"{}":"#, self.call_id_key);
        self.meta_before_duration = format!(r#","{duration_key}":"#);
        self.call_meta = [self.call_id_key.clone(), duration_key].into_iter().map(|key| (key, Value::Null)).collect();
    }
}

debug_struct!(Settings, settings => call_id_key: settings.call_id_key);
