//! The macros of `mcp-tool-runtime`. Depend on that crate, not on this one: it re-exports and documents them.
//!
//! A macro expands an attribute in stages:
//!
//! 1. `parse` parses the function. Its body stays unparsed.
//! 2. `attr` parses the keys, which `keys` declares.
//! 3. `model` combines the function and the keys, and classifies each parameter.
//! 4. `check` reports the errors that the earlier stages do not report.
//! 5. `expand` emits the code. It runs only if there are no errors, so it cannot fail.
//!
//! If there are errors, `tool` emits the function and a stub of its handle, the struct that `tools![…]` takes. The stub
//! keeps every use of the handle compiling, so that one mistake gives one error.

#![allow(missing_docs, reason = "the runtime documents the macros, where it re-exports them")]

mod attr;
mod check;
mod docs;
mod editor;
mod errors;
mod expand;
mod field_attributes;
mod migration;
mod model;
mod param;
mod parse;
mod questions;
mod service;
#[cfg(test)]
mod tests;
mod tool;
mod tool_error;
mod tools_list;
mod types;

use proc_macro::TokenStream;

// The public macros have no docs here. The runtime documents them where it re-exports them, with tested examples and
// with the tables from `keys`.

#[proc_macro_attribute]
pub fn mcp_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn mcp_tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    service::expand(attribute.into(), &item.into()).into()
}

/// Expands `tools![…]`. The first token is the path of the runtime.
#[doc(hidden)]
#[proc_macro]
pub fn __tools(input: TokenStream) -> TokenStream {
    tools_list::expand(input.into()).into()
}

/// Expands to the modules of `keys::modules`, from which editors complete the keys.
#[doc(hidden)]
#[proc_macro]
pub fn __keys(_: TokenStream) -> TokenStream {
    attr::keys::modules().into()
}

#[proc_macro_derive(IntoToolError, attributes(tool_error))]
pub fn into_tool_error(input: TokenStream) -> TokenStream {
    tool_error::derive(input.into()).into()
}
