//! One parameter of a tool.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, GenericArgument, Meta, Pat, PatType, PathArguments, Token, Type};

use crate::attr::unknown_key;
use crate::errors::Errors;
use crate::paths;

/// A parameter, and the argument that it becomes.
pub(crate) struct Param {
    pub(crate) ident: Ident,
    /// Docs and the attributes of `serde` and `schemars`, for the field.
    pub(crate) attrs: Vec<Attribute>,
    /// The type as it is written, without the `&` of a lent one.
    pub(crate) ty: Type,
    pub(crate) passing: Passing,
    /// Whether it is the whole of the arguments.
    pub(crate) whole: bool,
    /// Whether serde reads the type only by its own rules, so that the field can stand for any type.
    pub(crate) plain: bool,
    /// The names that serde also reads it under.
    pub(crate) aliases: Vec<String>,
    /// The name that is published.
    pub(crate) wire_name: String,
    /// The parameter as it is written, to point at.
    pub(crate) written: PatType,
}

/// How the function takes the argument.
pub(crate) enum Passing {
    /// `T`
    Owned,
    /// `&T`
    Lent,
    /// `Option<&T>`
    LentOption,
}

/// Reads a parameter, or reports why it cannot be one.
pub(crate) fn parse(input: &FnArg, errors: &mut Errors) -> Option<Param> {
    let FnArg::Typed(typed) = input else { return None };
    let ident = name(typed, errors)?;
    let whole = whole(&typed.attrs, errors);
    let (ty, passing) = classify(typed, errors)?;
    let forwarded = |attr: &&Attribute| {
        ["doc", "serde", "schemars", "validate", "garde"].iter().any(|name| attr.path().is_ident(name))
    };
    let attrs: Vec<_> = typed.attrs.iter().filter(forwarded).cloned().collect();
    for attr in &typed.attrs {
        if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
            errors.help(
                attr,
                "a parameter of a tool cannot depend on `cfg`: clients would see another tool",
                "put `#[cfg]` on the function, and write one function for each case",
            );
        }
    }
    if let Some(attr) = attrs.iter().find(|attr| whole && !attr.path().is_ident("doc")) {
        let help = "put this attribute on the type, or drop `#[mcp_tool(arguments)]`";
        errors.help(attr, "the arguments as a whole are no field", help);
    }
    let serde = serde_keys(&attrs);
    let ty = paths::with_lifetime(&ty, "'static");
    let wire_name = serde.rename.unwrap_or_else(|| plain_name(&ident));
    let Serde { plain, aliases, .. } = Serde { rename: None, ..serde };
    Some(Param { ident, attrs, ty, passing, whole, plain, aliases, wire_name, written: typed.clone() })
}

/// A name without `r#`.
pub(crate) fn plain_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

fn name(typed: &PatType, errors: &mut Errors) -> Option<Ident> {
    match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        other => {
            errors.help(
                other,
                "a parameter of a tool needs a name, which is the name of the argument",
                "name it here, and take it apart in the body",
            );
            None
        }
    }
}

/// Reads `#[mcp_tool(arguments)]`.
fn whole(attrs: &[Attribute], errors: &mut Errors) -> bool {
    let mut whole = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("mcp_tool")) {
        let read = attr.parse_args_with(|input: syn::parse::ParseStream<'_>| {
            let key = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
            if key != "arguments" {
                return Err(unknown_key(&key, &key.to_string(), &["arguments"], "mcp_tool` on a parameter`"));
            }
            Ok(())
        });
        match (read, &attr.meta) {
            (Ok(()), _) => whole = true,
            (Err(_), Meta::Path(path)) => {
                errors.help(
                    path,
                    "`#[mcp_tool]` on a parameter says nothing by itself",
                    "write `#[mcp_tool(arguments)]`",
                );
            }
            (Err(error), _) => errors.syn(error),
        }
    }
    whole
}

fn classify(typed: &PatType, errors: &mut Errors) -> Option<(Type, Passing)> {
    match &*typed.ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            errors.help(
                &typed.ty,
                "an argument cannot be lent as `&mut`: nobody would see the change",
                "take it by value, and make the binding `mut`",
            );
            None
        }
        Type::Reference(reference) => Some(((*reference.elem).clone(), Passing::Lent)),
        Type::ImplTrait(_) => {
            errors.help(&typed.ty, "an argument needs one type, to have a schema", "name the type instead of `impl …`");
            None
        }
        ty => Some(match option_of_reference(ty) {
            Some(inner) => (inner, Passing::LentOption),
            None => (ty.clone(), Passing::Owned),
        }),
    }
}

/// `T` of an `Option<&T>`.
fn option_of_reference(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(Type::Reference(reference)) if reference.mutability.is_none() => {
            Some((*reference.elem).clone())
        }
        _ => None,
    }
}

struct Serde {
    plain: bool,
    aliases: Vec<String>,
    rename: Option<String>,
}

/// What of the forwarded attributes the macro itself needs to know. What it cannot read, serde will refuse better.
fn serde_keys(attrs: &[Attribute]) -> Serde {
    let mut serde = Serde { plain: true, aliases: Vec::new(), rename: None };
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else {
            serde.plain = false;
            continue;
        };
        for meta in &metas {
            if meta.path().is_ident("alias") {
                serde.aliases.extend(string_of(meta));
            } else if meta.path().is_ident("rename") {
                serde.rename = string_of(meta).or(serde.rename);
            } else {
                serde.plain = false;
            }
        }
    }
    serde
}

fn string_of(meta: &Meta) -> Option<String> {
    let text = match meta {
        Meta::NameValue(meta) => meta.value.to_token_stream(),
        // `rename(serialize = "…", deserialize = "…")`: arguments are read, so the second counts.
        Meta::List(list) => {
            let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
            return metas.iter().find(|meta| meta.path().is_ident("deserialize")).and_then(string_of);
        }
        Meta::Path(_) => return None,
    };
    syn::parse2::<syn::LitStr>(text).ok().map(|text| text.value())
}
