//! The type that the arguments are decoded into, and the way from its fields to the function's parameters.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Ident, Lit};

use crate::attr::list::KeyValue;
use crate::model::Tool;
use crate::param::{Param, Passing, Role};
use crate::paths::variable;

/// The type that the arguments are decoded into.
pub(super) struct Arguments {
    /// The derived struct, unless a parameter is the whole arguments object; and what both forms need.
    pub(super) items: TokenStream,
    pub(super) ty: TokenStream,
    /// Destructures the decoded value into the bindings that [`passed`] uses.
    pub(super) pattern: TokenStream,
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
            return Self { items: aliases, ty, pattern: quote!(#binding) };
        }
        // A field has a type parameter as its type, if serde allows it. The derives then put no bound on the author's type,
        // and a missing trait is one error at the parameter.
        let type_params: Vec<_> = (0..params.len()).map(|index| format_ident!("__T{index}")).collect();
        let indices = || (0..params.len()).filter(|index| params[*index].keys.role() == Role::Argument);
        let generic = || indices().filter(|index| !params[*index].serde.has_other_keys);
        let fields = indices().map(|index| {
            let param = &params[index];
            let Param { ident, attrs, keys, serde, .. } = param;
            let default = format!("__default{index}");
            // schemars cannot know that the default of a type parameter can be serialized; the function has the real type.
            let published = serde.has_default.then(|| quote!(#[schemars(default = #default)]));
            let examples = keys.examples.iter().map(|given| example(&given.value));
            let header = keys
                .header
                .as_ref()
                .map(|KeyValue { value: header, .. }| quote!(#[schemars(extend("x-mcp-header" = #header))]));
            let ty = if serde.has_other_keys { type_at(index) } else { type_params[index].to_token_stream() };
            // An argument with `default = …` may be absent: it is decoded to `None` and filled in later.
            let ty = if keys.default.is_some() { quote!(__mcp_tool::Option<#ty>) } else { ty };
            quote!(#(#attrs)* #published #(#examples)* #header #ident: #ty)
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
        Self { items, ty, pattern: quote!(__Arguments { #(#idents: #bindings),* }) }
    }
}

/// schemars reads a string literal as the path of a function, so a string is given as a reference.
fn example(example: &Expr) -> TokenStream {
    let is_string = matches!(example, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
    let reference = is_string.then(|| quote!(&));
    quote!(#[schemars(example = #reference #example)])
}

/// Emits the function that returns the default of an argument.
fn default_function(tool: &Tool, index: usize, param: &Param) -> Option<TokenStream> {
    let ty = argument_type(tool, index, param);
    let name = format_ident!("__default{index}");
    let value = match &param.keys.default {
        Some(KeyValue { value: expr, .. }) => {
            let span = expr.span();
            let inner = param.option_inner().map_or_else(
                || ty.clone(),
                |inner| match param.passing {
                    Passing::BorrowedOption => quote!(<#inner as __mcp_tool::BorrowedArgument>::Owned),
                    _ => inner.to_token_stream(),
                },
            );
            match expr {
                // A string is also a default of every type that is `From<&str>`.
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => quote_spanned! {span=>
                    <#ty as __mcp_tool::FromDefault<#inner>>::from_default(__mcp_tool::FromText::from_text(#text))
                },
                expr => quote_spanned!(span=> __mcp_tool::FromDefault::from_default(#expr)),
            }
        }
        None if param.serde.has_default => {
            quote_spanned!(param.ty.span()=> <#ty as __mcp_tool::DefaultArgument>::default_argument())
        }
        None => return None,
    };
    Some(quote!(fn #name() -> #ty { #value }))
}

/// Emits the statements that replace absent arguments by their defaults.
pub(super) fn fill_defaults(tool: &Tool) -> TokenStream {
    let statements = with_default(tool).map(|(index, _)| {
        let (binding, default) = (binding(index), format_ident!("__default{index}"));
        quote!(let #binding = #binding.unwrap_or_else(#default);)
    });
    quote!(#(#statements)*)
}

/// Emits the statements that put the defaults into the schema.
pub(super) fn publish_defaults(tool: &Tool) -> TokenStream {
    let statements = with_default(tool).map(|(index, param)| {
        let (name, default) = (&param.wire_name, format_ident!("__default{index}"));
        quote! {
            let __default = #default();
            let __default = (&&__mcp_tool::DefaultOf::of(&__default)).__mcp_tool_default_json(&__default);
            __mcp_tool::set_default(&mut __schema, #name, __default);
        }
    });
    quote!(#(#statements)*)
}

fn with_default(tool: &Tool) -> impl Iterator<Item = (usize, &Param)> {
    tool.params.iter().enumerate().filter(|(_, param)| param.keys.default.is_some())
}

pub(crate) fn binding(index: usize) -> Ident {
    format_ident!("__argument{index}")
}

/// Returns the alias of an argument's type, with the span of the function's name. For a type that does not exist rustc
/// suggests an import at that span, as it does for the function itself, and merges the two errors into one.
fn type_alias(tool: &Tool, index: usize) -> Ident {
    format_ident!("__Argument{index}", span = tool.function.sig.ident.span())
}

/// Returns the type of an argument, with the span of the parameter's type: its alias, or the type itself in a generic impl
/// block, because an alias cannot name the parameters of the block.
pub(crate) fn argument_type(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    if tool.is_generic() {
        return owned_type(param);
    }
    let mut name = type_alias(tool, index);
    name.set_span(param.ty.span());
    name.into_token_stream()
}

/// Returns the type that the call owns, from which a borrowed parameter is borrowed.
fn owned_type(param: &Param) -> TokenStream {
    let ty = &param.ty;
    let span = ty.span();
    match param.passing {
        Passing::Owned => ty.to_token_stream(),
        Passing::Borrowed => quote_spanned!(span=> <#ty as __mcp_tool::BorrowedArgument>::Owned),
        Passing::BorrowedOption => {
            quote_spanned!(span=> __mcp_tool::Option<<#ty as __mcp_tool::BorrowedArgument>::Owned>)
        }
    }
}

/// Emits assertions that the types can be arguments. Each type that cannot is one error.
pub(super) fn assertions(tool: &Tool) -> TokenStream {
    let is_checked = |param: &Param| param.is_whole() || param.keys.role().is_read() && !param.serde.has_other_keys;
    let assertions = tool.params.iter().enumerate().filter(|(_, param)| is_checked(param)).map(|(index, param)| {
        let ty = argument_type(tool, index, param);
        if param.keys.role() == Role::Asked {
            let span = param.ty.span();
            return quote_spanned!(span=> <#ty as __mcp_tool::AskedParameter>::assert(););
        }
        // The spelling only decides where the error points; what is wrong, method probing finds.
        let Some(element) = param.element() else {
            let span = param.ty.span();
            return quote_spanned!(span=> <#ty as __mcp_tool::ToolArgument>::assert(););
        };
        let span = element.span();
        let probe = |of| quote_spanned!(span=> (&&&#of).__mcp_tool_offending_type());
        let result = probe(probe(probe(quote_spanned!(span=> __mcp_tool::ProbedArgument::<#ty>::new()))));
        quote_spanned!(span=> #result.check();)
    });
    let name = format_ident!("__assert", span = tool.function.sig.ident.span());
    let generics = tool.service.as_ref().map(|service| service.generics.split_for_impl());
    let (generics, bounds) = generics.map(|(generics, _, bounds)| (generics, bounds)).unzip();
    quote!(#[allow(dead_code)] fn #name #generics () #bounds { #(#assertions)* })
}

/// Emits the expression that the function is called with.
pub(crate) fn passed(param: &Param, index: usize) -> TokenStream {
    let binding = binding(index);
    let ty = &param.ty;
    let span = ty.span();
    let context = variable("__context", span);
    let found = match param.keys.role() {
        Role::Argument | Role::Arguments | Role::Asked => {
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
