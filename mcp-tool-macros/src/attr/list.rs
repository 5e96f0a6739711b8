//! Parses lists of keys: `key, key = value, key(…)`. Every attribute of this crate has this form.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{LitStr, Token, parenthesized};

use crate::errors::{self, Errors, nearest};
use crate::foreign;

/// A value, with the key it was given under: errors point at the key.
#[derive(Clone)]
pub(crate) struct KeyValue<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// Returns `true` for a flag that is set.
pub(crate) fn is_set(flag: Option<&KeyValue<bool>>) -> bool {
    flag.is_some_and(|flag| flag.value)
}

/// Parses a list. `parse_value` parses what follows one key. After an error, parsing continues at the next key.
pub(crate) fn parse(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut parse_value: impl FnMut(ParseStream<'_>, Ident, &mut Errors) -> syn::Result<()>,
) -> syn::Result<()> {
    while !input.is_empty() {
        if let Err(error) = key(input).and_then(|key| parse_value(input, key, errors)) {
            errors.push(error);
            skip_to_comma(input)?;
        }
        if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
            continue;
        }
        let next = input.fork().parse::<TokenTree>()?.to_string();
        let is_key = input.peek(Ident::peek_any);
        let (message, help) = if is_key {
            (format!("a comma is missing before `{next}`"), format!("write `, {next}`"))
        } else {
            (format!("`{next}` is not expected here"), "write `,` before the next key".to_owned())
        };
        errors.push(errors::error(next_span(input), message, help));
        if !is_key {
            skip_to_comma(input)?;
            input.parse::<Option<Token![,]>>()?;
        }
    }
    Ok(())
}

fn key(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.call(Ident::parse_any).map_err(|_| {
        let next = input.fork().parse::<TokenTree>().map(|token| token.to_string()).unwrap_or_default();
        let value = if next.starts_with('"') { next.as_str() } else { "…" };
        // A string of several words is not a name.
        let key = if next.trim_matches('"').trim().contains(' ') { "description" } else { "name" };
        let help = format!("write a key before it: `{key} = {value}`");
        errors::error(next_span(input), format!("`{next}` is not a key"), help)
    })
}

/// Returns `true` if a string is at the position of a key.
pub(crate) fn has_string_without_key(list: &TokenStream) -> bool {
    let mut at_key = true;
    list.clone().into_iter().any(|token| {
        let is_string = matches!(&token, TokenTree::Literal(literal) if literal.to_string().starts_with('"'));
        let found = at_key && is_string;
        at_key = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        found
    })
}

/// Returns the span of the next token, or of the end.
pub(crate) fn next_span(input: ParseStream<'_>) -> Span {
    input.fork().parse::<TokenTree>().map_or_else(|_| input.span(), |token| token.span())
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Stores a value, or reports that the key is given twice.
pub(crate) fn set<T>(slot: &mut Option<KeyValue<T>>, key: Ident, value: T, errors: &mut Errors) {
    if slot.is_some() {
        errors.report(&key, format!("`{key}` is given twice"), "remove one of them");
    } else {
        *slot = Some(KeyValue { key, value });
    }
}

/// Returns keys for a message: `a`, `b`.
pub(crate) fn quoted(keys: &str) -> String {
    format!("`{}`", keys.replace(' ', "`, `"))
}

/// The keys of `#[mcp_tool]` on a parameter.
pub(crate) const PARAMETER_KEYS: &str = "default example header arguments context state extension ask sealed title";

/// Returns the error for an unknown key, with the known key it was probably meant to be.
pub(crate) fn unknown_key(key: &Ident, known: &str, attribute: &str) -> syn::Error {
    // A tool has a title as well.
    let is_of_parameter = matches!(attribute, "`#[mcp_tool]`" | "`#[mcp_tools]`")
        && key != "title"
        && PARAMETER_KEYS.split(' ').any(|known| key == known);
    let help = match (foreign::help_for_key(key, attribute), nearest(&key.to_string(), known)) {
        _ if is_of_parameter => {
            "it is for a parameter: write `#[mcp_tool(…)]` with this key before the parameter".to_owned()
        }
        (Some(help), _) => help.to_owned(),
        (None, Some(near)) => format!("write `{near}`\nnote: the keys are {}", quoted(known)),
        (None, None) => format!("the keys are {}", quoted(known)),
    };
    errors::error(key.span(), format!("`{key}` is not a key of {attribute}"), help)
}

/// Parses the parentheses after a key with its own list.
pub(crate) fn parenthesised<'i>(key: &Ident, input: ParseStream<'i>, example: &str) -> syn::Result<ParseBuffer<'i>> {
    if !input.peek(syn::token::Paren) {
        let ahead = input.fork();
        let url = ahead.parse::<Token![=]>().and_then(|_| ahead.parse::<LitStr>()).ok().filter(|_| key == "icon");
        let example = url.map_or_else(|| example.to_owned(), |url| format!("src = {}", url.token()));
        let message = format!("`{key}` takes a list in parentheses");
        return Err(errors::error(key.span(), message, format!("write `{key}({example})`")));
    }
    let content;
    parenthesized!(content in input);
    Ok(content)
}
