//! What the schema says about arguments besides their types: defaults, examples, headers, and which arguments are
//! optional. Also the variables and types of the parameters in generated code.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit};

use crate::attr::{Given as _, Role, unraw};
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::{field_attributes, types};

/// Emits the function that returns the default of an argument. Emits nothing if [`has_default_function`] returns
/// `false`.
pub(super) fn default_function(tool: &Tool, index: usize, param: &Param) -> Option<TokenStream> {
    let ty = argument_type(tool, index, param);
    let name = format_ident!("__default{index}");
    let value = match param.keys.default.value() {
        Some(expr) => {
            let span = expr.span();
            let inner = inner_type(param, &ty);
            match expr {
                // A string literal also works for every type that implements `From<&str>`.
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => quote_spanned! {span=>
                    <#ty as __mcp_tool::FromDefault<#inner>>::from_default(__mcp_tool::FromText::from_text(#text))
                },
                expr => quote_spanned!(span=> __mcp_tool::FromDefault::from_default(#expr)),
            }
        }
        None if !has_default_function(tool, param) => return None,
        None => {
            if let Some(function) = &param.serde.default_function {
                quote_spanned!(function.span()=> #function())
            } else {
                quote_spanned!(param.ty.span()=> <#ty as __mcp_tool::DefaultArgument>::default_argument())
            }
        }
    };
    Some(quote!(fn #name() -> #ty { #value }))
}

/// Returns `true` if [`default_function`] emits a function. For `#[serde(default = "…")]` in a generic block, it emits
/// none, because a function could not name the parameters of the block.
pub(super) fn has_default_function(tool: &Tool, param: &Param) -> bool {
    let Param { keys, serde, .. } = param;
    keys.default.is_some() || serde.has_default || serde.has_any_default && !tool.is_generic()
}

/// Emits the statements that replace absent arguments with their defaults.
pub(super) fn fill_defaults(tool: &Tool) -> TokenStream {
    let statements = with_default(tool).map(|(index, _)| {
        let (binding, default) = (binding(index), format_ident!("__default{index}"));
        quote!(let #binding = #binding.unwrap_or_else(#default);)
    });
    quote!(#(#statements)*)
}

pub(super) fn with_default(tool: &Tool) -> impl Iterator<Item = (usize, &Param)> {
    tool.params.iter().enumerate().filter(|(_, param)| param.keys.default.is_some())
}

/// Emits the statements that make arguments optional where schemars cannot see that they are: `#[schemars(with)]` and
/// `#[schemars(schema_with)]` hide an `Option` and a default. Also marks the arguments for which `null` does not mean
/// the same as absence. Where the macro has added `skip_serializing`, removes the `writeOnly` that schemars then adds.
pub(super) fn publish_optionals(tool: &Tool, is_tuple: bool) -> TokenStream {
    let is_hidden =
        |param: &Param| is_single(param) && (param.has_own_schema || param.keys.default.is_some() && !is_tuple);
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
    let own_nulls = tool.params.iter().enumerate().filter(|_| !is_tuple).filter_map(|(index, param)| {
        let (name, tells_null) = (&param.wire_name, tells_null(tool, index, param)?);
        Some(quote!(__mcp_tool::set_own_null(&mut __schema, #name, #tells_null);))
    });
    let statements: Vec<_> = statements.chain(own_nulls).collect();
    let import = (!statements.is_empty()).then(|| quote! { use __mcp_tool::ProbeRequired as _; });
    let made_optional = tool.params.iter().filter(|param| param.is_made_optional).map(|param| {
        let name = &param.wire_name;
        quote!(__mcp_tool::remove_write_only(&mut __schema, #name);)
    });
    quote!(#import #(#statements)* #(#made_optional)*)
}

/// Returns `true` for a parameter whose value is one property of the arguments object.
fn is_single(param: &Param) -> bool {
    param.keys.role() == Role::Argument && !param.serde.is_flattened
}

/// Emits an expression that is `true` if `null` as an argument does not mean the same as absence. A tuple needs no such
/// expression, because it describes its elements itself.
fn tells_null(tool: &Tool, index: usize, param: &Param) -> Option<TokenStream> {
    if !is_single(param) {
        return None;
    }
    if param.serde.is_read_by_function || field_attributes::schemars_has(&param.attrs, &["schema_with"]) {
        return Some(quote!(true));
    }
    let (ty, default) = (argument_type(tool, index, param), format_ident!("__default{index}"));
    let may_be_null = param.option_inner().is_some() || !types::is_plain(&param.ty);
    (may_be_null && has_default_function(tool, param))
        .then(|| quote!(__mcp_tool::ArgumentType::<#ty>::__mcp_tool_tells_null(#default())))
}

/// Emits the statements that put defaults, examples and headers into the schema. `build` checks the defaults and the
/// examples.
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
        let examples = param.keys.example.iter().map(|given| {
            let value = example(&given.value);
            if param.serde.is_flattened {
                quote!(__mcp_tool::add_example_call(&mut __schema, [(__mcp_tool::Option::None, #value)]);)
            } else {
                quote!(__mcp_tool::add_example(&mut __schema, #name, #value);)
            }
        });
        let header = param.keys.header.value();
        let header = header.map(|header| quote!(__mcp_tool::set_header(&mut __schema, #name, #header);));
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
                    // If there is no such argument, `build` reports the name.
                    let name = param.map_or_else(|| unraw(ident), |param| param.wire_name.clone());
                    quote!((Some(#name), #value))
                }
            }
        });
        quote!(__mcp_tool::add_example_call(&mut __schema, [#(#arguments),*]);)
    });
    quote!(#(#of_params)* #(#calls)*)
}

/// Emits the expression that converts an example to JSON.
fn example(value: &Expr) -> TokenStream {
    let is_integer =
        |value: &Expr| matches!(value, Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty());
    let value = match value {
        // rustc needs to know the type of the `None`, though the type makes no difference here.
        Expr::Path(path) if path.path.is_ident("None") => quote_spanned!(value.span()=> #value::<()>),
        // Without a type, the number would be an `i32`, which is too small for some arguments.
        Expr::Unary(negated) if is_integer(&negated.expr) => quote_spanned!(value.span()=> #value as i128),
        value if is_integer(value) => quote_spanned!(value.span()=> #value as i128),
        Expr::Paren(inner) => inner.expr.to_token_stream(),
        value => value.to_token_stream(),
    };
    quote_spanned!(value.span()=> __mcp_tool::example(#value))
}

/// Returns the variable that holds the value of a parameter.
pub(super) fn binding(index: usize) -> Ident {
    format_ident!("__argument{index}")
}

/// Returns the alias of a parameter's type, with the span of the function's name. The alias is declared with the
/// author's tokens, so if the type does not exist, rustc finds the same error there as in the function, and reports it
/// once.
pub(super) fn type_alias(tool: &Tool, index: usize) -> Ident {
    format_ident!("__Argument{index}", span = tool.function.sig.ident.span())
}

/// Returns the type of a parameter, with the span of that type in the function. This is the alias, except in a generic
/// impl block, whose parameters an alias cannot name.
pub(super) fn argument_type(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    if tool.is_generic() {
        return owned_type(param);
    }
    let mut name = type_alias(tool, index);
    name.set_span(param.ty.span());
    name.into_token_stream()
}

/// Returns the owned form of the type inside an argument's `Option`, or `ty` if the argument is not an `Option`.
fn inner_type(param: &Param, ty: &TokenStream) -> TokenStream {
    match (param.option_inner(), &param.passing) {
        (None, _) => ty.clone(),
        (Some(inner), Passing::BorrowedOption) => quote!(<#inner as __mcp_tool::BorrowedArgument>::Owned),
        (Some(inner), _) => inner.to_token_stream(),
    }
}

/// Returns the type of the value that the call owns for a parameter. A borrowed parameter borrows from this value.
pub(super) fn owned_type(param: &Param) -> TokenStream {
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
