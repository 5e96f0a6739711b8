//! Attributes that are passed on to the field which a parameter becomes.
//!
//! serde and schemars check their own keys. Here is only what people write in place of one, and what to write instead:
//! the names of JSON Schema, and what other libraries call it.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

use crate::errors::Errors;

const OF_SCHEMARS: [(&str, &str); 15] = [
    ("minimum", "range(min = …)"),
    ("maximum", "range(max = …)"),
    ("min", "range(min = …)` for a number, `length(min = …)` for a text or a list"),
    ("max", "range(max = …)` for a number, `length(max = …)` for a text or a list"),
    ("min_length", "length(min = …)"),
    ("max_length", "length(max = …)"),
    ("min_items", "length(min = …)"),
    ("max_items", "length(max = …)"),
    ("len", "length(equal = …)"),
    ("pattern", "regex(pattern = \"…\")"),
    ("examples", "example = …` for each of them"),
    ("format", "extend(\"format\" = \"…\")"),
    ("multiple_of", "extend(\"multipleOf\" = …)"),
    ("unique_items", "extend(\"uniqueItems\" = true)"),
    ("optional", ""),
];

const OF_SERDE: [(&str, &str); 4] =
    [("optional", ""), ("name", "rename = \"…\""), ("default_value", "default = \"function\""), ("required", "")];

/// What schemars would publish, and serde would not read by.
const OF_BOTH: [&str; 5] = ["rename", "default", "flatten", "skip", "skip_deserializing"];

/// Reports keys that are none, where it is clear what was meant.
pub(crate) fn check(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        let (name, known) = match attr.path().get_ident() {
            Some(name) if name == "schemars" => (name, OF_SCHEMARS.as_slice()),
            Some(name) if name == "serde" => (name, OF_SERDE.as_slice()),
            _ => continue,
        };
        let metas = metas(attr);
        for meta in &metas {
            let Some(key) = meta.path().get_ident() else { continue };
            if key == "rename_all" {
                let help = "write `#[serde(rename = \"…\")]`";
                errors.help(key, "`rename_all` is for the fields of a type, and a parameter is one field", help);
            }
            if name == "serde" {
                hidden(key, errors);
                value_as_default(meta, errors);
            } else {
                published_alone(meta, attrs, errors);
            }
            let Some((_, instead)) = known.iter().find(|(word, _)| key == word) else { continue };
            if key == "pattern" && !matches!(meta, Meta::NameValue(_)) {
                continue;
            }
            let help = match (key.to_string().as_str(), *instead) {
                ("required", _) => {
                    "remove it: a parameter is required unless it is an `Option<…>` or has a default".to_owned()
                }
                (_, "") => "make the type of the parameter an `Option<…>`".to_owned(),
                (_, instead) if instead.contains('`') => format!("write `{instead}"),
                (_, instead) => format!("write `{instead}`"),
            };
            errors.help(key, format!("`{key}` is not a key of `#[{name}]`"), help);
        }
    }
}

/// What is in the parentheses; what cannot be read, serde or schemars will refuse better.
fn metas(attr: &Attribute) -> Punctuated<Meta, Token![,]> {
    attr.parse_args_with(Punctuated::parse_terminated).unwrap_or_default()
}

/// A parameter that is skipped is one that nobody can give.
fn hidden(key: &Ident, errors: &mut Errors) {
    if key == "skip" || key == "skip_deserializing" {
        let help =
            "what no client sends is marked: `#[mcp_tool(state)]`, `#[mcp_tool(context)]` or `#[mcp_tool(extension)]`";
        let message = format!("`{key}` hides the parameter from every client, so it would never be given");
        errors.help(key, message, help);
    }
}

/// The constraints that schemars publishes of a parameter, or drops without a word where the type has no place for
/// them: `build` compares. Those of `garde` and a `regex` of `validate` may be of kinds that no schema can say.
pub(crate) fn constraints(attrs: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attr in attrs {
        let known: &[&str] = match attr.path().get_ident() {
            Some(name) if name == "schemars" => &["length", "range", "email", "url", "regex"],
            Some(name) if name == "validate" => &["length", "range", "email", "url"],
            _ => continue,
        };
        let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else { continue };
        let keys = metas.iter().filter_map(|meta| meta.path().get_ident()).map(ToString::to_string);
        found.extend(keys.filter(|key| known.contains(&key.as_str())));
    }
    found
}

/// serde takes the name of a function, and the attribute a value.
fn value_as_default(meta: &Meta, errors: &mut Errors) {
    let Meta::NameValue(meta) = meta else { return };
    if meta.path.is_ident("default") && !matches!(&meta.value, Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) {
        let help = format!("write `#[mcp_tool(default = {})]`", meta.value.to_token_stream());
        errors.help(&meta.value, "`default` of `#[serde]` is the name of a function, and no value", help);
    }
}

/// schemars reads the keys of serde, and serde none of schemars: what only schemars is told is published, and not so.
fn published_alone(meta: &Meta, attrs: &[Attribute], errors: &mut Errors) {
    let Some(key) = meta.path().get_ident().filter(|key| OF_BOTH.iter().any(|both| key == both)) else { return };
    let text = meta.to_token_stream().to_string();
    let of_serde = attrs.iter().filter(|attr| attr.path().is_ident("serde")).flat_map(metas);
    if of_serde.into_iter().any(|other| other.to_token_stream().to_string() == text) {
        return;
    }
    let message = format!("`{key}` of `#[schemars]` changes what is published, and not what is read");
    errors.help(key, message, format!("write `#[serde({text})]`, which schemars reads too"));
}
