//! The values of keys. What cannot be one is told what the key takes, and how it is written.

use proc_macro2::{Ident, Span, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprLit, Lit, LitBool, LitStr, Path, Token};

use crate::docs::Text;
use crate::paths;

/// What a key takes, for the errors of its value.
pub(crate) struct Takes<'k> {
    pub(crate) key: &'k Ident,
    pub(crate) what: &'static str,
    pub(crate) example: &'static str,
}

impl Takes<'_> {
    fn error(&self, at: Span, example: Option<String>) -> syn::Error {
        let Self { key, what, .. } = self;
        let example = example.unwrap_or_else(|| self.example.to_owned());
        syn::Error::new(at, format!("`{key}` takes {what}\nhelp: write `{key} = {example}`"))
    }

    /// Reads the `=` before the value.
    fn equals(&self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.parse::<Option<Token![=]>>()?.is_some() && !ends(input) {
            return Ok(());
        }
        // `key("…")` and `key: "…"` are wrong where they go on, `key` alone is wrong itself.
        let alone = ends(input) || input.peek(syn::Ident);
        Err(self.error(if alone { self.key.span() } else { next_span(input) }, None))
    }

    /// Reads `= value`.
    pub(crate) fn value<T: Parse>(&self, input: ParseStream<'_>) -> syn::Result<T> {
        self.equals(input)?;
        let at = next_span(input);
        // A path between quotes is what other libraries take.
        let quoted = input.fork().parse::<LitStr>().ok().filter(|text| text.parse::<T>().is_ok());
        input.parse().map_err(|_| self.error(at, quoted.map(|text| text.value())))
    }
}

/// An expression without the invisible parentheses around what a macro passes on.
pub(crate) fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        expr => expr,
    }
}

fn ends(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

/// The place of the next token, or of the end.
pub(crate) fn next_span(input: ParseStream<'_>) -> Span {
    input.fork().parse::<TokenTree>().map_or_else(|_| input.span(), |token| token.span())
}

/// A flag stands alone for `true`.
pub(crate) fn flag(input: ParseStream<'_>, key: &Ident) -> syn::Result<bool> {
    if ends(input) || input.peek(syn::Ident) {
        return Ok(true);
    }
    let takes = Takes { key, what: "`true` or `false`", example: "true" };
    Ok(takes.value::<LitBool>(input)?.value)
}

/// A string, as it stands in the source.
pub(crate) fn string(input: ParseStream<'_>, takes: &Takes<'_>) -> syn::Result<LitStr> {
    takes.equals(input)?;
    let at = next_span(input);
    match input.parse().map(ungrouped) {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(text),
        Ok(Expr::Path(path)) if is_constant(&path.path) => {
            let Takes { key, what, .. } = takes;
            let message = format!("`{key}` takes {what}, and no macro sees the value of a constant");
            Err(syn::Error::new_spanned(&path, format!("{message}\nhelp: write the text itself: `{key} = \"…\"`")))
        }
        Ok(other) => {
            let simple = matches!(&other, Expr::Lit(_) | Expr::Path(_)).then(|| other.to_token_stream().to_string());
            let quoted = simple.map(|text| format!("\"{}\"", text.trim_matches('\'')));
            let error = takes.error(at, quoted);
            Err(syn::Error::new_spanned(other, error))
        }
        Err(_) => Err(takes.error(at, None)),
    }
}

/// Whether a path is spelt like a constant.
fn is_constant(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    last.len() > 1 && !last.contains(char::is_lowercase)
}

/// A string, where a word or a number without quotes says nothing of how it is written with them.
pub(crate) fn strict_string(input: ParseStream<'_>, takes: &Takes<'_>) -> syn::Result<LitStr> {
    takes.equals(input)?;
    let at = next_span(input);
    match input.parse().map(ungrouped) {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(text),
        Ok(other) => Err(syn::Error::new_spanned(other, takes.error(at, None))),
        Err(_) => Err(takes.error(at, None)),
    }
}

/// A string, or an expression that gives one.
pub(crate) fn text(input: ParseStream<'_>, key: &Ident) -> syn::Result<Text> {
    let takes = Takes { key, what: "a string, a constant, `concat!(…)` or `include_str!(…)`", example: "\"…\"" };
    takes.equals(input)?;
    let at = next_span(input);
    match input.parse().map(ungrouped) {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(Text::Known(text.value())),
        Ok(expr @ (Expr::Path(_) | Expr::Macro(_))) => Ok(Text::Expr(expr.into_token_stream())),
        Ok(other) => Err(syn::Error::new_spanned(other, takes.error(at, None))),
        Err(_) => Err(takes.error(at, None)),
    }
}

/// The path after `crate =`, which has to mean the same everywhere.
pub(crate) fn krate(input: ParseStream<'_>, key: &Ident) -> syn::Result<Path> {
    let takes = Takes { key, what: "the path of the runtime", example: "::mcp_tool_runtime" };
    takes.equals(input)?;
    let at = next_span(input);
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let name = text.value();
        let path = name.strip_prefix("::").unwrap_or(&name);
        return Err(takes.error(at, Some(format!("::{path}"))));
    }
    let path: Path = Path::parse_mod_style(input).map_err(|_| takes.error(at, None))?;
    if paths::is_absolute(&path) {
        return Ok(path);
    }
    let written = path.to_token_stream().to_string().replace(' ', "");
    let help = match written.strip_prefix("self::") {
        _ if written.starts_with("super") => "write the path from the root of the crate: `crate::…`".to_owned(),
        Some(rest) => format!("write the path from the root of the crate: `crate::…::{rest}`"),
        None => format!("write `crate = ::{written}`, or `crate = crate::{written}` for a path in this crate"),
    };
    Err(syn::Error::new_spanned(path, format!("the path of the runtime must be absolute\nhelp: {help}")))
}
