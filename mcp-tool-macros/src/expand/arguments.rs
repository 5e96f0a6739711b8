//! The type that the arguments are decoded into, and how its fields become the function's parameters.
//!
//! Where possible, the type is a tuple, which the runtime reads and describes without a derived struct. This and three
//! similar measures reduce the time for `cargo check` of 200 tools from 1.48 to 0.56 times that of the same tools
//! written by hand (`tests/cost/README.md`).

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Attribute;
use syn::spanned::Spanned as _;

use super::values::{
    argument_type, binding, default_function, has_default_function, owned_type, type_alias, with_default,
};
use crate::attr::Role;
use crate::errors::variable;
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::{docs, field_attributes};

/// The type that the arguments are decoded into.
pub(super) struct Arguments {
    /// The aliases and the functions that the type needs, and the derived struct if the type is one.
    pub(super) items: TokenStream,
    pub(super) ty: TokenStream,
    /// The pattern that destructures the decoded value into the bindings that [`passed`] uses.
    pub(super) pattern: TokenStream,
    /// The value that generated code probes to find the codec of the arguments.
    pub(super) probed: TokenStream,
    /// Whether the type is a tuple. A tuple describes by itself which arguments are optional, so generated code need
    /// not do it.
    pub(super) is_tuple: bool,
}

impl Arguments {
    pub(super) fn new(tool: &Tool) -> Self {
        let params = &tool.params;
        let type_at = |index| argument_type(tool, index, &params[index]);
        let aliases = (0..params.len()).filter(|_| !tool.is_generic()).map(|index| {
            let (alias, ty) = (type_alias(tool, index), owned_type(&params[index]));
            quote!(type #alias = #ty;)
        });
        let aliases = quote!(#(#aliases)*);
        if let Some(index) = params.iter().position(Param::is_whole) {
            let (ty, binding) = (type_at(index), binding(index));
            let probed = probed(&ty);
            return Self { items: aliases, ty, pattern: quote!(#binding), probed, is_tuple: false };
        }
        if let Some(tuple) = Self::tuple(tool, &aliases) {
            return tuple;
        }
        // Where serde allows it, use a type parameter as the type of the field. The derives then put no bound on the
        // author's type, so a missing trait causes only one error, at the parameter.
        let type_params: Vec<_> = (0..params.len()).map(|index| format_ident!("__T{index}")).collect();
        let indices = || (0..params.len()).filter(|index| params[*index].keys.role() == Role::Argument);
        // An `Option` with a default is read by the function `present`, through `deserialize_with`. For a field with
        // that attribute, serde adds no bound to the type parameter, and `present` does not compile without the bound.
        // So such a field has the concrete type instead.
        let is_own_option =
            |index: usize| params[index].keys.default.is_some() && params[index].option_inner().is_some();
        let is_concrete = |index: usize| params[index].serde.has_other_keys || is_own_option(index);
        let generic = || indices().filter(|index| !is_concrete(*index));
        let fields = indices().map(|index| {
            let param = &params[index];
            let Param { ident, attrs, keys, .. } = param;
            let default = format!("__default{index}");
            let ty = if is_concrete(index) { type_at(index) } else { type_params[index].to_token_stream() };
            if keys.default.is_some() {
                // An absent argument is decoded as `None`, and `fill_defaults` later replaces it with the default.
                let described = ty.to_string();
                let described = (!param.has_own_schema).then(|| quote!(#[schemars(with = #described)]));
                let read =
                    is_own_option(index).then(|| quote!(#[serde(default, deserialize_with = "__mcp_tool::present")]));
                return quote!(#(#attrs)* #described #read #ident: __mcp_tool::Option<#ty>);
            }
            // Give schemars a function with a concrete return type, because schemars can serialize neither the default
            // of a type parameter nor the result of a generic function such as `Vec::new`.
            let published = has_default_function(tool, param).then(|| quote!(#[schemars(default = #default)]));
            // Let serde use the same function. The author's function then has only one caller, so a wrong return type
            // causes only one error.
            let attrs = attrs.iter().cloned().map(|mut attr| {
                if param.serde.default_function.is_some() && published.is_some() && attr.path().is_ident("serde") {
                    field_attributes::replace_default(&mut attr, &default);
                }
                attr
            });
            quote!(#(#attrs)* #published #ident: #ty)
        });
        let defaults = indices().filter_map(|index| default_function(tool, index, &params[index]));
        let generics = generic().map(|index| &type_params[index]);
        let types = generic().map(type_at);
        let idents = indices().map(|index| &params[index].ident);
        let bindings = indices().map(binding);
        let runtime = &tool.runtime;
        let serde = quote!(#runtime::__private::serde).to_string();
        let schemars = quote!(#runtime::__private::schemars).to_string();
        let items = quote! {
            #aliases
            #(#defaults)*

            #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
            struct __Arguments<#(#generics),*> {
                #(#fields,)*
            }
        };
        let ty = quote!(__Arguments<#(#types),*>);
        let probed = probed(&ty);
        Self { items, ty, pattern: quote!(__Arguments { #(#idents: #bindings),* }), probed, is_tuple: false }
    }
}

fn probed(ty: &TokenStream) -> TokenStream {
    quote!(__mcp_tool::ArgumentsType::<#ty>::new())
}

/// Emits the expression that the call passes to the function for this parameter.
pub(super) fn passed(param: &Param, index: usize) -> TokenStream {
    let binding = binding(index);
    let ty = &param.ty;
    let span = ty.span();
    let context = variable("__context", span);
    let found = match param.keys.role() {
        Role::Argument | Role::AllArguments | Role::Asked => {
            return given(param, &quote!(#binding), &quote!(&#binding));
        }
        Role::Context => return quote_spanned!(span=> <#ty as __mcp_tool::ContextOfCall>::of(#context)),
        Role::State => quote_spanned!(span=> <#ty as __mcp_tool::StateOfTools>::find(#context)),
        Role::Extension => quote_spanned!(span=> <#ty as __mcp_tool::ExtensionOfRequests>::find(#context)),
    };
    if let Passing::BorrowedOption = param.passing { found } else { quote!(__mcp_tool::required(#found)?) }
}

/// Emits the value of a parameter that is read from JSON: either `owned`, or what the parameter borrows from
/// `reference`.
pub(super) fn given(param: &Param, owned: &TokenStream, reference: &TokenStream) -> TokenStream {
    let ty = &param.ty;
    match param.passing {
        Passing::Owned => owned.clone(),
        Passing::Borrowed => quote!(<#ty as __mcp_tool::BorrowedArgument>::borrow(#reference)),
        Passing::BorrowedOption => quote!(__mcp_tool::borrow_option::<#ty>(#reference)),
    }
}

/// The length of the longest tuple for which the runtime implements its traits.
const MAX_ELEMENTS: usize = 8;

impl Arguments {
    /// Returns the arguments as a tuple. Returns `None` if the tool needs the derived struct, because it has too many
    /// arguments or one of them is not plain.
    fn tuple(tool: &Tool, aliases: &TokenStream) -> Option<Self> {
        let params = || tool.params.iter().enumerate().filter(|(_, param)| param.keys.role() == Role::Argument);
        if params().count() > MAX_ELEMENTS || !params().all(|(_, param)| is_plain(param)) {
            return None;
        }
        let types = params().map(|(index, param)| {
            let ty = argument_type(tool, index, param);
            if param.keys.default.is_some() {
                // An absent argument is read as `None`, and `fill_defaults` later replaces it with the default.
                quote!(__mcp_tool::Given<#ty>)
            } else if param.serde.has_default {
                quote!(__mcp_tool::Defaulted<#ty>)
            } else {
                ty
            }
        });
        let bindings = params().map(|(index, param)| {
            let binding = binding(index);
            match param.keys.default {
                Some(_) => quote!(__mcp_tool::Given(#binding)),
                None if is_defaulted(param) => quote!(__mcp_tool::Defaulted(#binding)),
                None => quote!(#binding),
            }
        });
        let defaults = params().filter(|(_, param)| is_defaulted(param)).map(|(index, param)| {
            let (name, ty) = (default_json(index), argument_type(tool, index, param));
            let default = quote_spanned!(param.ty.span()=> <#ty as __mcp_tool::DefaultArgument>::default_argument());
            quote! {
                fn #name() -> __mcp_tool::Option<__mcp_tool::Value> {
                    let __default = #default;
                    (&&__mcp_tool::DefaultOf::of(&__default)).__mcp_tool_default_json(&__default)
                }
            }
        });
        let parameters = params().map(|(index, param)| {
            let (name, docs) = (&param.wire_name, docs(&param.attrs));
            let default = if is_defaulted(param) {
                let name = default_json(index);
                quote!(Some(#name))
            } else {
                quote!(__mcp_tool::Option::None)
            };
            quote!(__mcp_tool::Parameter { name: #name, docs: #docs, default: #default })
        });
        let filled = with_default(tool).filter_map(|(index, param)| default_function(tool, index, param));
        let ty = quote!((#(#types,)*));
        let probed = quote!(__mcp_tool::TupleType::<#ty>::new(&[#(#parameters),*]));
        let items = quote!(#aliases #(#filled)* #(#defaults)*);
        Some(Self { items, ty, pattern: quote!((#(#bindings,)*)), probed, is_tuple: true })
    }
}

/// Returns `true` for `#[serde(default)]`, unless `#[mcp_tool(default = …)]` replaces it.
fn is_defaulted(param: &Param) -> bool {
    param.serde.has_default && param.keys.default.is_none()
}

fn default_json(index: usize) -> proc_macro2::Ident {
    format_ident!("__default_json{index}")
}

/// Returns `true` if the only attributes of the parameter are docs, a new name, and a serde default without a function.
fn is_plain(param: &Param) -> bool {
    let Param { attrs, serde, .. } = param;
    let is_plain_attr = |attr: &Attribute| attr.path().is_ident("serde") || docs::text(attr).is_some();
    serde.aliases.is_empty()
        && serde.has_any_default == serde.has_default
        && !serde.is_flattened
        && !serde.has_other_keys
        && attrs.iter().all(is_plain_attr)
}

fn docs(attrs: &[Attribute]) -> String {
    let shown = |text: String| text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned();
    let lines = attrs.iter().filter_map(docs::text).map(shown);
    lines.collect::<Vec<_>>().join("\n")
}
