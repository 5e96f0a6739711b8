//! What is emitted for a tool: the function, its handle, and one `const _` with all the rest.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Type};

use crate::attr::{Given, Output};
use crate::errors::Errors;
use crate::model::Tool;
use crate::param::{Param, Passing};
use crate::parse::{Function, item_kind};
use crate::{check, fallback};

/// The way of the attribute: parse, model, check, the gate, and what is emitted.
pub(crate) fn tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let kind = item_kind(item);
            if kind == "something else" {
                errors.syn(error);
            } else {
                let first = item.clone().into_iter().next();
                let help = "put it on an async function";
                errors.help(first.to_token_stream(), format!("`#[mcp_tool]` is on {kind}"), help);
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
    let definition = definition(tool, &arguments);
    let call = call(tool, &arguments);
    let facts = facts(tool);
    quote! {
        #emitted

        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types)]
        #vis struct #handler {}

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
                SerializedOutput as _, UndecodedArguments as _,
            };

            #structure

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

/// The type that the arguments are read into, and how it comes apart.
struct Arguments {
    /// The derived struct, unless the author gave a type for the whole.
    structure: TokenStream,
    /// The type with the author's types in it.
    ty: TokenStream,
    /// The pattern that takes it apart into the bindings that [`passed`] passes on.
    pattern: TokenStream,
}

impl Arguments {
    fn new(tool: &Tool) -> Self {
        let params = &tool.params;
        if let Some(param) = params.iter().find(|param| param.whole) {
            let ty = owned(param);
            let binding = binding(0);
            return Self { structure: TokenStream::new(), ty, pattern: quote!(#binding) };
        }
        // A field of a plain parameter has a type of its own letter: the derives then say nothing of the author's
        // type, and a missing trait is reported once, at the parameter.
        let letters: Vec<_> = (0..params.len()).map(|index| format_ident!("__T{index}")).collect();
        let fields = params.iter().zip(&letters).map(|(param, letter)| {
            let (attrs, ident) = (&param.attrs, &param.ident);
            let ty = if param.plain { letter.to_token_stream() } else { owned(param) };
            quote!(#(#attrs)* #ident: #ty)
        });
        let plain = || params.iter().zip(&letters).filter(|(param, _)| param.plain);
        let generics = plain().map(|(_, letter)| letter);
        let types = plain().map(|(param, _)| owned(param));
        let idents: Vec<_> = params.iter().map(|param| &param.ident).collect();
        let bindings = (0..params.len()).map(binding);
        let krate = &tool.krate;
        let serde = quote!(#krate::__private::serde).to_string();
        let schemars = quote!(#krate::__private::schemars).to_string();
        let structure = quote! {
            #[derive(__mcp_tool::serde::Deserialize, __mcp_tool::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
            struct __Arguments<#(#generics),*> {
                #(#fields,)*
            }
        };
        let ty = quote!(__Arguments<#(#types),*>);
        Self { structure, ty, pattern: quote!(__Arguments { #(#idents: #bindings),* }) }
    }
}

fn binding(index: usize) -> Ident {
    format_ident!("__argument{index}")
}

/// The type of the argument that the call owns.
fn owned(param: &Param) -> TokenStream {
    let ty = &param.ty;
    let span = ty.span();
    match param.passing {
        Passing::Owned => ty.to_token_stream(),
        Passing::Lent => quote_spanned!(span=> <#ty as __mcp_tool::Lend>::Owned),
        Passing::LentOption => quote_spanned!(span=> __mcp_tool::Option<<#ty as __mcp_tool::Lend>::Owned>),
    }
}

/// The expression that the function is called with.
fn passed(param: &Param, index: usize) -> TokenStream {
    let binding = binding(index);
    let ty = &param.ty;
    match param.passing {
        Passing::Owned => quote!(#binding),
        Passing::Lent => quote!(<#ty as __mcp_tool::Lend>::lend(&#binding)),
        Passing::LentOption => quote!(#binding.as_ref().map(<#ty as __mcp_tool::Lend>::lend)),
    }
}

fn definition(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let keys = &tool.keys;
    let name = &tool.name;
    let title = option(keys.title.as_ref().map(|given| &given.value));
    let description = tool.description.to_token_stream();
    let [read_only, destructive, idempotent, open_world] =
        [&keys.read_only_hint, &keys.destructive_hint, &keys.idempotent_hint, &keys.open_world_hint]
            .map(|hint| option(hint.as_ref().map(|given| given.value)));
    let allow_unknown = is_set(keys.allow_unknown.as_ref());
    let asserts = tool.params.iter().map(|param| {
        let ty = owned(param);
        let span = param.ty.span();
        quote_spanned!(span=> const _: () = __mcp_tool::assert_argument::<#ty>();)
    });
    let returns = returns(tool);
    let unit: Type = syn::parse_quote!(());
    let written = tool.returns.as_ref().unwrap_or(&unit);
    let span = written.span();
    let schema = match (&keys.output, &keys.output_schema) {
        (_, Some(Given { value: path, .. })) => {
            quote!(__mcp_tool::Source::Written(__mcp_tool::WrittenSchema::schema(#path)))
        }
        (Some(Given { value: Output::Off, .. }), _) => {
            quote!(__mcp_tool::Source::Derived(&mut |_| __mcp_tool::Option::None))
        }
        (Some(Given { value: Output::Type(ty), .. }), _) => {
            let span = ty.span();
            let schema = quote_spanned!(span=> <#ty as __mcp_tool::JsonSchema>::json_schema(__generator));
            quote!(__mcp_tool::Source::Derived(&mut |__generator| Some(#schema)))
        }
        (None, None) => {
            let schema = quote_spanned!(span=> __output.schema(__generator));
            quote!(__mcp_tool::Source::Derived(&mut |__generator| #schema))
        }
    };
    let input = if let Some(Given { value: path, .. }) = &keys.input_schema {
        quote!(__mcp_tool::Source::Written(__mcp_tool::WrittenSchema::schema(#path)))
    } else {
        let ty = &arguments.ty;
        quote! {
            __mcp_tool::Source::Derived(&mut |__generator| {
                (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_schema(__generator)
            })
        }
    };
    let check_error = quote_spanned!(span=> (&&&&&__returned.failure()).__mcp_tool_error().check(););
    quote! {
        #(#asserts)*
        let __returned = __mcp_tool::Returned::<#returns>::new().__mcp_tool_split();
        let __output = (&&&__returned.success()).__mcp_tool_output();
        #check_error
        __mcp_tool::define(
            &__mcp_tool::Draft {
                name: #name,
                title: #title,
                description: #description,
                read_only_hint: #read_only,
                destructive_hint: #destructive,
                idempotent_hint: #idempotent,
                open_world_hint: #open_world,
                allow_unknown: #allow_unknown,
            },
            #input,
            #schema,
        )
    }
}

fn returns(tool: &Tool) -> TokenStream {
    tool.returns.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream)
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__mcp_tool::Option::None), |value| quote!(__mcp_tool::Option::Some(#value)))
}

fn is_set(flag: Option<&Given<bool>>) -> bool {
    flag.is_some_and(|given| given.value)
}

fn call(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let Arguments { ty, pattern, .. } = arguments;
    let function = &tool.function.sig.ident;
    let passed = tool.params.iter().enumerate().map(|(index, param)| passed(param, index));
    let expose = is_set(tool.keys.expose_errors.as_ref());
    let text = tool.keys.text.as_ref().map(|Given { value: path, .. }| {
        let span = path.span();
        quote_spanned!(span=> let __text = __mcp_tool::text_of(&__value, #path);)
    });
    let with_text = text.as_ref().map(|_| quote!(.map(|__output| __output.with_text(__text))));
    quote! {
        __mcp_tool::Box::pin(async move {
            let #pattern = (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_decode(&__arguments)?;
            let __value = #function(#(#passed),*).await;
            let __returned = __mcp_tool::Returned::of(&__value).__mcp_tool_split();
            match __returned.take(__value) {
                __mcp_tool::Result::Ok(__value) => {
                    #text
                    (&&&__returned.success()).__mcp_tool_output().output(__value)#with_text
                }
                __mcp_tool::Result::Err(__error) => __mcp_tool::Result::Err(
                    (&&&&&__returned.failure()).__mcp_tool_error().error(__error, #expose),
                ),
            }
        })
    }
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
