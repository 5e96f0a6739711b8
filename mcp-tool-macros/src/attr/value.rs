//! Parses the values of keys. Each error says what the key takes and how to write it.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, ExprMacro, GenericArgument, Lit, LitBool, LitStr, Path, PathArguments, Token, parse_quote};

use super::next_span;
use crate::docs::Description;
use crate::errors::{self, Errors};
use crate::types;

/// What a key takes, for error messages.
#[derive(Clone, Copy)]
pub(crate) struct Expected<'k> {
    pub(crate) key: &'k Ident,
    pub(crate) takes: &'static str,
    pub(crate) example: &'static str,
}

impl Expected<'_> {
    fn message(&self, example: Option<&str>) -> String {
        let Self { key, takes, .. } = self;
        let example = example.unwrap_or(self.example);
        format!("`{key}` takes {takes}\nhelp: write `{key} = {example}`")
    }

    fn error(&self, span: Span, example: Option<&str>) -> syn::Error {
        syn::Error::new(span, self.message(example))
    }

    fn at(&self, tokens: impl ToTokens, example: Option<&str>) -> syn::Error {
        syn::Error::new_spanned(tokens, self.message(example))
    }

    /// Parses the `=` before the value.
    fn parse_equals(&self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.parse::<Option<Token![=]>>()?.is_some() && !at_end(input) {
            return Ok(());
        }
        // In `key("…")` and `key: "…"`, point at what follows the key. If nothing follows, or another key does, point
        // at the key itself.
        let is_alone = at_end(input) || input.peek(syn::Ident);
        Err(self.error(if is_alone { self.key.span() } else { next_span(input) }, None))
    }

    /// Parses `= value`.
    pub(crate) fn parse<T: Parse>(&self, input: ParseStream<'_>) -> syn::Result<T> {
        self.parse_equals(input)?;
        let span = next_span(input);
        // serde and other libraries take paths in quotes. If the value would be right without its quotes, show it that
        // way in the error.
        let quoted = input.fork().parse::<LitStr>().ok().filter(|text| text.parse::<T>().is_ok());
        input.parse().map_err(|_| self.error(span, quoted.map(|text| text.value()).as_deref()))
    }

    /// Parses `= expression`.
    fn parse_expression(&self, input: ParseStream<'_>) -> syn::Result<Expr> {
        self.parse_equals(input)?;
        let span = next_span(input);
        input.parse().map(ungrouped).map_err(|_| self.error(span, None))
    }
}

/// Parses `= value`.
pub(crate) fn value<T: Parse>(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<T> {
    expected.parse(input)
}

/// Parses `= "…"` or `= concat!(…)`. If another simple value is found, the help shows that value in quotes.
pub(crate) fn text(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<LitStr> {
    let expr = expected.parse_expression(input)?;
    if let Some(text) = concatenated(&expr) {
        return Ok(LitStr::new(&text, expr.span()));
    }
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
        Expr::Path(path) if is_constant(&path.path) => {
            let Expected { key, takes, .. } = expected;
            let message = format!("`{key}` takes {takes}: a macro cannot read the value of a constant");
            Err(errors::spanned(path, message, format!("write the text itself: `{key} = \"…\"`")))
        }
        other => {
            let written = other.to_token_stream().to_string();
            let quoted = is_simple(&other).then(|| format!("\"{}\"", written.trim_matches('\'')));
            Err(expected.at(other, quoted.as_deref()))
        }
    }
}

/// Returns the text of `concat!(…)` if each part is a string, integer, character, boolean or another `concat!`.
fn concatenated(expr: &Expr) -> Option<String> {
    let Expr::Macro(ExprMacro { mac, .. }) = expr else { return None };
    mac.path.segments.last().filter(|last| last.ident == "concat")?;
    let parts = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
    let parts = parts.into_iter().map(ungrouped).map(|part| match &part {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => Some(number.base10_digits().to_owned()),
        Expr::Lit(ExprLit { lit: Lit::Char(character), .. }) => Some(character.value().to_string()),
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => Some(flag.value.to_string()),
        part => concatenated(part),
    });
    parts.collect()
}

/// Parses what follows a flag: nothing, `= true` or `= false`.
pub(crate) fn flag(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<bool> {
    if at_end(input) || input.peek(syn::Ident) {
        return Ok(true);
    }
    Ok(Expected { example: "true", ..*expected }.parse::<LitBool>(input)?.value)
}

/// The value of the key `task`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskKey {
    Off,
    Optional,
    Required,
}

/// Parses what follows `task`: nothing, `= true`, `= false` or `= "required"`.
pub(crate) fn task(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<TaskKey> {
    if at_end(input) || input.peek(syn::Ident) {
        return Ok(TaskKey::Optional);
    }
    let expected = Expected { example: "\"required\"", ..*expected };
    match expected.parse_expression(input)? {
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => {
            Ok(if flag.value { TaskKey::Optional } else { TaskKey::Off })
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value() == "required" => Ok(TaskKey::Required),
        other => Err(expected.at(other, None)),
    }
}

/// Parses a budget: a positive number of tokens.
pub(crate) fn budget(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<u32> {
    let value = expected.parse_expression(input)?;
    let tokens = match &value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => number.base10_parse().ok(),
        _ => None,
    };
    tokens.filter(|tokens| *tokens > 0).ok_or_else(|| expected.at(value, None))
}

/// Parses a rate such as `"20/min"`, and returns its text, which the runtime parses again.
pub(crate) fn rate(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<LitStr> {
    let text = match expected.parse_expression(input)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text,
        other => return Err(expected.at(other, None)),
    };
    let value = text.value();
    let (calls, unit) = value.split_once('/').unwrap_or_default();
    let is_number = calls.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && matches!(calls.parse::<u32>(), Ok(1..=1_000_000)) && ["s", "min", "h", "day"].contains(&unit) {
        return Ok(text);
    }
    let help = "write a number of calls from 1 to 1000000 and one of `/s`, `/min`, `/h`, `/day`: `limit = \"20/min\"`";
    Err(errors::spanned(text, format!("`{value}` is not a rate"), help))
}

/// Parses a duration such as `"5s"`, for `timeout`, `heartbeat` and `once`, and returns it in milliseconds.
pub(crate) fn timeout(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<u64> {
    let Expected { key, example, .. } = expected;
    let (noun, zero) = match key.to_string().as_str() {
        "timeout" => ("time-out", "a time-out of zero leaves no time to answer"),
        "heartbeat" => ("time", "a heartbeat of zero would never pause"),
        _ => ("time", "within no time, no call is repeated"),
    };
    let text = match expected.parse_expression(input)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text,
        other => return Err(expected.at(other, None)),
    };
    let value = text.value();
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = value.split_at(digits);
    let factor = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    match factor.and_then(|factor| number.parse::<u64>().ok()?.checked_mul(factor)) {
        Some(0) => {
            let help = format!("write a longer {noun}, or remove `{key}`");
            Err(errors::spanned(text, zero, help))
        }
        Some(milliseconds) => Ok(milliseconds),
        None => {
            let help = format!("write a whole number and one of `ms`, `s`, `m`, `h`: `{key} = {example}`");
            Err(errors::spanned(text, format!("`{value}` is not a {noun}"), help))
        }
    }
}

/// Parses a string, or a path or a macro that evaluates to a string.
pub(crate) fn description(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<Description> {
    match expected.parse_expression(input)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(Description::Literal(text.value())),
        expr @ (Expr::Path(_) | Expr::Macro(_)) => Ok(Description::Expr(expr.into_token_stream())),
        other => Err(expected.at(other, None)),
    }
}

/// The value of the key `output` or `text`: `off`, or else a type for `output` and a path for `text`.
#[derive(Clone)]
pub(crate) enum OrOff<T> {
    Off,
    Value(T),
}

impl<T: Parse> Parse for OrOff<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        if ahead.parse::<Ident>().is_ok_and(|ident| ident == "off") && at_end(&ahead) {
            return input.parse::<Ident>().map(|_| Self::Off);
        }
        input.parse().map(Self::Value)
    }
}

/// Parses the path of a hand-written schema: a constant, or a function without parentheses.
pub(crate) fn schema_path(expected: &Expected<'_>, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Path> {
    let Expected { key, takes, .. } = expected;
    let path: Path = expected.parse(input)?;
    let help_for_type = |ty: &str| {
        if *key == "input_schema" {
            format!("write `#[mcp_tool(arguments)] arguments: {ty}` on the parameters")
        } else {
            format!("write `output = {ty}`")
        }
    };
    let not_a_path = |help| Err(errors::spanned(&path, format!("`{key}` takes {takes}, not an expression"), help));
    if input.peek(Token![!]) {
        let help = format!(
            "write `fn schema() -> serde_json::Value {{ serde_json::json!(…) }}`, and name it: `{key} = schema`"
        );
        return not_a_path(help);
    }
    let last = path.segments.last();
    if input.peek(syn::token::Paren) {
        // For a call such as the official SDK's `schema_for_type::<T>()`, the help is about `T`.
        let ty = last.and_then(|last| match &last.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.first(),
            _ => None,
        });
        return not_a_path(match ty {
            Some(GenericArgument::Type(ty)) => help_for_type(&types::written(ty)),
            _ => format!("write `{key} = {}`, without parentheses", types::written(&path)),
        });
    }
    let last = last.map(|last| last.ident.to_string()).unwrap_or_default();
    if last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase) {
        let message = format!("`{key}` takes {takes}, and `{last}` is a type");
        errors.report(&path, message, help_for_type(&last));
    }
    Ok(path)
}

/// Parses the path after `crate =`, which must be absolute to work in every module.
pub(crate) fn crate_path(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<Path> {
    expected.parse_equals(input)?;
    let span = next_span(input);
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let name = text.value();
        // The text may be the name of the package, `mcp-tool-runtime`. The path needs the name of its crate, which has
        // `_` instead of `-`.
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
pub(crate) fn runtime(given: Option<&Path>) -> Path {
    given.cloned().unwrap_or_else(|| parse_quote!(::mcp_tool_runtime))
}

/// A piece of text with its escapes resolved, and the name and the format of the placeholder after it, if there is one.
type FormatPiece<'t> = (String, Option<(&'t str, &'t str)>);

/// Splits a format string at its placeholders. Returns `None` if a brace is not paired.
pub(crate) fn split_format(mut rest: &str) -> Option<Vec<FormatPiece<'_>>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    while let Some(index) = rest.find(['{', '}']) {
        let (before, from_brace) = rest.split_at(index);
        text.push_str(before);
        if from_brace.starts_with("{{") || from_brace.starts_with("}}") {
            text.push_str(&from_brace[..1]);
            rest = &from_brace[2..];
            continue;
        }
        let (placeholder, after) = from_brace.strip_prefix('{')?.split_once('}')?;
        let (name, format) = placeholder.split_at(placeholder.find(':').unwrap_or(placeholder.len()));
        pieces.push((std::mem::take(&mut text), Some((name.trim(), format))));
        rest = after;
    }
    pieces.push((text + rest, None));
    Some(pieces)
}

fn at_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

/// Returns `true` for a value that needs only quotes to become a string.
pub(crate) fn is_simple(value: &Expr) -> bool {
    match value {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::ByteStr(_) | Lit::CStr(_) | Lit::Byte(_)),
        other => matches!(other, Expr::Path(_)),
    }
}

/// Returns `true` if a path is spelt like a constant.
pub(crate) fn is_constant(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    last.contains(char::is_uppercase) && !last.contains(char::is_lowercase)
}

/// Removes the invisible groups that enclose an expression if another macro passed it on.
pub(crate) fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        expr => expr,
    }
}
