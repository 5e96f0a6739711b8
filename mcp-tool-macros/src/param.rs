//! One parameter of a tool.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, GenericArgument, Meta, Pat, PatType, PathArguments, Token, Type};

use crate::errors::Errors;
use crate::marks::{Marks, Role};
use crate::{forwarded, paths};

/// A parameter, and the argument that it becomes.
pub(crate) struct Param {
    pub(crate) ident: Ident,
    /// Docs and the attributes of `serde` and `schemars`, for the field.
    pub(crate) attrs: Vec<Attribute>,
    /// The type as it is written, without the `&` of a lent one.
    pub(crate) ty: Type,
    pub(crate) passing: Passing,
    /// What it is besides an argument, and what the attribute says of it.
    pub(crate) marks: Marks,
    /// Whether serde reads the type only by its own rules, so that the field can stand for any type.
    pub(crate) plain: bool,
    /// Whether `#[serde(default)]` stands on it, without a function.
    pub(crate) has_default: bool,
    /// Whether its fields are arguments, and not it.
    pub(crate) flattened: bool,
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
    let marks = Marks::parse(&typed.attrs, errors);
    let (ty, passing) = if marks.is_sent() { classify(typed, errors)? } else { part(typed, marks.role, errors)? };
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
    if let Some(attr) = attrs.iter().find(|attr| marks.whole() && !attr.path().is_ident("doc")) {
        let help = "put this attribute on the type, or drop `#[mcp_tool(arguments)]`";
        errors.help(attr, "the arguments as a whole are no field", help);
    }
    if let Some(attr) = attrs.iter().find(|attr| !marks.is_sent() && !attr.path().is_ident("doc")) {
        errors.help(attr, "no client sends this parameter, so it is no field", "remove this attribute");
    }
    forwarded::check(&attrs, errors);
    let serde = serde_keys(&attrs);
    let ty = paths::with_lifetime(&ty, "'static");
    let wire_name = serde.rename.unwrap_or_else(|| plain_name(&ident));
    let Serde { plain, has_default, flattened, aliases, .. } = Serde { rename: None, ..serde };
    let written = typed.clone();
    Some(Param { ident, attrs, ty, passing, marks, plain, has_default, flattened, aliases, wire_name, written })
}

impl Param {
    /// What the `Option` of the type holds, as far as it is spelt as one.
    pub(crate) fn inner(&self) -> Option<&Type> {
        match self.passing {
            Passing::LentOption => return Some(&self.ty),
            Passing::Lent => return None,
            Passing::Owned => {}
        }
        argument_of(&self.ty, "Option")
    }
}

impl Param {
    /// What the type holds, several of them or one that may be missing, as far as it is spelt so.
    pub(crate) fn element(&self) -> Option<&Type> {
        paths::element(&self.ty).or_else(|| matches!(self.passing, Passing::LentOption).then_some(&self.ty))
    }
}

/// A name without `r#`.
pub(crate) fn plain_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

fn name(typed: &PatType, errors: &mut Errors) -> Option<Ident> {
    let (message, help) = match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => return Some(pat.ident.clone()),
        Pat::Ident(pat) if pat.subpat.is_none() => (
            format!("parameter `{}` is bound with `ref`, which a caller does not see", pat.ident),
            format!("write `{}`, and borrow it in the body", pat.ident),
        ),
        Pat::Wild(_) => (
            "a parameter of a tool needs a name, which is the name of the argument".to_owned(),
            "name it, or take it away: a client would send it for nothing".to_owned(),
        ),
        pat => (
            "a parameter of a tool needs a name, which is the name of the argument".to_owned(),
            unwrapped(pat, &typed.ty).unwrap_or_else(|| "name it here, and take it apart in the body".to_owned()),
        ),
    };
    errors.help(&typed.pat, message, help);
    None
}

/// What `Wrapper(name): Wrapper<Type>` is here, which other libraries take apart in the signature.
fn unwrapped(pat: &Pat, ty: &Type) -> Option<String> {
    let Pat::TupleStruct(pat) = pat else { return None };
    let Some(Pat::Ident(name)) = pat.elems.first().filter(|_| pat.elems.len() == 1) else { return None };
    let wrapper = pat.path.segments.last()?.ident.to_string();
    let (name, inner) = (&name.ident, paths::written(argument_of(ty, &wrapper)?));
    Some(match wrapper.as_str() {
        "State" | "Data" => format!("write `#[mcp_tool(state)] {name}: &{inner}`"),
        "Extension" => format!("write `#[mcp_tool(extension)] {name}: &{inner}`"),
        _ => format!("write `#[mcp_tool(arguments)] {name}: {inner}` for the whole of the arguments"),
    })
}

fn classify(typed: &PatType, errors: &mut Errors) -> Option<(Type, Passing)> {
    let (ty, passing) = match paths::ungrouped(&typed.ty) {
        Type::Reference(reference) => ((*reference.elem).clone(), Passing::Lent),
        ty => match option_of_reference(ty) {
            Some(inner) => (inner, Passing::LentOption),
            None => (ty.clone(), Passing::Owned),
        },
    };
    if matches!(ty, Type::Infer(_)) {
        errors.leave_to_rustc();
        return None;
    }
    if let (Passing::Lent | Passing::LentOption, Some(object)) = (&passing, paths::object(&ty)) {
        errors.help(object, "an argument needs one type, to have a schema", "name the type instead of `dyn …`");
        return None;
    }
    if let Some(opaque) = paths::opaque(&ty) {
        errors.help(opaque, "an argument needs one type, to have a schema", "name the type instead of `impl …`");
        return None;
    }
    let exclusive = |ty: &Type| matches!(ty, Type::Reference(reference) if reference.mutability.is_some());
    let reference = paths::reference(&typed.ty).map(Type::Reference).filter(exclusive);
    if let Some(reference) = reference {
        let message = "an argument cannot be lent as `&mut`: nobody would see the change";
        errors.help(reference, message, "take it by value, and make the binding `mut`");
        return None;
    }
    if let Some(inner) = paths::reference(&ty) {
        let owned = match &*inner.elem {
            Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
            Type::Slice(slice) => format!("Vec<{}>", paths::written(&slice.elem)),
            ty => paths::written(ty),
        };
        let (ty, inner) = (paths::written(&typed.ty), Type::Reference(inner));
        let message = format!("argument `{ty}` borrows inside, and nobody would own what it borrows");
        errors.help(&inner, message, format!("write `{owned}` instead of `{}`", paths::written(&inner)));
        return None;
    }
    Some((ty, passing))
}

/// The type of a parameter that is no argument: it is always lent.
fn part(typed: &PatType, role: Role, errors: &mut Errors) -> Option<(Type, Passing)> {
    let shared = |ty: &Type| match paths::ungrouped(ty) {
        Type::Reference(reference) if reference.mutability.is_none() => Some((*reference.elem).clone()),
        _ => None,
    };
    let what = match role {
        Role::Context => "the context of the call",
        Role::State => "a state",
        _ => "an extension",
    };
    let found = match (shared(&typed.ty), option_of_reference(&typed.ty)) {
        (Some(ty), _) => Some((ty, Passing::Lent)),
        (None, Some(inner)) if role != Role::Context => Some((inner, Passing::LentOption)),
        _ => None,
    };
    if let Some((ty, passing)) = found {
        if role != Role::Context {
            another_type(typed, &ty, &passing, role, errors)?;
        }
        return Some((ty, passing));
    }
    let owned = match paths::ungrouped(&typed.ty) {
        Type::Reference(reference) => &*reference.elem,
        ty => ty,
    };
    let help = match (role, argument_of(owned, "Option"), argument_of(owned, "Arc")) {
        (Role::Context, ..) => "write `&CallContext`".to_owned(),
        (_, Some(inner), _) => format!("write `Option<&{}>`", paths::written(inner)),
        (Role::State, _, Some(inner)) => {
            format!("write `&{}`: what an `Arc` holds is lent as itself", paths::written(inner))
        }
        _ => {
            let ty = paths::written(owned);
            format!("write `&{ty}`, or `Option<&{ty}>` if it may be missing")
        }
    };
    errors.help(&typed.ty, format!("{what} is lent to the function"), help);
    None
}

/// A state or an extension is found by its type. These two types are seldom what is there, and another one is meant.
fn another_type(typed: &PatType, ty: &Type, passing: &Passing, role: Role, errors: &mut Errors) -> Option<()> {
    let what = if role == Role::State { "a state" } else { "an extension" };
    if let Some(object) = paths::object(ty) {
        let arc = format!("Arc<{}>", paths::written(object));
        let give = if role == Role::State { "register it with `.state(…)`" } else { "attach it to the request" };
        let wanted = if matches!(passing, Passing::Lent) { format!("&{arc}") } else { format!("Option<&{arc}>") };
        let message = format!("{what} is found by its one type, and `{}` stands for many", paths::written(object));
        errors.help(&typed.ty, message, format!("write `{wanted}`; {give} as `{arc}`"));
        return None;
    }
    if let Some(inner) = argument_of(ty, "Option") {
        let inner = paths::written(inner);
        let message = format!("{what} is found by its type, and `Option<{inner}>` is another type than `{inner}`");
        errors.help(&typed.ty, message, format!("write `Option<&{inner}>`, if it may be missing"));
        return None;
    }
    Some(())
}

/// `T` of a type that is spelt `Name<T>`.
fn argument_of<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = paths::ungrouped(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// `T` of an `Option<&T>`.
fn option_of_reference(ty: &Type) -> Option<Type> {
    let inner = argument_of(ty, "Option")?;
    match paths::ungrouped(inner) {
        Type::Reference(reference) => Some((*reference.elem).clone()),
        _ => None,
    }
}

struct Serde {
    plain: bool,
    has_default: bool,
    flattened: bool,
    aliases: Vec<String>,
    rename: Option<String>,
}

/// What of the forwarded attributes the macro itself needs to know. What it cannot read, serde will refuse better.
fn serde_keys(attrs: &[Attribute]) -> Serde {
    let mut serde = Serde { plain: true, has_default: false, flattened: false, aliases: Vec::new(), rename: None };
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
            } else if matches!(meta, Meta::Path(path) if path.is_ident("default")) {
                serde.has_default = true;
            } else if meta.path().is_ident("flatten") {
                serde.flattened = true;
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
