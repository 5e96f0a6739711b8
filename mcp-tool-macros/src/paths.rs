//! Names in generated code: the spans of its variables, and an alias that replaces `Self`.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// Returns the identifier of a variable in generated code. rustc reports errors about it at `span`.
///
/// The identifier has the location of `span`, but the hygiene of this macro. If another macro passes on the author's
/// tokens, their hygiene can differ. Two identifiers of one name with different hygiene are different variables.
pub(crate) fn variable(name: &str, span: Span) -> Ident {
    Ident::new(name, located_at(span))
}

/// Returns a span for generated code. rustc reports errors in that code at the location of `span`.
pub(crate) fn located_at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// The alias of the service's type in generated code, where `Self` is the handler.
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
