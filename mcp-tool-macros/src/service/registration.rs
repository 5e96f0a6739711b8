//! What is emitted for a block beside its methods: the service, or the part of one.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::Keys;
use crate::model::{Host, Tool};
use crate::{expand, paths};

/// The service: one handler for each tool, made when the service is registered.
pub(super) fn registration(keys: &Keys, keyword: Span, host: &Host, tools: &[Tool]) -> TokenStream {
    let Host { ty, generics, krate } = host;
    let scope = expand::scope(krate);
    let (impl_generics, _, _) = generics.split_for_impl();
    let bounds = host.bounds();
    let prefix = keys.prefix.as_ref().map_or_else(String::new, |given| given.value.value());
    let handlers = tools.iter().map(|tool| {
        let cfgs = tool.function.cfgs();
        let items = expand::items(tool);
        quote! {
            #(#cfgs)*
            {
                struct __Handler #impl_generics #bounds {
                    service: __mcp_tool::Arc<#ty>,
                    prefix: __mcp_tool::String,
                }

                #items

                __mcp_tool::Vec::push(&mut __list, __mcp_tool::Box::new(__Handler {
                    service: __mcp_tool::Clone::clone(&self),
                    prefix: __mcp_tool::format!("{__prefix}{}", #prefix),
                }));
            }
        }
    });
    let parts = keys.parts.iter().map(tools_of);
    let lints = expand::lints();
    let import = import(keys, host);
    let body = quote! {
        #[allow(unused_mut)]
        let mut __list: __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> = __mcp_tool::Vec::new();
        #(#handlers)*
        #(#parts)*
        __list
    };
    let implementation = implementation(keys, keyword, host, &quote!(__prefix), &body);
    quote! {
        #lints
        const _: () = {
            #scope
            #import
            #implementation
        };
    }
}

/// The trait, or what the block with the trait asks a part for.
fn implementation(keys: &Keys, keyword: Span, host: &Host, prefix: &TokenStream, body: &TokenStream) -> TokenStream {
    let ty = &host.ty;
    let (impl_generics, _, _) = host.generics.split_for_impl();
    let bounds = host.bounds();
    // Of two blocks that are no parts the compiler says that they are, where they begin.
    let span = Span::call_site().located_at(keyword);
    let method = |name: &Ident| {
        quote_spanned! {span=>
            fn #name(
                self: __mcp_tool::Arc<Self>,
                #prefix: &str,
            ) -> __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> {
                #body
            }
        }
    };
    if let Some(part) = &keys.part {
        let method = method(&method_of(&part.value));
        return quote! {
            impl #impl_generics #ty #bounds {
                #[doc(hidden)]
                #[allow(dead_code)]
                pub(crate) #method
            }
        };
    }
    let method = method(&Ident::new("__mcp_tools", Span::call_site()));
    let service = quote_spanned!(span=> __mcp_tool::ToolService<__mcp_tool::OneBlockWithItsParts>);
    quote_spanned!(span=> impl #impl_generics #service for #ty #bounds { #method })
}

/// Adds the tools of a part. Where no block is that part, a trait for all types has the method, and gives what is no list.
fn tools_of(part: &Ident) -> TokenStream {
    let method = method_of(part);
    let span = Span::call_site().located_at(part.span());
    let given = quote_spanned!(span=> Self::#method(__mcp_tool::Clone::clone(&self), __prefix));
    quote_spanned! {span=> {
        struct #part;
        trait __Part {
            fn #method(self: __mcp_tool::Arc<Self>, _: &str) -> __mcp_tool::NoPart<#part> {
                __mcp_tool::NoPart::new()
            }
        }
        impl<__T> __Part for __T {}
        __mcp_tool::Vec::extend(&mut __list, __mcp_tool::ToolsOfPart::tools(#given));
    }}
}

/// The name of what gives the tools of a part.
fn method_of(part: &Ident) -> Ident {
    format_ident!("__mcp_tools_part_{}", part, span = Span::call_site().located_at(part.span()))
}

/// Uses `mcp_tool`, where the author has imported it for the methods: this attribute reads it, so the compiler sees no use.
fn import(keys: &Keys, host: &Host) -> Option<TokenStream> {
    let krate = &host.krate;
    keys.is_bare.then(|| {
        quote! {
            #[allow(unused_imports)]
            mod __imports {
                use super::*;
                use #krate::__private::attributes::*;
                use self::mcp_tool as __mcp_tool;
            }
        }
    })
}

/// A service without tools, so that nothing else turns red. One that borrows stands for itself with nothing borrowed.
pub(super) fn stub(keys: &Keys, keyword: Span, host: &Host) -> TokenStream {
    let Host { generics, krate, .. } = host;
    let ty = paths::with_lifetime(&host.ty, "'static");
    let mut generics = generics.clone();
    if paths::lifetime(&host.ty).is_some() {
        let params = generics.params.into_iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
        generics.params = params.collect();
        generics.where_clause = None;
    }
    let host = Host { ty, generics, krate: krate.clone() };
    let lints = expand::lints();
    let import = import(keys, &host);
    let implementation = implementation(keys, keyword, &host, &quote!(_), &quote!(::core::unreachable!()));
    quote! {
        #lints
        const _: () = {
            use #krate::__private as __mcp_tool;
            #import
            #implementation
        };
    }
}
