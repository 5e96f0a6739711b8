//! Lists of keys, as every attribute of this crate has them: `key, key = value, key = value`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::Token;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;

use crate::elsewhere;
use crate::errors::{Errors, nearest};
use crate::value::next_span;

/// A value and the key that it was given under, to point at.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

impl<T: Clone> Clone for Given<T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), value: self.value.clone() }
    }
}

/// Reads a whole list with what reads one key; a mistake is reported, and the next key is read.
pub(crate) fn read(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut one: impl FnMut(ParseStream<'_>, Ident, &mut Errors) -> syn::Result<()>,
) -> syn::Result<()> {
    while !input.is_empty() {
        if let Err(error) = key(input).and_then(|key| one(input, key, errors)) {
            errors.syn(error);
            skip(input)?;
        }
        if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
            continue;
        }
        let next = input.fork().parse::<TokenTree>()?.to_string();
        let is_key = input.peek(Ident::peek_any);
        let message = if is_key {
            format!("a comma is missing before `{next}`\nhelp: write `, {next}`")
        } else {
            format!("`{next}` is not expected here\nhelp: write `,` before the next key")
        };
        errors.syn(syn::Error::new(next_span(input), message));
        if !is_key {
            skip(input)?;
            input.parse::<Option<Token![,]>>()?;
        }
    }
    Ok(())
}

fn key(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.call(Ident::parse_any).map_err(|_| {
        let next = input.fork().parse::<TokenTree>().map(|token| token.to_string()).unwrap_or_default();
        let value = if next.starts_with('"') { next.as_str() } else { "…" };
        let message = format!("`{next}` is not a key\nhelp: write a key before it: `{} = {value}`", key_for(&next));
        syn::Error::new(next_span(input), message)
    })
}

/// The key that a value without one is probably meant for: a text of several words is none of a name.
fn key_for(value: &str) -> &'static str {
    if value.trim_matches('"').trim().contains(' ') { "description" } else { "name" }
}

/// Whether a text stands where a key has to.
pub(crate) fn has_a_text_alone(list: &TokenStream) -> bool {
    let mut is_first = true;
    list.clone().into_iter().any(|token| {
        let is_text = matches!(&token, TokenTree::Literal(literal) if literal.to_string().starts_with('"'));
        let found = is_first && is_text;
        is_first = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        found
    })
}

/// Goes on to the next comma.
fn skip(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Keeps a value, unless there is one.
pub(crate) fn set<T>(slot: &mut Option<Given<T>>, key: Ident, value: T, errors: &mut Errors) {
    if slot.is_some() {
        errors.help(&key, format!("`{key}` is given twice"), "remove one of them");
    } else {
        *slot = Some(Given { key, value });
    }
}

/// The error for a key that is not one, with the key that it was probably meant for.
pub(crate) fn unknown(key: &Ident, known: &[&str], attribute: &str) -> syn::Error {
    if let Some(help) = elsewhere::help(key, attribute) {
        return syn::Error::new(key.span(), format!("`{key}` is not a key of {attribute}\nhelp: {help}"));
    }
    let all = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let help = match nearest(&key.to_string(), known) {
        Some(near) => format!("write `{near}`\nnote: the keys are {all}"),
        None => format!("the keys are {all}"),
    };
    syn::Error::new(key.span(), format!("`{key}` is not a key of {attribute}\nhelp: {help}"))
}
