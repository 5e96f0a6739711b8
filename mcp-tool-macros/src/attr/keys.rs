//! The keys of all attributes of this crate: one row per key.
//!
//! A row declares the field for the key's value, how the value is parsed, and what errors, editors and the
//! documentation say about the key. To add a key, add its row here, and read its field in the code that expands the
//! attribute.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse::ParseStream;
use syn::{Expr, LitStr, Path, Type};

use super::compound::{ExampleCall, Icon, MetaEntry, example_call, labels, names};
use super::question::Question;
use super::value::{
    Expected, OrOff, TaskKey, budget, crate_path, description, flag, rate, schema_path, task, text, timeout, value,
};
use super::{Keys, Many, One, Slot as _};
use crate::docs::Description;
use crate::errors::Errors;

/// A key of an attribute: its name, what it takes, and what it means.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// The kind of the value, for error messages.
    pub(crate) takes: &'static str,
    /// An example of the value. Empty for a key that can stand alone.
    pub(crate) example: &'static str,
    pub(crate) meaning: &'static str,
}

impl Key {
    /// Returns the key with its example, as an author writes it: `name = example`, `name(example)`, or only `name`.
    pub(crate) fn form(&self) -> String {
        let Self { name, takes, example, .. } = *self;
        if example.is_empty() || takes == LIST { format!("{name}{example}") } else { format!("{name} = {example}") }
    }
}

/// Declares the struct with the values of an attribute's keys, and implements [`Keys`] for it.
macro_rules! keys {
    (
        $(#[$doc:meta])*
        $keys:ident of $attribute:literal, completed from $module:ident:
        $($field:ident $(($name:ident))?: $slot:ty = $parse:expr, $takes:expr, $meaning:literal;)+
    ) => {
        $(#[$doc])*
        #[derive(Default, Clone)]
        pub(crate) struct $keys {
            $(pub(crate) $field: $slot,)+
            /// Keys with a wrong value, and unknown keys. Later checks skip these keys, so that one mistake causes only
            /// one error. An unknown key is stored as the known key that it resembles. If it resembles none, it may
            /// stand for any key.
            pub(crate) wrong: Vec<Ident>,
        }

        impl Keys for $keys {
            const ATTRIBUTE: &'static str = $attribute;
            const MODULE: &'static str = stringify!($module);
            const TABLE: &'static [Key] = &[$({
                let (takes, example) = $takes;
                Key { name: keys!(@name $field $($name)?), takes, example, meaning: $meaning }
            }),+];

            fn parse_value(&mut self, key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<bool> {
                let Some(row) = Self::TABLE.iter().find(|row| key == row.name) else { return Ok(false) };
                let expected = Expected { key, takes: row.takes, example: row.example };
                match row.name {
                    $(keys!(@name $field $($name)?) => {
                        let value = $parse(&expected, input, errors)?;
                        self.$field.put(key, value, errors);
                    })+
                    _ => {}
                }
                Ok(true)
            }

            fn fill_from(&mut self, default: &Self) {
                let is_wrong = |name: &str| self.wrong.iter().any(|wrong| wrong == name);
                $(if !is_wrong(keys!(@name $field $($name)?)) {
                    self.$field.fill_from(&default.$field);
                })+
            }

            fn wrong(&mut self) -> &mut Vec<Ident> {
                &mut self.wrong
            }

            fn may_be_wrong(&self, key: &str) -> bool {
                let is_unknown = |wrong: &Ident| Self::TABLE.iter().all(|known| wrong != known.name);
                self.wrong.iter().any(|wrong| wrong == key || is_unknown(wrong))
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:ident) => { stringify!($name) };
}

const FLAG: (&str, &str) = ("`true` or `false`", "");
const TEXT: (&str, &str) = ("a string", "\"…\"");
const FORMAT: (&str, &str) = ("a string, with fields between braces", "\"…\"");
const NAME: (&str, &str) = ("a name", "Name");
const LIST: &str = "a list in parentheses";
const OF_PARAMETER: &str = "an expression of the parameter's type";
const SCHEMA: (&str, &str) = ("the path of a function or constant with the schema", "path");
const RUNTIME: (&str, &str) = ("the path of the runtime", "::mcp_tool_runtime");

keys! {
    /// The keys of `#[mcp_tool(…)]` on a function or a method.
    ToolKeys of "`#[mcp_tool]`", completed from tool:
    name: One<LitStr> = text, TEXT,
        "The name of the tool: 1 to 128 of the characters `A-Z a-z 0-9 _ . -`. Without it, the name of the function.";
    formerly: One<Vec<LitStr>> = labels, (LIST, "(\"old_name\")"),
        "Names that the tool had before. Calls by them still work, and the result tells the model the new name. They are not published.";
    title: One<LitStr> = text, TEXT,
        "The name that people see. Without it, derived from the name: `get_weather` becomes `Get Weather`.";
    description: One<Description> = description, ("a string, a constant, `concat!(…)` or `include_str!(…)`", "\"…\""),
        "What the tool does, for a model to read: a string, a constant, `concat!(…)` or `include_str!(…)`. Without it, the doc \
         comment, up to a section for Rust callers such as `# Errors`.";
    read_only_hint: One<bool> = flag, FLAG, "The tool does not change anything.";
    destructive_hint: One<bool> = flag, FLAG, "The tool may delete or overwrite something.";
    idempotent_hint: One<bool> = flag, FLAG, "Repeating a call with the same arguments has no further effect.";
    open_world_hint: One<bool> = flag, FLAG, "The tool interacts with systems outside this server, such as the web.";
    icon: Many<Icon> = Icon::parse, (LIST, "(src = \"https://…\")"),
        "An icon for clients, with the optional keys `mime_type`, `sizes` and `theme`. Repeat the key for several icons.";
    meta: Many<MetaEntry> = MetaEntry::parse, (LIST, "(\"com.example/key\" = \"value\")"),
        "An entry of the definition's `_meta`, whose value may be any expression. Repeat the key for several entries.";
    example_call: Many<ExampleCall> = example_call, (LIST, "(parameter = value)"),
        "The arguments of a whole call, as an example in the schema. Repeat the key for several examples.";
    output: One<OrOff<Type>> = value, ("a type, or `off`", "off"),
        "`output = Type` publishes the output schema of a type other than the return type. `off` publishes none, and the result is \
         only text.";
    input_schema: One<Path> = schema_path, SCHEMA,
        "A hand-written schema, from a `fn() -> Value`, a `fn() -> Schema` or a `const &str`. It is published without changes and \
         enforced.";
    output_schema: One<Path> = schema_path, SCHEMA,
        "A hand-written schema, from a `fn() -> Value`, a `fn() -> Schema` or a `const &str`. It is published without changes and \
         enforced.";
    root_union: One<bool> = flag, FLAG,
        "Lets `#[mcp_tool(arguments)]` be an enum, which publishes a `oneOf` at the root of the input schema.";
    text: One<OrOff<Path>> = value, ("the path of a `fn(&T) -> String`, or `off`", "path"),
        "A `fn(&T) -> String` that writes the text block beside a structured value. `off` sends no text block.";
    budget: One<u32> = budget, ("a whole number of tokens, which is not 0", "8_000"),
        "The number of tokens that one result may have. A `Paged` or `Excerpt` is cut to it; any other result over it becomes an \
         error result.";
    timeout: One<u64> = timeout, ("a whole number and one of `ms`, `s`, `m`, `h`", "\"5s\""),
        "A whole number and one of the units `ms`, `s`, `m`, `h`. A call that takes longer gets an error result.";
    heartbeat: One<u64> = timeout, ("a whole number and one of `ms`, `s`, `m`, `h`", "\"15s\""),
        "A whole number and one of the units `ms`, `s`, `m`, `h`. If the tool has reported no progress for that long, the server reports \
         that the call still runs, so that clients do not give up.";
    limit: One<LitStr> = rate, ("a whole number and one of `/s`, `/min`, `/h`, `/day`", "\"20/min\""),
        "How often one caller may call the tool: a whole number and one of `/s`, `/min`, `/h`, `/day`. A call over it gets an error \
         result that says when to try again.";
    task: One<TaskKey> = task, ("`true`, `false` or `\"required\"`", ""),
        "The call may outlast its request: the client gets the id of a task, and polls. With `task = \"required\"`, a client without \
         tasks gets an error. Needs `tasks` on the builder.";
    once: One<u64> = timeout, ("a whole number and one of `ms`, `s`, `m`, `h`", "\"10m\""),
        "The same call of the same caller within this time after its end is the same act: it does not run again, and gets the first \
         result. The tool gains an optional argument `idempotency_key`, which tells two equal acts apart. Needs `tasks` on the builder.";
    blocking: One<bool> = flag, FLAG, "Runs a function that is not `async` on tokio's blocking pool.";
    allow_unknown: One<bool> = flag, FLAG, "Ignores unknown arguments instead of rejecting the call.";
    accept_aliases: One<bool> = flag, FLAG,
        "Also accepts the serde aliases of fields inside the argument types, without publishing them. Aliases of the parameters \
         themselves are always accepted.";
    expose_errors: One<bool> = flag, FLAG,
        "Shows the text of any error to the model. Without it, the model reads only errors that were written for it.";
    always_load: One<bool> = flag, FLAG,
        "Clients that search for tools, such as Claude Code, load this one at the start of every session.";
    search_hint: One<LitStr> = text, TEXT,
        "Further words by which such clients find the tool: `\"refund chargeback\"`.";
    tags: One<Vec<LitStr>> = labels, (LIST, "(\"beta\")"), "Your own labels, which the builder's visibility rules can check.";
    scopes: One<Vec<LitStr>> = labels, (LIST, "(\"orders:write\")"),
        "The scopes that a caller needs, all of them. Needs `visible_by_scopes` on the builder.";
    handler: One<Ident> = value, NAME,
        "The name of the generated handle type. Without it, the name of the function, which then hides a crate with that name.";
    crate_path(crate): One<Path> = crate_path, RUNTIME, "The path of the runtime: `::x` or `crate::x`.";
}

keys! {
    /// The keys of `icon(…)`.
    IconKeys of "`icon`", completed from icon:
    src: One<LitStr> = text, TEXT, "The URL of the image, or a `data:` URI.";
    mime_type: One<LitStr> = text, TEXT, "The type of the image, such as `image/png`.";
    sizes: One<LitStr> = text, TEXT, "The sizes of the image in pixels, such as `48x48 96x96`, or `any`.";
    theme: One<LitStr> = text, TEXT, "The theme that the icon is made for: `light` or `dark`.";
}

keys! {
    /// The keys of `#[mcp_tool(…)]` on a parameter.
    ParamKeys of "`#[mcp_tool]` on a parameter", completed from parameter:
    default: One<Expr> = value, (OF_PARAMETER, "10"), "The value if the argument is missing. It is published in the schema.";
    example: Many<Expr> = value, (OF_PARAMETER, "\"…\""),
        "An example value in the schema: of the parameter's type, or its JSON form. Repeat the key for several examples.";
    formerly: One<Vec<LitStr>> = labels, (LIST, "(\"old_name\")"),
        "Names that the argument had before. Calls with them still work. They are not published.";
    header: One<LitStr> = text, ("the name of a header", "\"Region\""),
        "Clients over HTTP also send the argument as a header: `header = \"Region\"` as `Mcp-Param-Region`.";
    arguments: One<bool> = flag, FLAG, "The parameter receives the whole arguments object.";
    context: One<bool> = flag, FLAG, "The context of the call, `&CallContext`. Clients do not send it.";
    state: One<bool> = flag, FLAG,
        "A value registered with the builder: `&T`, or `Option<&T>` if it may be missing. Clients do not send it.";
    extension: One<bool> = flag, FLAG,
        "A value attached to the request: `&T`, or `Option<&T>` if it may be missing. Clients do not send it.";
    ask: One<Question> = Question::parse,
        ("a question in quotes, or the call of a function that returns an `Ask`", "\"Delete note {id} for good?\""),
        "Asks the user before the function runs: a format string over other parameters, a constant, or `ask = question(id)`. The \
         parameter receives the answer: a `Consent`, a `T` or an `Answer<T>`.";
    sealed: One<bool> = flag, FLAG,
        "Together with `ask`: an answer counts only for exactly the question that was shown. For `Consent`, this is always so.";
    title: One<LitStr> = text, ("a title", "\"Yes, delete it\""), "Together with `ask`: the title of the only property of the form.";
}

keys! {
    /// The keys of `#[mcp_tools(…)]`, except those in [`OF_BLOCK`].
    ServiceKeys of "`#[mcp_tools]`", completed from service:
    prefix: One<LitStr> = text, ("a string", "\"notes_\""), "The start of the name of every tool of the block.";
    part: One<Ident> = value, ("a name", "reading"),
        "The name of this block, which the main block of the service lists in `parts`.";
    parts: One<Vec<Ident>> = names, (LIST, "(reading, writing)"), "The names of the other blocks of this service.";
    crate_path(crate): One<Path> = crate_path, RUNTIME, "The path of the runtime: `::x` or `crate::x`.";
}

/// The keys of `#[mcp_tool]` that `#[mcp_tools]` also accepts, for all methods of the block.
pub(crate) const OF_BLOCK: [&str; 12] = [
    "read_only_hint",
    "destructive_hint",
    "idempotent_hint",
    "open_world_hint",
    "budget",
    "timeout",
    "heartbeat",
    "limit",
    "task",
    "accept_aliases",
    "tags",
    "scopes",
];

keys! {
    /// The keys of `#[tool_error(…)]` on a variant, or on the type.
    ErrorKeys of "`#[tool_error]`", completed from error:
    can_retry: One<bool> = flag, FLAG, "Repeating the same call later may succeed.";
    retry_after_ms: One<Expr> = value, ("a number of milliseconds, or an expression over the fields", "500"),
        "How long to wait before the next attempt, in milliseconds. Implies `can_retry`. The expression can use the fields; those of \
         a tuple are `_0`, `_1`.";
    additional_prompt_content: One<LitStr> = text, FORMAT,
        "What a model should read before it tries again. A format string over the fields.";
    developer_message: One<LitStr> = text, FORMAT, "A message for the logs. A format string over the fields.";
    code: One<Expr> = value, ("a text, or an expression over the fields", "\"NOT_FOUND\""),
        "A code for programs, a string or an integer. Models do not read it. The expression can use the fields.";
    data: One<Expr> = value, ("an expression over the fields", "(first, last)"),
        "Data for programs, any value that implements `Serialize`. Models do not read it. The expression can use the fields.";
    internal: One<bool> = flag, FLAG,
        "Hides the message from models: they read only that the tool failed. `#[error(transparent)]` alone implies it; `internal = false` shows the text.";
    transparent: One<bool> = flag, FLAG, "Uses the error in the variant's only field.";
    crate_path(crate): One<Path> = crate_path, RUNTIME, "On the type: the path of the runtime, `::x` or `crate::x`.";
}

/// Returns the keys of each attribute, with the name of the module from which editors complete them.
pub(crate) fn tables() -> [(&'static str, Vec<&'static Key>); 5] {
    fn table<K: Keys>() -> (&'static str, Vec<&'static Key>) {
        (K::MODULE, K::TABLE.iter().collect())
    }
    let mut service = table::<ServiceKeys>();
    service.1.extend(ToolKeys::TABLE.iter().filter(|key| OF_BLOCK.contains(&key.name)));
    [table::<ToolKeys>(), table::<IconKeys>(), table::<ParamKeys>(), service, table::<ErrorKeys>()]
}

/// Emits a module for each table, with a documented type for each key. rust-analyzer completes the keys from these
/// types (see `editor`).
pub(crate) fn modules() -> TokenStream {
    let modules = tables().into_iter().map(|(module, keys)| {
        let module = format_ident!("{module}");
        // Leave out `crate`: it is a keyword, so no type can have this name.
        let types = keys.into_iter().filter(|key| key.name != "crate").map(|key| {
            let (name, docs) = (format_ident!("{}", key.name), format!("`{}`: {}", key.form(), key.meaning));
            quote!(#[doc = #docs] pub type #name = ();)
        });
        quote!(pub mod #module { #(#types)* })
    });
    quote!(#(#modules)*)
}
