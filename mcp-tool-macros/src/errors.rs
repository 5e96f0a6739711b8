//! The errors of a macro, collected so that all of them are reported together, and the spans at which rustc reports its
//! own errors.

use std::fmt::Display;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    left_to_rustc: bool,
}

impl Errors {
    /// Adds an error that underlines all of `tokens`. `help` says what to write instead.
    pub(crate) fn report(&mut self, tokens: impl ToTokens, message: impl Display, help: impl Display) {
        self.found.push(spanned(tokens, message, help));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Stops the expansion without a message, because rustc reports this error better.
    pub(crate) fn leave_to_rustc(&mut self) {
        self.left_to_rustc = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty() && !self.left_to_rustc
    }

    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns one `compile_error!` per error.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.found.iter().map(syn::Error::to_compile_error).collect()
    }
}

/// Returns an error at `span`, with a `help:` line that says what to write instead. rustc shows this line unchanged.
pub(crate) fn error(span: Span, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new(span, format!("{message}\nhelp: {help}"))
}

/// Returns an error that underlines all of `tokens`, with a `help:` line.
pub(crate) fn spanned(tokens: impl ToTokens, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(tokens, format!("{message}\nhelp: {help}"))
}

/// Returns the known word that a misspelt `word` probably stands for, or `None` if no known word is similar.
pub(crate) fn nearest<'w>(word: &str, known: &'w [impl AsRef<str>]) -> Option<&'w str> {
    let normalised = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let word = normalised(word);
    let known = || known.iter().map(AsRef::as_ref);
    let prefix_match = known().find(|candidate: &&str| {
        let candidate = normalised(candidate);
        word.len() >= 4 && (candidate.starts_with(&word) || word.starts_with(&candidate))
    });
    let distance = |candidate: &&str| strsim::osa_distance(&word, &normalised(candidate));
    let closest = || known().min_by_key(distance).filter(|candidate| distance(candidate) <= 1 + word.len() / 4);
    prefix_match.or_else(closest)
}

/// Returns the identifier of a variable in generated code. rustc reports errors about it at `span`.
///
/// The variable has the hygiene of this macro. Tokens that another macro passed on may differ in hygiene, and then the
/// same name means a different variable.
pub(crate) fn variable(name: &str, span: Span) -> Ident {
    Ident::new(name, located_at(span))
}

/// Returns a span for generated code. rustc reports errors in that code at the location of `span`.
pub(crate) fn located_at(span: Span) -> Span {
    Span::call_site().located_at(span)
}
