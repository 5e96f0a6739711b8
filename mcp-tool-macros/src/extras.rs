//! The keys with lists of their own: `icon(…)`, `meta(…)`; and the limit of `timeout`.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Expr, LitStr, Token, parenthesized};

use crate::errors::Errors;
use crate::keys::{self, Given, set};
use crate::value::{Takes, next_span, string};

/// `icon(src = "…", mime_type = "…", sizes = "48x48 96x96", theme = "dark")`
pub(crate) struct Icon {
    pub(crate) src: LitStr,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) sizes: Vec<String>,
    pub(crate) theme: Option<LitStr>,
}

/// `meta("com.example/key" = expr)`
pub(crate) struct Meta {
    pub(crate) key: LitStr,
    pub(crate) value: Expr,
}

/// The list after a key.
pub(crate) fn list<'i>(key: &Ident, input: ParseStream<'i>, example: &str) -> syn::Result<syn::parse::ParseBuffer<'i>> {
    if !input.peek(syn::token::Paren) {
        let ahead = input.fork();
        let text = ahead.parse::<Token![=]>().and_then(|_| ahead.parse::<LitStr>()).ok().filter(|_| key == "icon");
        let example = text.map_or_else(|| example.to_owned(), |text| format!("src = {}", text.token()));
        let message = format!("`{key}` takes a list in parentheses\nhelp: write `{key}({example})`");
        return Err(syn::Error::new(key.span(), message));
    }
    let content;
    parenthesized!(content in input);
    Ok(content)
}

impl Icon {
    /// Reads the list; none where `src` is there with a mistake, which has been reported.
    pub(crate) fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<Self>> {
        const KEYS: [&str; 4] = ["src", "mime_type", "sizes", "theme"];
        let content = list(key, input, "src = \"https://…\"")?;
        let [mut src, mut mime_type, mut sizes, mut theme] = [const { None::<Given<LitStr>> }; 4];
        let mut src_is_misread = false;
        keys::read(&content, errors, |input, ident, errors| {
            let copy = ident.clone();
            let takes = Takes { key: &copy, what: "a string", example: "\"…\"" };
            let slot = match ident.to_string().as_str() {
                "src" => &mut src,
                "mime_type" => &mut mime_type,
                "sizes" => &mut sizes,
                "theme" => &mut theme,
                _ => return Err(keys::unknown(&ident, &KEYS, "`icon`")),
            };
            let text = string(input, &takes).inspect_err(|_| src_is_misread |= ident == "src")?;
            set(slot, ident, text, errors);
            Ok(())
        })?;
        if let Some(theme) = theme.as_ref().filter(|theme| !["light", "dark"].contains(&theme.value.value().as_str())) {
            let message = format!("there is no theme `{}`", theme.value.value());
            errors.help(&theme.value, message, "write `\"light\"` or `\"dark\"`");
        }
        if let Some(sizes) = &sizes {
            for size in sizes.value.value().split_whitespace().filter(|size| !is_size(size)) {
                let message = format!("`{size}` is not the size of an icon");
                errors.help(&sizes.value, message, "write sizes such as `\"48x48 96x96\"`, or `\"any\"`");
            }
        }
        let Some(src) = src else {
            if src_is_misread {
                return Ok(None);
            }
            let message = "an icon needs a `src`\nhelp: write `icon(src = \"https://…\")`";
            return Err(syn::Error::new(key.span(), message));
        };
        let value = |given: Option<Given<LitStr>>| given.map(|given| given.value);
        let sizes = value(sizes).map(|sizes| sizes.value().split_whitespace().map(str::to_owned).collect());
        let (mime_type, sizes, theme) = (value(mime_type), sizes.unwrap_or_default(), value(theme));
        Ok(Some(Self { src: src.value, mime_type, sizes, theme }))
    }
}

fn is_size(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text == "any" || text.split_once('x').is_some_and(|(width, height)| number(width) && number(height))
}

impl Meta {
    pub(crate) fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        const EXAMPLE: &str = "\"com.example/key\" = \"value\"";
        let content = list(key, input, EXAMPLE)?;
        let read = |content: ParseStream<'_>| {
            let expected =
                |at| syn::Error::new(at, format!("`meta` takes a key and a value\nhelp: write `meta({EXAMPLE})`"));
            let name: LitStr = content.parse().map_err(|_| expected(next_span(content)))?;
            if content.is_empty() {
                return Err(expected(name.span()));
            }
            content.parse::<Token![=]>().map_err(|_| expected(next_span(content)))?;
            let at = next_span(content);
            let value = content.parse().map_err(|_| expected(at))?;
            content.parse::<Option<Token![,]>>()?;
            if !content.is_empty() {
                let message = "`meta` takes one key and its value\nhelp: write a `meta(…)` for each key";
                return Err(syn::Error::new(next_span(content), message));
            }
            Ok((name, value))
        };
        let read = read(&content);
        // What is left of a list with a mistake is no second one.
        content.parse::<proc_macro2::TokenStream>()?;
        let (name, value) = read?;
        key_of_meta(&name, errors);
        Ok(Self { key: name, value })
    }
}

/// The protocol's syntax for the keys of `_meta`: a prefix of labels between dots, a slash, a name.
fn key_of_meta(key: &LitStr, errors: &mut Errors) {
    let text = key.value();
    let (prefix, name) = match text.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text.as_str()),
    };
    let ends = |c: char| c.is_ascii_alphanumeric();
    let within = |text: &str, extra: &str| text.chars().all(|c| ends(c) || extra.contains(c));
    let label = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic()) && label.ends_with(ends) && within(label, "-")
    };
    let name_fits = name.starts_with(ends) && name.ends_with(ends) && within(name, "-_.");
    let prefix_fits = prefix.is_none_or(|prefix| prefix.split('.').all(label));
    if !(name_fits && prefix_fits) {
        let message = format!("`{text}` is not a key of `_meta`");
        return errors.help(
            key,
            message,
            "write a prefix like a domain in reverse, a slash and a name: `\"com.example/key\"`",
        );
    }
    let second = prefix.and_then(|prefix| prefix.split('.').nth(1));
    if second.is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(&label)) {
        let message = format!("the prefix of `{text}` is reserved by the protocol");
        errors.help(key, message, "write a prefix of your own: `\"com.example/key\"`");
    }
}

/// The milliseconds of a limit such as `5s`.
pub(crate) fn limit(text: &LitStr, errors: &mut Errors) -> Option<u64> {
    const HELP: &str = "write a whole number and one of `ms`, `s`, `m`, `h`: `timeout = \"5s\"`";
    let value = text.value();
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = value.split_at(digits);
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => {
            errors.help(text, format!("`{value}` is not a time-out"), HELP);
            return None;
        }
    };
    match number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)) {
        Some(0) => {
            errors.help(
                text,
                "a time-out of nothing leaves no time to answer",
                "remove `timeout`, or give it some time",
            );
            None
        }
        Some(millis) => Some(millis),
        None => {
            errors.help(text, format!("`{value}` is not a time-out"), HELP);
            None
        }
    }
}
