//! The keys of `#[tool_error(…)]`.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, LitStr, Meta, Path};

use crate::errors::Errors;
use crate::keys::{self, Given, set};
use crate::value::{Takes, flag, krate, string};

const KEYS: [&str; 7] = [
    "can_retry",
    "retry_after_ms",
    "additional_prompt_content",
    "developer_message",
    "internal",
    "transparent",
    "crate",
];

/// What `#[tool_error(…)]` says of a variant.
#[derive(Default, Clone)]
pub(super) struct Keys {
    pub(super) can_retry: Option<Given<bool>>,
    pub(super) retry_after_ms: Option<Given<Expr>>,
    pub(super) additional_prompt_content: Option<Given<LitStr>>,
    pub(super) developer_message: Option<Given<LitStr>>,
    pub(super) internal: Option<Given<bool>>,
    pub(super) transparent: Option<Given<bool>>,
    pub(super) krate: Option<Given<Path>>,
}

impl Keys {
    /// What the type says counts where the variant says nothing.
    pub(super) fn or(self, default: &Self) -> Self {
        let default = if self.is_transparent() { Self::default() } else { default.clone() };
        Self {
            can_retry: self.can_retry.or(default.can_retry),
            retry_after_ms: self.retry_after_ms.or(default.retry_after_ms),
            additional_prompt_content: self.additional_prompt_content.or(default.additional_prompt_content),
            developer_message: self.developer_message.or(default.developer_message),
            internal: self.internal.or(default.internal),
            transparent: self.transparent,
            krate: None,
        }
    }

    pub(super) fn is_transparent(&self) -> bool {
        self.transparent.as_ref().is_some_and(|given| given.value)
    }

    pub(super) fn is_internal(&self) -> bool {
        self.internal.as_ref().is_some_and(|given| given.value)
    }
}

/// Reads the attributes of a variant, or of the type.
pub(super) fn parse(attrs: &[Attribute], on_type: bool, errors: &mut Errors) -> Keys {
    let mut keys = Keys::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool_error")) {
        if !matches!(&attr.meta, Meta::List(list) if !list.tokens.is_empty()) {
            let all = KEYS.map(|key| format!("`{key}`")).join(", ");
            let help = format!("write keys between parentheses: {all}");
            errors.help(attr, "`#[tool_error]` says nothing by itself", help);
            continue;
        }
        let read = attr.parse_args_with(|input: ParseStream<'_>| {
            keys::read(input, errors, |input, ident, errors| key(input, ident, on_type, &mut keys, errors))
        });
        if let Err(error) = read {
            errors.syn(error);
        }
    }
    if let (Some(internal), true, true) = (&keys.internal, keys.is_internal(), keys.is_transparent()) {
        errors.help(&internal.key, "`transparent` shows the inner error, `internal` hides it", "remove one of them");
    }
    keys
}

/// Refuses the attribute on a field, where it would say nothing.
pub(super) fn refuse(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool_error")) {
        let help = "put it above the variant, or above the struct";
        errors.help(attr, "`#[tool_error]` says nothing on a field", help);
    }
}

fn key(input: ParseStream<'_>, key: Ident, on_type: bool, keys: &mut Keys, errors: &mut Errors) -> syn::Result<()> {
    let name = key.to_string();
    let copy = key.clone();
    let a_format = || Takes { key: &copy, what: "a string, with fields between braces", example: "\"…\"" };
    match name.as_str() {
        "can_retry" => set(&mut keys.can_retry, key, flag(input, &copy)?, errors),
        "internal" => set(&mut keys.internal, key, flag(input, &copy)?, errors),
        "transparent" => set(&mut keys.transparent, key, flag(input, &copy)?, errors),
        "retry_after_ms" => {
            let what = "a number of milliseconds, or an expression over the fields";
            let value = Takes { key: &copy, what, example: "500" }.value(input)?;
            set(&mut keys.retry_after_ms, key, value, errors);
        }
        "additional_prompt_content" => {
            set(&mut keys.additional_prompt_content, key, string(input, &a_format())?, errors);
        }
        "developer_message" => set(&mut keys.developer_message, key, string(input, &a_format())?, errors),
        "crate" if on_type => set(&mut keys.krate, key, krate(input, &copy)?, errors),
        "crate" => {
            let message = "`crate` is for the whole error, not for a variant\nhelp: put it above the type";
            return Err(syn::Error::new(key.span(), message));
        }
        _ => return Err(keys::unknown(&key, &KEYS, "`#[tool_error]`")),
    }
    Ok(())
}
