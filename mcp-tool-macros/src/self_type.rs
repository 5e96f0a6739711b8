//! Replaces `Self` in attributes by an alias of the service's type: in generated code, `Self` is the handle type. For types, see `types`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// The alias of the service's type.
pub(crate) const SERVICE: &str = "__Service";

/// Returns the first `Self` in `tokens`.
pub(crate) fn find_self(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident).filter(|ident| ident == "Self"),
        TokenTree::Group(group) => find_self(group.stream()),
        _ => None,
    })
}

/// Replaces `Self` by [`SERVICE`].
pub(crate) fn replace_self(tokens: TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Ident::new(SERVICE, ident.span()).into(),
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace_self(group.stream()));
            replaced.set_span(group.span());
            replaced.into()
        }
        token => token,
    };
    tokens.into_iter().map(replace).collect()
}
