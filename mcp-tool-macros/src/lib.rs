//! The macros of `mcp-tool-runtime`. Depend on that crate, not on this one: it re-exports and documents them.
//!
//! A macro expands an attribute in stages:
//!
//! 1. `parse` parses the function. Its body stays unparsed.
//! 2. `attr` parses the keys.
//! 3. `model` combines the function and the keys, and decides the role of each parameter.
//! 4. `check` reports the errors that the earlier stages do not report.
//! 5. `expand` emits the code. It runs only if there are no errors, so it cannot fail.
//!
//! If there are errors, `fallback` emits the function and a stub of its handle. The handle is the struct that `tools![…]`
//! takes. With the stub, the uses of the handle compile, so one mistake gives one error.

mod attr;
mod check;
mod docs;
mod errors;
mod expand;
mod fallback;
mod foreign;
mod ide;
mod migration;
mod model;
mod param;
mod parse;
mod role;
mod self_type;
mod service;
mod spans;
#[cfg(test)]
mod tests;
mod tool;
mod tool_error;
mod tools_list;
mod types;

use proc_macro::TokenStream;

// The runtime re-exports the macros and documents them there, with tested examples. rustdoc appends the docs below.

/// # All keys
///
/// | key | meaning | default |
/// | --- | --- | --- |
/// | `name = "…"` | the name of the tool: 1 to 128 of the characters `A-Z a-z 0-9 _ . -` | the function's name |
/// | `title = "…"` | the name that people see | derived from the name: `get_weather` becomes `Get Weather` |
/// | `description = "…"` | what the tool does; also a constant, `concat!(…)` or `include_str!(…)` | the doc comment |
/// | `read_only_hint`, `destructive_hint`, `idempotent_hint`, `open_world_hint` | what a call does | not sent |
/// | `icon(src = "…", mime_type = "…", sizes = "48x48 96x96", theme = "dark")` | an icon; may repeat | none |
/// | `meta("com.example/key" = expr)` | an entry of the definition's `_meta`; may repeat | none |
/// | `example_call(location = "Paris")` | the arguments of a whole call, as an example in the schema; may repeat | none |
/// | `output = Type`, `output = off` | `Type`: the output schema of that type. `off`: no output schema, so the result is only text | the return type's |
/// | `input_schema = path`, `output_schema = path` | a hand-written schema: `fn() -> Value`, `fn() -> Schema` or `const &str` | derived |
/// | `root_union` | permits an enum as the whole arguments object | refused |
/// | `text = path` | a `fn(&T) -> String` that writes the text beside the structured value | the value as JSON |
/// | `budget = 8_000` | the tokens of one result: of a page, or else the most that a result may have | the dispatcher's |
/// | `timeout = "5s"` | a whole number and one of `ms`, `s`, `m`, `h` | the dispatcher's |
/// | `task`, `task = "required"` | the call may outlast its request, if the builder has `tasks`. `"required"`: clients without tasks get an error | |
/// | `blocking` | runs a function that is not `async` on the blocking pool | |
/// | `allow_unknown` | ignores unknown arguments | refused |
/// | `accept_aliases` | accepts the serde aliases inside the argument types too, without publishing them | refused, or left to the type |
/// | `expose_errors` | shows the messages of all errors to the model | masked |
/// | `tags("trade", "beta")` | labels that the builder's rules of visibility can read | none |
/// | `scopes("orders:write")` | the scopes that a caller needs, all of them; checked by `visible_by_scopes` of the builder | none |
/// | `handler = Name` | the name of the handle: set it if the module uses a crate with the function's name | the function's name |
/// | `crate = ::path` | the path of the runtime: `::x` or `crate::x` | `::mcp_tool_runtime` |
///
/// | key on a parameter | meaning |
/// | --- | --- |
/// | `default = expr` | the value of an absent argument; published in the schema |
/// | `example = expr` | an example in the schema; may repeat |
/// | `header = "Region"` | clients over HTTP also send the argument as a header |
/// | `arguments` | this parameter is the whole arguments object |
/// | `context` | the context of the call: `&CallContext` |
/// | `state` | a value registered with the builder: `&T` or `Option<&T>` |
/// | `extension` | a value attached to the request: `&T` or `Option<&T>` |
/// | `ask = "…"`, `ask = path(name, …)` | the answer of the user to a question: `Consent`, `T` or `Answer<T>`; needs the feature `ask` |
/// | `title = "…"` | beside `ask`: the title of the only property of the form, as in `title = "Yes, delete it"` |
/// | `sealed` | beside `ask`: an answer counts only for exactly the question that was shown |
#[proc_macro_attribute]
pub fn mcp_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), &item.into()).into()
}

/// # All keys
///
/// | key | meaning |
/// | --- | --- |
/// | `prefix = "…"` | starts the name of every tool of the block |
/// | `part = name` | this block is a part of the service, under this name |
/// | `parts(name, …)` | the other blocks of the service |
/// | `read_only_hint`, `destructive_hint`, `idempotent_hint`, `open_world_hint`, `budget = 8_000`, `timeout = "…"`, `task`, `accept_aliases` | the default for every method |
/// | `tags("…", …)`, `scopes("…", …)` | added to those of every method |
/// | `crate = ::path` | the path of the runtime |
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

/// # All keys
///
/// | key of `#[tool_error(…)]` | meaning |
/// | --- | --- |
/// | `can_retry` | the same call, unchanged, may succeed later |
/// | `retry_after_ms = expr` | when to try again; implies `can_retry`; the expression can use the fields; the fields of a tuple are `_0`, `_1` |
/// | `additional_prompt_content = "…"` | what a model should read before it tries again; a format string over the fields |
/// | `developer_message = "…"` | a message for the logs; a format string over the fields |
/// | `code = expr` | a code for programs, a text or an integer; the expression can use the fields |
/// | `data = expr` | data for programs, any `Serialize` value; the expression can use the fields |
/// | `internal` | masks the message: a model reads only that the tool failed |
/// | `transparent` | returns the tool error of the only field |
/// | `crate = ::path` | on the type: the path of the runtime |
#[proc_macro_derive(IntoToolError, attributes(tool_error))]
pub fn into_tool_error(input: TokenStream) -> TokenStream {
    tool_error::derive(input.into()).into()
}
