//! Format strings over the fields of a variant: `{0:?}`, `{name}`.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::{Fields, LitStr};

use crate::errors::Errors;
use crate::param::plain_name as plain;

/// `format!` with the fields that the string names. A tuple's `{0}` is the binding `_0`.
pub(super) fn over_fields(text: &LitStr, fields: &Fields, names: &[Ident], errors: &mut Errors) -> Option<TokenStream> {
    let mut written = String::new();
    let mut used = Vec::new();
    let value = text.value();
    let mut rest = value.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        if from.starts_with("{{") || from.starts_with("}}") {
            written.push_str(&from[..2]);
            rest = &from[2..];
            continue;
        }
        let placeholder = from.strip_prefix('{').and_then(|from| from.split_once('}'));
        let Some((placeholder, after)) = placeholder else {
            errors.help(text, "a brace stands alone in the format string", "write `{{` or `}}` for a brace");
            return None;
        };
        let (name, spec) = match placeholder.split_once(':') {
            Some((name, spec)) => (name.trim(), format!(":{spec}")),
            None => (placeholder.trim(), String::new()),
        };
        let field = if name.parse::<usize>().is_ok() { format!("_{name}") } else { name.to_owned() };
        let Some(field) = names.iter().find(|known| plain(known) == field) else {
            let known = match fields {
                Fields::Named(_) => names.iter().map(|name| format!("`{{{}}}`", plain(name))).collect::<Vec<_>>(),
                Fields::Unnamed(fields) => (0..fields.unnamed.len()).map(|index| format!("`{{{index}}}`")).collect(),
                Fields::Unit => Vec::new(),
            };
            let message = format!("the format string names `{name}`, which is not a field");
            match known.as_slice() {
                [] => errors.help(text, message, "there are no fields; write plain text"),
                known => errors.help(text, message, format!("the fields are {}", known.join(", "))),
            }
            return None;
        };
        // By place: a field may be named like a keyword.
        let place = used.iter().position(|used| *used == field).unwrap_or(used.len());
        if place == used.len() {
            used.push(field);
        }
        written.extend(["{", &place.to_string(), &spec, "}"]);
        rest = after;
    }
    written.push_str(rest);
    let literal = LitStr::new(&written, text.span());
    // What a field cannot do is said where the format string is.
    let used = used.into_iter().cloned().map(|mut field| {
        field.set_span(field.span().located_at(text.span()));
        field
    });
    Some(quote_spanned!(text.span()=> __mcp_tool::format!(#literal, #(#used),*)))
}
