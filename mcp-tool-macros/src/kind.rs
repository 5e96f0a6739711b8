//! What was under the attribute, when it was no function.

use proc_macro2::{Ident, TokenStream, TokenTree};

const KINDS: [(&str, &str); 11] = [
    ("struct", "a struct"),
    ("enum", "an enum"),
    ("union", "a union"),
    ("mod", "a module"),
    ("trait", "a trait"),
    ("impl", "an impl block"),
    ("const", "a constant"),
    ("static", "a static"),
    ("type", "a type alias"),
    ("use", "an import"),
    ("extern", "an extern item"),
];

/// The word that says what an item is, and what it is.
pub(crate) fn of(item: &TokenStream) -> Option<(Ident, &'static str)> {
    let mut tokens = item.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            // An attribute, with its brackets.
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next();
            }
            TokenTree::Ident(word) => {
                if let Some((_, kind)) = KINDS.iter().find(|(keyword, _)| word == keyword) {
                    return Some((word, kind));
                }
                if matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!') {
                    return Some((word, "a macro call"));
                }
            }
            // `pub(crate)`
            TokenTree::Group(_) => {}
            _ => return None,
        }
    }
    None
}
