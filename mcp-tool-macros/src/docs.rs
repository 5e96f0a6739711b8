//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A text that is known while expanding, or an expression that gives one.
#[derive(Clone)]
pub(crate) enum Text {
    Known(String),
    Expr(TokenStream),
}

impl Text {
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Self::Known(text) if text.trim().is_empty())
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Known(text) => text.to_tokens(tokens),
            Self::Expr(expr) => expr.to_tokens(tokens),
        }
    }
}

/// Sections for people who call the function from Rust; a model has no use for them, nor for what follows.
const SECTIONS: [&str; 4] = ["Errors", "Panics", "Safety", "Examples"];

/// The doc comment up to the first section that is not for a model.
pub(crate) fn description(attrs: &[Attribute]) -> Option<Text> {
    let docs: Vec<&Expr> = attrs.iter().filter_map(doc).collect();
    let mut known = Vec::new();
    for doc in &docs {
        match doc {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => known.push(text.value()),
            // `#[doc = include_str!(…)]`: the text is there only when the crate is compiled.
            _ => return Some(Text::Expr(quote!(::core::concat!(#(#docs, "\n"),*)))),
        }
    }
    (!known.is_empty()).then(|| Text::Known(summary(&known.join("\n"))))
}

fn doc(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    }
}

fn summary(text: &str) -> String {
    let blank = |line: &&str| line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common = text.lines().filter(|line| !blank(line)).map(indent).min().unwrap_or(0);
    let lines = text.lines().map(|line| line.get(common..).unwrap_or_default().trim_end());
    let kept: Vec<_> = lines.take_while(|line| !is_section(line)).collect();
    kept.join("\n").trim().to_owned()
}

fn is_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    heading.len() < line.len() && SECTIONS.contains(&heading.trim())
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn ends_before_the_sections_for_people() {
        assert_eq!(summary(" Adds.\n\n  - a\n # Errors\n\n Never."), "Adds.\n\n - a");
        assert_eq!(summary(" Adds.\n ## Examples\n x"), "Adds.");
        assert_eq!(summary(" # Adding\n Adds # Errors"), "# Adding\nAdds # Errors");
        assert_eq!(summary(" # Errors\n none"), "");
    }
}
