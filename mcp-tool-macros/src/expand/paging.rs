//! Compile errors about pages. The spelling only decides which question is asked; the types answer it.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::argument_type::argument_type;
use super::return_type;
use crate::model::Tool;
use crate::param::{Param, Role};
use crate::types::is_spelt;

/// Emits the assertions about the parameters of the type `Cursor`. In a generic block, `build` reports the same mistakes.
pub(super) fn assertions(tool: &Tool) -> TokenStream {
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
