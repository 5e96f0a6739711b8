//! The type that the arguments of a tool are read into.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Ident, Lit};

use crate::keys::Given;
use crate::marks::Role;
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::paths::variable;

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
        let aliases = (0..params.len()).filter(|_| !tool.is_generic()).map(|index| {
            let (name, ty) = (argument_at(tool, index), owned(&params[index]));
            quote!(type #name = #ty;)
        });
        let aliases = quote!(#(#aliases)*);
        if let Some(index) = params.iter().position(|param| param.marks.whole()) {
            let (ty, binding) = (place(index), binding(index));
            return Self { structure: aliases, ty, pattern: quote!(#binding) };
        }
        // A field of a plain parameter has a type of its own letter: the derives then say nothing of the author's
        // type, and a missing trait is reported once, at the parameter.
        let letters: Vec<_> = (0..params.len()).map(|index| format_ident!("__T{index}")).collect();
        let fields_of = || (0..params.len()).filter(|index| params[*index].marks.role == Role::Argument);
        let plain = || fields_of().filter(|index| params[*index].plain);
        let fields = fields_of().map(|index| {
            let param = &params[index];
            let ident = &param.ident;
            let attrs = &param.attrs;
            let default = format!("__default{index}");
            // For a letter schemars cannot know that the default can be written; the author's type is in the function.
            let shown = param.has_default.then(|| quote!(#[schemars(default = #default)]));
            let examples = param.marks.examples.iter().map(example);
            let header = param
                .marks
                .header
                .as_ref()
                .map(|Given { value: header, .. }| quote!(#[schemars(extend("x-mcp-header" = #header))]));
            let ty = if param.plain { letters[index].to_token_stream() } else { place(index) };
            // An argument with a default of the attribute may be absent; what is read then is nothing.
            let ty = if param.marks.default.is_some() { quote!(__mcp_tool::Option<#ty>) } else { ty };
            quote!(#(#attrs)* #shown #(#examples)* #header #ident: #ty)
        });
        let defaults = fields_of().filter_map(|index| default(tool, index, &params[index]));
        let generics = plain().map(|index| &letters[index]);
        let types = plain().map(place);
        let idents = fields_of().map(|index| &params[index].ident);
        let bindings = fields_of().map(binding);
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

/// A value that is published as an example. A text alone could be the name of a function, for schemars.
fn example(example: &Expr) -> TokenStream {
    let is_text = matches!(example, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
    let lent = is_text.then(|| quote!(&));
    quote!(#[schemars(example = #lent #example)])
}

/// The function that gives an absent argument its value.
fn default(tool: &Tool, index: usize, param: &Param) -> Option<TokenStream> {
    let ty = argument(tool, index, param);
    let name = format_ident!("__default{index}");
    let span = param.ty.span();
    let value = match &param.marks.default {
        Some(Given { value: expr, .. }) => {
            let span = expr.span();
            let inner = param.inner().map_or_else(
                || ty.clone(),
                |inner| match param.passing {
                    Passing::LentOption => quote!(<#inner as __mcp_tool::Lend>::Owned),
                    _ => inner.to_token_stream(),
                },
            );
            match expr {
                // A text is a value of every type that is made of one.
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => quote_spanned! {span=>
                    <#ty as __mcp_tool::FromDefault<#inner>>::from_default(__mcp_tool::FromText::from_text(#text))
                },
                expr => quote_spanned!(span=> __mcp_tool::FromDefault::from_default(#expr)),
            }
        }
        None if param.has_default => quote_spanned!(span=> <#ty as __mcp_tool::DefaultArgument>::default_argument()),
        None => return None,
    };
    Some(quote!(fn #name() -> #ty { #value }))
}

/// Gives the arguments that were absent their defaults.
pub(super) fn filled(tool: &Tool) -> TokenStream {
    let filled = tool.params.iter().enumerate().filter(|(_, param)| param.marks.default.is_some()).map(|(index, _)| {
        let (binding, default) = (binding(index), format_ident!("__default{index}"));
        quote!(let #binding = #binding.unwrap_or_else(#default);)
    });
    quote!(#(#filled)*)
}

/// Publishes the defaults of the attribute.
pub(super) fn published_defaults(tool: &Tool) -> TokenStream {
    let defaults = tool.params.iter().enumerate().filter(|(_, param)| param.marks.default.is_some());
    let defaults = defaults.map(|(index, param)| {
        let (name, default) = (&param.wire_name, format_ident!("__default{index}"));
        quote! {
            let __default = #default();
            let __default = (&&__mcp_tool::Shown::of(&__default)).__mcp_tool_shown(&__default);
            __mcp_tool::set_default(&mut __schema, #name, __default);
        }
    });
    quote!(#(#defaults)*)
}

fn binding(index: usize) -> Ident {
    format_ident!("__argument{index}")
}

/// The name of an argument's type, where the function is: what the compiler proposes for a type that is not there, it
/// then proposes at the same place, and the two errors are one.
fn argument_at(tool: &Tool, index: usize) -> Ident {
    format_ident!("__Argument{index}", span = tool.function.sig.ident.span())
}

/// The same where the parameter's type is. In a generic impl block no alias can name the parameters of the block, and
/// the type itself stands there.
fn argument(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    if tool.is_generic() {
        return owned(param);
    }
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
    let asked = |param: &Param| param.marks.is_sent() && (param.plain || param.marks.whole());
    let asserts = tool.params.iter().enumerate().filter(|(_, param)| asked(param)).map(|(index, param)| {
        let ty = argument(tool, index, param);
        // The spelling decides only where to point: what the types are, probing says.
        let Some(element) = param.element() else {
            let span = param.ty.span();
            return quote_spanned!(span=> <#ty as __mcp_tool::ToolArgument>::assert(););
        };
        let span = element.span();
        let asked = |of| quote_spanned!(span=> (&&&#of).__mcp_tool_fault());
        let fault = asked(asked(asked(quote_spanned!(span=> __mcp_tool::Faulty::<#ty>::new()))));
        quote_spanned!(span=> #fault.check();)
    });
    let name = format_ident!("__assert", span = tool.function.sig.ident.span());
    let generics = tool.host.as_ref().map(|host| host.generics.split_for_impl());
    let (generics, bounds) = generics.map(|(generics, _, bounds)| (generics, bounds)).unzip();
    quote!(#[allow(dead_code)] fn #name #generics () #bounds { #(#asserts)* })
}

/// The expression that the function is called with.
pub(super) fn passed(param: &Param, index: usize) -> TokenStream {
    let binding = binding(index);
    let ty = &param.ty;
    let span = ty.span();
    let context = variable("__context", span);
    let found = match param.marks.role {
        Role::Argument | Role::Arguments => {
            return match param.passing {
                Passing::Owned => quote!(#binding),
                Passing::Lent => quote!(<#ty as __mcp_tool::Lend>::lend(&#binding)),
                Passing::LentOption => quote!(__mcp_tool::lend_option::<#ty>(&#binding)),
            };
        }
        Role::Context => {
            return quote_spanned!(span=> <#ty as __mcp_tool::ContextOfCall>::of(#context));
        }
        Role::State => quote_spanned!(span=> <#ty as __mcp_tool::StateOfTools>::find(#context)),
        Role::Extension => quote_spanned!(span=> <#ty as __mcp_tool::ExtensionOfRequests>::find(#context)),
    };
    if let Passing::LentOption = param.passing { found } else { quote!(__mcp_tool::required(#found)?) }
}

/// What of the states and extensions the tool cannot do without.
pub(super) fn needs(tool: &Tool, role: Role) -> TokenStream {
    let needed = |param: &&Param| param.marks.role == role && matches!(param.passing, Passing::Lent);
    let needs = tool.params.iter().filter(needed).map(|param| {
        let ty = &param.ty;
        let span = ty.span();
        if role == Role::State {
            quote_spanned!(span=> <#ty as __mcp_tool::StateOfTools>::NEED)
        } else {
            quote_spanned!(span=> <#ty as __mcp_tool::ExtensionOfRequests>::NEED)
        }
    });
    quote!(const { &[#(#needs),*] })
}
