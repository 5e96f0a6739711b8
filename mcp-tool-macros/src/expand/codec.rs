//! How a tool reads its arguments and writes its result: with two codecs, which are found by probing the types once.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, Type};

use super::arguments::Arguments;
use super::return_type;
use crate::errors::{located_at, variable};
use crate::model::Tool;
use crate::types;

/// Emits a function for each codec. Its return type hides which codec the probes found.
///
/// A tool of a generic service repeats the expressions instead, because functions could not name the generic
/// parameters.
pub(super) fn functions(tool: &Tool, arguments: &Arguments) -> Option<TokenStream> {
    (!tool.is_generic()).then(|| {
        let (arguments_type, return_type) = (&arguments.ty, return_type(tool));
        let (arguments_codec, return_codec) = (find_arguments_codec(tool, arguments), find_return_codec(tool));
        quote! {
            fn __arguments_codec() -> impl __mcp_tool::ArgumentsCodec<#arguments_type> {
                #arguments_codec
            }

            fn __return_codec() -> impl __mcp_tool::ReturnCodec<#return_type> {
                #return_codec
            }
        }
    })
}

/// Returns the expression of the value that reads and describes the arguments.
pub(super) fn arguments_codec(tool: &Tool, arguments: &Arguments) -> TokenStream {
    if tool.is_generic() { find_arguments_codec(tool, arguments) } else { quote!(__arguments_codec()) }
}

/// Returns the expression of the value that writes and describes what the function returns.
pub(super) fn return_codec(tool: &Tool) -> TokenStream {
    if tool.is_generic() { find_return_codec(tool) } else { quote!(__return_codec()) }
}

fn find_arguments_codec(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let probed = &arguments.probed;
    let span = located_at(tool.function.sig.ident.span());
    quote_spanned!(span=> (&&#probed).__mcp_tool_arguments())
}

/// Emits the probes of the return type, which also check it. If another output schema is set, the type itself needs
/// none.
fn find_return_codec(tool: &Tool) -> TokenStream {
    let return_type = return_type(tool);
    let ReturnSpans { success, failure } = ReturnSpans::new(tool);
    let has_other_schema = tool.keys.output_schema.is_some() || tool.keys.output.is_some();
    let check =
        if has_other_schema { quote_spanned!(success=> .check()) } else { quote_spanned!(success=> .described()) };
    // If a trait is missing, rustc points at the start of the receiver, so give the receiver the span of the author's
    // type.
    let returned = variable("__returned", success);
    let success = quote_spanned!(success=> (&&&&&&#returned.success()).__mcp_tool_output() #check);
    let returned = variable("__returned", failure);
    let failure = quote_spanned!(failure=> (&&&&&#returned.failure()).__mcp_tool_error().check());
    quote! {{
        let __returned = __mcp_tool::Returned::<#return_type>::new().__mcp_tool_split();
        __returned.codec(#success, #failure)
    }}
}

struct ReturnSpans {
    success: Span,
    failure: Span,
}

impl ReturnSpans {
    fn new(tool: &Tool) -> Self {
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
