//! The macros of `mcp-tool-runtime`. Depend on that crate, not on this one: it re-exports and documents them.
//!
//! An attribute is expanded in stages. `parse` keeps the function as tokens with spans, `attr` parses the keys, `model`
//! classifies everything once, `check` reports every error, and after that gate `expand` cannot fail. If there are errors,
//! `fallback` emits the function with a stub of its handle, so that one mistake gives one error.

mod attr;
mod check;
mod docs;
mod errors;
mod expand;
mod fallback;
mod foreign;
mod model;
mod param;
mod parse;
mod paths;
mod service;
#[cfg(test)]
mod tests;
mod tool;
mod tool_error;
mod tools_list;
mod types;

use proc_macro::TokenStream;

/// Makes a tool of an async function.
///
/// The function stays as it is. Beside it stands a handle of the same name, which `tools![…]` and
/// `DispatcherBuilder::tool` take.
///
/// | key | meaning |
/// | --- | --- |
/// | `name = "…"` | the tool's name; the function's unless given |
/// | `title = "…"` | the name for display; made of the name unless given |
/// | `description = "…"` | a string, a constant, `concat!` or `include_str!`; the doc comment unless given |
/// | `read_only_hint`, `destructive_hint`, `idempotent_hint`, `open_world_hint` | hints on what the tool does to the world |
/// | `output = Type`, `output = off` | the schema of another type; none, and text only |
/// | `input_schema = path`, `output_schema = path` | a schema written by hand: `fn() -> Value`, `fn() -> Schema` or `&str` |
/// | `root_union` | permits arguments that are one of several forms |
/// | `icon(src = "…", mime_type = "…", sizes = "48x48 96x96", theme = "dark")` | an icon; may repeat |
/// | `meta("com.example/key" = expr)` | an entry of the definition's `_meta`; may repeat |
/// | `timeout = "5s"` | a whole number and one of `ms`, `s`, `m`, `h`: a call that takes longer is an error result |
/// | `blocking` | on a function that is not `async`: it runs on the blocking pool |
/// | `text = path` | `fn(&T) -> String` that writes the text beside the structured value |
/// | `allow_unknown` | arguments that are not known are ignored, not refused |
/// | `expose_errors` | any error's words are shown to the model |
/// | `handler = Name` | the name of the handle |
/// | `crate = ::path` | where the runtime lives |
///
/// A parameter's doc comment is its description; `#[serde(…)]`, `#[schemars(…)]`, `#[validate(…)]` and `#[garde(…)]`
/// on it are those of a field. What changes a name or a default is written with `serde`, which schemars reads too: with
/// `#[schemars(rename = "…")]` alone the schema has one name and the argument is read by another, so on a parameter that
/// does not compile. Into a struct of your own the attribute cannot see: there write `#[serde(rename = "…")]` yourself.
///
/// | on a parameter | it is |
/// | --- | --- |
/// | `#[mcp_tool(default = expr)]` | an argument that may be left out; the value is published |
/// | `#[mcp_tool(example = expr)]` | an argument with an example; may repeat |
/// | `#[mcp_tool(header = "Region")]` | an argument that clients over HTTP also send as a header |
/// | `#[mcp_tool(arguments)]` | the whole of the arguments |
/// | `#[mcp_tool(context)]` | the call's context: `&CallContext` |
/// | `#[mcp_tool(state)]` | a value registered with the builder: `&T`, or `Option<&T>` if it may be missing |
/// | `#[mcp_tool(extension)]` | a value attached to the request: `&T`, or `Option<&T>` if it may be missing |
#[proc_macro_attribute]
pub fn mcp_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), &item.into()).into()
}

/// Makes tools of the methods of an impl block: those with `#[mcp_tool]`.
///
/// The object is registered with `DispatcherBuilder::service`; its methods take it as `&self` or `self: Arc<Self>`.
/// All keys of `#[mcp_tool]` but `handler` and `crate` work on a method, and all attributes of parameters.
/// This attribute reads `#[mcp_tool]` on the methods, so that only `mcp_tools` has to be imported.
///
/// | key | meaning |
/// | --- | --- |
/// | `prefix = "…"` | stands before the name of every tool of the block |
/// | `part = name`, `parts(name, …)` | where the methods are in several blocks: each but one is a part, which that one names |
/// | `crate = ::path` | where the runtime lives |
#[proc_macro_attribute]
pub fn mcp_tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    service::expand(attribute.into(), &item.into()).into()
}

/// What `tools![…]` expands to; the first token is where the runtime lives.
#[doc(hidden)]
#[proc_macro]
pub fn __tools(input: TokenStream) -> TokenStream {
    tools_list::expand(input.into()).into()
}

/// Makes an error type one whose words are for a model: each variant's `Display`, unless it is `internal`.
///
/// `#[tool_error(…)]` on a variant, or on the type as the default of all variants:
///
/// | key | meaning |
/// | --- | --- |
/// | `can_retry` | the same call, unchanged, may succeed later |
/// | `retry_after_ms = expr` | when to try again, which implies `can_retry`; the fields are in scope as values, by name or as `_0`, `_1` |
/// | `additional_prompt_content = "…"` | what a model should read before it tries again; a format string over the fields |
/// | `developer_message = "…"` | what the logs get; a format string over the fields |
/// | `internal` | masked: a model reads only that the tool failed inside |
/// | `transparent` | the one field's own error |
/// | `crate = ::path` | where the runtime lives; on the type |
#[proc_macro_derive(IntoToolError, attributes(tool_error))]
pub fn into_tool_error(input: TokenStream) -> TokenStream {
    tool_error::derive(input.into()).into()
}
