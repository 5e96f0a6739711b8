//! What is emitted for a tool: the function, its handle, and one `const _` with all the rest.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned as _;

use crate::errors::Errors;
use crate::keys::Given;
use crate::marks::Role;
use crate::model::Tool;
use crate::parse::{self, Function, Receiver};
use crate::{attr, check, fallback, forwarded, kind, paths};

mod arguments;
mod definition;

use arguments::Arguments;

/// The way of the attribute: parse, model, check, the gate, and what is emitted.
pub(crate) fn tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => return unread(attribute, item, &error),
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

/// What is said of an item that is no function, or of one that is not finished.
fn unread(attribute: TokenStream, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let mut errors = Errors::default();
    let mut handle = None;
    if let Some((word, kind)) = kind::of(item) {
        errors.help(word, format!("`#[mcp_tool]` is on {kind}"), "put it on an async function");
    } else {
        handle = fallback::unread(item, &attr::parse(attribute, &mut Errors::default()));
        if let Some((equals, name)) = parse::default_of_parameter(item) {
            let help = format!("write it before the parameter: `#[mcp_tool(default = …)] {name}: …`");
            errors.help(equals, format!("the default of `{name}` cannot stand in the signature"), help);
        } else {
            let message = "`#[mcp_tool]` cannot read the function from here on\n\
                           help: finish what stands here; the compiler says what is missing";
            errors.syn(syn::Error::new(error.span(), message));
        }
    }
    let errors = errors.to_compile_errors();
    quote!(#item #handle #errors)
}

fn emit(tool: &Tool) -> TokenStream {
    let Tool { function, handler, krate, .. } = tool;
    let vis = &function.vis;
    let cfgs: Vec<_> = function.cfgs().collect();
    let emitted = function.emit();
    let doc = format!("The tool `{}`, for `tools![…]` and a dispatcher's builder.", tool.name);
    let name = &tool.name;
    let structure_of_handle = structure(handler);
    let scope = scope(krate);
    let items = items(tool);
    let lints = lints();
    quote! {
        #emitted

        #(#cfgs)*
        #[doc = #doc]
        #[allow(missing_copy_implementations, missing_debug_implementations, non_camel_case_types, clippy::exhaustive_structs)]
        #vis #structure_of_handle

        #(#cfgs)*
        #lints
        const _: () = {
            #scope

            impl #handler {
                #[doc(hidden)]
                #[allow(dead_code)]
                #vis const __MCP_TOOL_NAME: &'static str = #name;
            }

            #items
        };
    }
}

/// What a lint would say of generated code is no matter of the author's.
pub(crate) fn lints() -> TokenStream {
    quote! {
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
    }
}

/// The names that generated code uses: few, and none that the author may have given another meaning.
pub(crate) fn scope(krate: &syn::Path) -> TokenStream {
    quote! {
        use #krate::__private as __mcp_tool;
        use __mcp_tool::Default;
        use __mcp_tool::Into;
        use __mcp_tool::Option::Some;
        use __mcp_tool::{
            DecodedArguments as _, ElementOutput as _, ErrorBehindPointer as _, ErrorForModels as _, ErrorOfStd as _, ErrorOfWords as _,
            FaultOfArgument as _, FaultOfElement as _, HiddenDefault as _, IntoIterator as _, Iterator as _, MissingElement as _,
            MissingError as _, MissingOutput as _, NoFault as _, OwnOutput as _, PlainReturn as _,
            SerializedDefault as _, SerializedOutput as _, UndecodedArguments as _, UnlistedOutput as _, ValueOutput as _,
        };
    }
}

/// The type of the arguments and the implementation of the handler.
pub(crate) fn items(tool: &Tool) -> TokenStream {
    let handler = &tool.handler;
    let arguments = Arguments::new(tool);
    let structure = &arguments.structure;
    let asserts = arguments::asserts(tool);
    let definition = definition::definition(tool, &arguments);
    let alias = alias_of_returns(tool);
    let call = call(tool, &arguments);
    let metadata = metadata(tool, &arguments);
    let (generics, types, bounds) = match &tool.host {
        Some(host) => {
            let (generics, types, _) = host.generics.split_for_impl();
            (Some(generics), Some(types), Some(host.bounds()))
        }
        None => (None, None, None),
    };
    let service = tool.host.as_ref().filter(|host| !host.is_generic()).map(|host| {
        let (name, ty) = (format_ident!("{}", paths::HOST), &host.ty);
        quote!(#[allow(dead_code)] type #name = #ty;)
    });
    quote! {
        #service
        #alias
        #structure
        #asserts

        impl #generics __mcp_tool::ToolHandler for #handler #types #bounds {
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

            fn __mcp_tool_metadata(&self) -> __mcp_tool::ToolMetadata {
                #metadata
            }
        }
    }
}

/// The handle. It is where the function is: a name that is already taken is taken there.
pub(crate) fn structure(handler: &Ident) -> TokenStream {
    let span = Span::call_site().located_at(handler.span());
    let fields = quote_spanned!(span=> {});
    quote_spanned!(span=> struct #handler #fields)
}

/// The return type under a name, which stands where the function does: see [`arguments`].
fn alias_of_returns(tool: &Tool) -> Option<TokenStream> {
    let name = format_ident!("__Returns", span = tool.function.sig.ident.span());
    let ty = tool.returns.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
    (!tool.is_generic()).then(|| quote!(type #name = #ty;))
}

/// The return type by that name, or itself where there can be no name for it.
fn returns(tool: &Tool) -> TokenStream {
    match &tool.returns {
        Some(ty) if tool.is_generic() => ty.to_token_stream(),
        None if tool.is_generic() => quote!(()),
        _ => quote!(__Returns),
    }
}

/// The way of one call through generated code.
fn call(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let Arguments { ty, pattern, .. } = arguments;
    let expose = is_set(tool.keys.expose_errors.as_ref());
    let filled = arguments::filled(tool);
    let called = called(tool);
    let text = tool.keys.text.as_ref().map(|Given { value: path, .. }| {
        let span = path.span();
        let [text, value] = ["__text", "__value"].map(|name| paths::variable(name, span));
        quote_spanned!(span=> let #text = __mcp_tool::text_of(&#value, #path);)
    });
    let with_text = text.as_ref().map(|_| quote!(.map(|__output| __output.with_text(__text))));
    let span = Span::call_site().located_at(tool.function.sig.ident.span());
    let decoded = quote_spanned!(span=> (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_decode(&__arguments));
    let body = quote! {
        let #pattern = #decoded?;
        #filled
        let __value = #called;
        let __returned = __mcp_tool::Returned::of(&__value).__mcp_tool_split();
        match __returned.take(__value) {
            __mcp_tool::Result::Ok(__value) => {
                #text
                (&&&&&&__returned.success()).__mcp_tool_output().output(__value)#with_text
            }
            __mcp_tool::Result::Err(__error) => __mcp_tool::Result::Err(
                (&&&&&__returned.failure()).__mcp_tool_error().error(__error, #expose),
            ),
        }
    };
    // A future that cannot move between threads is the function's.
    quote_spanned!(span=> __mcp_tool::boxed(async move { #body }))
}

/// The call of the function itself, on this thread or on the blocking pool.
fn called(tool: &Tool) -> TokenStream {
    let function = &tool.function.sig.ident;
    let path = match &tool.host {
        Some(host) => {
            let ty = &host.ty;
            quote!(<#ty>::#function)
        }
        None => function.to_token_stream(),
    };
    let receiver = tool.function.receiver().map(|receiver| match (receiver, tool.is_blocking()) {
        (Receiver::Lent, false) => quote!(&self.service,),
        (Receiver::Lent, true) => quote!(&__service,),
        (Receiver::Shared, false) => quote!(__mcp_tool::Clone::clone(&self.service),),
        (Receiver::Shared, true) => quote!(__service,),
    });
    let passed = tool.params.iter().enumerate().map(|(index, param)| arguments::passed(param, index));
    let call = quote!(#path(#receiver #(#passed),*));
    if !tool.is_blocking() {
        return quote!(#call.await);
    }
    let service = receiver.map(|_| quote!(let __service = __mcp_tool::Clone::clone(&self.service);));
    let span = Span::call_site().located_at(function.span());
    let run = quote_spanned!(span=> __mcp_tool::blocking(__context, move |__context| __mcp_tool::Result::Ok(#call)));
    quote!({ #service #run.await? })
}

fn metadata(tool: &Tool, arguments: &Arguments) -> TokenStream {
    let ty = &arguments.ty;
    let span = Span::call_site().located_at(tool.function.sig.ident.span());
    let reader = quote_spanned!(span=> (&&__mcp_tool::Decoded::<#ty>::new()).__mcp_tool_reader());
    let root_union = is_set(tool.keys.root_union.as_ref());
    let aliases = tool.params.iter().flat_map(|param| {
        let name = &param.wire_name;
        param.aliases.iter().map(move |alias| quote!((#alias, #name)))
    });
    let (input, output) = (tool.keys.input_schema.is_some(), tool.keys.output_schema.is_some());
    let has = |role| tool.params.iter().any(|param| param.marks.role == role);
    let needs = (has(Role::State) || has(Role::Extension)).then(|| {
        let (states, extensions) = (arguments::needs(tool, Role::State), arguments::needs(tool, Role::Extension));
        quote!(.with_needs(#states, #extensions))
    });
    let constraints = tool.params.iter().filter(|param| !param.flattened).flat_map(|param| {
        let name = &param.wire_name;
        forwarded::constraints(&param.attrs).into_iter().map(move |constraint| quote!((#name, #constraint)))
    });
    let constraints: Vec<_> = constraints.collect();
    let constraints = (!constraints.is_empty()).then(|| quote!(.with_constraints(&[#(#constraints),*])));
    let timeout = tool.limit.map(|millis| quote!(.with_timeout(__mcp_tool::Duration::from_millis(#millis))));
    // Without the feature neither can be kept, and the compiler says so at the key.
    let keys =
        [tool.keys.timeout.as_ref().map(|given| &given.key), tool.keys.blocking.as_ref().map(|given| &given.key)];
    let tokio = keys.into_iter().flatten().map(|key| {
        let span = Span::call_site().located_at(key.span());
        quote_spanned!(span=> const _: () = __mcp_tool::with_tokio();)
    });
    quote! {
        #(#tokio)*
        __mcp_tool::ToolMetadata::derived(__mcp_tool::type_name::<Self>(), #root_union, &[#(#aliases),*])
            .with_hand_written(#input, #output)
            .with_reader(#reader)
            #needs
            #constraints
            #timeout
    }
}

fn is_set(flag: Option<&Given<bool>>) -> bool {
    flag.is_some_and(|given| given.value)
}
