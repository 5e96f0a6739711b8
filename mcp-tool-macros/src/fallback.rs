//! What is emitted for a tool with errors: the function, and a stub of its handle.
//!
//! `tools![…]` finds the stub and rustc checks the function's body, so that one mistake is one error.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Path, Visibility};

use crate::attr::value;
use crate::expand::handle_struct;
use crate::keys::ToolKeys;
use crate::model::Tool;

pub(crate) fn emit(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let emitted = function.emit();
    if function.sig.receiver().is_some() || tool.service.is_some() {
        // An impl block cannot hold a struct.
        return emitted;
    }
    let stub = stub(&function.cfgs().collect::<Vec<_>>(), &function.vis, &tool.handle_type, &tool.runtime);
    quote!(#emitted #stub)
}

/// Returns the stub for a function that cannot be parsed, because somebody is typing it.
pub(crate) fn unparsed(item: &TokenStream, keys: &ToolKeys) -> Option<TokenStream> {
    let start = |input: ParseStream<'_>| {
        let (attrs, vis) = (input.call(Attribute::parse_outer)?, input.parse::<Visibility>()?);
        Ok((attrs, vis, input.parse::<TokenStream>()?))
    };
    let (attrs, vis, rest) = start.parse2(item.clone()).ok()?;
    let mut rest =
        rest.into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "fn")).skip(1);
    let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(params))) = (rest.next(), rest.next()) else {
        return None;
    };
    let is_self = |token| matches!(token, TokenTree::Ident(word) if word == "self");
    if params.stream().into_iter().take(4).any(is_self) {
        return None;
    }
    let handle_type = keys.handler.as_ref().map_or(&name, |given| &given.value);
    let cfgs: Vec<_> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    Some(stub(&cfgs, &vis, handle_type, &value::runtime(keys.crate_path.as_ref())))
}

fn stub(cfgs: &[&Attribute], vis: &Visibility, handle_type: &Ident, runtime: &Path) -> TokenStream {
    let handle_struct = handle_struct(handle_type);
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis #handle_struct

        #(#cfgs)*
        const _: () = {
            use #runtime::__private as __mcp_tool;

            impl __mcp_tool::ToolHandler for #handle_type {
                fn definition(&self) -> __mcp_tool::Tool {
                    ::core::unreachable!()
                }

                fn metadata(&self) -> __mcp_tool::ToolMetadata {
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
