//! A tool: what everything in the source is, said once.

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, Generics, Lit, Meta, Path, ReturnType, Token, Type};

use crate::attr::{self, Keys};
use crate::docs::{self, Text};
use crate::errors::Errors;
use crate::param::{self, Param};
use crate::parse::Function;
use crate::{extras, paths};

pub(crate) struct Tool {
    pub(crate) function: Function,
    pub(crate) keys: Keys,
    pub(crate) name: String,
    pub(crate) description: Option<Text>,
    /// The note of `#[deprecated]`, which may be empty.
    pub(crate) deprecated: Option<String>,
    pub(crate) handler: Ident,
    pub(crate) krate: Path,
    pub(crate) params: Vec<Param>,
    /// The return type as it is written but for lifetimes, `None` for `()`.
    pub(crate) returns: Option<Type>,
    /// The milliseconds of `timeout`.
    pub(crate) limit: Option<u64>,
    /// The type that the tool is a method of.
    pub(crate) host: Option<Host>,
}

/// The type of an impl block with tools.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) ty: Type,
    pub(crate) generics: Generics,
    /// Where the runtime lives, for all tools of the block.
    pub(crate) krate: Path,
}

impl Host {
    /// What is in an attribute of a method, as it is written where the tool is described: `Self` is another type there. In
    /// a generic block no name can stand for it.
    fn named(&self, tokens: TokenStream) -> TokenStream {
        if self.is_generic() { tokens } else { paths::with_host(tokens) }
    }

    /// Says so.
    fn check_self(&self, tokens: &TokenStream, errors: &mut Errors) {
        if let Some(ident) = paths::find_self(tokens.clone()).filter(|_| self.is_generic()) {
            let help = "write a constant or a function outside of the impl block, and name it here";
            errors.help(ident, "`Self` is many types here, and the definition of a tool is made once", help);
        }
    }

    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// The bounds of the block, and what a service has to be.
    pub(crate) fn bounds(&self) -> syn::WhereClause {
        let ty = &self.ty;
        let mut bounds = self.generics.where_clause.clone().unwrap_or_else(|| syn::parse_quote!(where));
        let span = syn::spanned::Spanned::span(ty);
        let service: syn::WherePredicate = syn::parse_quote_spanned!(span=> #ty: __mcp_tool::SharedService);
        bounds.predicates.push(service);
        bounds
    }
}

impl Tool {
    /// The tool of a free function.
    pub(crate) fn new(attribute: TokenStream, function: Function, errors: &mut Errors) -> Self {
        let keys = attr::parse(attribute, errors);
        let ident = &function.sig.ident;
        let handler = keys.handler.as_ref().map_or(ident, |given| &given.value).clone();
        let krate = keys.krate.as_ref().map_or_else(paths::default_crate, |given| given.value.clone());
        Self::read(keys, function, handler, krate, None, errors)
    }

    /// The tool of a method, or of a function in an impl block.
    pub(crate) fn method(attribute: TokenStream, function: Function, host: &Host, errors: &mut Errors) -> Self {
        host.check_self(&attribute, errors);
        let keys = attr::parse(host.named(attribute), errors);
        if let Some(given) = &keys.handler {
            errors.help(&given.key, "a method has no handle: its service is registered", "remove `handler`");
        }
        if let Some(given) = &keys.krate {
            errors.help(&given.key, "`crate` is said once for all methods", "write `#[mcp_tools(crate = ::path)]`");
        }
        let handler = format_ident!("__Handler");
        Self::read(keys, function, handler, host.krate.clone(), Some(host.clone()), errors)
    }

    fn read(
        keys: Keys,
        function: Function,
        handler: Ident,
        krate: Path,
        host: Option<Host>,
        errors: &mut Errors,
    ) -> Self {
        let given = keys.name.as_ref().map(|given| given.value.value());
        let name = given.unwrap_or_else(|| param::plain_name(&function.sig.ident));
        let description = match &keys.description {
            Some(given) => Some(given.value.clone()),
            None => docs::description(&function.attrs),
        };
        let own = |ty: &Type| host.as_ref().map_or_else(|| ty.clone(), |host| paths::without_self(ty, &host.ty));
        let params = function.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) if !paths::is_receiver(typed) => {
                let mut typed = typed.clone();
                *typed.ty = own(&typed.ty);
                if let Some(host) = &host {
                    for attr in &mut typed.attrs {
                        if let Meta::List(list) = &mut attr.meta {
                            host.check_self(&list.tokens, errors);
                            list.tokens = host.named(list.tokens.clone());
                        }
                    }
                }
                param::parse(&FnArg::Typed(typed), errors)
            }
            _ => None,
        });
        let params = params.collect();
        let returns = match &function.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(own(&paths::with_lifetime(ty, "'static"))),
        };
        let limit = keys.timeout.as_ref().and_then(|given| extras::limit(&given.value, errors));
        let deprecated = deprecated(&function);
        Self { function, keys, name, description, deprecated, handler, krate, params, returns, limit, host }
    }

    /// Whether a plain function is meant, to be run on the blocking pool.
    pub(crate) fn is_blocking(&self) -> bool {
        self.keys.blocking.as_ref().is_some_and(|given| given.value)
    }

    /// Whether the types of the tool can name parameters of its impl block, so that no alias can stand for them.
    pub(crate) fn is_generic(&self) -> bool {
        self.host.as_ref().is_some_and(Host::is_generic)
    }
}

/// The note of `#[deprecated]`.
fn deprecated(function: &Function) -> Option<String> {
    let attr = function.attrs.iter().find(|attr| attr.path().is_ident("deprecated"))?;
    let text = |expr: &Expr| match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => text.value(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    Some(match &attr.meta {
        Meta::Path(_) => String::new(),
        Meta::NameValue(meta) => text(&meta.value),
        Meta::List(list) => {
            let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap_or_default();
            let note = metas.iter().find_map(|meta| match meta {
                Meta::NameValue(meta) if meta.path.is_ident("note") => Some(text(&meta.value)),
                _ => None,
            });
            note.unwrap_or_default()
        }
    })
}
