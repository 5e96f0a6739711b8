//! How a tool reads its arguments and writes its result: two values that the types are probed for once.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::arguments::Arguments;
use super::return_spans::ReturnSpans;
use super::return_type;
use crate::model::Tool;
use crate::spans::{located_at, variable};

/// Emits a function for each of the two values. Its return type hides which of the types of `private/codec` the probes found.
///
/// A tool of a generic service has no such functions: they could not name the generic parameters. It repeats the expressions.
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

/// The types are checked here too. The published schema may not be derived from the return type. Then the type needs no schema, but
/// its value must still be a possible output.
fn find_return_codec(tool: &Tool) -> TokenStream {
    let return_type = return_type(tool);
    let ReturnSpans { success, failure } = ReturnSpans::new(tool);
    let has_other_schema = tool.keys.output_schema.is_some() || tool.keys.output.is_some();
    let check =
        if has_other_schema { quote_spanned!(success=> .check()) } else { quote_spanned!(success=> .described()) };
    // The receiver is not a variable: rustc points at its start if a trait is missing, and its span is that of the author's type.
    let returned = variable("__returned", success);
    let success = quote_spanned!(success=> (&&&&&&#returned.success()).__mcp_tool_output() #check);
    let returned = variable("__returned", failure);
    let failure = quote_spanned!(failure=> (&&&&&#returned.failure()).__mcp_tool_error().check());
    quote! {{
        let __returned = __mcp_tool::Returned::<#return_type>::new().__mcp_tool_split();
        __returned.codec(#success, #failure)
    }}
}
