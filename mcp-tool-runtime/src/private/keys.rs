//! The keys of our attributes, as documented types.
//!
//! rust-analyzer completes the keys inside an attribute from here and shows these texts: the macros import each key that
//! was written, for rust-analyzer alone. Programs are compiled without this module. (Constants would be completed too, but
//! rust-analyzer shows no documentation for the import of a constant.)

#![allow(non_camel_case_types, reason = "each type is named like its key")]

/// The keys of `#[mcp_tool(…)]` on a function.
pub mod tool {
    /// `name = "…"`: the name of the tool. Without it, the name of the function.
    pub type name = &'static str;
    /// `title = "…"`: the name that people see. Without it, derived from the name: `get_weather` becomes `Get Weather`.
    pub type title = &'static str;
    /// `description = "…"`: what the tool does, for a model to read. Also the path of a constant, `concat!(…)` or
    /// `include_str!(…)`. Without it, the doc comment up to its first section for Rust callers.
    pub type description = &'static str;
    /// The tool does not change anything.
    pub type read_only_hint = bool;
    /// The tool may delete or overwrite something.
    pub type destructive_hint = bool;
    /// Repeating a call with the same arguments changes nothing more.
    pub type idempotent_hint = bool;
    /// The tool talks to systems outside of this server, such as the web.
    pub type open_world_hint = bool;
    /// `icon(src = "…", mime_type = "…", sizes = "48x48 96x96", theme = "dark")`: an icon for clients. May repeat.
    pub type icon = ();
    /// `meta("com.example/key" = expr)`: an entry of the definition's `_meta`. May repeat.
    pub type meta = ();
    /// `example_call(location = "Paris")`: the arguments of a whole call, as an example. May repeat.
    pub type example_call = ();
    /// `output = Type`: publishes the output schema of another type. `output = off`: no output schema, text only.
    pub type output = ();
    /// `input_schema = path`: a hand-written schema, `fn() -> Value`, `fn() -> Schema` or `const &str`. Published as it is, and enforced.
    pub type input_schema = ();
    /// `output_schema = path`: a hand-written schema, `fn() -> Value`, `fn() -> Schema` or `const &str`. Published as it is, and enforced.
    pub type output_schema = ();
    /// Permits `#[mcp_tool(arguments)]` of an enum, which publishes a `oneOf` at the root of the input schema.
    pub type root_union = bool;
    /// `text = path`: a `fn(&T) -> String` that writes the text beside the structured value. `text = off`: no text.
    pub type text = ();
    /// `budget = 8_000`: the tokens of one result. A `Paged` or `Excerpt` is cut there, any other result over it is an error result.
    pub type budget = u32;
    /// `timeout = "5s"`: a whole number and one of `ms`, `s`, `m`, `h`. A call that takes longer is an error result.
    pub type timeout = &'static str;
    /// On a function that is not `async`: runs it on tokio's blocking pool.
    pub type blocking = bool;
    /// Ignores unknown arguments instead of refusing the call.
    pub type allow_unknown = bool;
    /// Shows the message of any error to the model. Without it, only errors that are meant for models are shown.
    pub type expose_errors = bool;
    /// `tags("trade", "beta")`: your own labels, which the builder's rules of visibility can read.
    pub type tags = &'static [&'static str];
    /// `scopes("orders:write")`: the scopes that a caller needs, all of them. Needs `visible_by_scopes` on the builder.
    pub type scopes = &'static [&'static str];
    /// `handler = Name`: the name of the generated handle type. Without it, the name of the function.
    pub type handler = &'static str;
}

/// The keys of `icon(…)`.
pub mod icon {
    /// `src = "https://…"`: the address of the image, or a `data:` URI.
    pub type src = &'static str;
    /// `mime_type = "image/png"`: the type of the image.
    pub type mime_type = &'static str;
    /// `sizes = "48x48 96x96"`: the sizes of the image in pixels, or `any`.
    pub type sizes = &'static str;
    /// `theme = "light"` or `theme = "dark"`: the theme that the icon is made for.
    pub type theme = &'static str;
}

/// The keys of `#[mcp_tool(…)]` on a parameter.
pub mod parameter {
    /// `default = expr`: the value of an absent argument. It is published in the schema.
    pub type default = ();
    /// `example = expr`: an example value in the schema. May repeat.
    pub type example = ();
    /// `header = "Region"`: clients over HTTP also send the argument as the header `Mcp-Param-Region`.
    pub type header = &'static str;
    /// This one parameter is the whole arguments object.
    pub type arguments = bool;
    /// The context of the call, `&CallContext`. Clients do not send it.
    pub type context = bool;
    /// A value registered with the builder: `&T`, or `Option<&T>` if it may be missing. Clients do not send it.
    pub type state = bool;
    /// A value attached to the request: `&T`, or `Option<&T>` if it may be missing. Clients do not send it.
    pub type extension = bool;
    /// `ask = "Delete note {id}?"` or `ask = question(id)`: the answer of the user, asked before the function runs.
    pub type ask = ();
    /// Beside `ask`: an answer counts only for exactly the question that was shown, as it always does for `Consent`.
    pub type sealed = bool;
}

/// The keys of `#[mcp_tools(…)]`.
pub mod service {
    /// `prefix = "notes_"`: starts the name of every tool of the block.
    pub type prefix = &'static str;
    /// `part = name`: this block is a part of a service, under this name.
    pub type part = &'static str;
    /// `parts(name, …)`: the other blocks of this service, by their names.
    pub type parts = &'static [&'static str];
    /// The tools of the block do not change anything, if their methods do not say otherwise.
    pub type read_only_hint = bool;
    /// The tools of the block may delete or overwrite something, if their methods do not say otherwise.
    pub type destructive_hint = bool;
    /// Repeating a call of the block's tools changes nothing more, if their methods do not say otherwise.
    pub type idempotent_hint = bool;
    /// The tools of the block talk to systems outside of this server, if their methods do not say otherwise.
    pub type open_world_hint = bool;
    /// `budget = 8_000`: the tokens of one result of each tool of the block whose method has no `budget` itself.
    pub type budget = u32;
    /// `timeout = "10s"`: the timeout of each tool of the block whose method has no `timeout` itself.
    pub type timeout = &'static str;
    /// `tags("notes")`: tags of every tool of the block, besides those of its method.
    pub type tags = &'static [&'static str];
    /// `scopes("notes:read")`: scopes that every tool of the block needs, besides those of its method.
    pub type scopes = &'static [&'static str];
}

/// The keys of `#[tool_error(…)]`.
pub mod error {
    /// The same call, unchanged, may succeed later.
    pub type can_retry = bool;
    /// `retry_after_ms = expr`: when to try again, in milliseconds. Implies `can_retry`. The fields of the variant are in
    /// scope, those of a tuple as `_0`, `_1`.
    pub type retry_after_ms = u64;
    /// `additional_prompt_content = "…"`: what a model should read before it tries again. A format string over the fields.
    pub type additional_prompt_content = &'static str;
    /// `developer_message = "…"`: a message for the logs. A format string over the fields.
    pub type developer_message = &'static str;
    /// `code = expr`: a code for programs, a text or an integer. The fields of the variant are in scope, those of a tuple
    /// as `_0`, `_1`. Models do not read it.
    pub type code = &'static str;
    /// `data = expr`: data for programs, any value that implements `Serialize`. The fields of the variant are in scope.
    /// Models do not read it.
    pub type data = serde_json::Value;
    /// Hides the message from models: they only read that the tool failed.
    pub type internal = bool;
    /// Uses the error of the only field.
    pub type transparent = bool;
}
