//! The keys of `#[mcp_tools(…)]`: its own, and those that apply to all methods.
//!
//! A key on a method replaces the same key on the block, except that tags and scopes are added to the block's.

use proc_macro2::TokenStream;
use syn::LitStr;
use syn::parse::{ParseStream, Parser as _};

use crate::attr::keys::{self, OF_BLOCK, ServiceKeys, ToolKeys};
use crate::attr::{self, KeyValue, Keys as _, One, is_set};
use crate::check;
use crate::errors::Errors;
use crate::model::Tool;

#[derive(Default)]
pub(super) struct BlockKeys {
    pub(super) own: ServiceKeys,
    /// Only keys of [`OF_BLOCK`] are set.
    pub(super) of_methods: ToolKeys,
}

impl BlockKeys {
    /// Parses all keys, and reports every wrong one.
    pub(super) fn parse(attribute: TokenStream, errors: &mut Errors) -> Self {
        let mut block = Self::default();
        let parse = |input: ParseStream<'_>| {
            attr::list(input, errors, |input, key, errors| {
                let is_known = if OF_BLOCK.iter().any(|of_methods| key == of_methods) {
                    block.of_methods.parse_value(key, input, errors)?
                } else {
                    block.own.parse_value(key, input, errors)?
                };
                if is_known {
                    return Ok(());
                }
                let [.., (_, table), _] = keys::tables();
                // Treat a misspelt key as the one that is meant: a block with a misspelt `part` is not the main block.
                if let Some(key) = attr::meant(key, &table) {
                    let _ = block.own.parse_value(&key, &input.fork(), &mut Errors::default());
                }
                Err(attr::unknown_key::<ServiceKeys>(key, &table))
            })
        };
        if let Err(error) = parse.parse2(attribute) {
            errors.push(error);
        }
        block.check(errors);
        block
    }

    pub(super) fn prefix(&self) -> String {
        self.own.prefix.as_ref().map_or_else(String::new, |given| given.value.value())
    }

    fn check(&mut self, errors: &mut Errors) {
        if let (Some(part), Some(_)) = (&self.own.part, &self.own.parts) {
            let message = "a block with `part` cannot have `parts`";
            errors.report(&part.key, message, "write `parts(…)` on the one block without `part`");
        }
        let keys = &mut self.of_methods;
        if let Some(destructive) =
            keys.destructive_hint.take_if(|given| given.value && is_set(keys.read_only_hint.as_ref()))
        {
            // The hint has been taken out, so that the methods do not report it again.
            let message = "tools cannot be both read-only and destructive";
            errors.report(&destructive.key, message, "remove `destructive_hint` or `read_only_hint`");
        }
        if let (Some(prefix), Some(c)) = (&self.own.prefix, check::find_invalid_character(&self.prefix())) {
            let help = format!("the name of a tool has the characters {}", check::NAME_CHARACTERS);
            errors.report(&prefix.value, format!("the prefix has the character {c:?}"), help);
        }
    }

    /// Copies the keys that a method does not set, and puts the block's tags and scopes before those of the method.
    pub(super) fn apply(&self, tool: &mut Tool, errors: &mut Errors) {
        self.check_contradiction(tool, errors);
        add_before(&mut tool.keys.tags, self.of_methods.tags.as_ref());
        add_before(&mut tool.keys.scopes, self.of_methods.scopes.as_ref());
        tool.keys.fill_from(&self.of_methods);
    }

    /// Reports a hint of the method that contradicts one of the block, and switches the block's hint off for this
    /// method, so that `check` does not report it again.
    fn check_contradiction(&self, tool: &mut Tool, errors: &mut Errors) {
        let keys = &mut tool.keys;
        let [read_only, destructive] = [&keys.read_only_hint, &keys.destructive_hint];
        let contradicts = |hint: &One<bool>, opposite: &One<bool>, default: &One<bool>| {
            is_set(hint.as_ref()) && opposite.is_none() && is_set(default.as_ref())
        };
        let of_methods = &self.of_methods;
        let (hint, default, opposite) = if contradicts(read_only, destructive, &of_methods.destructive_hint) {
            (read_only.clone(), &of_methods.destructive_hint, &mut keys.destructive_hint)
        } else if contradicts(destructive, read_only, &of_methods.read_only_hint) {
            (destructive.clone(), &of_methods.read_only_hint, &mut keys.read_only_hint)
        } else {
            return;
        };
        let (Some(KeyValue { key: hint, .. }), Some(KeyValue { key: default, .. })) = (hint, default) else { return };
        *opposite = Some(KeyValue { key: default.clone(), value: false });
        let message = format!("tool `{}` has `{hint}`, and its block has `{default}`", tool.function.sig.ident);
        errors.report(&hint, message, format!("write `{hint}, {default} = false`"));
    }
}

/// Puts the labels of the block before those of the method, if both have some.
fn add_before(labels: &mut One<Vec<LitStr>>, of_block: Option<&KeyValue<Vec<LitStr>>>) {
    if let (Some(labels), Some(of_block)) = (labels, of_block) {
        labels.value.splice(0..0, of_block.value.iter().cloned());
    }
}
