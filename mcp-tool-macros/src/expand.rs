//! What is emitted for a tool: the function, its handle, and one `const _` with all the rest.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned as _;

use crate::errors::Errors;
use crate::keys::Given;
use crate::model::Tool;
use crate::parse::Function;
use crate::{check, fallback, kind};

mod arguments;
mod definition;

use arguments::Arguments;

/// The way of the attribute: parse, model, check, the gate, and what is emitted.
pub(crate) fn tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            match kind::of(item) {
                Some((word, kind)) => {
                    errors.help(word, format!("`#[mcp_tool]` is on {kind}"), "put it on an async function");
                }
                None => errors.syn(error),
            }
            let errors = errors.to_compile_errors();
            return quote!(#item #errors);
        }
    };
    let tool = Tool::new(attribute, function, &mut errors);
    check::check(&tool, &mut errors);
    if !errors.is_empty() {
        let stub = fallback::stub(&tool);
        let errors = errors.to_compile_errors();
        return quote!(#stub #errors);
    }
    emit(&tool)
}

fn emit(tool: &Tool) -> TokenStream {
    let Tool { function, handler, krate, .. } = tool;
    let vis = &function.vis;
    let cfgs: Vec<_> = function.cfgs().collect();
    let emitted = function.emit();
    let doc = format!("The tool `{}`, for `tools![…]` and a dispatcher's builder.", tool.name);
    let name = &tool.name;
    let arguments = Arguments::new(tool);
    let structure = &arguments.structure;
    let structure_of_handle = self::structure(handler);
    let asserts = arguments::asserts(tool);
    let definition = definition::definition(tool, &arguments);
    let returns = returns(tool);
    let call = call(tool, &arguments);
    let facts = facts(tool);
    quote! {
        #emitted

        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types)]
        #vis #structure_of_handle

        #(#cfgs)*
        #[allow(
            deprecated,
            non_camel_case_types,
            non_snake_case,
            unused_imports,
            unused_qualifications,
            clippy::all,
            clippy::nursery,
            clippy::pedantic
        )]
        const _: () = {
            use #krate::__private as __mcp_tool;
            use __mcp_tool::Default;
            use __mcp_tool::Into;
            use __mcp_tool::Option::Some;
            use __mcp_tool::{
                DecodedArguments as _, ErrorBehindPointer as _, ErrorForModels as _, ErrorOfStd as _,
                ErrorOfWords as _, MissingError as _, MissingOutput as _, OwnOutput as _, PlainReturn as _,
                SerializedOutput as _, UndecodedArguments as _, ValueOutput as _,
            };

            #returns
            #structure
            #asserts

            impl #handler {
                #[doc(hidden)]
                #[allow(dead_code)]
                #vis const __MCP_TOOL_NAME: &'static str = #name;
            }

            impl __mcp_tool::ToolHandler for #handler {
                fn definition(&self) -> __mcp_tool::Tool {
                    #definition
                }

                fn call<'__call>(
                    &'__call self,
                    __context: &'__call __mcp_tool::CallContext,
                    __arguments: __mcp_tool::Arguments<'__call>,
                ) -> __mcp_tool::BoxFuture<
                    '__call,
                    __mcp_tool::Result<__mcp_tool::Output, __mcp_tool::ToolError>,
                > {
                    #call
                }

                fn __mcp_tool_facts(&self) -> __mcp_tool::Facts {
                    #facts
                }
            }
        };
    }
}

/// The handle. It is where the function is: a name that is already taken is taken there.
pub(crate) fn structure(handler: &Ident) -> TokenStream {
    let span = Span::call_site().located_at(handler.span());
    let fields = quote_spanned!(span=> {});
    quote_spanned!(span=> struct #handler #fields)
}

/// The return type under a name, which stands where the function does: see [`arguments`].
fn returns(tool: &Tool) -> TokenStream {
    let name = format_ident!("__Returns", span = tool.function.sig.ident.span());
    let ty = tool.returns.as_ref().map_or_else(|| quote!(()), |ty| ty.to_token_stream());
    quote!(type #name = #ty;)
}

fn call(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let Arguments { ty, pattern, .. } = arguments;
    let function = &tool.function.sig.ident;
    let passed = tool.params.iter().enumerate().map(|(index, param)| arguments::passed(param, index));
    let expose = is_set(tool.keys.expose_errors.as_ref());
    let text = tool.keys.text.as_ref().map(|Given { value: path, .. }| {
        let span = path.span();
        quote_spanned!(span=> let __text = __mcp_tool::text_of(&__value, #path);)
    });
    let with_text = text.as_ref().map(|_| quote!(.map(|__output| __output.with_text(__text))));
    let body = quote! {
        let #pattern = (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_decode(&__arguments)?;
        let __value = #function(#(#passed),*).await;
        let __returned = __mcp_tool::Returned::of(&__value).__mcp_tool_split();
        match __returned.take(__value) {
            __mcp_tool::Result::Ok(__value) => {
                #text
                (&&&&__returned.success()).__mcp_tool_output().output(__value)#with_text
            }
            __mcp_tool::Result::Err(__error) => __mcp_tool::Result::Err(
                (&&&&&__returned.failure()).__mcp_tool_error().error(__error, #expose),
            ),
        }
    };
    // A future that cannot move between threads is the function's.
    let span = Span::call_site().located_at(function.span());
    quote_spanned!(span=> __mcp_tool::Box::pin(async move { #body }))
}

fn facts(tool: &Tool) -> TokenStream {
    let root_union = is_set(tool.keys.root_union.as_ref());
    let aliases = tool.params.iter().flat_map(|param| {
        let name = &param.wire_name;
        param.aliases.iter().map(move |alias| quote!((#alias, #name)))
    });
    let (input, output) = (tool.keys.input_schema.is_some(), tool.keys.output_schema.is_some());
    quote! {
        __mcp_tool::Facts::derived(__mcp_tool::type_name::<Self>(), #root_union, &[#(#aliases),*])
            .with_hand_written(#input, #output)
    }
}

fn is_set(flag: Option<&Given<bool>>) -> bool {
    flag.is_some_and(|given| given.value)
}
