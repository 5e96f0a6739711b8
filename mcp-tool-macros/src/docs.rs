//! The description of a tool: a string, an expression, or the doc comment of the function.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, parse_quote};

/// Where the text of a description comes from.
#[derive(Clone)]
pub(crate) enum Description {
    Literal(String),
    /// An expression that rustc evaluates to the text.
    Expr(TokenStream),
    /// A doc comment. Only rustc knows the text of `#[doc = include_str!(…)]`, so the runtime, not the macro, removes
    /// the sections for Rust callers.
    Docs {
        text: TokenStream,
        is_blank: bool,
    },
}

impl Description {
    /// Returns `true` if the macro can see that the description is empty. Sections for Rust callers do not count as
    /// text.
    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Self::Literal(text) => text.trim().is_empty(),
            Self::Expr(_) => false,
            Self::Docs { is_blank, .. } => *is_blank,
        }
    }
}

impl ToTokens for Description {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Literal(text) => text.to_tokens(tokens),
            Self::Expr(expr) => expr.to_tokens(tokens),
            Self::Docs { text, .. } => quote!(&__mcp_tool::description_of(#text)).to_tokens(tokens),
        }
    }
}

/// Sections for people who call the function from Rust. The runtime has the same list.
const RUST_SECTIONS: [&str; 4] = ["Errors", "Panics", "Safety", "Examples"];

/// Returns the description from a doc comment, or `None` if there is no doc comment.
pub(crate) fn description_from_docs(attrs: &[Attribute]) -> Option<Description> {
    let docs: Vec<Expr> = attrs.iter().map(shown).filter_map(|attr| doc(&attr).cloned()).collect();
    let literals: Vec<_> = docs.iter().map_while(literal).map(LitStr::value).collect();
    let text = literals.join("\n");
    let is_literal = literals.len() == docs.len();
    let is_blank = text.lines().map(str::trim).find(|line| !line.is_empty()).map_or(is_literal, is_rust_section);
    let text = if is_literal { text.into_token_stream() } else { quote!(::core::concat!(#(#docs, "\n"),*)) };
    (!docs.is_empty()).then_some(Description::Docs { text, is_blank })
}

fn doc(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    }
}

fn literal(doc: &Expr) -> Option<&LitStr> {
    match doc {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// Returns the text of a doc attribute, unless a macro produces it, as in `#[doc = include_str!("…")]`.
pub(crate) fn text(attr: &Attribute) -> Option<String> {
    doc(attr).and_then(literal).map(LitStr::value)
}

/// Returns an attribute with the text that rustdoc shows: for a block comment, without the stars at the start of its
/// lines.
pub(crate) fn shown(attr: &Attribute) -> Attribute {
    let block = doc(attr).and_then(literal).filter(|literal| {
        let is_block = |source: String| source.starts_with("/*");
        literal.value().contains('\n') && literal.span().source_text().is_none_or(is_block)
    });
    let text = block.map(|literal| LitStr::new(&without_stars(&literal.value()), literal.span()));
    text.map_or_else(|| attr.clone(), |text| parse_quote!(#[doc = #text]))
}

/// Returns the text of a block comment without the column of stars and the common indentation.
fn without_stars(block: &str) -> String {
    let (first, rest) = block.split_once('\n').unwrap_or((block, ""));
    let written = || rest.lines().filter(|line| !line.trim().is_empty());
    let column = |line: &str| line.find('*').filter(|at| line[..*at].trim().is_empty());
    let stars = written().next().and_then(column).filter(|at| written().all(|line| column(line) == Some(*at)));
    let from = stars.map_or(0, |at| at + 1);
    let after_stars = |line| str::get(line, from..).unwrap_or_default();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = written().map(after_stars).filter(|line| !line.trim().is_empty()).map(indent).min();
    let lines =
        rest.lines().map(after_stars).map(|line| line.get(common.unwrap_or(0)..).unwrap_or_default().trim_end());
    [first.trim()].into_iter().chain(lines).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn is_rust_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    heading.len() < line.len() && RUST_SECTIONS.contains(&heading.trim())
}

#[cfg(test)]
mod tests {
    use super::without_stars;

    #[test]
    fn a_block_comment_is_published_without_stars_and_indentation() {
        for (block, shown) in [
            ("\n * Adds.\n *\n * - a\n *   b\n ", "Adds.\n\n- a\n  b"),
            (" Adds.\n     * More.\n     *\n     * Most.\n     ", "Adds.\nMore.\n\nMost."),
            ("\n     Adds.\n       code\n\n     More.\n    ", "Adds.\n  code\n\nMore."),
            ("\n\t * Adds.\n\t *", "Adds."),
            (" List:\n   * a\n   b", "List:\n* a\nb"),
            ("\n * *Adds*\n * more\n", "*Adds*\nmore"),
            ("\r\n * Adds.\r\n * ü\r\n ", "Adds.\nü"),
        ] {
            assert_eq!(without_stars(block), shown, "{block:?}");
        }
    }
}
