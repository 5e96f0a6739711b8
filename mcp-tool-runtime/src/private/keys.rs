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
    /// `description = "…"`: what the tool does, for a model to read. Accepts a string, the path of a constant, `concat!(…)` or
    /// `include_str!(…)`. Without it, the doc comment, up to a section for Rust callers such as `# Errors`.
    pub type description = &'static str;
    /// The tool does not change anything.
    pub type read_only_hint = bool;
    /// The tool may delete or overwrite something.
    pub type destructive_hint = bool;
    /// Repeating a call with the same arguments has no further effect.
    pub type idempotent_hint = bool;
    /// The tool interacts with systems outside this server, such as the web.
    pub type open_world_hint = bool;
    /// `icon(src = "…", mime_type = "…", sizes = "48x48 96x96", theme = "dark")`: an icon for clients. Repeat the key for several icons.
    pub type icon = ();
    /// `meta("com.example/key" = expr)`: an entry of the definition's `_meta`. Repeat the key for several entries.
    pub type meta = ();
    /// `example_call(location = "Paris")`: the arguments of a complete call, as an example. Repeat the key for several examples.
    pub type example_call = ();
    /// `output = Type`: publishes the output schema of a type other than the return type. `output = off`: no output schema, text only.
    pub type output = ();
    /// `input_schema = path`: a hand-written schema, from a `fn() -> Value`, a `fn() -> Schema` or a `const &str`. It is published without
    /// changes and enforced.
    pub type input_schema = ();
    /// `output_schema = path`: a hand-written schema, from a `fn() -> Value`, a `fn() -> Schema` or a `const &str`. It is published without
    /// changes and enforced.
    pub type output_schema = ();
    /// Lets `#[mcp_tool(arguments)]` be an enum, which publishes a `oneOf` at the root of the input schema.
    pub type root_union = bool;
    /// `text = path`: a `fn(&T) -> String` that writes the text block of a structured value. `text = off`: no text block.
    pub type text = ();
    /// `budget = 8_000`: the number of tokens that one result may have. A `Paged` or `Excerpt` is cut to it. Any other result over it
    /// becomes an error result.
    pub type budget = u32;
    /// `timeout = "5s"`: a whole number and one of the units `ms`, `s`, `m`, `h`. A call that takes longer gets an error result.
    pub type timeout = &'static str;
    /// The call may outlast its request: the client gets the id of a task, and polls. `task = "required"`: a client without tasks gets an
    /// error. Needs `tasks` on the builder.
    pub type task = bool;
    /// Runs a function that is not `async` on tokio's blocking pool.
    pub type blocking = bool;
    /// Ignores unknown arguments instead of rejecting the call.
    pub type allow_unknown = bool;
    /// Also accepts the serde aliases inside the argument types. They are not published. Without it, only the aliases of the parameters
    /// themselves are accepted everywhere.
    pub type accept_aliases = bool;
    /// Shows the text of any error to the model. Without it, the model reads only errors that were written for it.
    pub type expose_errors = bool;
    /// `tags("trade", "beta")`: your own labels, which the builder's visibility rules can check.
    pub type tags = &'static [&'static str];
    /// `scopes("orders:write")`: the scopes that a caller needs. The caller must have all of them. Needs `visible_by_scopes` on the builder.
    pub type scopes = &'static [&'static str];
    /// `handler = Name`: the name of the generated handle type. Without it, the name of the function, which then hides a crate with that name.
    pub type handler = &'static str;
}

/// The keys of `icon(…)`.
pub mod icon {
    /// `src = "https://…"`: the URL of the image, or a `data:` URI.
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
    /// `default = expr`: the value if the argument is missing. It is published in the schema.
    pub type default = ();
    /// `example = expr`: an example value in the schema. Repeat the key for several examples.
    pub type example = ();
    /// `header = "Region"`: clients over HTTP also send the argument as the header `Mcp-Param-Region`.
    pub type header = &'static str;
    /// The parameter receives the whole arguments object.
    pub type arguments = bool;
    /// The context of the call, `&CallContext`. Clients do not send it.
    pub type context = bool;
    /// A value registered with the builder: `&T`, or `Option<&T>` if it may be missing. Clients do not send it.
    pub type state = bool;
    /// A value attached to the request: `&T`, or `Option<&T>` if it may be missing. Clients do not send it.
    pub type extension = bool;
    /// `ask = "Delete note {id}?"`, a constant without placeholders, or `ask = question(id)`: asks the user before the function runs. The
    /// parameter receives the answer.
    pub type ask = ();
    /// Together with `ask`: an answer counts only for exactly the question that was shown. For `Consent`, this is always so.
    pub type sealed = bool;
    /// `title = "Yes, delete it"`: beside `ask`, the title of the only property of the form.
    pub type title = &'static str;
}

/// The keys of `#[mcp_tools(…)]`.
pub mod service {
    /// `prefix = "notes_"`: the start of the name of every tool of the block.
    pub type prefix = &'static str;
    /// `part = name`: the name of this block, which the main block of the service lists in `parts`.
    pub type part = &'static str;
    /// `parts(name, …)`: the names of the other blocks of this service.
    pub type parts = &'static [&'static str];
    /// The tools of this block do not change anything. A method can override this.
    pub type read_only_hint = bool;
    /// The tools of this block may delete or overwrite something. A method can override this.
    pub type destructive_hint = bool;
    /// Repeating a call with the same arguments has no further effect. A method can override this.
    pub type idempotent_hint = bool;
    /// The tools of this block interact with systems outside this server. A method can override this.
    pub type open_world_hint = bool;
    /// `budget = 8_000`: the number of tokens that one result of these tools may have. A method can override this.
    pub type budget = u32;
    /// `timeout = "10s"`: the timeout of every tool in this block. A method can override this.
    pub type timeout = &'static str;
    /// The calls of this block's tools may outlast their requests. A method can override this.
    pub type task = bool;
    /// Also accepts the serde aliases inside the argument types of the block's tools, unless a method says otherwise.
    pub type accept_aliases = bool;
    /// `tags("notes")`: tags of every tool in this block, added to those of its method.
    pub type tags = &'static [&'static str];
    /// `scopes("notes:read")`: scopes that every tool in this block needs, added to those of its method.
    pub type scopes = &'static [&'static str];
}

/// The keys of `#[tool_error(…)]`.
pub mod error {
    /// Repeating the same call later may succeed.
    pub type can_retry = bool;
    /// `retry_after_ms = expr`: how long to wait before the next attempt, in milliseconds. Implies `can_retry`. The expression can use the
    /// variant's fields, which a tuple variant names `_0`, `_1`.
    pub type retry_after_ms = u64;
    /// `additional_prompt_content = "…"`: what a model should read before it tries again. A format string over the fields.
    pub type additional_prompt_content = &'static str;
    /// `developer_message = "…"`: a message for the logs. A format string over the fields.
    pub type developer_message = &'static str;
    /// `code = expr`: a code for programs, a string or an integer. Models do not read it. The expression can use the variant's fields, which
    /// a tuple variant names `_0`, `_1`.
    pub type code = &'static str;
    /// `data = expr`: data for programs, any value that implements `Serialize`. Models do not read it. The expression can use the variant's
    /// fields.
    pub type data = serde_json::Value;
    /// Hides the message from models: they read only that the tool failed.
    pub type internal = bool;
    /// Uses the error in the variant's only field.
    pub type transparent = bool;
}
