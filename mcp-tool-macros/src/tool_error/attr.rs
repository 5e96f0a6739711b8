//! The keys of `#[tool_error(…)]`.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, LitStr, Meta, Path};

use crate::attr::list::{self, KeyValue, is_set, set};
use crate::attr::value::{self, Expected, flag};
use crate::errors::{self, Errors};

const KEYS: &str =
    "can_retry retry_after_ms additional_prompt_content developer_message code data internal transparent crate";

/// The keys of a variant, or of the type.
#[derive(Default, Clone)]
pub(super) struct ErrorKeys {
    pub(super) can_retry: Option<KeyValue<bool>>,
    pub(super) retry_after_ms: Option<KeyValue<Expr>>,
    pub(super) additional_prompt_content: Option<KeyValue<LitStr>>,
    pub(super) developer_message: Option<KeyValue<LitStr>>,
    pub(super) code: Option<KeyValue<Expr>>,
    pub(super) data: Option<KeyValue<Expr>>,
    pub(super) internal: Option<KeyValue<bool>>,
    pub(super) transparent: Option<KeyValue<bool>>,
    pub(super) crate_path: Option<KeyValue<Path>>,
}

impl ErrorKeys {
    /// Fills in the keys of the type where the variant has none.
    ///
    /// A transparent variant takes no key of the type: the error of its field applies.
    pub(super) fn or(self, default: &Self) -> Self {
        let default = if self.is_transparent() { Self::default() } else { default.clone() };
        Self {
            can_retry: self.can_retry.or(default.can_retry),
            retry_after_ms: self.retry_after_ms.or(default.retry_after_ms),
            additional_prompt_content: self.additional_prompt_content.or(default.additional_prompt_content),
            developer_message: self.developer_message.or(default.developer_message),
            code: self.code.or(default.code),
            data: self.data.or(default.data),
            internal: self.internal.or(default.internal),
            transparent: self.transparent,
            crate_path: None,
        }
    }

    pub(super) fn is_transparent(&self) -> bool {
        is_set(self.transparent.as_ref())
    }

    pub(super) fn is_internal(&self) -> bool {
        is_set(self.internal.as_ref())
    }
}

/// Parses the attributes of a variant, or of the type.
pub(super) fn parse(attrs: &[Attribute], on_type: bool, errors: &mut Errors) -> ErrorKeys {
    let mut keys = ErrorKeys::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool_error")) {
        if !matches!(&attr.meta, Meta::List(list) if !list.tokens.is_empty()) {
            let help = format!("write keys between parentheses: {}", list::quoted(KEYS));
            errors.report(attr, "`#[tool_error]` needs a key", help);
            continue;
        }
        let parsed = attr.parse_args_with(|input: ParseStream<'_>| {
            list::parse(input, errors, |input, key, errors| parse_value(input, key, on_type, &mut keys, errors))
        });
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
    if let (Some(internal), true, true) = (&keys.internal, keys.is_internal(), keys.is_transparent()) {
        errors.report(&internal.key, "`transparent` shows the inner error, `internal` hides it", "remove one of them");
    }
    keys
}

/// Reports every `#[tool_error]` on a field.
pub(super) fn refuse_on_field(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tool_error")) {
        let help = "put it above the variant, or above the struct";
        errors.report(attr, "`#[tool_error]` cannot be on a field", help);
    }
}

fn parse_value(
    input: ParseStream<'_>,
    key: Ident,
    on_type: bool,
    keys: &mut ErrorKeys,
    errors: &mut Errors,
) -> syn::Result<()> {
    let name = key.to_string();
    let key_copy = key.clone();
    let expected = |what, example| Expected { key: &key_copy, what, example };
    let format_string = expected("a string, with fields between braces", "\"…\"");
    match name.as_str() {
        "can_retry" => set(&mut keys.can_retry, key, flag(input, &key_copy)?, errors),
        "internal" => set(&mut keys.internal, key, flag(input, &key_copy)?, errors),
        "transparent" => set(&mut keys.transparent, key, flag(input, &key_copy)?, errors),
        "retry_after_ms" => {
            let what = "a number of milliseconds, or an expression over the fields";
            set(&mut keys.retry_after_ms, key, expected(what, "500").parse(input)?, errors);
        }
        "additional_prompt_content" => {
            set(&mut keys.additional_prompt_content, key, format_string.parse_string(input)?, errors);
        }
        "developer_message" => set(&mut keys.developer_message, key, format_string.parse_string(input)?, errors),
        "code" => {
            let what = "a text, or an expression over the fields";
            set(&mut keys.code, key, expected(what, "\"NOT_FOUND\"").parse(input)?, errors);
        }
        "data" => {
            let what = "an expression over the fields";
            set(&mut keys.data, key, expected(what, "(first, last)").parse(input)?, errors);
        }
        "crate" if on_type => set(&mut keys.crate_path, key, value::crate_path(input, &key_copy)?, errors),
        "crate" => {
            let message = "`crate` is for the whole error, not for a variant";
            return Err(errors::error(key.span(), message, "put it above the type"));
        }
        _ => return Err(list::unknown_key(&key, KEYS, "`#[tool_error]`")),
    }
    Ok(())
}
