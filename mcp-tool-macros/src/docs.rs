//! The description of a tool, from its doc comment.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A description that the macro can read, or an expression that rustc evaluates to one.
#[derive(Clone)]
pub(crate) enum Description {
    Literal(String),
    Expr(TokenStream),
}

impl Description {
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Self::Literal(text) if text.trim().is_empty())
    }
}

impl ToTokens for Description {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Literal(text) => text.to_tokens(tokens),
            Self::Expr(expr) => expr.to_tokens(tokens),
        }
    }
}

/// Sections for people who call the function from Rust. The description ends before the first of them.
const RUST_SECTIONS: [&str; 4] = ["Errors", "Panics", "Safety", "Examples"];

/// Returns the description from a doc comment, or `None` if there is no doc comment.
pub(crate) fn description(attrs: &[Attribute]) -> Option<Description> {
    let docs: Vec<&Expr> = attrs.iter().filter_map(doc).collect();
    let mut lines = Vec::new();
    for doc in &docs {
        match doc {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => lines.push(text.value()),
            // `#[doc = include_str!(…)]`: only rustc knows the text, so its sections for Rust callers stay.
            _ => return Some(Description::Expr(quote!(::core::concat!(#(#docs, "\n"),*)))),
        }
    }
    (!lines.is_empty()).then(|| Description::Literal(before_rust_sections(&lines.join("\n"))))
}

fn doc(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    }
}

/// Removes the common indent, and the text from the first section for Rust callers on.
fn before_rust_sections(text: &str) -> String {
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common_indent = text.lines().filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0);
    let lines = text.lines().map(|line| line.get(common_indent..).unwrap_or_default().trim_end());
    let lines: Vec<_> = lines.take_while(|line| !is_rust_section(line)).collect();
    lines.join("\n").trim().to_owned()
}

fn is_rust_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    heading.len() < line.len() && RUST_SECTIONS.contains(&heading.trim())
}

#[cfg(test)]
mod tests {
    use super::before_rust_sections;

    #[test]
    fn the_description_ends_before_the_sections_for_rust_callers() {
        assert_eq!(before_rust_sections(" Adds.\n\n  - a\n # Errors\n\n Never."), "Adds.\n\n - a");
        assert_eq!(before_rust_sections(" Adds.\n ## Examples\n x"), "Adds.");
        assert_eq!(before_rust_sections(" # Adding\n Adds # Errors"), "# Adding\nAdds # Errors");
        assert_eq!(before_rust_sections(" # Errors\n none"), "");
    }
}
