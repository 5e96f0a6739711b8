//! The keys of `#[mcp_tool(…)]` on a function.

use proc_macro2::{Ident, TokenStream};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, LitStr, Path, Token, Type};

use crate::docs::Description;
use crate::errors::{self, Errors};
use crate::{migration, types};

pub(crate) mod example_call;
pub(crate) mod icon;
pub(crate) mod labels;
pub(crate) mod list;
pub(crate) mod meta;
pub(crate) mod timeout;
pub(crate) mod value;

use example_call::ExampleCall;
use icon::Icon;
use list::{KeyValue, set};
use meta::MetaEntry;
use value::{Expected, TaskKey, flag};

const KEYS: &str = "name title description read_only_hint destructive_hint idempotent_hint open_world_hint icon meta example_call output \
                    input_schema output_schema root_union text budget timeout task blocking allow_unknown accept_aliases expose_errors \
                    tags scopes handler crate";

/// The values of the keys.
#[derive(Default)]
pub(crate) struct ToolKeys {
    pub(crate) name: Option<KeyValue<LitStr>>,
    pub(crate) title: Option<KeyValue<LitStr>>,
    pub(crate) description: Option<KeyValue<Description>>,
    pub(crate) read_only_hint: Option<KeyValue<bool>>,
    pub(crate) destructive_hint: Option<KeyValue<bool>>,
    pub(crate) idempotent_hint: Option<KeyValue<bool>>,
    pub(crate) open_world_hint: Option<KeyValue<bool>>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Vec<MetaEntry>,
    pub(crate) example_calls: Vec<ExampleCall>,
    pub(crate) budget: Option<KeyValue<u32>>,
    pub(crate) timeout: Option<KeyValue<LitStr>>,
    pub(crate) task: Option<KeyValue<TaskKey>>,
    pub(crate) blocking: Option<KeyValue<bool>>,
    pub(crate) output: Option<KeyValue<OrOff<Type>>>,
    pub(crate) input_schema: Option<KeyValue<Path>>,
    pub(crate) output_schema: Option<KeyValue<Path>>,
    pub(crate) root_union: Option<KeyValue<bool>>,
    pub(crate) text: Option<KeyValue<OrOff<Path>>>,
    pub(crate) allow_unknown: Option<KeyValue<bool>>,
    pub(crate) accept_aliases: Option<KeyValue<bool>>,
    pub(crate) expose_errors: Option<KeyValue<bool>>,
    pub(crate) tags: Option<KeyValue<Vec<LitStr>>>,
    pub(crate) scopes: Option<KeyValue<Vec<LitStr>>>,
    pub(crate) handler: Option<KeyValue<Ident>>,
    pub(crate) crate_path: Option<KeyValue<Path>>,
    /// Keys with a wrong value. They count as given: one mistake is one error.
    pub(crate) wrong: Vec<String>,
}

impl ToolKeys {
    /// Returns `true` if the key is given with a value that has been reported as wrong.
    pub(crate) fn is_wrong(&self, key: &str) -> bool {
        self.wrong.iter().any(|wrong| wrong == key)
    }
}

/// The value of `output` or `text`.
pub(crate) enum OrOff<T> {
    Off,
    Value(T),
}

impl<T: Parse> Parse for OrOff<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if parse_off(input)? { Ok(Self::Off) } else { Ok(Self::Value(input.parse()?)) }
    }
}

/// Parses the word `off`, if it is the whole value of a key.
fn parse_off(input: ParseStream<'_>) -> syn::Result<bool> {
    let ahead = input.fork();
    let is_off =
        ahead.parse::<Ident>().is_ok_and(|ident| ident == "off") && (ahead.is_empty() || ahead.peek(Token![,]));
    if is_off {
        input.parse::<Ident>()?;
    }
    Ok(is_off)
}

/// Parses all keys, and reports every wrong one.
pub(crate) fn parse(attribute: TokenStream, errors: &mut Errors) -> ToolKeys {
    let mut keys = ToolKeys::default();
    let mut wrong = Vec::new();
    if list::has_string_without_key(&attribute) {
        wrong.push("description".to_owned());
    }
    let parse = |input: ParseStream<'_>| {
        list::parse(input, errors, |input, key, errors| {
            let name = key.to_string();
            parse_value(input, key, &mut keys, errors).inspect_err(|_| wrong.push(name))
        })
    };
    if let Err(error) = parse.parse2(attribute) {
        errors.push(error);
    }
    keys.wrong = wrong;
    keys
}

/// Parses what follows one key.
pub(crate) fn parse_value(
    input: ParseStream<'_>,
    key: Ident,
    keys: &mut ToolKeys,
    errors: &mut Errors,
) -> syn::Result<()> {
    let name = key.to_string();
    let copy = key.clone();
    let expected = |what, example| Expected { key: &copy, what, example };
    let string = expected("a string", "\"…\"");
    match name.as_str() {
        "name" => set(&mut keys.name, key, string.parse_string(input)?, errors),
        "title" => set(&mut keys.title, key, string.parse_string(input)?, errors),
        "description" => set(&mut keys.description, key, value::description(input, &copy)?, errors),
        "read_only_hint" => set(&mut keys.read_only_hint, key, flag(input, &copy)?, errors),
        "destructive_hint" => set(&mut keys.destructive_hint, key, flag(input, &copy)?, errors),
        "idempotent_hint" => set(&mut keys.idempotent_hint, key, flag(input, &copy)?, errors),
        "open_world_hint" => set(&mut keys.open_world_hint, key, flag(input, &copy)?, errors),
        "icon" => keys.icons.extend(Icon::parse(&copy, input, errors)?),
        "meta" => {
            let entry = MetaEntry::parse(&copy, input, errors)?;
            if keys.meta.iter().any(|other| other.key.value() == entry.key.value()) {
                errors.report(&entry.key, format!("`{}` is given twice", entry.key.value()), "remove one of them");
            }
            keys.meta.push(entry);
        }
        "example_call" => keys.example_calls.push(ExampleCall::parse(&copy, input, errors)?),
        "budget" => set(&mut keys.budget, key, value::budget(input, &copy)?, errors),
        "timeout" => {
            let timeout = expected("a whole number and one of `ms`, `s`, `m`, `h`", "\"5s\"");
            set(&mut keys.timeout, key, timeout.parse_exact_string(input)?, errors);
        }
        "task" => set(&mut keys.task, key, value::task(input, &copy)?, errors),
        "blocking" => set(&mut keys.blocking, key, flag(input, &copy)?, errors),
        "output" => set(&mut keys.output, key, expected("a type, or `off`", "off").parse(input)?, errors),
        "input_schema" => {
            let path = schema_path(input, &key, errors, |ty| {
                format!("write `#[mcp_tool(arguments)] arguments: {ty}` on the parameters")
            })?;
            set(&mut keys.input_schema, key, path, errors);
        }
        "output_schema" => {
            let path = schema_path(input, &key, errors, |ty| format!("write `output = {ty}`"))?;
            set(&mut keys.output_schema, key, path, errors);
        }
        "root_union" => set(&mut keys.root_union, key, flag(input, &copy)?, errors),
        "text" => {
            let what = "the path of a `fn(&T) -> String`, or `off`";
            set(&mut keys.text, key, expected(what, "path").parse(input)?, errors);
        }
        "allow_unknown" => set(&mut keys.allow_unknown, key, flag(input, &copy)?, errors),
        "accept_aliases" => set(&mut keys.accept_aliases, key, flag(input, &copy)?, errors),
        "expose_errors" => set(&mut keys.expose_errors, key, flag(input, &copy)?, errors),
        "tags" => set(&mut keys.tags, key, labels::parse(&copy, input, errors)?, errors),
        "scopes" => set(&mut keys.scopes, key, labels::parse(&copy, input, errors)?, errors),
        "handler" => set(&mut keys.handler, key, expected("a name", "Name").parse(input)?, errors),
        "crate" => set(&mut keys.crate_path, key, value::crate_path(input, &copy)?, errors),
        "annotations" if input.peek(syn::token::Paren) => {
            let content = list::parenthesised(&copy, input, "")?;
            let written = migration::written_keys(content.parse()?);
            if written.is_empty() {
                return Err(list::unknown_key(&key, KEYS, "`#[mcp_tool]`"));
            }
            let help = format!("write its keys directly: `{written}`");
            return Err(errors::spanned(&key, "`annotations` is not a key of `#[mcp_tool]`", help));
        }
        _ => return Err(list::unknown_key(&key, KEYS, "`#[mcp_tool]`")),
    }
    Ok(())
}

/// Parses the path of a hand-written schema: the name of a function, without parentheses, or of a constant.
fn schema_path(
    input: ParseStream<'_>,
    key: &Ident,
    errors: &mut Errors,
    help_for_type: impl Fn(&str) -> String,
) -> syn::Result<Path> {
    let what = "the path of a function or constant with the schema";
    let ahead = input.fork();
    if let Some((expr, ty)) = ahead.parse::<Token![=]>().and_then(|_| ahead.parse::<Expr>()).ok().and_then(|expr| {
        let ty = migration::schema_of_type(&expr)?;
        Some((expr, ty))
    }) {
        input.advance_to(&ahead);
        let message = format!("`{key}` takes {what}, not an expression");
        return Err(errors::spanned(expr, message, help_for_type(&types::written(ty))));
    }
    let path: Path = Expected { key, what, example: "path" }.parse(input)?;
    let not_a_path =
        |help: String| Err(errors::spanned(&path, format!("`{key}` takes {what}, not an expression"), help));
    if input.peek(Token![!]) {
        return not_a_path(format!(
            "write `fn schema() -> serde_json::Value {{ serde_json::json!(…) }}`, and name it: `{key} = schema`"
        ));
    }
    if input.peek(syn::token::Paren) {
        return not_a_path(format!("write `{key} = {}`, without parentheses", types::written(&path)));
    }
    let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    if last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase) {
        let message = format!("`{key}` takes {what}, and `{last}` is a type");
        errors.report(&path, message, help_for_type(&last));
    }
    Ok(path)
}
