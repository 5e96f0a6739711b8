//! The body of `ToolHandler::call`: decode the arguments, call the function, encode its result.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::arguments::{self, Arguments};
use crate::ask;
use crate::attr::TextKey;
use crate::attr::list::{KeyValue, is_set};
use crate::model::Tool;
use crate::parse::SelfKind;
use crate::paths::{located_at, variable};

pub(super) fn call(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let pattern = &arguments.pattern;
    let expose_errors = is_set(tool.keys.expose_errors.as_ref());
    let fill_defaults = arguments::fill_defaults(tool);
    let ask = ask::ask(tool);
    let function_call = function_call(tool);
    let (text, with_text) = match &tool.keys.text {
        Some(KeyValue { value: TextKey::Function(path), .. }) => {
            let span = path.span();
            let [text, value] = ["__text", "__value"].map(|name| variable(name, span));
            let text = quote_spanned!(span=> let #text = __mcp_tool::text_of(&#value, #path););
            (Some(text), Some(quote!(.map(|__output| __output.with_text(__text)))))
        }
        Some(KeyValue { value: TextKey::Off, .. }) => (None, Some(quote!(.map(|__output| __output.without_text())))),
        None => (None, None),
    };
    let span = located_at(tool.function.sig.ident.span());
    let decode = decode(tool, arguments, &quote!(&__arguments));
    let body = quote! {
        let #pattern = #decode?;
        #fill_defaults
        #ask
        let __value = #function_call;
        let __returned = __mcp_tool::Returned::of(&__value).__mcp_tool_split();
        match __returned.take(__value) {
            __mcp_tool::Result::Ok(__value) => {
                #text
                (&&&&&&__returned.success()).__mcp_tool_output().output(__value)#with_text
            }
            __mcp_tool::Result::Err(__error) => __mcp_tool::Result::Err(
                (&&&&&__returned.failure()).__mcp_tool_error().error(__error, #expose_errors),
            ),
        }
    };
    // A future that is not `Send` is reported at the function's name.
    quote_spanned!(span=> __mcp_tool::boxed(async move { #body }))
}

/// Emits the expression that reads the arguments.
pub(super) fn decode(tool: &Tool, arguments: &Arguments, source: &TokenStream) -> TokenStream {
    let ty = &arguments.ty;
    let span = located_at(tool.function.sig.ident.span());
    quote_spanned!(span=> (&&__mcp_tool::ArgumentsType::<#ty>::new()).__mcp_tool_decode(#source))
}

/// Emits the call of the function, on this thread or on the blocking pool.
fn function_call(tool: &Tool) -> TokenStream {
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
    let call = quote!(#path(#receiver #(#params),*));
    if !tool.is_blocking() {
        return quote!(#call.await);
    }
    let service = receiver.map(|_| quote!(let __service = __mcp_tool::Clone::clone(&self.service);));
    let span = located_at(function.span());
    let run = quote_spanned!(span=> __mcp_tool::blocking(__context, move |__context| __mcp_tool::Result::Ok(#call)));
    quote!({ #service #run.await? })
}
