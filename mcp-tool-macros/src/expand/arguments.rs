//! The type that the arguments are decoded into, and the way from its fields to the function's parameters.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit};

use super::argument_type::{argument_type, binding, inner_type, owned_type, type_alias};
use super::tuple::Tuple;
use crate::attr::KeyValue;
use crate::model::Tool;
use crate::param::{Param, Passing, Role, unraw};
use crate::spans::variable;
use crate::types::is_spelt;

/// The type that the arguments are decoded into.
pub(super) struct Arguments {
    /// The derived struct, unless the type is a tuple or that of a parameter that is the whole arguments object; and what all forms
    /// need.
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
            let ty = if serde.has_other_keys { type_at(index) } else { type_params[index].to_token_stream() };
            // An argument with `default = …` may be absent: it is decoded to `None` and filled in later.
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

/// Emits the function that returns the default of an argument.
fn default_function(tool: &Tool, index: usize, param: &Param) -> Option<TokenStream> {
    let ty = argument_type(tool, index, param);
    let name = format_ident!("__default{index}");
    let value = match &param.keys.default {
        Some(KeyValue { value: expr, .. }) => {
            let span = expr.span();
            let inner = inner_type(param, &ty);
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

/// Emits the statements that make arguments optional for which schemars cannot know it: `#[schemars(with)]` and
/// `#[schemars(schema_with)]` hide that the type is an `Option`, and that the argument has a default.
pub(super) fn publish_optionals(tool: &Tool) -> TokenStream {
    let is_hidden =
        |param: &Param| param.keys.role() == Role::Argument && param.has_own_schema && !param.serde.is_flattened;
    let hidden = tool.params.iter().enumerate().filter(|(_, param)| is_hidden(param));
    let statements = hidden.map(|(index, param)| {
        let name = &param.wire_name;
        let is_optional = if param.keys.default.is_some() {
            quote!(true)
        } else {
            let ty = argument_type(tool, index, param);
            quote!(__mcp_tool::ArgumentType::<#ty>::__MCP_TOOL_IS_OPTION)
        };
        quote!(__mcp_tool::set_optional(&mut __schema, #name, #is_optional);)
    });
    let statements: Vec<_> = statements.collect();
    let import = (!statements.is_empty()).then(|| {
        quote!(
            use __mcp_tool::ProbeRequired as _;
        )
    });
    let made_optional = tool.params.iter().filter(|param| param.is_made_optional).map(|param| {
        let name = &param.wire_name;
        quote!(__mcp_tool::remove_write_only(&mut __schema, #name);)
    });
    quote!(#import #(#statements)* #(#made_optional)*)
}

/// Emits an error for each argument that serde requires although its type is an `Option`, behind an alias of the author.
fn required_options(tool: &Tool) -> TokenStream {
    let is_read = |param: &Param| param.serde.is_read_by_function && !param.serde.has_any_default;
    let params = tool.params.iter().enumerate().filter(|(_, param)| is_read(param) && !tool.is_generic());
    let checks: Vec<_> = params
        .map(|(index, param)| {
            let ty = argument_type(tool, index, param);
            let span = param.ty.span();
            let is_option = quote_spanned!(span=> __mcp_tool::ArgumentType::<#ty>::__MCP_TOOL_IS_OPTION);
            let message = format!(
                "`{}` is an `Option`, and serde requires an argument that a function reads\n\
                 help: write `#[serde(default)]` before it",
                param.ident
            );
            quote_spanned!(span=> const _: () = ::core::assert!(!#is_option, #message);)
        })
        .collect();
    let import = (!checks.is_empty()).then(|| {
        quote!(
            use __mcp_tool::ProbeRequired as _;
        )
    });
    quote!(#import #(#checks)*)
}

/// Emits the statements that put defaults, examples and headers into the schema. `build` checks the defaults and the examples.
pub(super) fn publish_values(tool: &Tool) -> TokenStream {
    let of_params = tool.params.iter().enumerate().map(|(index, param)| {
        let name = &param.wire_name;
        let default = param.keys.default.as_ref().map(|_| {
            let default = format_ident!("__default{index}");
            quote! {
                let __default = #default();
                let __default = (&&__mcp_tool::DefaultOf::of(&__default)).__mcp_tool_default_json(&__default);
                __mcp_tool::set_default(&mut __schema, #name, __default);
            }
        });
        let examples = param.keys.example.iter().map(|KeyValue { value, .. }| {
            let value = example(value);
            if param.serde.is_flattened {
                quote!(__mcp_tool::add_example_call(&mut __schema, [(__mcp_tool::Option::None, #value)]);)
            } else {
                quote!(__mcp_tool::add_example(&mut __schema, #name, #value);)
            }
        });
        let header = param
            .keys
            .header
            .as_ref()
            .map(|KeyValue { value: header, .. }| quote!(__mcp_tool::set_header(&mut __schema, #name, #header);));
        quote!(#default #(#examples)* #header)
    });
    let calls = tool.keys.example_call.iter().map(|call| {
        let arguments = call.value.iter().map(|(ident, value)| {
            let value = example(value);
            let param = tool.params.iter().find(|param| param.ident == *ident && param.keys.role().is_sent());
            match param {
                Some(param) if param.is_whole() || param.serde.is_flattened => {
                    quote!((__mcp_tool::Option::None, #value))
                }
                param => {
                    // `build` reports the name of an argument that does not exist.
                    let name = param.map_or_else(|| unraw(ident), |param| param.wire_name.clone());
                    quote!((Some(#name), #value))
                }
            }
        });
        quote!(__mcp_tool::add_example_call(&mut __schema, [#(#arguments),*]);)
    });
    quote!(#(#of_params)* #(#calls)*)
}

/// Emits the JSON of an example.
fn example(value: &Expr) -> TokenStream {
    let is_integer =
        |value: &Expr| matches!(value, Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty());
    let value = match value {
        // Without its type, which is of no interest, rustc would ask for it.
        Expr::Path(path) if path.path.is_ident("None") => quote_spanned!(value.span()=> #value::<()>),
        // An integer without a type is an `i32`, and an argument may be larger.
        Expr::Unary(negated) if is_integer(&negated.expr) => quote_spanned!(value.span()=> #value as i128),
        value if is_integer(value) => quote_spanned!(value.span()=> #value as i128),
        Expr::Paren(inner) => inner.expr.to_token_stream(),
        value => value.to_token_stream(),
    };
    quote_spanned!(value.span()=> __mcp_tool::example(#value))
}

fn with_default(tool: &Tool) -> impl Iterator<Item = (usize, &Param)> {
    tool.params.iter().enumerate().filter(|(_, param)| param.keys.default.is_some())
}

/// Emits assertions that the types can be arguments. Each type that cannot is one error.
pub(super) fn assertions(tool: &Tool) -> TokenStream {
    let is_checked = |param: &Param| param.is_whole() || param.keys.role().is_read() && !param.serde.has_other_keys;
    let assertions = tool.params.iter().enumerate().filter(|(_, param)| is_checked(param)).map(|(index, param)| {
        let ty = argument_type(tool, index, param);
        let span = param.ty.span();
        if param.keys.role() == Role::Asked {
            return quote_spanned!(span=> <#ty as __mcp_tool::AskedParameter>::assert(););
        }
        if param.has_own_schema {
            return quote_spanned!(span=> <#ty as __mcp_tool::ReadArgument>::assert(););
        }
        if is_spelt(&param.ty, &["Consent", "Answer"]) {
            return quote_spanned!(span=> <#ty as __mcp_tool::UnaskedArgument>::assert(););
        }
        // The spelling only decides where the error points; what is wrong, method probing finds.
        let Some(element) = param.element() else {
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
    let required_options = required_options(tool);
    quote!(#[allow(dead_code)] fn #name #generics () #bounds { #required_options #(#assertions)* })
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
