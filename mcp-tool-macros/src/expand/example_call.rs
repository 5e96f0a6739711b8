//! Whole calls as examples.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit};

use super::argument_type::{argument_type, inner_type};
use crate::attr::example_call::ExampleCall;
use crate::model::Tool;
use crate::param::Param;
use crate::spans::variable;

/// Emits the statements that put the calls of `example_call` into the schema.
pub(super) fn publish(tool: &Tool) -> TokenStream {
    let calls = tool.keys.example_calls.iter().map(|call| {
        let arguments = arguments(tool, call).map(|(index, param, value)| argument(tool, index, param, value));
        quote! {{
            #[allow(unused_mut)]
            let mut __example = __mcp_tool::ExampleCall::new();
            #(#arguments)*
            __example.publish(&mut __schema);
        }}
    });
    quote!(#(#calls)*)
}

/// Returns each argument of a call with its parameter and the index of the parameter. `check` has found all of them.
fn arguments<'t>(tool: &'t Tool, call: &'t ExampleCall) -> impl Iterator<Item = (usize, &'t Param, &'t Expr)> {
    call.arguments.iter().filter_map(|(ident, value)| {
        let (index, param) = tool.params.iter().enumerate().find(|(_, param)| param.ident == *ident)?;
        Some((index, param, value))
    })
}

/// Emits the statement that adds one argument.
fn argument(tool: &Tool, index: usize, param: &Param, value: &Expr) -> TokenStream {
    let ty = argument_type(tool, index, param);
    let span = value.span();
    let created = match value {
        // A string is also a value of every type that is `From<&str>`.
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            let inner = inner_type(param, &ty);
            quote_spanned! {span=>
                <#ty as __mcp_tool::FromExample<#inner>>::from_example(__mcp_tool::ExampleText::from_text(#text))
            }
        }
        value => quote_spanned!(span=> <#ty as __mcp_tool::FromExample<_>>::from_example(#value)),
    };
    let name = &param.wire_name;
    let example = variable("__example", span);
    if param.is_whole() || param.serde.is_flattened {
        quote_spanned!(span=> #example.all_of::<#ty>(&#created);)
    } else {
        quote_spanned!(span=> #example.argument::<#ty>(#name, &#created);)
    }
}
