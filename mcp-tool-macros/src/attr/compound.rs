//! Parses the keys that have their own list: `icon(…)`, `meta(…)`, `example_call(…)`, `tags(…)`, `scopes(…)`,
//! `formerly(…)`, `parts(…)`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::{ParseBuffer, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Token, parenthesized};

use super::keys::IconKeys;
use super::value::{Expected, is_simple, ungrouped};
use super::{Given as _, Keys as _, list, next_span, peek_string};
use crate::errors::{self, Errors};

/// Opens the parentheses after a key that has its own list, and returns their content unparsed. If the key has no
/// parentheses, returns an error whose help shows `example` after the key.
fn parentheses<'i>(expected: &Expected<'_>, input: ParseStream<'i>, example: &str) -> syn::Result<ParseBuffer<'i>> {
    let Expected { key, takes, .. } = expected;
    if !input.peek(syn::token::Paren) {
        return Err(errors::error(key.span(), format!("`{key}` takes {takes}"), format!("write `{key}{example}`")));
    }
    let content;
    parenthesized!(content in input);
    Ok(content)
}

/// An icon. It has a `src` unless an error was reported.
#[derive(Clone)]
pub(crate) struct Icon {
    pub(crate) keys: IconKeys,
    pub(crate) sizes: Vec<String>,
}

impl Icon {
    pub(crate) fn parse(expected: &Expected<'_>, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let example = peek_string(input).map(|url| format!("(src = {})", url.token()));
        let content = parentheses(expected, input, example.as_deref().unwrap_or(expected.example))?;
        let mut keys = IconKeys::default();
        keys.parse(&content, errors)?;
        if let Some(theme) = keys.theme.value().filter(|theme| !["light", "dark"].contains(&theme.value().as_str())) {
            let message = format!("`{}` is not an icon theme", theme.value());
            errors.report(theme, message, "write `\"light\"` or `\"dark\"`");
        }
        let written = keys.sizes.value();
        let sizes = written.map(LitStr::value).unwrap_or_default();
        let sizes: Vec<_> = sizes.split_whitespace().map(str::to_owned).collect();
        for size in sizes.iter().filter(|size| !is_size(size)) {
            let help = "write sizes such as `\"48x48 96x96\"`, or `\"any\"`";
            errors.report(written, format!("`{size}` is not an icon size"), help);
        }
        if keys.src.is_none() && !keys.may_be_wrong("src") {
            errors.report(expected.key, "an icon needs a `src`", "write `icon(src = \"https://…\")`");
        }
        Ok(Self { keys, sizes })
    }
}

fn is_size(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text == "any" || text.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}

/// The arguments of an example call: the name and the value of each.
pub(crate) type ExampleCall = Vec<(Ident, Expr)>;

/// Parses `example_call(location = "Paris", units = Units::Celsius)`.
pub(crate) fn example_call(
    expected: &Expected<'_>,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> syn::Result<ExampleCall> {
    let content = parentheses(expected, input, expected.example)?;
    let mut arguments = ExampleCall::new();
    list(&content, errors, |input, key, errors| {
        let expected = Expected { key, takes: "an expression of the parameter's type", example: "…" };
        let value = ungrouped(expected.parse(input)?);
        if arguments.iter().any(|(other, _)| other == key) {
            errors.report(key, format!("`{key}` is given twice"), "remove one of them");
        }
        arguments.push((key.clone(), value));
        Ok(())
    })?;
    Ok(arguments)
}

/// An entry of the definition's `_meta`.
#[derive(Clone)]
pub(crate) struct MetaEntry {
    pub(crate) key: LitStr,
    pub(crate) value: Expr,
}

impl MetaEntry {
    pub(crate) fn parse(expected: &Expected<'_>, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let content = parentheses(expected, input, expected.example)?;
        let parse = |content: ParseStream<'_>| {
            let wrong = |span| {
                errors::error(span, "`meta` takes a key and a value", format!("write `meta{}`", expected.example))
            };
            let key: LitStr = content.parse().map_err(|_| wrong(next_span(content)))?;
            if content.is_empty() {
                return Err(wrong(key.span()));
            }
            content.parse::<Token![=]>().map_err(|_| wrong(next_span(content)))?;
            let span = next_span(content);
            let value = content.parse().map_err(|_| wrong(span))?;
            content.parse::<Option<Token![,]>>()?;
            if !content.is_empty() {
                let message = "`meta` takes one key and its value";
                return Err(errors::error(next_span(content), message, "write a `meta(…)` for each key"));
            }
            Ok(Self { key, value })
        };
        let parsed = parse(&content);
        // After an error, consume the remaining tokens, because syn would report them as a second error.
        content.parse::<TokenStream>()?;
        let entry = parsed?;
        entry.check(errors);
        Ok(entry)
    }

    /// Checks that the key has the protocol's syntax for keys of `_meta`: `name` or `prefix/name`. The prefix consists
    /// of labels with dots between them. After a prefix, the name may be empty. Also reports a prefix that the protocol
    /// reserves.
    fn check(&self, errors: &mut Errors) {
        let text = self.key.value();
        let (prefix, name) = match text.rsplit_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, text.as_str()),
        };
        let is_alphanumeric = |c: char| c.is_ascii_alphanumeric();
        let has_only = |text: &str, extra: &str| text.chars().all(|c| is_alphanumeric(c) || extra.contains(c));
        let is_label = |label: &str| {
            label.starts_with(|c: char| c.is_ascii_alphabetic())
                && label.ends_with(is_alphanumeric)
                && has_only(label, "-")
        };
        let is_empty_after_prefix = prefix.is_some() && name.is_empty();
        let is_name = is_empty_after_prefix
            || name.starts_with(is_alphanumeric) && name.ends_with(is_alphanumeric) && has_only(name, "-_.");
        if !is_name || !prefix.is_none_or(|prefix| prefix.split('.').all(is_label)) {
            let help = "write a prefix like a domain in reverse, a slash and a name: `\"com.example/key\"`";
            return errors.report(&self.key, format!("`{text}` is not a key of `_meta`"), help);
        }
        let second_label = prefix.and_then(|prefix| prefix.split('.').nth(1));
        if second_label.is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(&label)) {
            let message = format!("the prefix of `{text}` is reserved by the protocol");
            errors.report(&self.key, message, "write a prefix of your own: `\"com.example/key\"`");
        }
    }
}

/// Parses the names in `parts(reading, writing)`.
pub(crate) fn names(expected: &Expected<'_>, input: ParseStream<'_>, _: &mut Errors) -> syn::Result<Vec<Ident>> {
    let content = parentheses(expected, input, expected.example)?;
    let parsed = Punctuated::<Ident, Token![,]>::parse_terminated(&content);
    content.parse::<TokenStream>()?;
    let help = format!("write `parts{}`", expected.example);
    let names = parsed.map_err(|error| errors::error(error.span(), "`parts` takes the names of other blocks", help))?;
    Ok(names.into_iter().collect())
}

/// Parses the strings of `tags("trade", "beta")`, `scopes("orders:write")` and `formerly("old_name")`.
pub(crate) fn labels(expected: &Expected<'_>, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Vec<LitStr>> {
    let Expected { key, example, .. } = expected;
    let given = peek_string(input).map(|text| format!("({})", text.token()));
    let content = parentheses(expected, input, given.as_deref().unwrap_or(example))?;
    let mut labels: Vec<LitStr> = Vec::new();
    let mut is_wrong = false;
    while !content.is_empty() {
        match content.parse::<Expr>().map(ungrouped) {
            Ok(Expr::Lit(ExprLit { lit: Lit::Str(label), .. })) => {
                is_wrong |= is_wrong_label(key, &label, &labels, errors);
                labels.push(label);
            }
            Ok(other) => {
                is_wrong = true;
                let written = other.to_token_stream().to_string();
                let string =
                    if is_simple(&other) { written.trim_matches('\'') } else { example.trim_matches(['(', '"', ')']) };
                errors.report(other, format!("`{key}` takes strings"), format!("write a string: `\"{string}\"`"));
            }
            Err(error) => {
                content.parse::<TokenStream>()?;
                let message = format!("`{key}` takes strings, separated by commas");
                return Err(errors::error(error.span(), message, format!("write `{key}{example}`")));
            }
        }
        if !content.is_empty() && content.parse::<Option<Token![,]>>()?.is_none() {
            let span = next_span(&content);
            content.parse::<TokenStream>()?;
            let help = format!("write `{key}(\"…\", \"…\")`");
            return Err(errors::error(span, format!("a comma is missing between the strings of `{key}`"), help));
        }
    }
    if labels.is_empty() && !is_wrong {
        let help = format!("write `{key}{example}`, or remove `{key}`");
        errors.report(key, format!("`{key}` has no strings"), help);
    }
    Ok(labels)
}

/// Takes `()` from the input, if it comes next. Returns `true` in that case.
pub(crate) fn take_empty_list(input: ParseStream<'_>) -> bool {
    let next = input.fork().parse();
    let is_empty = matches!(next, Ok(TokenTree::Group(list)) if list.stream().is_empty());
    is_empty && input.parse::<TokenTree>().is_ok()
}

/// Reports a label that is repeated or empty, or a scope with a character that scopes cannot contain. Returns `true` if
/// it reports an error.
fn is_wrong_label(key: &Ident, label: &LitStr, before: &[LitStr], errors: &mut Errors) -> bool {
    let text = label.value();
    if before.iter().any(|other| other.value() == text) {
        errors.report(label, format!("`{text}` is given twice"), "remove one of them");
    } else if text.trim().is_empty() {
        errors.report(label, format!("a string of `{key}` is empty"), "remove it, or write a name");
    } else if key == "scopes" && text.contains(char::is_whitespace) {
        let scopes: Vec<_> = text.split_whitespace().map(|scope| format!("\"{scope}\"")).collect();
        let help = format!("write `{key}({})`", scopes.join(", "));
        errors.report(label, "a scope has no blanks: they separate scopes", help);
    } else if let Some(c) = text.chars().find(|c| key == "scopes" && (!c.is_ascii_graphic() || "\"\\".contains(*c))) {
        let help = "a scope has visible ASCII characters other than `\"` and `\\`";
        errors.report(label, format!("the scope `{text}` has the character {c:?}"), help);
    } else {
        return false;
    }
    true
}
