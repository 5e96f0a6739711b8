//! The attributes of serde, schemars, validator and garde on a parameter.
//!
//! The macro turns a parameter into a field and copies these attributes to it, so serde and schemars check their own
//! keys. This module reports the keys that make no sense on a parameter, and reads those that change the generated
//! code.

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, ExprPath, Lit, LitStr, Meta, Token, parse_quote};

use crate::errors::Errors;

/// Returns `true` for an attribute that is copied from a parameter to its field.
pub(crate) fn is_field_attribute(attr: &Attribute) -> bool {
    ["doc", "serde", "schemars", "validate", "garde"].iter().any(|name| attr.path().is_ident(name))
}

/// Returns the keys of an attribute, or no keys if the attribute does not parse: its own macro reports that better.
pub(crate) fn metas(attr: &Attribute) -> Punctuated<Meta, Token![,]> {
    attr.parse_args_with(Punctuated::parse_terminated).unwrap_or_default()
}

/// Reports keys of `#[serde]` and `#[schemars]` that do not work on a parameter.
pub(crate) fn check(attrs: &[Attribute], errors: &mut Errors) {
    let of = |name: &'static str| attrs.iter().filter(move |attr| attr.path().is_ident(name)).flat_map(metas);
    for meta in of("serde") {
        let Some(key) = meta.path().get_ident() else { continue };
        if key == "skip" || key == "skip_deserializing" {
            let message = format!("`{key}` hides the parameter from clients, so none could send it");
            let help = "mark a parameter that clients do not send with `#[mcp_tool(state)]`, `#[mcp_tool(context)]` or \
                        `#[mcp_tool(extension)]`";
            errors.report(key, message, help);
        }
        if let Meta::NameValue(given) = &meta
            && key == "default"
            && !matches!(&given.value, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }))
        {
            let help = format!("write `#[mcp_tool(default = {})]`", given.value.to_token_stream());
            errors.report(&given.value, "`default` in `#[serde]` takes the name of a function, not a value", help);
        }
    }
    // schemars also reads `#[serde]`, but serde does not read `#[schemars]`. If one of the keys below is only in
    // `#[schemars]`, report it, because the schema would differ from what serde accepts.
    for meta in of("schemars") {
        const SHARED: [&str; 5] = ["rename", "default", "flatten", "skip", "skip_deserializing"];
        let Some(key) = meta.path().get_ident().filter(|key| SHARED.iter().any(|shared| key == shared)) else {
            continue;
        };
        let text = meta.to_token_stream().to_string();
        if !of("serde").any(|other| other.to_token_stream().to_string() == text) {
            let message = format!("`{key}` in `#[schemars]` changes the schema, but not how the argument is read");
            errors.report(key, message, format!("write `#[serde({text})]`, which schemars reads too"));
        }
    }
}

/// Returns the constraints on a parameter that the schema must express.
///
/// schemars silently drops a constraint that does not fit the type, so `build` compares this list with the schema.
/// garde and the `regex` of validator are left out, because a schema cannot express all that they can.
pub(crate) fn constraints(attrs: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attr in attrs {
        let known: &[&str] = match attr.path().get_ident() {
            Some(name) if name == "schemars" => &["length", "range", "email", "url", "regex", "pattern"],
            Some(name) if name == "validate" => &["length", "range", "email", "url"],
            _ => continue,
        };
        let keys = metas(attr).into_iter().filter_map(|meta| meta.path().get_ident().map(ToString::to_string));
        found.extend(keys.filter(|key| known.contains(&key.as_str())));
    }
    found
}

/// Returns `true` if a `#[schemars]` attribute has one of `keys`.
pub(crate) fn schemars_has(attrs: &[Attribute], keys: &[&str]) -> bool {
    let mut of_schemars = attrs.iter().filter(|attr| attr.path().is_ident("schemars")).flat_map(metas);
    of_schemars.any(|meta| keys.iter().any(|key| meta.path().is_ident(key)))
}

/// The keys of `#[serde]` on a parameter.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key, and they are independent")]
pub(crate) struct SerdeKeys {
    pub(crate) rename: Option<String>,
    /// Whether `rename` sets the name under which the argument is read. `rename(serialize = "…")` alone does not.
    pub(crate) is_renamed: bool,
    pub(crate) aliases: Vec<String>,
    /// Whether there is a `default` without a function.
    pub(crate) has_default: bool,
    /// Whether there is a `default`, with or without a function.
    pub(crate) has_any_default: bool,
    /// The function of `default = "…"`.
    pub(crate) default_function: Option<ExprPath>,
    /// Whether there is a `with` or `deserialize_with`. If so, serde requires the argument even if it is an `Option`.
    pub(crate) is_read_by_function: bool,
    pub(crate) is_flattened: bool,
    /// Whether there is an attribute that cannot be parsed, or a key other than `alias`, `rename`, `flatten` and a
    /// `default` without a function. If so, the field must have the parameter's own type.
    pub(crate) has_other_keys: bool,
}

impl SerdeKeys {
    pub(crate) fn parse(attrs: &[Attribute]) -> Self {
        let mut keys = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else {
                keys.has_other_keys = true;
                continue;
            };
            for meta in &metas {
                if meta.path().is_ident("default") {
                    keys.has_any_default = true;
                    keys.default_function = lit_str_of(meta).and_then(|path| path.parse().ok());
                }
                keys.is_read_by_function |= meta.path().is_ident("with") || meta.path().is_ident("deserialize_with");
                if meta.path().is_ident("alias") {
                    keys.aliases.extend(string_of(meta));
                } else if meta.path().is_ident("rename") {
                    keys.rename = string_of(meta).or(keys.rename);
                    keys.is_renamed = keys.rename.is_some();
                } else if matches!(meta, Meta::Path(path) if path.is_ident("default")) {
                    keys.has_default = true;
                } else if meta.path().is_ident("flatten") {
                    keys.is_flattened = true;
                } else {
                    keys.has_other_keys = true;
                }
            }
        }
        keys
    }
}

/// Replaces the function of `default = "…"` in a `#[serde]` attribute.
pub(crate) fn replace_default(attr: &mut Attribute, function: &str) {
    let mut metas = metas(attr);
    for meta in &mut metas {
        if let Meta::NameValue(given) = meta
            && given.path.is_ident("default")
        {
            let function = LitStr::new(function, given.value.span());
            given.value = parse_quote!(#function);
        }
    }
    attr.meta = parse_quote!(serde(#metas));
}

/// Returns the string of `key = "…"` or of `key(deserialize = "…")`.
pub(crate) fn string_of(meta: &Meta) -> Option<String> {
    lit_str_of(meta).map(|text| text.value())
}

fn lit_str_of(meta: &Meta) -> Option<LitStr> {
    let text = match meta {
        Meta::NameValue(meta) => meta.value.to_token_stream(),
        // In `rename(serialize = "…", deserialize = "…")`, take the name after `deserialize`, because arguments are
        // deserialized.
        Meta::List(list) => {
            let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
            return metas.iter().find(|meta| meta.path().is_ident("deserialize")).and_then(lit_str_of);
        }
        Meta::Path(_) => return None,
    };
    syn::parse2(text).ok()
}
