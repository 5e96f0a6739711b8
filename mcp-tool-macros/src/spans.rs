//! The spans of generated code, and of its variables.

use proc_macro2::{Ident, Span};

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
