//! Parses lists of keys: `key, key = value, key(…)`. Every attribute of this crate has this form.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, LitStr, Meta, Token};

use crate::errors::{self, Errors, nearest};
use crate::migration;
use keys::{Key, ParamKeys, ServiceKeys, ToolKeys};
pub(crate) use question::{Call, Callee, Piece, Question};
pub(crate) use role::Role;

pub(crate) mod compound;
pub(crate) mod keys;
mod question;
mod role;
pub(crate) mod value;

/// A value, and the key that it was written for. Errors point at either.
#[derive(Clone)]
pub(crate) struct KeyValue<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// The value of a key that can be given only once, if the key is given.
pub(crate) type One<T> = Option<KeyValue<T>>;

/// The values of a key that can be given several times.
pub(crate) type Many<T> = Vec<KeyValue<T>>;

/// Gives access to what the author wrote for a key that can be given only once.
pub(crate) trait Given<T> {
    fn key(&self) -> Option<&Ident>;

    fn value(&self) -> Option<&T>;

    /// Returns `true` for a flag that is set.
    fn is_set(&self) -> bool
    where
        T: PartialEq<bool>,
    {
        self.value().is_some_and(|value| *value == true)
    }
}

impl<T> Given<T> for One<T> {
    fn key(&self) -> Option<&Ident> {
        self.as_ref().map(|given| &given.key)
    }

    fn value(&self) -> Option<&T> {
        self.as_ref().map(|given| &given.value)
    }
}

/// The field that stores the value or the values of a key.
pub(crate) trait Slot<T> {
    fn put(&mut self, key: &Ident, value: T, errors: &mut Errors);

    /// If this slot has no value, takes the value of the other slot as the default. Does nothing for a key that can be
    /// given several times, because no such key has a default.
    fn fill_from(&mut self, _: &Self) {}
}

impl<T: Clone> Slot<T> for One<T> {
    fn put(&mut self, key: &Ident, value: T, errors: &mut Errors) {
        if self.is_some() {
            errors.report(key, format!("`{key}` is given twice"), "remove one of them");
        } else {
            *self = Some(KeyValue { key: key.clone(), value });
        }
    }

    fn fill_from(&mut self, default: &Self) {
        if self.is_none() {
            self.clone_from(default);
        }
    }
}

impl<T: Clone> Slot<T> for Many<T> {
    fn put(&mut self, key: &Ident, value: T, _: &mut Errors) {
        self.push(KeyValue { key: key.clone(), value });
    }
}

/// The values of an attribute's keys. `keys!` implements this trait.
pub(crate) trait Keys: Default {
    /// The name of the attribute in error messages, such as `#[mcp_tool]`.
    const ATTRIBUTE: &'static str;
    /// The module that editors complete the keys from.
    const MODULE: &'static str;
    const TABLE: &'static [Key];

    /// Parses what follows a key. Returns `false` if the table does not have the key.
    fn parse_value(&mut self, key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<bool>;

    /// Takes each missing value from `default`, except for the keys in `wrong`.
    fn fill_from(&mut self, default: &Self);

    /// Returns the keys with a wrong value, and the unknown keys.
    fn wrong(&mut self) -> &mut Vec<Ident>;

    /// Parses a list of keys, and reports every unknown key and every wrong value in it.
    fn parse(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        list(input, errors, |input, key, errors| match self.parse_value(key, input, errors) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let table: Vec<_> = Self::TABLE.iter().collect();
                self.wrong().push(meant(key, &table).unwrap_or_else(|| key.clone()));
                Err(unknown_key::<Self>(key, &table))
            }
            Err(error) => {
                self.wrong().push(key.clone());
                Err(error)
            }
        })
    }

    /// Returns `true` if a mistake may concern this key: its value is wrong, or an unknown key may stand for it.
    fn may_be_wrong(&self, key: &str) -> bool;

    /// Parses all of `attrs` that have the name `name`. `help` says what to write into an attribute without keys.
    fn parse_attributes(attrs: &[Attribute], name: &str, help: &str, errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
            if !matches!(&attr.meta, Meta::List(list) if !list.tokens.is_empty()) {
                errors.report(attr, format!("{} needs a key", Self::ATTRIBUTE), help);
                continue;
            }
            if let Err(error) = attr.parse_args_with(|input: ParseStream<'_>| keys.parse(input, errors)) {
                errors.push(error);
            }
        }
        keys
    }
}

impl ToolKeys {
    /// Parses the keys of `#[mcp_tool(…)]` on a function or a method.
    pub(crate) fn of_function(attribute: TokenStream, errors: &mut Errors) -> Self {
        let text = string_without_key(&attribute);
        let mut keys = Self::default();
        if let Err(error) = (|input: ParseStream<'_>| keys.parse(input, errors)).parse2(attribute) {
            errors.push(error);
        }
        keys.wrong.extend(text.map(|span| Ident::new("description", span)));
        for (index, entry) in keys.meta.iter().enumerate() {
            let key = &entry.value.key;
            if keys.meta[..index].iter().any(|other| other.value.key.value() == key.value()) {
                errors.report(key, format!("`{}` is given twice", key.value()), "remove one of them");
            }
        }
        keys
    }
}

/// Parses a list of keys. `parse_value` parses what follows one key. After an error, parsing continues at the next key.
pub(crate) fn list(
    input: ParseStream<'_>,
    errors: &mut Errors,
    mut parse_value: impl FnMut(ParseStream<'_>, &Ident, &mut Errors) -> syn::Result<()>,
) -> syn::Result<()> {
    while !input.is_empty() {
        if let Err(error) = key(input).and_then(|key| parse_value(input, &key, errors)) {
            errors.push(error);
            skip_to_comma(input)?;
        }
        if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
            continue;
        }
        let next = input.fork().parse::<TokenTree>()?.to_string();
        let is_key = input.peek(Ident::peek_any);
        let (message, help) = if is_key {
            (format!("a comma is missing before `{next}`"), format!("write `, {next}`"))
        } else {
            (format!("`{next}` is not expected here"), "write `,` before the next key".to_owned())
        };
        errors.push(errors::error(next_span(input), message, help));
        if !is_key {
            skip_to_comma(input)?;
            input.parse::<Option<Token![,]>>()?;
        }
    }
    Ok(())
}

fn key(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.call(Ident::parse_any).map_err(|_| {
        let next = input.fork().parse::<TokenTree>().map(|token| token.to_string()).unwrap_or_default();
        let value = if next.starts_with('"') { next.as_str() } else { "…" };
        // A name is a single word, so several words must be meant as the description.
        let key = if next.trim_matches('"').trim().contains(' ') { "description" } else { "name" };
        let help = format!("write a key before it: `{key} = {value}`");
        errors::error(next_span(input), format!("`{next}` is not a key"), help)
    })
}

/// Returns the span of the first string that stands in the place of a key.
fn string_without_key(list: &TokenStream) -> Option<Span> {
    let mut at_key = true;
    list.clone().into_iter().find_map(|token| {
        let is_string = matches!(&token, TokenTree::Literal(literal) if literal.to_string().starts_with('"'));
        let found = (at_key && is_string).then(|| token.span());
        at_key = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        found
    })
}

/// Returns the span of the next token, or of the end of the input.
pub(crate) fn next_span(input: ParseStream<'_>) -> Span {
    input.fork().parse::<TokenTree>().map_or_else(|_| input.span(), |token| token.span())
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Returns the known key that a misspelt `key` probably stands for, if a known key is similar.
pub(crate) fn meant(key: &Ident, table: &[&Key]) -> Option<Ident> {
    let names: Vec<_> = table.iter().map(|known| known.name).collect();
    nearest(&key.to_string(), &names).map(|near| Ident::new(near, key.span()))
}

/// Returns the error for an unknown key. Its help says what to write instead, where the key belongs, or which keys are
/// known.
pub(crate) fn unknown_key<K: Keys>(key: &Ident, table: &[&Key]) -> syn::Error {
    let names: Vec<_> = table.iter().map(|known| known.name).collect();
    let all = format!("the keys are `{}`", names.join("`, `"));
    let places = [
        (ToolKeys::MODULE, ToolKeys::TABLE, "a tool: write `#[mcp_tool(", "above the function or method"),
        (ServiceKeys::MODULE, ServiceKeys::TABLE, "a block: write `#[mcp_tools(", "above the `impl`"),
        (ParamKeys::MODULE, ParamKeys::TABLE, "a parameter: write `#[mcp_tool(", "before the parameter"),
    ];
    let is_of_tool = places.iter().any(|(module, ..)| *module == K::MODULE);
    let mut elsewhere = places.iter().filter(|_| is_of_tool).filter_map(|(_, table, attribute, place)| {
        let known = table.iter().find(|known| key == known.name)?;
        Some(format!("it is for {attribute}{})]` {place}", known.form()))
    });
    let help = if let Some(help) = migration::help_for_key(key, K::ATTRIBUTE) {
        help.to_owned()
    } else if let Some(elsewhere) = elsewhere.next() {
        elsewhere
    } else if let Some(near) = meant(key, table) {
        format!("write `{near}`\nnote: {all}")
    } else {
        all
    };
    errors::error(key.span(), format!("`{key}` is not a key of {}", K::ATTRIBUTE), help)
}

/// If `= "…"` comes next, returns its string without consuming anything.
pub(crate) fn peek_string(input: ParseStream<'_>) -> Option<LitStr> {
    let ahead = input.fork();
    ahead.parse::<Token![=]>().and_then(|_| ahead.parse::<LitStr>()).ok()
}

/// Returns a name without the `r#` of a raw identifier.
pub(crate) fn unraw(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}
