//! Parses the values of keys. Each error says what the key takes and how to write it.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprLit, Lit, LitBool, LitStr, Path, Token, parse_quote};

use super::list::{KeyValue, next_span};
use crate::docs::Description;
use crate::{errors, types};

/// What a key takes.
pub(crate) struct Expected<'k> {
    pub(crate) key: &'k Ident,
    pub(crate) what: &'static str,
    pub(crate) example: &'static str,
}

impl Expected<'_> {
    fn message(&self, example: Option<&str>) -> String {
        let Self { key, what, .. } = self;
        let example = example.unwrap_or(self.example);
        format!("`{key}` takes {what}\nhelp: write `{key} = {example}`")
    }

    fn error(&self, span: Span, example: Option<&str>) -> syn::Error {
        syn::Error::new(span, self.message(example))
    }

    /// Parses the `=` before the value.
    fn parse_equals(&self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.parse::<Option<Token![=]>>()?.is_some() && !at_end(input) {
            return Ok(());
        }
        // The error of `key("…")` and `key: "…"` is after the key. The error of a key without a value is at the key.
        let is_alone = at_end(input) || input.peek(syn::Ident);
        Err(self.error(if is_alone { self.key.span() } else { next_span(input) }, None))
    }

    /// Parses `= value`.
    pub(crate) fn parse<T: Parse>(&self, input: ParseStream<'_>) -> syn::Result<T> {
        self.parse_equals(input)?;
        let span = next_span(input);
        // Other libraries take paths in quotes: the help shows the path without them.
        let quoted = input.fork().parse::<LitStr>().ok().filter(|text| text.parse::<T>().is_ok());
        input.parse().map_err(|_| self.error(span, quoted.map(|text| text.value()).as_deref()))
    }

    /// Parses `= expression`.
    fn parse_expression(&self, input: ParseStream<'_>) -> syn::Result<Expr> {
        self.parse_equals(input)?;
        let span = next_span(input);
        input.parse().map(ungrouped).map_err(|_| self.error(span, None))
    }

    /// Parses `= "…"`. For another simple value, the help shows the value in quotes.
    pub(crate) fn parse_string(&self, input: ParseStream<'_>) -> syn::Result<LitStr> {
        match self.parse_expression(input)? {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
            Expr::Path(path) if is_constant(&path.path) => {
                let Self { key, what, .. } = self;
                let message = format!("`{key}` takes {what}: a macro cannot read the value of a constant");
                Err(errors::spanned(path, message, format!("write the text itself: `{key} = \"…\"`")))
            }
            other => {
                let quoted = is_simple(&other)
                    .then(|| format!("\"{}\"", other.to_token_stream().to_string().trim_matches('\'')));
                Err(syn::Error::new_spanned(other, self.message(quoted.as_deref())))
            }
        }
    }

    /// Parses `= "…"`. For another value the help shows an example: that value in quotes would be wrong too.
    pub(crate) fn parse_exact_string(&self, input: ParseStream<'_>) -> syn::Result<LitStr> {
        match self.parse_expression(input)? {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
            other => Err(syn::Error::new_spanned(other, self.message(None))),
        }
    }
}

/// Returns `true` for a value that becomes a string in quotes.
pub(crate) fn is_simple(value: &Expr) -> bool {
    match value {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::ByteStr(_) | Lit::CStr(_) | Lit::Byte(_)),
        other => matches!(other, Expr::Path(_)),
    }
}

/// Removes the invisible groups around an expression that another macro passed on.
pub(crate) fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        expr => expr,
    }
}

fn at_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

/// Parses a flag, or `= true` and `= false`.
pub(crate) fn flag(input: ParseStream<'_>, key: &Ident) -> syn::Result<bool> {
    if at_end(input) || input.peek(syn::Ident) {
        return Ok(true);
    }
    let expected = Expected { key, what: "`true` or `false`", example: "true" };
    Ok(expected.parse::<LitBool>(input)?.value)
}

/// The value of `task`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskKey {
    Off,
    Optional,
    Required,
}

/// Parses a flag, or `= "required"`.
pub(crate) fn task(input: ParseStream<'_>, key: &Ident) -> syn::Result<TaskKey> {
    if at_end(input) || input.peek(syn::Ident) {
        return Ok(TaskKey::Optional);
    }
    let expected = Expected { key, what: "`true`, `false` or `\"required\"`", example: "\"required\"" };
    match expected.parse_expression(input)? {
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => {
            Ok(if flag.value { TaskKey::Optional } else { TaskKey::Off })
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value() == "required" => Ok(TaskKey::Required),
        other => Err(syn::Error::new_spanned(other, expected.message(None))),
    }
}

/// Parses the number of tokens of a budget.
pub(crate) fn budget(input: ParseStream<'_>, key: &Ident) -> syn::Result<u32> {
    let expected = Expected { key, what: "a whole number of tokens, which is not 0", example: "8_000" };
    let value = expected.parse_expression(input)?;
    let tokens = match &value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => number.base10_parse().ok(),
        _ => None,
    };
    let tokens = tokens.filter(|tokens| *tokens > 0);
    tokens.ok_or_else(|| syn::Error::new_spanned(value, expected.message(None)))
}

/// Returns `true` if a path is spelt like a constant.
pub(crate) fn is_constant(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    last.len() > 1 && !last.contains(char::is_lowercase)
}

/// Parses a string, or an expression that evaluates to one.
pub(crate) fn description(input: ParseStream<'_>, key: &Ident) -> syn::Result<Description> {
    let what = "a string, a constant, `concat!(…)` or `include_str!(…)`";
    let expected = Expected { key, what, example: "\"…\"" };
    match expected.parse_expression(input)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(Description::Literal(text.value())),
        expr @ (Expr::Path(_) | Expr::Macro(_)) => Ok(Description::Expr(expr.into_token_stream())),
        other => Err(syn::Error::new_spanned(other, expected.message(None))),
    }
}

/// Parses the path after `crate =`. It has to name the runtime from every module, so it is absolute.
pub(crate) fn crate_path(input: ParseStream<'_>, key: &Ident) -> syn::Result<Path> {
    let expected = Expected { key, what: "the path of the runtime", example: "::mcp_tool_runtime" };
    expected.parse_equals(input)?;
    let span = next_span(input);
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let name = text.value();
        // In code, the name of a package has underscores.
        let path = name.strip_prefix("::").unwrap_or(&name).replace('-', "_");
        return Err(expected.error(span, Some(&format!("::{path}"))));
    }
    let path: Path = Path::parse_mod_style(input).map_err(|_| expected.error(span, None))?;
    if path.leading_colon.is_some() || path.segments.first().is_some_and(|first| first.ident == "crate") {
        return Ok(path);
    }
    let written = types::written(&path);
    let help = match written.strip_prefix("self::") {
        _ if written.starts_with("super") => "write the path from the root of the crate: `crate::…`".to_owned(),
        Some(rest) => format!("write the path from the root of the crate: `crate::…::{rest}`"),
        None => format!("write `crate = ::{written}`, or `crate = crate::{written}` for a path in this crate"),
    };
    Err(errors::spanned(path, "the path of the runtime must be absolute", help))
}

/// Returns the path of the runtime: the value of `crate`, or the default.
pub(crate) fn runtime(key: Option<&KeyValue<Path>>) -> Path {
    key.map_or_else(|| parse_quote!(::mcp_tool_runtime), |key| key.value.clone())
}
