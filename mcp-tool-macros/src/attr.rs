//! The keys of `#[mcp_tool(…)]`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, ExprLit, Lit, LitBool, LitStr, Path, Token, Type};

use crate::docs::Text;
use crate::errors::{Errors, nearest};
use crate::paths;

const KEYS: [&str; 16] = [
    "name",
    "title",
    "description",
    "read_only_hint",
    "destructive_hint",
    "idempotent_hint",
    "open_world_hint",
    "output",
    "input_schema",
    "output_schema",
    "root_union",
    "text",
    "allow_unknown",
    "expose_errors",
    "handler",
    "crate",
];

/// A value and the key that it was given under, to point at.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// What the attribute says.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) title: Option<Given<LitStr>>,
    pub(crate) description: Option<Given<Text>>,
    pub(crate) read_only_hint: Option<Given<bool>>,
    pub(crate) destructive_hint: Option<Given<bool>>,
    pub(crate) idempotent_hint: Option<Given<bool>>,
    pub(crate) open_world_hint: Option<Given<bool>>,
    pub(crate) output: Option<Given<Output>>,
    pub(crate) input_schema: Option<Given<Path>>,
    pub(crate) output_schema: Option<Given<Path>>,
    pub(crate) root_union: Option<Given<bool>>,
    pub(crate) text: Option<Given<Path>>,
    pub(crate) allow_unknown: Option<Given<bool>>,
    pub(crate) expose_errors: Option<Given<bool>>,
    pub(crate) handler: Option<Given<Ident>>,
    pub(crate) krate: Option<Given<Path>>,
}

/// Whose schema is published for the output.
pub(crate) enum Output {
    Off,
    Type(Box<Type>),
}

impl Parse for Output {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        if ahead.parse::<Ident>().is_ok_and(|ident| ident == "off") && (ahead.is_empty() || ahead.peek(Token![,])) {
            input.parse::<Ident>()?;
            return Ok(Self::Off);
        }
        Ok(Self::Type(input.parse()?))
    }
}

/// Reads all keys; each mistake is reported and the next key is read.
pub(crate) fn parse(attribute: TokenStream, errors: &mut Errors) -> Keys {
    let mut keys = Keys::default();
    let read = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = key(input, &mut keys, errors) {
                errors.syn(error);
                skip(input)?;
            }
            if input.is_empty() {
                break;
            }
            if let Err(error) = input.parse::<Token![,]>() {
                errors.syn(syn::Error::new(error.span(), "expected `,` between keys"));
                skip(input)?;
                let _ = input.parse::<Option<Token![,]>>();
            }
        }
        Ok(())
    };
    if let Err(error) = read.parse2(attribute) {
        errors.syn(error);
    }
    keys
}

/// Goes on to the next comma.
fn skip(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

fn key(input: ParseStream<'_>, keys: &mut Keys, errors: &mut Errors) -> syn::Result<()> {
    if input.peek(Lit) {
        let lit: Lit = input.parse()?;
        let message = "expected a key, such as `name = \"…\"`";
        return Err(syn::Error::new(lit.span(), message));
    }
    let key = input.call(Ident::parse_any)?;
    match key.to_string().as_str() {
        "name" => set(&mut keys.name, key, string(input)?, errors),
        "title" => set(&mut keys.title, key, string(input)?, errors),
        "description" => set(&mut keys.description, key, text(input)?, errors),
        "read_only_hint" => set(&mut keys.read_only_hint, key, flag(input)?, errors),
        "destructive_hint" => set(&mut keys.destructive_hint, key, flag(input)?, errors),
        "idempotent_hint" => set(&mut keys.idempotent_hint, key, flag(input)?, errors),
        "open_world_hint" => set(&mut keys.open_world_hint, key, flag(input)?, errors),
        "output" => set(&mut keys.output, key, value(input, "a type, or `off`")?, errors),
        "input_schema" => set(&mut keys.input_schema, key, value(input, "the path of a schema")?, errors),
        "output_schema" => set(&mut keys.output_schema, key, value(input, "the path of a schema")?, errors),
        "root_union" => set(&mut keys.root_union, key, flag(input)?, errors),
        "text" => set(&mut keys.text, key, value(input, "the path of a function")?, errors),
        "allow_unknown" => set(&mut keys.allow_unknown, key, flag(input)?, errors),
        "expose_errors" => set(&mut keys.expose_errors, key, flag(input)?, errors),
        "handler" => set(&mut keys.handler, key, value(input, "a name")?, errors),
        "crate" => set(&mut keys.krate, key, krate(input)?, errors),
        unknown => return Err(unknown_key(&key, unknown, &KEYS, "mcp_tool")),
    }
    Ok(())
}

/// The error for a key that is not one, and the key that it was probably meant for.
pub(crate) fn unknown_key(key: &Ident, text: &str, known: &[&str], attribute: &str) -> syn::Error {
    let help = match nearest(text, known) {
        Some(near) => format!("did you mean `{near}`? accepted are {}", known.join(", ")),
        None => format!("accepted are {}", known.join(", ")),
    };
    syn::Error::new(key.span(), format!("`{text}` is not a key of `#[{attribute}]`\nhelp: {help}"))
}

fn set<T>(slot: &mut Option<Given<T>>, key: Ident, value: T, errors: &mut Errors) {
    if slot.is_some() {
        errors.help(&key, format!("`{key}` is given twice"), "remove one of them");
    } else {
        *slot = Some(Given { key, value });
    }
}

fn equals(input: ParseStream<'_>, what: &str) -> syn::Result<()> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return Ok(());
    }
    Err(syn::Error::new(before(input), format!("expected `= ` and {what}")))
}

/// The place of the next token, or of the end.
fn before(input: ParseStream<'_>) -> Span {
    input.fork().parse::<TokenTree>().map_or_else(|_| input.span(), |token| token.span())
}

/// Reads what follows a key, and on a failure says what the key takes.
fn value<T: Parse>(input: ParseStream<'_>, what: &str) -> syn::Result<T> {
    equals(input, what)?;
    let at = before(input);
    input.parse().map_err(|_| syn::Error::new(at, format!("expected {what}")))
}

fn string(input: ParseStream<'_>) -> syn::Result<LitStr> {
    equals(input, "a string")?;
    let at = before(input);
    match input.parse() {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(text),
        Ok(other) => Err(syn::Error::new_spanned(other, "expected a string between quotes")),
        Err(_) => Err(syn::Error::new(at, "expected a string between quotes")),
    }
}

fn text(input: ParseStream<'_>) -> syn::Result<Text> {
    const WHAT: &str = "a string, the path of a constant, `concat!(…)` or `include_str!(…)`";
    equals(input, WHAT)?;
    let at = before(input);
    match input.parse() {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(Text::Known(text.value())),
        Ok(expr @ (Expr::Path(_) | Expr::Macro(_))) => Ok(Text::Expr(expr.into_token_stream())),
        Ok(other) => Err(syn::Error::new_spanned(other, format!("expected {WHAT}"))),
        Err(_) => Err(syn::Error::new(at, format!("expected {WHAT}"))),
    }
}

/// A flag stands alone for `true`.
pub(crate) fn flag(input: ParseStream<'_>) -> syn::Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    let at = before(input);
    match input.parse::<LitBool>() {
        Ok(flag) => Ok(flag.value),
        Err(_) => Err(syn::Error::new(at, "expected `true` or `false`")),
    }
}

/// The path after `crate =`.
pub(crate) fn krate(input: ParseStream<'_>) -> syn::Result<Path> {
    equals(input, "the path of the runtime, such as `::mcp_tool_runtime`")?;
    if input.peek(LitStr) {
        let text: LitStr = input.parse()?;
        let message = format!("expected a path, not a string\nhelp: write `crate = {}`", text.value());
        return Err(syn::Error::new(text.span(), message));
    }
    let at = before(input);
    let path: Path = Path::parse_mod_style(input)
        .map_err(|_| syn::Error::new(at, "expected the path of the runtime, such as `::mcp_tool_runtime`"))?;
    if !paths::is_absolute(&path) {
        let written = path.to_token_stream().to_string().replace(' ', "");
        let message =
            format!("the path of the runtime must be absolute\nhelp: write `::{written}` or `crate::{written}`");
        return Err(syn::Error::new_spanned(path, message));
    }
    Ok(path)
}
