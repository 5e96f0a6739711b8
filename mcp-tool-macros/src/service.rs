//! `#[mcp_tools]` on an impl block: a second front end over the same model.

use proc_macro2::{Group, Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, ImplItem, LitStr, Path, Token, Type, WhereClause};

use crate::errors::Errors;
use crate::extras::list;
use crate::keys::{self, Given, set};
use crate::model::{Host, Tool};
use crate::parse::Function;
use crate::value::{Takes, krate, string};
use crate::{check, kind, paths};

mod registration;

use registration::{registration, stub};

/// What the attribute says.
#[derive(Default)]
struct Keys {
    prefix: Option<Given<LitStr>>,
    krate: Option<Given<Path>>,
    /// The name of this block, where it is not the first of its type.
    part: Option<Given<Ident>>,
    /// The other blocks, by their names.
    parts: Vec<Ident>,
    /// Whether `#[mcp_tool]` stands on a method without a path, so that it may have been imported.
    is_bare: bool,
}

/// An impl block. The bodies of its methods are not looked into.
struct Block {
    attrs: Vec<Attribute>,
    keyword: Token![impl],
    generics: Generics,
    /// The trait, of an impl that no service can be.
    of: Option<Type>,
    ty: Type,
    bounds: Option<WhereClause>,
    items: Vec<Item>,
}

enum Item {
    Function(Box<Function>),
    Other(TokenStream),
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let keyword = input.parse()?;
        let mut generics: Generics = if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let first: Type = input.parse()?;
        let (of, ty) = match input.parse::<Option<Token![for]>>()? {
            Some(_) => (Some(first), input.parse()?),
            None => (None, first),
        };
        let bounds: Option<WhereClause> = input.parse()?;
        generics.where_clause.clone_from(&bounds);
        let body: Group = input.parse()?;
        let items = |input: ParseStream<'_>| {
            let mut items = Vec::new();
            while !input.is_empty() {
                items.push(item(input)?);
            }
            Ok(items)
        };
        Ok(Self { attrs, keyword, generics, of, ty, bounds, items: items.parse2(body.stream())? })
    }
}

fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    if Function::parse_method(&input.fork()).is_ok() {
        return Ok(Item::Function(Box::new(Function::parse_method(input)?)));
    }
    let item: ImplItem = input.parse()?;
    Ok(Item::Other(item.into_token_stream()))
}

/// The way of the attribute: parse, a model for each method, check, the gate, and what is emitted.
pub(crate) fn tools(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let block = match syn::parse2::<Block>(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            match kind::of(item) {
                Some((word, kind)) if word != "impl" => {
                    errors.help(word, format!("`#[mcp_tools]` is on {kind}"), "put it on an impl block");
                }
                _ => match syn::parse2::<Function>(item.clone()) {
                    Ok(function) => {
                        let help = "put `#[mcp_tool]` on a function, and `#[mcp_tools]` on an impl block with methods";
                        errors.help(function.sig.fn_token, "`#[mcp_tools]` is on a function", help);
                    }
                    Err(_) => errors.syn(error),
                },
            }
            let errors = errors.to_compile_errors();
            return quote!(#item #errors);
        }
    };
    let keys = read(attribute, &mut errors);
    let krate = keys.krate.as_ref().map_or_else(paths::default_crate, |given| given.value.clone());
    if let Some(of) = &block.of {
        let help = "write the tools in an impl block of the type itself, and call the trait's methods from them";
        errors.help(of, "the methods of a trait cannot be tools: their attributes are the trait's", help);
    }
    if let Some(lifetime) = paths::lifetime(&block.ty) {
        let help = "give it a type that owns what it has, behind an `Arc` if need be";
        errors.help(lifetime, "a service lives as long as the server, so it cannot borrow", help);
    }
    let host = Host { ty: block.ty.clone(), generics: block.generics.clone(), krate };
    emit(block, keys, &host, errors)
}

fn read(attribute: TokenStream, errors: &mut Errors) -> Keys {
    let mut found = Keys::default();
    let read = |input: ParseStream<'_>| {
        keys::read(input, errors, |input, key, errors| {
            let copy = key.clone();
            match key.to_string().as_str() {
                "prefix" => {
                    let prefix = string(input, &Takes { key: &copy, what: "a string", example: "\"notes_\"" })?;
                    set(&mut found.prefix, key, prefix, errors);
                }
                "crate" => set(&mut found.krate, key, krate(input, &copy)?, errors),
                "part" => {
                    let name = Takes { key: &copy, what: "a name", example: "reading" }.value(input)?;
                    set(&mut found.part, key, name, errors);
                }
                "parts" => {
                    let names = list(&copy, input, "reading, writing")?;
                    let read = Punctuated::<Ident, Token![,]>::parse_terminated(&names);
                    // What is left of a list with a mistake is no second one.
                    names.parse::<TokenStream>()?;
                    let read = read.map_err(|error| {
                        let message = "`parts` takes the names of other blocks\nhelp: write `parts(reading, writing)`";
                        syn::Error::new(error.span(), message)
                    });
                    found.parts.extend(read?);
                }
                _ => return Err(keys::unknown(&key, &["prefix", "part", "parts", "crate"], "`#[mcp_tools]`")),
            }
            Ok(())
        })
    };
    if let Err(error) = read.parse2(attribute) {
        errors.syn(error);
    }
    if let (Some(part), false) = (&found.part, found.parts.is_empty()) {
        let help = "write `parts(…)` on the one block without `part`";
        errors.help(&part.key, "a block that is a part has no parts of its own", help);
    }
    if let Some(prefix) = &found.prefix {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if let Some(c) = prefix.value.value().chars().find(|c| !allowed(*c)) {
            let message = format!("the prefix has the character {c:?}");
            errors.help(&prefix.value, message, "the name of a tool has the characters A-Z a-z 0-9 _ . -");
        }
    }
    found
}

fn emit(block: Block, mut keys: Keys, host: &Host, mut errors: Errors) -> TokenStream {
    let Block { attrs, keyword, generics, of, ty, bounds, items } = block;
    let mut emitted = Vec::new();
    let mut tools = Vec::new();
    let has_tool = |item: &Item| matches!(item, Item::Function(function) if function.again().is_some());
    let has_tools = items.iter().any(has_tool);
    for item in items {
        match item {
            Item::Other(tokens) => emitted.push(tokens),
            Item::Function(mut function) => match function.take_attribute() {
                None => {
                    if let Some(other) = (!has_tools).then(|| function.take_other()).flatten() {
                        let message = format!("`#[{}]` does not make a tool of a method", other.to_token_stream());
                        errors.help(&other, message, "write `#[mcp_tool]`");
                    }
                    emitted.push(function.emit_plain());
                }
                Some(attribute) => {
                    keys.is_bare |= attribute.path().get_ident().is_some();
                    let attribute = match attribute {
                        syn::Meta::List(list) => list.tokens,
                        _ => TokenStream::new(),
                    };
                    let tool = Tool::method(attribute, *function, host, &mut errors);
                    check::check(&tool, &mut errors);
                    check_name(&tool, &tools, &keys, &mut errors);
                    emitted.push(tool.function.emit());
                    tools.push(tool);
                }
            },
        }
    }
    if tools.is_empty() && errors.is_empty() {
        let message = "none of these methods is a tool";
        errors.help(keyword, message, "put `#[mcp_tool]` on the methods that clients may call");
    }
    let (impl_generics, _, _) = generics.split_for_impl();
    let of = of.map(|of| quote!(#of for));
    let block = quote!(#(#attrs)* #keyword #impl_generics #of #ty #bounds { #(#emitted)* });
    let registration = if errors.is_empty() {
        registration(&keys, keyword.span, host, &tools)
    } else {
        stub(&keys, keyword.span, host)
    };
    let errors = errors.to_compile_errors();
    quote!(#block #registration #errors)
}

/// What the name of a tool may not be beside the others of the block, and after the prefix.
fn check_name(tool: &Tool, before: &[Tool], keys: &Keys, errors: &mut Errors) {
    let name = &tool.name;
    let at = match &tool.keys.name {
        Some(given) => given.value.to_token_stream(),
        None => tool.function.sig.ident.to_token_stream(),
    };
    // Of methods under `cfg` only one may be there.
    let is_always = |tool: &Tool| tool.function.cfgs().next().is_none();
    if before.iter().any(|other| other.name == *name && is_always(other) && is_always(tool)) {
        let help = "name one of them otherwise: `#[mcp_tool(name = \"…\")]`";
        errors.help(&at, format!("two tools of this service are named `{name}`"), help);
    }
    let prefix = keys.prefix.as_ref().map_or(0, |given| given.value.value().chars().count());
    let length = prefix + name.chars().count();
    if prefix > 0 && length > 128 && name.chars().count() <= 128 {
        let message =
            format!("the name of tool `{name}` has {length} characters with the prefix, and 128 are the most");
        errors.help(&at, message, "shorten the name or the prefix");
    }
}
