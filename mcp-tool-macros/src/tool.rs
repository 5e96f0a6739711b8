//! `#[mcp_tool]` on a function: parse, model, check, then expand. After an error, `fallback` replaces `expand`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::value;
use crate::editor::KeyImports;
use crate::errors::{self, Errors};
use crate::keys::ToolKeys;
use crate::model::Tool;
use crate::parse::{self, Function};
use crate::{check, expand, fallback};

pub(crate) fn expand(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut key_imports = KeyImports::default();
    key_imports.add_macro_keys("tool", &attribute);
    let mut function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) => return expand_unparsed(attribute, item, &error, &key_imports),
    };
    key_imports.add_parameters(&function.sig);
    function.report_foreign_tool(&mut errors);
    let tool = Tool::from_function(attribute, function, &mut errors);
    check::check(&tool, &mut errors);
    // The imports are items, and an impl block cannot contain them.
    let key_imports = key_imports.emit(&tool.runtime).filter(|_| tool.function.self_kind().is_none());
    if errors.is_empty() {
        let emitted = expand::emit(&tool);
        return quote!(#emitted #key_imports);
    }
    let fallback = fallback::emit(&tool);
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
        let help = if keyword == "impl" {
            "put `#[mcp_tools]` on the impl block, and `#[mcp_tool]` on its methods"
        } else {
            "put it on an async function"
        };
        let error = errors::spanned(keyword, message, help).to_compile_error();
        let item = parse::without_tools(item);
        return quote!(#item #error);
    }
    let keys = ToolKeys::of_function(attribute, &mut Errors::default());
    let stub = fallback::unparsed(item, &keys);
    let key_imports = stub.as_ref().and_then(|_| key_imports.emit(&value::runtime(keys.crate_path.as_ref())));
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
