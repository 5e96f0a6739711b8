//! Attributes that are passed on to the field which a parameter becomes.
//!
//! serde and schemars check their own keys. Here is only what people write in place of one, and what to write instead:
//! the names of JSON Schema, and what other libraries call it.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

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

/// Reports keys that are none, where it is clear what was meant.
pub(crate) fn check(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        let (name, known) = match attr.path().get_ident() {
            Some(name) if name == "schemars" => (name, OF_SCHEMARS.as_slice()),
            Some(name) if name == "serde" => (name, OF_SERDE.as_slice()),
            _ => continue,
        };
        if name == "serde" {
            hidden(attr, errors);
        }
        let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else { continue };
        for meta in &metas {
            let Some(key) = meta.path().get_ident() else { continue };
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

/// A parameter that is skipped is one that nobody can give.
fn hidden(attr: &Attribute, errors: &mut Errors) {
    let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else { return };
    for key in metas.iter().filter_map(|meta| meta.path().get_ident()) {
        if key == "skip" || key == "skip_deserializing" {
            let help = "what no client sends is marked: `#[mcp_tool(state)]`, `#[mcp_tool(context)]` or `#[mcp_tool(extension)]`";
            errors.help(
                key,
                format!("`{key}` hides the parameter from every client, so it would never be given"),
                help,
            );
        }
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
