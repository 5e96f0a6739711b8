//! The keys of `#[mcp_tools(…)]` that apply to its methods: hints, `budget`, `timeout`, `task`, `accept_aliases`, `tags`, `scopes`.
//!
//! A hint, `budget`, `timeout`, `task` or `accept_aliases` of a method replaces that of the block. Tags and scopes of a method are added to those of the block.

use proc_macro2::Ident;
use syn::LitStr;
use syn::parse::ParseStream;

use crate::attr::list::{KeyValue, is_set, set};
use crate::attr::value::{self, Expected, TaskKey, flag};
use crate::attr::{labels, timeout};
use crate::errors::Errors;
use crate::model::Tool;

#[derive(Default)]
pub(super) struct Defaults {
    read_only_hint: Option<KeyValue<bool>>,
    destructive_hint: Option<KeyValue<bool>>,
    idempotent_hint: Option<KeyValue<bool>>,
    open_world_hint: Option<KeyValue<bool>>,
    accept_aliases: Option<KeyValue<bool>>,
    budget: Option<KeyValue<u32>>,
    timeout: Option<KeyValue<LitStr>>,
    timeout_ms: Option<u64>,
    task: Option<KeyValue<TaskKey>>,
    tags: Option<KeyValue<Vec<LitStr>>>,
    scopes: Option<KeyValue<Vec<LitStr>>>,
}

impl Defaults {
    /// Parses the value of a key. Returns `false` if it is not one of these keys.
    pub(super) fn parse(&mut self, input: ParseStream<'_>, key: &Ident, errors: &mut Errors) -> syn::Result<bool> {
        let name = key.to_string();
        let flag_key = match name.as_str() {
            "read_only_hint" => &mut self.read_only_hint,
            "destructive_hint" => &mut self.destructive_hint,
            "idempotent_hint" => &mut self.idempotent_hint,
            "open_world_hint" => &mut self.open_world_hint,
            "budget" => {
                let budget = value::budget(input, key)?;
                set(&mut self.budget, key.clone(), budget, errors);
                return Ok(true);
            }
            "accept_aliases" => &mut self.accept_aliases,
            "timeout" => {
                let what = "a whole number and one of `ms`, `s`, `m`, `h`";
                let text = Expected { key, what, example: "\"10s\"" }.parse_exact_string(input)?;
                self.timeout_ms = timeout::milliseconds(&text, errors);
                set(&mut self.timeout, key.clone(), text, errors);
                return Ok(true);
            }
            "task" => {
                let task = value::task(input, key)?;
                set(&mut self.task, key.clone(), task, errors);
                return Ok(true);
            }
            "tags" => {
                let tags = labels::parse(key, input, errors)?;
                set(&mut self.tags, key.clone(), tags, errors);
                return Ok(true);
            }
            "scopes" => {
                let scopes = labels::parse(key, input, errors)?;
                set(&mut self.scopes, key.clone(), scopes, errors);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        set(flag_key, key.clone(), flag(input, key)?, errors);
        Ok(true)
    }

    /// Checks the keys against each other.
    pub(super) fn check(&mut self, errors: &mut Errors) {
        if let (true, Some(destructive)) = (is_set(self.read_only_hint.as_ref()), self.destructive_hint.as_ref())
            && destructive.value
        {
            let message = "tools cannot be both read-only and destructive";
            errors.report(&destructive.key, message, "remove `destructive_hint` or `read_only_hint`");
            // Removed, so that the methods do not report it again.
            self.destructive_hint = None;
        }
    }

    /// Returns the key `timeout`, if it is given. It needs the feature `tokio`.
    pub(super) fn timeout_key(&self) -> Option<&Ident> {
        self.timeout.as_ref().map(|given| &given.key)
    }

    /// Copies the flags and the timeout that a method does not set, and puts the block's tags and scopes before those of the method.
    pub(super) fn apply(&self, tool: &mut Tool, errors: &mut Errors) {
        self.check_contradiction(tool, errors);
        let keys = &mut tool.keys;
        let flags = [
            (&mut keys.read_only_hint, &self.read_only_hint, "read_only_hint"),
            (&mut keys.destructive_hint, &self.destructive_hint, "destructive_hint"),
            (&mut keys.idempotent_hint, &self.idempotent_hint, "idempotent_hint"),
            (&mut keys.open_world_hint, &self.open_world_hint, "open_world_hint"),
            (&mut keys.accept_aliases, &self.accept_aliases, "accept_aliases"),
        ];
        // The method sets these keys, with values that are already reported as wrong.
        let is_wrong = |key: &str| keys.wrong.iter().any(|wrong| wrong == key);
        for (flag, default, name) in flags {
            if flag.is_none() && !is_wrong(name) {
                flag.clone_from(default);
            }
        }
        if keys.budget.is_none() && !is_wrong("budget") {
            keys.budget.clone_from(&self.budget);
        }
        if keys.task.is_none() && !is_wrong("task") {
            keys.task.clone_from(&self.task);
        }
        if keys.timeout.is_none() && !is_wrong("timeout") {
            tool.timeout_ms = self.timeout_ms;
        }
        add_before(&mut keys.tags, self.tags.as_ref());
        add_before(&mut keys.scopes, self.scopes.as_ref());
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
        let (hint, default, opposite) = if contradicts(read_only, destructive, &self.destructive_hint) {
            (read_only.clone(), &self.destructive_hint, &mut keys.destructive_hint)
        } else if contradicts(destructive, read_only, &self.read_only_hint) {
            (destructive.clone(), &self.read_only_hint, &mut keys.read_only_hint)
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
