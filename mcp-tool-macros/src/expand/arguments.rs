//! The type that the arguments are decoded into, and how its fields become the function's parameters.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::tuple::Tuple;
use super::values::{argument_type, binding, default_function, owned_type, type_alias, with_default};
use crate::attr::Role;
use crate::errors::variable;
use crate::model::Tool;
use crate::param::{Param, Passing};

/// The type that the arguments are decoded into.
pub(super) struct Arguments {
    /// The aliases and the functions that the type needs, and the derived struct if the type is one.
    pub(super) items: TokenStream,
    pub(super) ty: TokenStream,
    /// Destructures the decoded value into the bindings that [`passed`] uses.
    pub(super) pattern: TokenStream,
    /// The value that the probes take.
    pub(super) probed: TokenStream,
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
            return Self { items: aliases, ty, pattern: quote!(#binding), probed };
        }
        if let Some(Tuple { items, ty, pattern, parameters }) = Tuple::of(tool) {
            let filled = with_default(tool).filter_map(|(index, param)| default_function(tool, index, param));
            let probed = quote!(__mcp_tool::TupleType::<#ty>::new(#parameters));
            return Self { items: quote!(#aliases #(#filled)* #items), ty, pattern, probed };
        }
        // Where serde allows it, the type of a field is a type parameter. The derives then put no bound on the author's
        // type, and a missing trait is one error, at the parameter.
        let type_params: Vec<_> = (0..params.len()).map(|index| format_ident!("__T{index}")).collect();
        let indices = || (0..params.len()).filter(|index| params[*index].keys.role() == Role::Argument);
        let generic = || indices().filter(|index| !params[*index].serde.has_other_keys);
        let fields = indices().map(|index| {
            let param = &params[index];
            let Param { ident, attrs, keys, serde, .. } = param;
            let default = format!("__default{index}");
            // schemars cannot serialize the default of a type parameter, so it calls a function that has the real type.
            let published = serde.has_default.then(|| quote!(#[schemars(default = #default)]));
            let ty = if serde.has_other_keys { type_at(index) } else { type_params[index].to_token_stream() };
            // An absent argument is decoded as `None`, and filled in later.
            let ty = if keys.default.is_some() { quote!(__mcp_tool::Option<#ty>) } else { ty };
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
        Self { items, ty, pattern: quote!(__Arguments { #(#idents: #bindings),* }), probed }
    }
}

fn probed(ty: &TokenStream) -> TokenStream {
    quote!(__mcp_tool::ArgumentsType::<#ty>::new())
}

/// Emits the expression that the function is called with.
pub(super) fn passed(param: &Param, index: usize) -> TokenStream {
    let binding = binding(index);
    let ty = &param.ty;
    let span = ty.span();
    let context = variable("__context", span);
    let found = match param.keys.role() {
        Role::Argument | Role::AllArguments | Role::Asked => {
            return match param.passing {
                Passing::Owned => quote!(#binding),
                Passing::Borrowed => quote!(<#ty as __mcp_tool::BorrowedArgument>::borrow(&#binding)),
                Passing::BorrowedOption => quote!(__mcp_tool::borrow_option::<#ty>(&#binding)),
            };
        }
        Role::Context => return quote_spanned!(span=> <#ty as __mcp_tool::ContextOfCall>::of(#context)),
        Role::State => quote_spanned!(span=> <#ty as __mcp_tool::StateOfTools>::find(#context)),
        Role::Extension => quote_spanned!(span=> <#ty as __mcp_tool::ExtensionOfRequests>::find(#context)),
    };
    if let Passing::BorrowedOption = param.passing { found } else { quote!(__mcp_tool::required(#found)?) }
}
