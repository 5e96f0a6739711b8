//! The model of a tool: everything that its source says, read and classified just once.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::format_ident;
use syn::spanned::Spanned as _;
use syn::{FnArg, GenericParam, Generics, LitStr, Meta, Path, ReturnType, Type, WhereClause};

use crate::attr::keys::ToolKeys;
use crate::attr::{Given as _, Role, unraw, value};
use crate::docs::{Description, description_from_docs};
use crate::errors::Errors;
use crate::param::{self, Param};
use crate::parse::Function;
use crate::{field_attributes, types};

pub(crate) struct Tool {
    pub(crate) function: Function,
    pub(crate) keys: ToolKeys,
    pub(crate) name: String,
    pub(crate) description: Option<Description>,
    /// The note of `#[deprecated]`, which may be empty.
    pub(crate) deprecated: Option<String>,
    /// The name of the handle's type. For a function, this is the value of the key `handler`, or the function's name if
    /// there is no such key. For a method, it is always `__Handler`.
    pub(crate) handle_type: Ident,
    /// The path of the runtime, for generated code.
    pub(crate) runtime: Path,
    pub(crate) params: Vec<Param>,
    /// The return type, with `'static` for its lifetimes and the service's type for `Self`. `None` if the function has
    /// no `->`.
    pub(crate) returns: Option<Type>,
    /// The keys on the function itself that need the feature `tokio`. `#[mcp_tools]` checks its own keys once for all
    /// methods.
    pub(crate) tokio_keys: Vec<Ident>,
    /// The service that the tool is a method of.
    pub(crate) service: Option<Service>,
}

/// The type of an impl block with `#[mcp_tools]`, and the generic parameters of the block.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) ty: Type,
    pub(crate) generics: Generics,
    /// The path of the runtime, for generated code.
    pub(crate) runtime: Path,
}

impl Service {
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// Returns the first identifier in the tokens that names a type parameter or const parameter of the impl block.
    pub(crate) fn named_parameter(&self, tokens: TokenStream) -> Option<Ident> {
        let names = self.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.clone()),
            GenericParam::Const(param) => Some(param.ident.clone()),
            GenericParam::Lifetime(_) => None,
        });
        find(tokens, &names.collect::<Vec<_>>())
    }

    /// Returns the bounds of the impl block, with the bound that makes its type a service.
    pub(crate) fn bounds(&self) -> WhereClause {
        let ty = &self.ty;
        let mut bounds = self.generics.where_clause.clone().unwrap_or_else(|| syn::parse_quote!(where));
        bounds.predicates.push(syn::parse_quote_spanned!(ty.span()=> #ty: __mcp_tool::SharedService));
        bounds
    }

    /// Replaces `Self` in an attribute with an alias, because generated code uses the tokens in an impl of the handle,
    /// where `Self` would be the handle. An alias cannot name the parameters of a generic block, so `Self` is an error
    /// in such a block.
    fn replace_self(&self, tokens: TokenStream, errors: &mut Errors) -> TokenStream {
        if !self.is_generic() {
            return replace_self(tokens);
        }
        if let Some(ident) = find(tokens.clone(), &[format_ident!("Self")]) {
            let message = "`Self` cannot be used in an attribute inside a generic impl block";
            let help = "write a constant or a function outside of the impl block, and name it here";
            errors.report(ident, message, help);
        }
        tokens
    }
}

impl Tool {
    /// Creates the model of a tool that is a free function.
    pub(crate) fn from_function(attribute: TokenStream, function: Function, errors: &mut Errors) -> Self {
        let keys = ToolKeys::of_function(attribute, errors);
        let handle_type = keys.handler.value().unwrap_or(&function.sig.ident).clone();
        let runtime = value::runtime(keys.crate_path.value());
        Self::new(keys, function, handle_type, runtime, None, errors)
    }

    /// Creates the model of a tool that is a method, or a function without a receiver in an impl block.
    pub(crate) fn from_method(
        attribute: TokenStream,
        function: Function,
        service: &Service,
        errors: &mut Errors,
    ) -> Self {
        let attribute = service.replace_self(attribute, errors);
        let keys = ToolKeys::of_function(attribute, errors);
        if let Some(key) = keys.handler.key() {
            let message = "a method has no handle of its own: it is registered with its service";
            errors.report(key, message, "remove `handler`");
        }
        if let Some(key) = keys.crate_path.key() {
            errors.report(key, "`crate` is set once for all methods", "write `#[mcp_tools(crate = ::path)]`");
        }
        let handle_type = format_ident!("__Handler");
        Self::new(keys, function, handle_type, service.runtime.clone(), Some(service.clone()), errors)
    }

    fn new(
        keys: ToolKeys,
        mut function: Function,
        handle_type: Ident,
        runtime: Path,
        service: Option<Service>,
        errors: &mut Errors,
    ) -> Self {
        let name = keys.name.value().map_or_else(|| unraw(&function.sig.ident), LitStr::value);
        let description = keys.description.value().cloned().or_else(|| description_from_docs(&function.attrs));
        let params = function.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => {
                let mut typed = typed.clone();
                if let Some(service) = &service {
                    *typed.ty = types::replace_self(&typed.ty, &service.ty);
                    for attr in &mut typed.attrs {
                        if let Meta::List(list) = &mut attr.meta {
                            list.tokens = service.replace_self(list.tokens.clone(), errors);
                        }
                    }
                }
                param::parse(typed, errors)
            }
            FnArg::Receiver(_) => None,
        });
        let params: Vec<_> = params.collect();
        param::mark_used(&mut function, &params);
        let returns = match &function.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => {
                let ty = types::with_lifetime(ty, "'static");
                Some(service.as_ref().map_or_else(|| ty.clone(), |service| types::replace_self(&ty, &service.ty)))
            }
        };
        let deprecated = deprecated(&function);
        let tokio_keys = [keys.timeout.key(), keys.heartbeat.key(), keys.blocking.key()];
        let tokio_keys = tokio_keys.into_iter().flatten().cloned().collect();
        Self {
            function,
            keys,
            name,
            description,
            deprecated,
            handle_type,
            runtime,
            params,
            returns,
            tokio_keys,
            service,
        }
    }

    /// Returns `true` if the function runs on the blocking pool.
    pub(crate) fn is_blocking(&self) -> bool {
        self.keys.blocking.is_set()
    }

    /// Returns `true` if the tool's types can name parameters of a generic impl block. Generated code then spells the
    /// types out, because an alias cannot name those parameters.
    pub(crate) fn is_generic(&self) -> bool {
        self.service.as_ref().is_some_and(Service::is_generic)
    }

    /// Returns the parameters with this role.
    pub(crate) fn params_with(&self, role: Role) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(move |param| param.keys.role() == role)
    }
}

/// Returns the note of `#[deprecated]`, which is empty if the attribute has none. Returns `None` without the attribute.
fn deprecated(function: &Function) -> Option<String> {
    let attr = function.attrs.iter().find(|attr| attr.path().is_ident("deprecated"))?;
    let note = match &attr.meta {
        Meta::List(_) => field_attributes::metas(attr)
            .iter()
            .find(|meta| meta.path().is_ident("note"))
            .and_then(field_attributes::string_of),
        meta => field_attributes::string_of(meta),
    };
    Some(note.unwrap_or_default())
}

/// The name of the alias that generated code declares for the service's type.
pub(crate) const SERVICE: &str = "__Service";

/// Returns the first identifier in `tokens` that is one of the names.
fn find(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident).filter(|ident| names.contains(ident)),
        TokenTree::Group(group) => find(group.stream(), names),
        _ => None,
    })
}

/// Replaces `Self` with [`SERVICE`].
fn replace_self(tokens: TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Ident::new(SERVICE, ident.span()).into(),
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace_self(group.stream()));
            replaced.set_span(group.span());
            replaced.into()
        }
        token => token,
    };
    tokens.into_iter().map(replace).collect()
}
