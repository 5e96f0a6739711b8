//! The keys of `#[mcp_tool(…)]`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{LitStr, Path, Token, Type};

use crate::docs::Text;
use crate::errors::Errors;
use crate::extras::{Icon, Meta};
use crate::keys::{self, Given, set};
use crate::value::{Takes, flag, krate, strict_string, string, text};

const KEYS: [&str; 20] = [
    "name",
    "title",
    "description",
    "read_only_hint",
    "destructive_hint",
    "idempotent_hint",
    "open_world_hint",
    "icon",
    "meta",
    "output",
    "input_schema",
    "output_schema",
    "root_union",
    "text",
    "timeout",
    "blocking",
    "allow_unknown",
    "expose_errors",
    "handler",
    "crate",
];

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
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Vec<Meta>,
    pub(crate) timeout: Option<Given<LitStr>>,
    pub(crate) blocking: Option<Given<bool>>,
    pub(crate) output: Option<Given<Output>>,
    pub(crate) input_schema: Option<Given<Path>>,
    pub(crate) output_schema: Option<Given<Path>>,
    pub(crate) root_union: Option<Given<bool>>,
    pub(crate) text: Option<Given<Path>>,
    pub(crate) allow_unknown: Option<Given<bool>>,
    pub(crate) expose_errors: Option<Given<bool>>,
    pub(crate) handler: Option<Given<Ident>>,
    pub(crate) krate: Option<Given<Path>>,
    /// Keys that were there with a mistake: that they have no value is then no second one.
    misread: Vec<String>,
}

impl Keys {
    pub(crate) fn is_misread(&self, key: &str) -> bool {
        self.misread.iter().any(|misread| misread == key)
    }
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
    let mut misread = Vec::new();
    if keys::has_a_text_alone(&attribute) {
        misread.push("description".to_owned());
    }
    let read = |input: ParseStream<'_>| {
        keys::read(input, errors, |input, ident, errors| {
            let name = ident.to_string();
            key(input, ident, &mut keys, errors).inspect_err(|_| misread.push(name))
        })
    };
    if let Err(error) = read.parse2(attribute) {
        errors.syn(error);
    }
    keys.misread = misread;
    keys
}

fn key(input: ParseStream<'_>, key: Ident, keys: &mut Keys, errors: &mut Errors) -> syn::Result<()> {
    let name = key.to_string();
    let copy = key.clone();
    let takes = |what, example| Takes { key: &copy, what, example };
    let a_string = || takes("a string", "\"…\"");
    let a_schema = || takes("the path of a function or of a constant that gives a schema", "path");
    match name.as_str() {
        "name" => set(&mut keys.name, key, string(input, &a_string())?, errors),
        "title" => set(&mut keys.title, key, string(input, &a_string())?, errors),
        "description" => set(&mut keys.description, key, text(input, &copy)?, errors),
        "read_only_hint" => set(&mut keys.read_only_hint, key, flag(input, &copy)?, errors),
        "destructive_hint" => set(&mut keys.destructive_hint, key, flag(input, &copy)?, errors),
        "idempotent_hint" => set(&mut keys.idempotent_hint, key, flag(input, &copy)?, errors),
        "open_world_hint" => set(&mut keys.open_world_hint, key, flag(input, &copy)?, errors),
        "icon" => keys.icons.extend(Icon::parse(&copy, input, errors)?),
        "meta" => {
            let meta = Meta::parse(&copy, input, errors)?;
            if keys.meta.iter().any(|other| other.key.value() == meta.key.value()) {
                let message = format!("`{}` is given twice", meta.key.value());
                errors.help(&meta.key, message, "remove one of them");
            }
            keys.meta.push(meta);
        }
        "timeout" => {
            let limit = strict_string(input, &takes("a whole number and one of `ms`, `s`, `m`, `h`", "\"5s\""))?;
            set(&mut keys.timeout, key, limit, errors);
        }
        "blocking" => set(&mut keys.blocking, key, flag(input, &copy)?, errors),
        "output" => set(&mut keys.output, key, takes("a type, or `off`", "off").value(input)?, errors),
        "input_schema" => {
            let path = schema(
                path_alone(input, &a_schema())?,
                &key,
                "#[mcp_tool(arguments)] arguments: ",
                "` on the parameters",
                errors,
            );
            set(&mut keys.input_schema, key, path, errors);
        }
        "output_schema" => {
            let path = schema(path_alone(input, &a_schema())?, &key, "output = ", "`", errors);
            set(&mut keys.output_schema, key, path, errors);
        }
        "root_union" => set(&mut keys.root_union, key, flag(input, &copy)?, errors),
        "text" => {
            let path = takes("the path of a `fn(&T) -> String`", "path").value(input)?;
            set(&mut keys.text, key, path, errors);
        }
        "allow_unknown" => set(&mut keys.allow_unknown, key, flag(input, &copy)?, errors),
        "expose_errors" => set(&mut keys.expose_errors, key, flag(input, &copy)?, errors),
        "handler" => set(&mut keys.handler, key, takes("a name", "Name").value(input)?, errors),
        "crate" => set(&mut keys.krate, key, krate(input, &copy)?, errors),
        _ => return Err(keys::unknown(&key, &KEYS, "`#[mcp_tool]`")),
    }
    Ok(())
}

/// The path of a schema, which is neither called nor made where it is named.
fn path_alone(input: ParseStream<'_>, takes: &Takes<'_>) -> syn::Result<Path> {
    let path: Path = takes.value(input)?;
    let key = takes.key;
    let help = if input.peek(Token![!]) {
        format!("write `fn schema() -> serde_json::Value {{ serde_json::json!(…) }}`, and name it: `{key} = schema`")
    } else if input.peek(syn::token::Paren) {
        format!("write `{key} = {}`, without parentheses", path.to_token_stream().to_string().replace(' ', ""))
    } else {
        return Ok(path);
    };
    Err(syn::Error::new_spanned(path, format!("`{key}` takes {}, and no expression\nhelp: {help}", takes.what)))
}

/// A schema is a function's or a constant's, and what is spelt like a type is neither.
fn schema(path: Path, key: &Ident, before: &str, after: &str, errors: &mut Errors) -> Path {
    let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    if last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase) {
        let message = format!("`{key}` takes a function or a constant that gives a schema, and `{last}` is a type");
        errors.help(&path, message, format!("write `{before}{last}{after}"));
    }
    path
}
