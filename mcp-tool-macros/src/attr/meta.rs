//! The key `meta("com.example/key" = expr)`: an entry of the definition's `_meta`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{Expr, LitStr, Token};

use super::list::{self, next_span};
use crate::errors::{self, Errors};

pub(crate) struct MetaEntry {
    pub(crate) key: LitStr,
    pub(crate) value: Expr,
}

impl MetaEntry {
    pub(super) fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        const EXAMPLE: &str = "\"com.example/key\" = \"value\"";
        let content = list::parenthesised(key, input, EXAMPLE)?;
        let parse = |content: ParseStream<'_>| {
            let expected =
                |span| errors::error(span, "`meta` takes a key and a value", format!("write `meta({EXAMPLE})`"));
            let key: LitStr = content.parse().map_err(|_| expected(next_span(content)))?;
            if content.is_empty() {
                return Err(expected(key.span()));
            }
            content.parse::<Token![=]>().map_err(|_| expected(next_span(content)))?;
            let span = next_span(content);
            let value = content.parse().map_err(|_| expected(span))?;
            content.parse::<Option<Token![,]>>()?;
            if !content.is_empty() {
                let message = "`meta` takes one key and its value";
                return Err(errors::error(next_span(content), message, "write a `meta(…)` for each key"));
            }
            Ok(Self { key, value })
        };
        let parsed = parse(&content);
        // syn reports tokens that nobody parsed. After an error, that would be a second error for the same mistake.
        content.parse::<TokenStream>()?;
        let entry = parsed?;
        check_key(&entry.key, errors);
        Ok(entry)
    }
}

/// Checks that a key has the protocol's syntax for keys of `_meta`: `name` or `prefix/name`. The prefix consists of labels
/// with dots between them. After a prefix the name may be empty.
fn check_key(key: &LitStr, errors: &mut Errors) {
    let text = key.value();
    let (prefix, name) = match text.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text.as_str()),
    };
    let is_alphanumeric = |c: char| c.is_ascii_alphanumeric();
    let has_only = |text: &str, extra: &str| text.chars().all(|c| is_alphanumeric(c) || extra.contains(c));
    let is_label = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic()) && label.ends_with(is_alphanumeric) && has_only(label, "-")
    };
    let is_empty_after_prefix = prefix.is_some() && name.is_empty();
    let is_name = is_empty_after_prefix
        || name.starts_with(is_alphanumeric) && name.ends_with(is_alphanumeric) && has_only(name, "-_.");
    if !is_name || !prefix.is_none_or(|prefix| prefix.split('.').all(is_label)) {
        let help = "write a prefix like a domain in reverse, a slash and a name: `\"com.example/key\"`";
        return errors.report(key, format!("`{text}` is not a key of `_meta`"), help);
    }
    let second_label = prefix.and_then(|prefix| prefix.split('.').nth(1));
    if second_label.is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(&label)) {
        let message = format!("the prefix of `{text}` is reserved by the protocol");
        errors.report(key, message, "write a prefix of your own: `\"com.example/key\"`");
    }
}
