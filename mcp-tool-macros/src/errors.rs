//! Every mistake of one item, reported together.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    left_to_rustc: bool,
}

impl Errors {
    /// A mistake, under the tokens that are it.
    pub(crate) fn push(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.found.push(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake and what to write instead.
    pub(crate) fn help(&mut self, tokens: impl ToTokens, message: impl Display, help: impl Display) {
        self.push(tokens, format!("{message}\nhelp: {help}"));
    }

    /// A mistake that syn found.
    pub(crate) fn syn(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// A mistake that the compiler finds in the function itself, and says better.
    pub(crate) fn leave_to_rustc(&mut self) {
        self.left_to_rustc = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty() && !self.left_to_rustc
    }

    /// One `compile_error!` for each mistake.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.found.iter().map(syn::Error::to_compile_error).collect()
    }
}

/// The known word that a mistaken one was probably meant for.
pub(crate) fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let plain = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let word = plain(word);
    let starts = known.iter().find(|candidate| {
        let candidate = plain(candidate);
        word.len() >= 4 && (candidate.starts_with(&word) || word.starts_with(&candidate))
    });
    let closest = || {
        let distance = |candidate: &&&str| strsim::osa_distance(&word, &plain(candidate));
        known.iter().min_by_key(distance).filter(|candidate| distance(candidate) <= 1 + word.len() / 4)
    };
    starts.or_else(closest).copied()
}
