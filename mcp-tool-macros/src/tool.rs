//! Expands `#[mcp_tool]` on a function: parse, model, check, expand.
//!
//! After an error, the macro emits the function and a stub of the handle instead, so that `tools![…]` finds the stub
//! and rustc still checks the body.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Path, Visibility};

use crate::attr::keys::ToolKeys;
use crate::attr::{Given as _, value};
use crate::editor::KeyImports;
use crate::errors::{self, Errors};
use crate::expand::handle_struct;
use crate::model::Tool;
use crate::parse::{self, Function};
use crate::{check, expand};

pub(crate) fn expand(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut key_imports = KeyImports::default();
    key_imports.add_macro_keys("tool", attribute.clone());
    let mut function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => return expand_unparsed(attribute, item, &error, &key_imports),
    };
    key_imports.add_parameters(&function.sig);
    function.report_foreign_tool(&mut errors);
    let tool = Tool::from_function(attribute, function, &mut errors);
    check::check(&tool, &mut errors);
    // A method gets no imports, because an impl block cannot contain them.
    let key_imports = key_imports.emit(&tool.runtime).filter(|_| tool.function.self_kind().is_none());
    if errors.is_empty() {
        let emitted = expand::emit(&tool);
        return quote!(#emitted #key_imports);
    }
    let fallback = emit_function(&tool);
    let errors = errors.to_compile_errors();
    quote!(#fallback #key_imports #errors)
}

/// Reports an item that is not a function, or a function that cannot be parsed.
fn expand_unparsed(
    attribute: TokenStream,
    item: &TokenStream,
    error: &syn::Error,
    key_imports: &KeyImports,
) -> TokenStream {
    if let Some((keyword, kind)) = parse::item_kind(item) {
        let message = format!("`#[mcp_tool]` is on {kind}");
        let help = if kind == parse::IMPL_BLOCK {
            "put `#[mcp_tools]` on the impl block, and `#[mcp_tool]` on its methods"
        } else {
            "put it on an async function"
        };
        let error = errors::spanned(keyword, message, help).to_compile_error();
        let item = parse::without_tools(item);
        return quote!(#item #error);
    }
    let keys = ToolKeys::of_function(attribute, &mut Errors::default());
    let stub = stub_of_unparsed(item, &keys);
    let key_imports = stub.as_ref().and_then(|_| key_imports.emit(&value::runtime(keys.crate_path.value())));
    let error = if let Some((equals, name)) = parse::find_default_value(item) {
        let help = format!("write it before the parameter: `#[mcp_tool(default = …)] {name}: …`");
        errors::spanned(equals, format!("the default of `{name}` cannot be in the signature"), help)
    } else {
        let message = "`#[mcp_tool]` cannot parse the function from here on";
        errors::error(error.span(), message, "complete the function; rustc says what is missing")
    };
    let error = error.to_compile_error();
    quote!(#item #stub #key_imports #error)
}

fn emit_function(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let emitted = function.emit();
    if function.sig.receiver().is_some() || tool.service.is_some() {
        // A method gets no stub, because an impl block cannot contain a struct.
        return emitted;
    }
    let stub = stub(&function.cfgs().collect::<Vec<_>>(), &function.vis, &tool.handle_type, &tool.runtime);
    quote!(#emitted #stub)
}

/// Returns the stub for a function that does not parse, usually because somebody is still typing it.
fn stub_of_unparsed(item: &TokenStream, keys: &ToolKeys) -> Option<TokenStream> {
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
    let handle_type = keys.handler.value().unwrap_or(&name);
    let cfgs: Vec<_> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    Some(stub(&cfgs, &vis, handle_type, &value::runtime(keys.crate_path.value())))
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
