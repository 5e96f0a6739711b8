//! The keys of `#[mcp_tools(…)]` that apply to its methods: hints, `budget`, `timeout`, `task`, `accept_aliases`, `tags`, `scopes`.
//!
//! A hint, `budget`, `timeout`, `task` or `accept_aliases` of a method replaces that of the block. Tags and scopes of a method are added to those of the block.

use proc_macro2::Ident;
use syn::LitStr;

use crate::attr::list::{KeyValue, is_set};
use crate::attr::{ToolKeys, timeout};
use crate::errors::Errors;
use crate::model::Tool;

#[derive(Default)]
pub(super) struct Defaults {
    /// Only the keys named above are set.
    pub(super) keys: ToolKeys,
    timeout_ms: Option<u64>,
}

impl Defaults {
    /// Checks the timeout, and the keys against each other.
    pub(super) fn check(&mut self, errors: &mut Errors) {
        let keys = &mut self.keys;
        self.timeout_ms = keys.timeout.as_ref().and_then(|given| timeout::milliseconds(&given.value, errors));
        if let (true, Some(destructive)) = (is_set(keys.read_only_hint.as_ref()), keys.destructive_hint.as_ref())
            && destructive.value
        {
            let message = "tools cannot be both read-only and destructive";
            errors.report(&destructive.key, message, "remove `destructive_hint` or `read_only_hint`");
            // Removed, so that the methods do not report it again.
            keys.destructive_hint = None;
        }
    }

    /// Returns the key `timeout`, if it is given. It needs the feature `tokio`.
    pub(super) fn timeout_key(&self) -> Option<&Ident> {
        self.keys.timeout.as_ref().map(|given| &given.key)
    }

    /// Copies the flags and the timeout that a method does not set, and puts the block's tags and scopes before those of the method.
    pub(super) fn apply(&self, tool: &mut Tool, errors: &mut Errors) {
        self.check_contradiction(tool, errors);
        let keys = &mut tool.keys;
        let flags = [
            (&mut keys.read_only_hint, &self.keys.read_only_hint, "read_only_hint"),
            (&mut keys.destructive_hint, &self.keys.destructive_hint, "destructive_hint"),
            (&mut keys.idempotent_hint, &self.keys.idempotent_hint, "idempotent_hint"),
            (&mut keys.open_world_hint, &self.keys.open_world_hint, "open_world_hint"),
            (&mut keys.accept_aliases, &self.keys.accept_aliases, "accept_aliases"),
        ];
        // The method sets these keys, with values that are already reported as wrong.
        let is_wrong = |key: &str| keys.wrong.iter().any(|wrong| wrong == key);
        for (flag, default, name) in flags {
            if flag.is_none() && !is_wrong(name) {
                flag.clone_from(default);
            }
        }
        if keys.budget.is_none() && !is_wrong("budget") {
            keys.budget.clone_from(&self.keys.budget);
        }
        if keys.task.is_none() && !is_wrong("task") {
            keys.task.clone_from(&self.keys.task);
        }
        if keys.timeout.is_none() && !is_wrong("timeout") {
            tool.timeout_ms = self.timeout_ms;
        }
        add_before(&mut keys.tags, self.keys.tags.as_ref());
        add_before(&mut keys.scopes, self.keys.scopes.as_ref());
    }

    /// Reports a hint of the method that contradicts a hint of the block. Then it sets the block's hint to `false` for this method, so
    /// that `check` does not report the contradiction a second time.
    fn check_contradiction(&self, tool: &mut Tool, errors: &mut Errors) {
        let keys = &mut tool.keys;
        let [read_only, destructive] = [&keys.read_only_hint, &keys.destructive_hint];
        let contradicts =
            |hint: &Option<KeyValue<bool>>, opposite: &Option<KeyValue<bool>>, default: &Option<KeyValue<bool>>| {
                is_set(hint.as_ref()) && opposite.is_none() && is_set(default.as_ref())
            };
        let (hint, default, opposite) = if contradicts(read_only, destructive, &self.keys.destructive_hint) {
            (read_only.clone(), &self.keys.destructive_hint, &mut keys.destructive_hint)
        } else if contradicts(destructive, read_only, &self.keys.read_only_hint) {
            (destructive.clone(), &self.keys.read_only_hint, &mut keys.read_only_hint)
        } else {
            return;
        };
        let (Some(KeyValue { key: hint, .. }), Some(KeyValue { key: default, .. })) = (hint, default) else { return };
        *opposite = Some(KeyValue { key: default.clone(), value: false });
        let message = format!("tool `{}` has `{hint}`, and its block has `{default}`", tool.function.sig.ident);
        errors.report(&hint, message, format!("write `{hint}, {default} = false`"));
    }
}

/// Puts the labels of the block before those of the method.
fn add_before(labels: &mut Option<KeyValue<Vec<LitStr>>>, defaults: Option<&KeyValue<Vec<LitStr>>>) {
    let Some(defaults) = defaults else { return };
    match labels {
        Some(labels) => {
            labels.value.splice(0..0, defaults.value.iter().cloned());
        }
        None => *labels = Some(defaults.clone()),
    }
}
