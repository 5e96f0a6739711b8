//! The body of `ToolHandler::call`: decode the arguments, call the function, encode its result. The codecs of the
//! arguments and of the result are found by probes: method calls that rustc resolves by autoref specialization.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, Path, PathArguments, ReturnType, Type};

use super::arguments::{self, Arguments};
use super::{questions, return_type, values};
use crate::attr::value::OrOff;
use crate::attr::{Given as _, Role};
use crate::errors::{located_at, variable};
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::parse::SelfKind;
use crate::types::{self, written};

pub(super) fn call(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let pattern = &arguments.pattern;
    let expose_errors = tool.keys.expose_errors.is_set();
    let fill_defaults = values::fill_defaults(tool);
    let ask = questions::ask(tool);
    let (arguments_codec, return_codec) = (arguments_codec(tool, arguments), return_codec(tool));
    // With this span, rustc reports a future that is not `Send` at the function's name.
    let span = located_at(tool.function.sig.ident.span());
    if is_one_future(tool) {
        let call = call_without_await(tool);
        let function = quote_spanned! {span=>
            move |#pattern| {
                #fill_defaults
                #call
            }
        };
        return quote_spanned! {span=>
            __mcp_tool::call(__arguments, #arguments_codec, #return_codec, #expose_errors, #function)
        };
    }
    let function_call = function_call(tool);
    let text = tool.keys.text.value();
    let write = match text {
        Some(OrOff::Value(path)) => write_probed(Some(path), expose_errors),
        _ if is_borrowed(tool) => write_probed(None, expose_errors),
        _ => quote!(__mcp_tool::ReturnCodec::write(#return_codec, __value, #expose_errors)),
    };
    let without_text = matches!(text, Some(OrOff::Off)).then(|| quote!(.map(|__output| __output.without_text())));
    let body = quote! {
        let #pattern = __mcp_tool::ArgumentsCodec::read(#arguments_codec, &__arguments)?;
        #fill_defaults
        #ask
        let __value = #function_call;
        #write #without_text
    };
    quote_spanned!(span=> __mcp_tool::boxed(async move { #body }))
}

/// Returns `true` if the call only awaits the function's own future. The runtime then awaits it, and the macro emits a
/// closure, which rustc compiles faster than an `async` block.
///
/// Tools with states or extensions get an `async` block: with a closure, rustc would report twice that a type is not
/// `Sync`.
fn is_one_future(tool: &Tool) -> bool {
    let is_passed_on = |param: &Param| match param.keys.role() {
        Role::Argument | Role::AllArguments => matches!(param.passing, Passing::Owned),
        Role::Context => true,
        Role::State | Role::Extension | Role::Asked => false,
    };
    !tool.is_blocking() && !is_borrowed(tool) && tool.keys.text.is_none() && tool.params.iter().all(is_passed_on)
}

/// Returns `true` if the return type has a lifetime other than `'static`. [`return_codec`] does not work for such a
/// type.
fn is_borrowed(tool: &Tool) -> bool {
    let ReturnType::Type(_, ty) = &tool.function.sig.output else { return false };
    written(types::with_lifetime(ty, "'static")) != written(ty)
}

/// Emits an expression that writes the returned value. To find the codec, it probes this value instead of the return
/// type. The function `text`, if there is one, makes the text of the result.
fn write_probed(text: Option<&Path>, expose_errors: bool) -> TokenStream {
    let output = match text {
        None => quote!(__mcp_tool::SuccessCodec::output(__codec, __value)),
        Some(path) => {
            let span = located_at(path.span());
            quote_spanned!(span=> __mcp_tool::output_with_text(__codec, __value, #path))
        }
    };
    quote! {{
        let __returned = __mcp_tool::Returned::of(&__value).__mcp_tool_split();
        match __returned.take(__value) {
            __mcp_tool::Result::Ok(__value) => {
                let __codec = (&&&&&&__returned.success()).__mcp_tool_output();
                #output
            }
            __mcp_tool::Result::Err(__error) => {
                let __codec = (&&&&&__returned.failure()).__mcp_tool_error();
                __mcp_tool::Result::Err(__mcp_tool::FailureCodec::error(__codec, __error, #expose_errors))
            }
        }
    }}
}

/// Emits the call to the function, on this thread or on the blocking pool.
fn function_call(tool: &Tool) -> TokenStream {
    let call = call_without_await(tool);
    if !tool.is_blocking() {
        return quote!(#call.await);
    }
    let service = tool.function.self_kind().map(|_| quote!(let __service = __mcp_tool::Clone::clone(&self.service);));
    let span = located_at(tool.function.sig.ident.span());
    let run = quote_spanned!(span=> __mcp_tool::blocking(__context, move |__context| __mcp_tool::Result::Ok(#call)));
    quote!({ #service #run.await? })
}

/// Emits the call to the function, without awaiting it.
fn call_without_await(tool: &Tool) -> TokenStream {
    let function = &tool.function.sig.ident;
    let path = match &tool.service {
        Some(service) => {
            let ty = &service.ty;
            quote!(<#ty>::#function)
        }
        None => function.to_token_stream(),
    };
    let receiver = tool.function.self_kind().map(|kind| match (kind, tool.is_blocking()) {
        (SelfKind::Reference, false) => quote!(&self.service,),
        (SelfKind::Reference, true) => quote!(&__service,),
        (SelfKind::Arc, false) => quote!(__mcp_tool::Clone::clone(&self.service),),
        (SelfKind::Arc, true) => quote!(__service,),
    });
    let params = tool.params.iter().enumerate().map(|(index, param)| arguments::passed(param, index));
    quote!(#path(#receiver #(#params),*))
}

/// Emits a function for each codec, so that rustc resolves the probes for each codec only once. The macro cannot name
/// the codec that the probes find, so each function returns an `impl` of the codec's trait.
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

/// Emits the codec that reads and describes the arguments.
pub(super) fn arguments_codec(tool: &Tool, arguments: &Arguments) -> TokenStream {
    if tool.is_generic() { find_arguments_codec(tool, arguments) } else { quote!(__arguments_codec()) }
}

/// Emits the codec that writes and describes what the function returns.
pub(super) fn return_codec(tool: &Tool) -> TokenStream {
    if tool.is_generic() { find_return_codec(tool) } else { quote!(__return_codec()) }
}

fn find_arguments_codec(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let probed = &arguments.probed;
    let span = located_at(tool.function.sig.ident.span());
    quote_spanned!(span=> (&&#probed).__mcp_tool_arguments())
}

/// Emits the expression that probes the return type for its codec, and checks the type. If a key sets the output schema
/// or turns it off, the type need not have a schema.
fn find_return_codec(tool: &Tool) -> TokenStream {
    let return_type = return_type(tool);
    let (success, failure) = return_spans(tool);
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

/// Returns the spans at which rustc reports errors about the success type and about the error type.
fn return_spans(tool: &Tool) -> (Span, Span) {
    let Some(ty) = &tool.returns else {
        let span = tool.function.sig.ident.span();
        return (span, span);
    };
    let whole = ty.span();
    let element_span = |ty: &Type| types::element(ty).unwrap_or(ty).span();
    let Type::Path(path) = ty else { return (whole, whole) };
    let last = path.path.segments.last().filter(|last| last.ident.to_string().ends_with("Result"));
    let Some(PathArguments::AngleBracketed(arguments)) = last.map(|last| &last.arguments) else {
        return (element_span(ty), whole);
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    (types.next().map_or(whole, element_span), types.next().map_or(whole, Spanned::span))
}
