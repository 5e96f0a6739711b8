//! The type and the variable of one argument.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::model::Tool;
use crate::param::{Param, Passing};

/// Returns the variable of an argument.
pub(super) fn binding(index: usize) -> Ident {
    format_ident!("__argument{index}")
}

/// Returns the alias of an argument's type, with the span of the function's name. For a type that does not exist rustc
/// suggests an import at that span, as it does for the function itself, and merges the two errors into one.
pub(super) fn type_alias(tool: &Tool, index: usize) -> Ident {
    format_ident!("__Argument{index}", span = tool.function.sig.ident.span())
}

/// Returns the type of an argument, with the span of the parameter's type: its alias, or the type itself in a generic impl
/// block, because an alias cannot name the parameters of the block.
pub(super) fn argument_type(tool: &Tool, index: usize, param: &Param) -> TokenStream {
    if tool.is_generic() {
        return owned_type(param);
    }
    let mut name = type_alias(tool, index);
    name.set_span(param.ty.span());
    name.into_token_stream()
}

/// Returns the type inside an `Option` that the call owns, or the type of the argument, `ty`, if it is not an `Option`.
pub(super) fn inner_type(param: &Param, ty: &TokenStream) -> TokenStream {
    match (param.option_inner(), &param.passing) {
        (None, _) => ty.clone(),
        (Some(inner), Passing::BorrowedOption) => quote!(<#inner as __mcp_tool::BorrowedArgument>::Owned),
        (Some(inner), _) => inner.to_token_stream(),
    }
}

/// Returns the type that the call owns, from which a borrowed parameter is borrowed.
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
