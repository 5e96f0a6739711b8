//! The description of a tool: a text, an expression, or the doc comment of the function.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of a description.
#[derive(Clone)]
pub(crate) enum Description {
    Literal(String),
    /// An expression that rustc evaluates to the text.
    Expr(TokenStream),
    /// A doc comment. Only rustc knows the text of `#[doc = include_str!(…)]`, so the runtime removes the sections for
    /// Rust callers.
    Docs {
        text: TokenStream,
        is_blank: bool,
    },
}

impl Description {
    /// Returns `true` if the macro can read the text, and it is empty.
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
    let docs: Vec<&Expr> = attrs.iter().filter_map(doc).collect();
    let literals: Vec<_> = docs.iter().map_while(|doc| literal(doc)).collect();
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

fn literal(doc: &Expr) -> Option<String> {
    match doc {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

fn is_rust_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    heading.len() < line.len() && RUST_SECTIONS.contains(&heading.trim())
}
