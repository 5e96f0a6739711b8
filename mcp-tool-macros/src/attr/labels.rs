//! The values of `tags("trade", "beta")` and `scopes("orders:write")`.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, Lit, LitStr, Token};

use super::list;
use super::value::{is_simple, ungrouped};
use crate::errors::{self, Errors};

/// Parses the list of strings after the key.
pub(crate) fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Vec<LitStr>> {
    let quoted = {
        let ahead = input.fork();
        ahead.parse::<Token![=]>().and_then(|_| ahead.parse::<LitStr>()).ok()
    };
    let given = quoted.map_or_else(|| format!("\"{}\"", example(key)), |text| text.token().to_string());
    let content = list::parenthesised(key, input, &given)?;
    let mut labels: Vec<LitStr> = Vec::new();
    let mut is_wrong = false;
    while !content.is_empty() {
        match content.parse::<Expr>().map(ungrouped) {
            Ok(Expr::Lit(ExprLit { lit: Lit::Str(label), .. })) => {
                is_wrong |= check(key, &label, &labels, errors);
                labels.push(label);
            }
            Ok(other) => {
                is_wrong = true;
                let written = other.to_token_stream().to_string();
                let string = if is_simple(&other) { written.trim_matches('\'') } else { example(key) };
                let help = format!("write a string: `\"{string}\"`");
                errors.report(other, format!("`{key}` takes strings"), help);
            }
            Err(error) => {
                content.parse::<proc_macro2::TokenStream>()?;
                let help = format!("write `{key}(\"{}\")`", example(key));
                return Err(errors::error(error.span(), format!("`{key}` takes strings, separated by commas"), help));
            }
        }
        if !content.is_empty() && content.parse::<Option<Token![,]>>()?.is_none() {
            let span = list::next_span(&content);
            content.parse::<proc_macro2::TokenStream>()?;
            let help = format!("write `{key}(\"…\", \"…\")`");
            return Err(errors::error(span, format!("a comma is missing between the strings of `{key}`"), help));
        }
    }
    if labels.is_empty() && !is_wrong {
        let help = format!("write `{key}(\"{}\")`, or remove `{key}`", example(key));
        errors.report(key, format!("`{key}` has no strings"), help);
    }
    Ok(labels)
}

fn example(key: &Ident) -> &'static str {
    if key == "scopes" { "orders:write" } else { "beta" }
}

/// Reports a label that is wrong. Returns `true` if it is.
fn check(key: &Ident, label: &LitStr, before: &[LitStr], errors: &mut Errors) -> bool {
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
