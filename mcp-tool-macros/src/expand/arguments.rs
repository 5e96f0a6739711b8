//! The type that the arguments of a tool are read into.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned as _;

use crate::model::Tool;
use crate::param::{Param, Passing};

/// The type that the arguments are read into, and how it comes apart.
pub(super) struct Arguments {
    /// The derived struct, unless the author gave a type for the whole.
    pub(super) structure: TokenStream,
    /// The type with the author's types in it.
    pub(super) ty: TokenStream,
    /// The pattern that takes it apart into the bindings that [`passed`] passes on.
    pub(super) pattern: TokenStream,
}

impl Arguments {
    pub(super) fn new(tool: &Tool) -> Self {
        let params = &tool.params;
        let place = |index| argument(tool, index, &params[index]);
        let aliases = (0..params.len()).map(|index| {
            let (name, ty) = (argument_at(tool, index), owned(&params[index]));
            quote!(type #name = #ty;)
        });
        let aliases = quote!(#(#aliases)*);
        if let Some(index) = params.iter().position(|param| param.whole) {
            let (ty, binding) = (place(index), binding(0));
            return Self { structure: aliases, ty, pattern: quote!(#binding) };
        }
        // A field of a plain parameter has a type of its own letter: the derives then say nothing of the author's
        // type, and a missing trait is reported once, at the parameter.
        let letters: Vec<_> = (0..params.len()).map(|index| format_ident!("__T{index}")).collect();
        let plain = || (0..params.len()).filter(|index| params[*index].plain);
        let fields = params.iter().enumerate().map(|(index, param)| {
            let ident = &param.ident;
            let attrs = &param.attrs;
            let default = format!("__default{index}");
            // For a letter schemars cannot know that the default can be written; the author's type is in the function.
            let shown = param.has_default.then(|| quote!(#[schemars(default = #default)]));
            let ty = if param.plain { letters[index].to_token_stream() } else { place(index) };
            quote!(#(#attrs)* #shown #ident: #ty)
        });
        let defaults = params.iter().enumerate().filter(|(_, param)| param.has_default).map(|(index, param)| {
            let (name, ty) = (format_ident!("__default{index}"), place(index));
            let span = param.ty.span();
            let value = quote_spanned!(span=> <#ty as __mcp_tool::DefaultArgument>::default_argument());
            quote!(fn #name() -> #ty { #value })
        });
        let generics = plain().map(|index| &letters[index]);
        let types = plain().map(place);
        let idents: Vec<_> = params.iter().map(|param| &param.ident).collect();
        let bindings = (0..params.len()).map(binding);
        let krate = &tool.krate;
        let serde = quote!(#krate::__private::serde).to_string();
        let schemars = quote!(#krate::__private::schemars).to_string();
        let structure = quote! {
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
        Self { structure, ty, pattern: quote!(__Arguments { #(#idents: #bindings),* }) }
    }
}

fn binding(index: usize) -> Ident {
    format_ident!("__argument{index}")
}

/// The name of an argument's type, where the function is: what the compiler proposes for a type that is not there, it
/// then proposes at the same place, and the two errors are one.
fn argument_at(tool: &Tool, index: usize) -> Ident {
    format_ident!("__Argument{index}", span = tool.function.sig.ident.span())
}

/// The same where the parameter's type is.
fn argument(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    let mut name = argument_at(tool, index);
    name.set_span(param.ty.span());
    name.into_token_stream()
}

/// The type of the argument that the call owns.
fn owned(param: &Param) -> TokenStream {
    let ty = &param.ty;
    let span = ty.span();
    match param.passing {
        Passing::Owned => ty.to_token_stream(),
        Passing::Lent => quote_spanned!(span=> <#ty as __mcp_tool::Lend>::Owned),
        Passing::LentOption => quote_spanned!(span=> __mcp_tool::Option<<#ty as __mcp_tool::Lend>::Owned>),
    }
}

/// Says of each type that cannot be an argument that it cannot, once.
pub(super) fn asserts(tool: &Tool) -> TokenStream {
    let asserts =
        tool.params.iter().enumerate().filter(|(_, param)| param.plain || param.whole).map(|(index, param)| {
            let ty = argument(tool, index, param);
            let span = param.ty.span();
            quote_spanned!(span=> <#ty as __mcp_tool::ToolArgument>::assert();)
        });
    let name = format_ident!("__assert", span = tool.function.sig.ident.span());
    quote!(#[allow(dead_code)] fn #name() { #(#asserts)* })
}

/// The expression that the function is called with.
pub(super) fn passed(param: &Param, index: usize) -> TokenStream {
    let binding = binding(index);
    let ty = &param.ty;
    match param.passing {
        Passing::Owned => quote!(#binding),
        Passing::Lent => quote!(<#ty as __mcp_tool::Lend>::lend(&#binding)),
        Passing::LentOption => quote!(__mcp_tool::Option::as_ref(&#binding).map(<#ty as __mcp_tool::Lend>::lend)),
    }
}
