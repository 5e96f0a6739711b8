//! Format strings over the fields of a variant: `{0:?}`, `{name}`.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::{Fields, LitStr};

use crate::errors::Errors;
use crate::param::unraw;

/// Emits a `format!` over the bindings of the fields. The field `{0}` of a tuple is bound as `_0`.
pub(super) fn format_fields(
    text: &LitStr,
    fields: &Fields,
    bindings: &[Ident],
    errors: &mut Errors,
) -> Option<TokenStream> {
    let mut format = String::new();
    let mut used = Vec::new();
    let value = text.value();
    let mut rest = value.as_str();
    while let Some(index) = rest.find(['{', '}']) {
        let (before, from_brace) = rest.split_at(index);
        format.push_str(before);
        if from_brace.starts_with("{{") || from_brace.starts_with("}}") {
            format.push_str(&from_brace[..2]);
            rest = &from_brace[2..];
            continue;
        }
        let placeholder = from_brace.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((placeholder, after)) = placeholder else {
            errors.report(text, "a brace in the format string is not paired", "write `{{` or `}}` for a brace");
            return None;
        };
        let (name, spec) = match placeholder.split_once(':') {
            Some((name, spec)) => (name.trim(), format!(":{spec}")),
            None => (placeholder.trim(), String::new()),
        };
        let field = if name.parse::<usize>().is_ok() { format!("_{name}") } else { name.to_owned() };
        let Some(binding) = bindings.iter().find(|binding| unraw(binding) == field) else {
            report_unknown_field(text, name, fields, errors);
            return None;
        };
        // The argument is positional, because the name of a field can be a keyword.
        let position = used.iter().position(|used| *used == binding).unwrap_or(used.len());
        if position == used.len() {
            used.push(binding);
        }
        format.extend(["{", &position.to_string(), &spec, "}"]);
        rest = after;
    }
    format.push_str(rest);
    let literal = LitStr::new(&format, text.span());
    // A field that cannot be formatted is reported at the format string.
    let used = used.into_iter().cloned().map(|mut field| {
        field.set_span(field.span().located_at(text.span()));
        field
    });
    Some(quote_spanned!(text.span()=> __mcp_tool::format!(#literal, #(#used),*)))
}

fn report_unknown_field(text: &LitStr, name: &str, fields: &Fields, errors: &mut Errors) {
    let known = fields.members().map(|member| match member {
        syn::Member::Named(name) => format!("`{{{}}}`", unraw(&name)),
        syn::Member::Unnamed(index) => format!("`{{{}}}`", index.index),
    });
    let known: Vec<_> = known.collect();
    let help = match known.as_slice() {
        [] => "there are no fields; write plain text".to_owned(),
        known => format!("the fields are {}", known.join(", ")),
    };
    errors.report(text, format!("the format string names `{name}`, which is not a field"), help);
}
