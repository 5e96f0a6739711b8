//! The attribute, the list and the derive of `mcp-tool-runtime`. Depend on that crate, not on this one.
//!
//! An attribute goes one way: [`parse`] keeps the function as tokens with spans, [`attr`] reads the keys, [`model`]
//! says once what everything is, [`check`] reports all that is wrong, and past that gate [`expand`] cannot fail. On
//! the error path [`fallback`] emits the function and a stub of its handle, so that one mistake gives one error.

mod attr;
mod check;
mod docs;
mod errors;
mod expand;
mod fallback;
mod keys;
mod kind;
mod list;
mod model;
mod param;
mod parse;
mod paths;
mod tool_error;
mod value;

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
/// | `input_schema = path`, `output_schema = path` | a schema written by hand: `fn() -> Value` or `&str` |
/// | `root_union` | permits arguments that are one of several forms |
/// | `text = path` | `fn(&T) -> String` that writes the text beside the structured value |
/// | `allow_unknown` | arguments that are not known are ignored, not refused |
/// | `expose_errors` | any error's words are shown to the model |
/// | `handler = Name` | the name of the handle |
/// | `crate = ::path` | where the runtime lives |
///
/// A parameter's doc comment is its description; `#[serde(…)]`, `#[schemars(…)]`, `#[validate(…)]` and `#[garde(…)]`
/// on it are those of a field. `#[mcp_tool(arguments)]` on the only parameter makes its type the whole of the
/// arguments.
#[proc_macro_attribute]
pub fn mcp_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(attribute.into(), &item.into()).into()
}

/// What `tools![…]` expands to; the first token is where the runtime lives.
#[doc(hidden)]
#[proc_macro]
pub fn __tools(input: TokenStream) -> TokenStream {
    list::expand(input.into()).into()
}

/// Makes an error type one whose words are for a model: each variant's `Display`, unless it is `internal`.
///
/// `#[tool_error(…)]` on a variant, or on the type as the default of all variants:
///
/// | key | meaning |
/// | --- | --- |
/// | `can_retry` | the same call, unchanged, may succeed later |
/// | `retry_after_ms = expr` | when to try again, which implies `can_retry`; the fields are in scope |
/// | `additional_prompt_content = "…"` | what a model should read before it tries again; a format string over the fields |
/// | `developer_message = "…"` | what the logs get; a format string over the fields |
/// | `internal` | masked: a model reads only that the tool failed inside |
/// | `transparent` | the one field's own error |
/// | `crate = ::path` | where the runtime lives; on the type |
#[proc_macro_derive(IntoToolError, attributes(tool_error))]
pub fn into_tool_error(input: TokenStream) -> TokenStream {
    tool_error::derive(input.into()).into()
}
