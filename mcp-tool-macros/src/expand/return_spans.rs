//! Where errors about the result and about the error of a tool point.

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, Type};

use crate::model::Tool;
use crate::types;

pub(super) struct ReturnSpans {
    pub(super) success: Span,
    pub(super) failure: Span,
}

impl ReturnSpans {
    pub(super) fn new(tool: &Tool) -> Self {
        let Some(ty) = &tool.returns else {
            let span = tool.function.sig.ident.span();
            return Self { success: span, failure: span };
        };
        let whole = ty.span();
        let element_span = |ty: &Type| types::element(ty).unwrap_or(ty).span();
        let Type::Path(path) = ty else { return Self { success: whole, failure: whole } };
        let last = path.path.segments.last().filter(|last| last.ident.to_string().ends_with("Result"));
        let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) else {
            return Self { success: element_span(ty), failure: whole };
        };
        let mut types = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let success = types.next().map_or(whole, element_span);
        Self { success, failure: types.next().map_or(whole, syn::spanned::Spanned::span) }
    }
}
