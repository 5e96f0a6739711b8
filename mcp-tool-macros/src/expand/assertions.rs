//! Assertions that become compile errors if they fail. The spelling of a type only decides what is asserted and where
//! the error points. Whether an assertion fails depends on the type itself.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::return_type;
use super::values::argument_type;
use crate::attr::Role;
use crate::model::Tool;
use crate::param::Param;
use crate::types::is_spelt;

/// Emits an assertion about the type of each argument and each answer, except those with a serde key that may change
/// how they are read.
pub(super) fn about_arguments(tool: &Tool) -> TokenStream {
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
        if is_spelt(&param.ty, &["Nullable"]) {
            return quote_spanned!(span=> <#ty as __mcp_tool::NullableArgument>::assert(););
        }
        // If the type is a container, report the error at the type of its elements. Method probing finds out which of
        // the nested types is wrong.
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
    quote!(fn #name #generics () #bounds { #required_options #(#assertions)* })
}

/// Emits an assertion for each argument that has a serde key `with` or `deserialize_with` and no default: its type must
/// not be an `Option`, because serde would require the argument. The assertion fails only for an alias of an `Option`,
/// since the macro adds a default for an `Option` that is written out. In a generic impl block, there are no such
/// assertions.
fn required_options(tool: &Tool) -> TokenStream {
    let is_read = |param: &Param| param.serde.is_read_by_function && !param.serde.has_any_default;
    let params = tool.params.iter().enumerate().filter(|(_, param)| is_read(param) && !tool.is_generic());
    let checks = params.map(|(index, param)| {
        let ty = argument_type(tool, index, param);
        let span = param.ty.span();
        let is_option = quote_spanned!(span=> __mcp_tool::ArgumentType::<#ty>::__MCP_TOOL_IS_OPTION);
        let message = format!(
            "`{}` is an `Option`, and serde requires an argument that a function reads\n\
             help: write `#[serde(default)]` before it",
            param.ident
        );
        quote_spanned!(span=> const _: () = ::core::assert!(!#is_option, #message);)
    });
    let checks: Vec<_> = checks.collect();
    let import = (!checks.is_empty()).then(|| quote! { use __mcp_tool::ProbeRequired as _; });
    quote!(#import #(#checks)*)
}

/// Emits the assertions about an argument of type `Cursor` and a result of type `Paged`. For a tool in a generic impl
/// block, `build` reports the same mistakes instead.
pub(super) fn about_pages(tool: &Tool) -> TokenStream {
    if tool.is_generic() {
        return TokenStream::new();
    }
    let arguments = || tool.params.iter().enumerate().filter(|(_, param)| param.keys.role() == Role::Argument);
    let written: Vec<_> = arguments().filter(|(_, param)| is_spelt(&param.ty, &["Cursor"])).collect();
    let is_cursor = |(index, param): (usize, &Param)| {
        let ty = argument_type(tool, index, param);
        quote!(__mcp_tool::CursorType::<#ty>::__MCP_TOOL_IS_CURSOR)
    };
    let returns = return_type(tool);
    let is_paged = quote!(__mcp_tool::PagedType::<#returns>::__MCP_TOOL_IS_PAGED);
    let mut assertions = Vec::new();
    let mut assert = |span: Span, condition: TokenStream, message: String| {
        assertions.push(quote_spanned!(span=> const _: () = ::core::assert!(#condition, #message);));
    };
    if let Some((first, second)) = written.first().zip(written.get(1)) {
        let (one, other) = (is_cursor(*first), is_cursor(*second));
        let message = format!(
            "`{}` and `{}` are both a `Cursor`, and a list continues at one\nhelp: remove one of them, or put both keys into one \
             tuple: `Cursor<(A, B)>`",
            first.1.ident, second.1.ident
        );
        assert(second.1.ty.span(), quote!(!(#one && #other)), message);
    } else if let Some(cursor) = written.first() {
        let is_cursor = is_cursor(*cursor);
        let message = format!(
            "`{}` is a `Cursor`, and the function does not return a `Paged`\nhelp: return `Paged::by(items, |item| item.key)`",
            cursor.1.ident
        );
        assert(cursor.1.ty.span(), quote!(#is_paged || !#is_cursor), message);
    }
    if let Some(own) = arguments().find(|(_, param)| param.wire_name == "cursor" && !param.serde.is_flattened) {
        let is_cursor = is_cursor(own);
        let message = "the argument `cursor` of a tool that returns pages is for the next page\n\
                       help: rename the parameter, or give it the type `Cursor<…>`";
        assert(own.1.source.pat.span(), quote!(!#is_paged || #is_cursor), message.to_owned());
    }
    if assertions.is_empty() {
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            use __mcp_tool::{ProbeNoCursor as _, ProbeNoPages as _};
            #(#assertions)*
        };
    }
}
