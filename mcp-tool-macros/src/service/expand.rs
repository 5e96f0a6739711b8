//! What the macro emits in addition to the impl block: the implementation of the service, or of one part of it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::GenericParam;

use super::keys::BlockKeys;
use crate::errors::located_at;
use crate::expand::{allow_lints, handler_items, imports};
use crate::model::{Service, Tool};
use crate::types;

/// Emits the service with one handler for each tool. If there are errors, `tools` is `None`, and it emits a stub.
///
/// `may_import_attribute` says that a method has `#[mcp_tool]` without a path, so the author may have imported it.
pub(super) fn registration(
    keys: &BlockKeys,
    keyword: Span,
    service: &Service,
    tools: Option<&[Tool]>,
    may_import_attribute: bool,
) -> TokenStream {
    let runtime = &service.runtime;
    let (imports, implementation) = if let Some(tools) = tools {
        let body = body(keys, service, tools);
        (imports(runtime), implementation(keys, keyword, service, &quote!(__prefix), &body))
    } else {
        let body = quote!(::core::unreachable!());
        let implementation = implementation(keys, keyword, &without_lifetimes(service), &quote!(_), &body);
        (quote!(use #runtime::__private as __mcp_tool;), implementation)
    };
    // The macro removes `#[mcp_tool]` from the methods, so rustc would call the author's import of the attribute
    // unused. This module uses that import. If there is none, `attributes` provides the name.
    let use_import = may_import_attribute.then(|| {
        quote! {
            #[allow(unused_imports)]
            mod __imports {
                use super::*;
                use #runtime::__private::attributes::*;
                use self::mcp_tool as __mcp_tool;
            }
        }
    });
    // Check once for all methods, so that rustc reports a missing feature `tokio` only once, at the key of the block.
    let of_methods = &keys.of_methods;
    let time = of_methods.timeout.as_ref().or(of_methods.heartbeat.as_ref());
    let needs_tokio = time.filter(|_| tools.is_some()).map(|time| {
        let span = located_at(time.key.span());
        quote_spanned!(span=> const _: () = __mcp_tool::require_tokio();)
    });
    let allow_lints = allow_lints();
    quote! {
        #allow_lints
        const _: () = {
            #imports
            #needs_tokio
            #use_import
            #implementation
        };
    }
}

/// Emits the body of the service's method, which returns the list of handlers.
fn body(keys: &BlockKeys, service: &Service, tools: &[Tool]) -> TokenStream {
    let ty = &service.ty;
    let (impl_generics, _, _) = service.generics.split_for_impl();
    let bounds = service.bounds();
    let prefix = keys.prefix();
    let handlers = tools.iter().map(|tool| {
        let cfgs = tool.function.cfgs();
        let items = handler_items(tool);
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
    let parts = keys.own.parts.iter().flat_map(|given| &given.value).map(extend_by_part);
    quote! {
        #[allow(unused_mut)]
        let mut __list: __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> = __mcp_tool::Vec::new();
        #(#handlers)*
        #(#parts)*
        __list
    }
}

/// Emits the impl of `ToolService`. For a part, it emits an inherent method instead, which the service's main block
/// calls.
///
/// `prefix_param` is the parameter that `body` reads as `__prefix`, or `_`.
fn implementation(
    keys: &BlockKeys,
    keyword: Span,
    service: &Service,
    prefix_param: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let ty = &service.ty;
    let (impl_generics, _, _) = service.generics.split_for_impl();
    let bounds = service.bounds();
    // If there are two blocks without `part`, both implement `ToolService`. With this span, rustc reports that at the
    // keyword `impl`.
    let span = located_at(keyword);
    let method = |name: &Ident| {
        quote_spanned! {span=>
            fn #name(
                self: __mcp_tool::Arc<Self>,
                #prefix_param: &str,
            ) -> __mcp_tool::Vec<__mcp_tool::Box<dyn __mcp_tool::ToolHandler>> {
                #body
            }
        }
    };
    if let Some(part) = &keys.own.part {
        let method = method(&part_method(&part.value));
        return quote! {
            impl #impl_generics #ty #bounds {
                #[doc(hidden)]
                #[allow(dead_code)]
                pub(crate) #method
            }
        };
    }
    let method = method(&Ident::new("__mcp_tools", Span::call_site()));
    let service_trait = quote_spanned!(span=> __mcp_tool::ToolService<__mcp_tool::OneBlockWithItsParts>);
    quote_spanned!(span=> impl #impl_generics #service_trait for #ty #bounds { #method })
}

/// Emits the statement that adds the tools of a part.
///
/// The block of the part defines the inherent method that this calls. Without such a block, the call resolves to the
/// local trait `__Part`, whose return type gives a compile error in our words.
fn extend_by_part(part: &Ident) -> TokenStream {
    let method = part_method(part);
    let span = located_at(part.span());
    let tools = quote_spanned!(span=> Self::#method(__mcp_tool::Clone::clone(&self), __prefix));
    quote_spanned! {span=> {
        struct #part;
        trait __Part {
            fn #method(self: __mcp_tool::Arc<Self>, _: &str) -> __mcp_tool::MissingPart<#part> {
                __mcp_tool::MissingPart::new()
            }
        }
        impl<__T> __Part for __T {}
        __mcp_tool::Vec::extend(&mut __list, __mcp_tool::ToolsOfPart::tools(#tools));
    }}
}

/// Returns the name of the method that returns the tools of a part.
fn part_method(part: &Ident) -> Ident {
    format_ident!("__mcp_tools_part_{}", part, span = located_at(part.span()))
}

/// Returns the service for a stub, without lifetimes: a service that borrows has already been reported.
fn without_lifetimes(service: &Service) -> Service {
    let mut stub = Service { ty: types::with_lifetime(&service.ty, "'static"), ..service.clone() };
    if types::find_lifetime(&service.ty).is_some() {
        let params = stub.generics.params.into_iter();
        stub.generics.params = params.filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
        stub.generics.where_clause = None;
    }
    stub
}
