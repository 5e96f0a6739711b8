//! `#[mcp_tool]` on a function: parse, model, check, the gate, expand.

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::{self, Errors};
use crate::model::Tool;
use crate::parse::{self, Function};
use crate::{attr, check, expand, fallback};

pub(crate) fn expand(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => return expand_unparsed(attribute, item, &error),
    };
    let tool = Tool::from_function(attribute, function, &mut errors);
    check::check(&tool, &mut errors);
    if errors.is_empty() {
        return expand::emit(&tool);
    }
    let fallback = fallback::emit(&tool);
    let errors = errors.to_compile_errors();
    quote!(#fallback #errors)
}

/// Reports an item that is no function, or a function that is not complete.
fn expand_unparsed(attribute: TokenStream, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let mut stub = None;
    let error = if let Some((keyword, kind)) = parse::item_kind(item) {
        errors::spanned(keyword, format!("`#[mcp_tool]` is on {kind}"), "put it on an async function")
    } else {
        stub = fallback::unparsed(item, &attr::parse(attribute, &mut Errors::default()));
        if let Some((equals, name)) = parse::find_default_value(item) {
            let help = format!("write it before the parameter: `#[mcp_tool(default = …)] {name}: …`");
            errors::spanned(equals, format!("the default of `{name}` cannot be in the signature"), help)
        } else {
            let message = "`#[mcp_tool]` cannot parse the function from here on";
            errors::error(error.span(), message, "complete the function; rustc says what is missing")
        }
    };
    let error = error.to_compile_error();
    quote!(#item #stub #error)
}
