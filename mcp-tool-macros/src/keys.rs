//! Lists of keys, as every attribute of this crate has them: `key, key = value, key = value`.

use proc_macro2::{Ident, TokenTree};
use syn::Token;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;

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
        syn::Error::new(next_span(input), format!("`{next}` is not a key\nhelp: write a key before it: `name = …`"))
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
    let all = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let help = match nearest(&key.to_string(), known) {
        Some(near) => format!("write `{near}`\nnote: the keys are {all}"),
        None => format!("the keys are {all}"),
    };
    syn::Error::new(key.span(), format!("`{key}` is not a key of {attribute}\nhelp: {help}"))
}
