//! What is emitted for a tool with mistakes: the function, and a handle that is there but has nothing to say.
//!
//! Nothing else then turns red: `tools![…]` finds the handle, and the body is checked by the compiler as ever.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Path, Visibility};

use crate::attr::Keys;
use crate::expand::structure;
use crate::model::Tool;
use crate::paths;

pub(crate) fn stub(tool: &Tool) -> TokenStream {
    let Tool { function, handler, krate, .. } = tool;
    let emitted = function.emit();
    if function.sig.receiver().is_some() || tool.host.is_some() {
        // Inside an impl block no struct can stand.
        return emitted;
    }
    let cfgs: Vec<_> = function.cfgs().collect();
    let handle = handle(&cfgs, &function.vis, handler, krate);
    quote!(#emitted #handle)
}

/// The handle of a function that cannot be read yet, since somebody is typing it.
pub(crate) fn unread(item: &TokenStream, keys: &Keys) -> Option<TokenStream> {
    let beginning = |input: ParseStream<'_>| {
        let read = (input.call(Attribute::parse_outer)?, input.parse::<Visibility>()?);
        Ok((read, input.parse::<TokenStream>()?))
    };
    let ((attrs, vis), rest) = beginning.parse2(item.clone()).ok()?;
    let mut rest =
        rest.into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "fn")).skip(1);
    let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(parameters))) = (rest.next(), rest.next()) else {
        return None;
    };
    let is_self = |token| matches!(token, TokenTree::Ident(word) if word == "self");
    if parameters.stream().into_iter().take(4).any(is_self) {
        return None;
    }
    let handler = keys.handler.as_ref().map_or(&name, |given| &given.value);
    let krate = keys.krate.as_ref().map_or_else(paths::default_crate, |given| given.value.clone());
    let cfgs: Vec<_> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    Some(handle(&cfgs, &vis, handler, &krate))
}

fn handle(cfgs: &[&Attribute], vis: &Visibility, handler: &Ident, krate: &Path) -> TokenStream {
    let structure = structure(handler);
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis #structure

        #(#cfgs)*
        const _: () = {
            use #krate::__private as __mcp_tool;

            impl #handler {
                #[doc(hidden)]
                #[allow(dead_code)]
                #vis const __MCP_TOOL_NAME: &'static str = "";
            }

            impl __mcp_tool::ToolHandler for #handler {
                fn definition(&self) -> __mcp_tool::Tool {
                    ::core::unreachable!()
                }

                fn call<'a>(
                    &'a self,
                    _: &'a __mcp_tool::CallContext,
                    _: __mcp_tool::Arguments<'a>,
                ) -> __mcp_tool::BoxFuture<'a, __mcp_tool::Result<__mcp_tool::Output, __mcp_tool::ToolError>> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
