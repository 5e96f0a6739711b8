//! Keys and attributes of other libraries.
//!
//! The macro turns each parameter into a field, and copies the attributes of serde, schemars, validator and garde to it.
//! serde and schemars check their own keys. This module reports keys that people often write by mistake, and reads the
//! keys that change the generated code.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Token};

use crate::errors::Errors;

const HELP_HINTS: &str =
    "write its keys directly: `read_only_hint`, `destructive_hint`, `idempotent_hint`, `open_world_hint`";
const HELP_REQUIRED: &str = "remove it: a parameter is required unless it is an `Option<…>` or has a default";

const HELP_FOR_TOOLS: [(&str, &str); 24] = [
    ("annotations", HELP_HINTS),
    ("hints", HELP_HINTS),
    ("icons", "write `icon(src = \"…\")` for each of them"),
    ("execution", "write `task`, or `task = \"required\"`"),
    ("local", "remove it: a server runs the calls of one tool on several threads, so its future is `Send`"),
    ("tool_box", "put `#[mcp_tools]` on the impl block, and `#[mcp_tool]` on its methods"),
    ("aggr", "write `#[mcp_tool(arguments)]` before the parameter"),
    ("param", "remove it: every parameter is an argument"),
    ("optional", "make the type of the parameter an `Option<…>`, or give it `#[mcp_tool(default = …)]`"),
    ("required", HELP_REQUIRED),
    ("deprecated", "write `#[deprecated(note = \"…\")]` on the function"),
    ("doc", "write a doc comment: `/// …`"),
    ("min", "write `#[schemars(range(min = …))]` for a number, `#[schemars(length(min = …))]` for a string or a list"),
    ("max", "write `#[schemars(range(max = …))]` for a number, `#[schemars(length(max = …))]` for a string or a list"),
    ("minimum", "write `#[schemars(range(min = …))]`"),
    ("maximum", "write `#[schemars(range(max = …))]`"),
    ("range", "write `#[schemars(range(min = …, max = …))]`"),
    ("length", "write `#[schemars(length(min = …, max = …))]`"),
    ("pattern", "write `#[schemars(regex(pattern = \"…\"))]`"),
    ("format", "write `#[schemars(extend(\"format\" = \"…\"))]`"),
    ("flatten", "write `#[serde(flatten)]`"),
    ("skip", "mark a parameter that clients do not send with `context`, `state` or `extension`"),
    ("examples", "write `example = …` for each of them"),
    ("retry", "the server never repeats a call; mark the error with `#[tool_error(can_retry)]`"),
];

const HELP_BLOCKS: &str =
    "remove it: the builder takes several services, and the keys `part` and `parts` join several blocks of one type";
const HELP_INFO: &str = "write `.info(name, version)` on the builder of the dispatcher";

const HELP_FOR_SERVICES: [(&str, &str); 8] = [
    ("router", HELP_BLOCKS),
    ("vis", "remove it: the builder's `.service(…)` finds the tools of any object that it can name"),
    ("server_handler", "remove it: `mcp_tool_runtime::rmcp::Server::new(dispatcher)` is a `ServerHandler`"),
    ("allow_empty", "remove `#[mcp_tools]` from an impl block without tools"),
    ("tool_box", "remove it: `#[mcp_tools]` takes its place"),
    ("name", HELP_INFO),
    ("version", HELP_INFO),
    ("instructions", "write `.instructions(…)` on the builder of the dispatcher"),
];

const HELP_FOR_ERRORS: [(&str, &str); 11] = [
    ("retry", "write `can_retry`"),
    ("retryable", "write `can_retry`"),
    ("retry_after", "write `retry_after_ms = 500`"),
    ("message", "the message is the `Display` of the variant: `#[error(\"…\")]` of `thiserror`"),
    ("hint", "write `additional_prompt_content = \"…\"`"),
    ("prompt", "write `additional_prompt_content = \"…\"`"),
    ("error_code", "write `code = \"…\"`"),
    ("status", "write `code = \"…\"`"),
    ("details", "write `data = …`"),
    ("hidden", "write `internal`"),
    ("masked", "write `internal`"),
];

/// What to write instead of a key that looks like one of schemars: the names of JSON Schema and of other libraries.
const HELP_FOR_SCHEMARS: [(&str, &str); 15] = [
    ("minimum", "write `range(min = …)`"),
    ("maximum", "write `range(max = …)`"),
    ("min", "write `range(min = …)` for a number, `length(min = …)` for a string or a list"),
    ("max", "write `range(max = …)` for a number, `length(max = …)` for a string or a list"),
    ("min_length", "write `length(min = …)`"),
    ("max_length", "write `length(max = …)`"),
    ("min_items", "write `length(min = …)`"),
    ("max_items", "write `length(max = …)`"),
    ("len", "write `length(equal = …)`"),
    ("pattern", "write `regex(pattern = \"…\")`"),
    ("examples", "write `example = …` for each of them"),
    ("format", "write `extend(\"format\" = \"…\")`"),
    ("multiple_of", "write `extend(\"multipleOf\" = …)`"),
    ("unique_items", "write `extend(\"uniqueItems\" = true)`"),
    ("optional", "make the type of the parameter an `Option<…>`"),
];

const HELP_FOR_SERDE: [(&str, &str); 4] = [
    ("optional", "make the type of the parameter an `Option<…>`"),
    ("name", "write `rename = \"…\"`"),
    ("default_value", "write `default = \"function\"`"),
    ("required", HELP_REQUIRED),
];

fn find_help(table: &[(&str, &'static str)], key: &Ident) -> Option<&'static str> {
    table.iter().find(|(known, _)| key == known).map(|(_, help)| *help)
}

/// Returns what to write instead of a key that `attribute` does not have, if it is clear what was meant.
pub(crate) fn help_for_key(key: &Ident, attribute: &str) -> Option<&'static str> {
    match attribute {
        "`#[tool_error]`" => find_help(&HELP_FOR_ERRORS, key),
        "`#[mcp_tools]`" => find_help(&HELP_FOR_SERVICES, key),
        _ if attribute.contains("#[mcp_tool]") => find_help(&HELP_FOR_TOOLS, key),
        _ => None,
    }
}

/// Returns `true` for an attribute of a parameter that is copied to its field.
pub(crate) fn is_field_attribute(attr: &Attribute) -> bool {
    ["doc", "serde", "schemars", "validate", "garde"].iter().any(|name| attr.path().is_ident(name))
}

/// Returns the keys of an attribute. One that cannot be parsed has none here: serde and schemars report it better.
pub(crate) fn metas(attr: &Attribute) -> Punctuated<Meta, Token![,]> {
    attr.parse_args_with(Punctuated::parse_terminated).unwrap_or_default()
}

/// Reports keys of `#[serde]` and `#[schemars]` that do not exist or do not work on a parameter.
pub(crate) fn check(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        let (is_serde, known) = match attr.path().get_ident() {
            Some(name) if name == "schemars" => (false, HELP_FOR_SCHEMARS.as_slice()),
            Some(name) if name == "serde" => (true, HELP_FOR_SERDE.as_slice()),
            _ => continue,
        };
        for meta in &metas(attr) {
            let Some(key) = meta.path().get_ident() else { continue };
            if key == "rename_all" {
                let help = "write `#[serde(rename = \"…\")]`";
                errors.report(key, "`rename_all` is for the fields of a type, and a parameter is one field", help);
            }
            if is_serde {
                check_skip(key, errors);
                check_serde_default(meta, errors);
            } else {
                check_schemars_only(meta, attrs, errors);
            }
            // `pattern = "…"` is a mistake, but schemars accepts `pattern(…)`, which it shares with garde.
            if key == "pattern" && !matches!(meta, Meta::NameValue(_)) {
                continue;
            }
            if let Some(help) = find_help(known, key) {
                let attribute = if is_serde { "serde" } else { "schemars" };
                errors.report(key, format!("`{key}` is not a key of `#[{attribute}]`"), help);
            }
        }
    }
}

fn check_skip(key: &Ident, errors: &mut Errors) {
    if key == "skip" || key == "skip_deserializing" {
        let message = format!("`{key}` hides the parameter from clients, so none could send it");
        let help = "mark a parameter that clients do not send with `#[mcp_tool(state)]`, `#[mcp_tool(context)]` or \
                    `#[mcp_tool(extension)]`";
        errors.report(key, message, help);
    }
}

fn check_serde_default(meta: &Meta, errors: &mut Errors) {
    let Meta::NameValue(meta) = meta else { return };
    if meta.path.is_ident("default") && !matches!(&meta.value, Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) {
        let help = format!("write `#[mcp_tool(default = {})]`", meta.value.to_token_stream());
        errors.report(&meta.value, "`default` in `#[serde]` takes the name of a function, not a value", help);
    }
}

/// Reports a key of `#[schemars]` that `#[serde]` does not repeat: the schema would then differ from what serde reads.
///
/// schemars also reads `#[serde]`, but serde does not read `#[schemars]`.
fn check_schemars_only(meta: &Meta, attrs: &[Attribute], errors: &mut Errors) {
    const SHARED: [&str; 5] = ["rename", "default", "flatten", "skip", "skip_deserializing"];
    let Some(key) = meta.path().get_ident().filter(|key| SHARED.iter().any(|shared| key == shared)) else { return };
    let text = meta.to_token_stream().to_string();
    let mut of_serde = attrs.iter().filter(|attr| attr.path().is_ident("serde")).flat_map(metas);
    if !of_serde.any(|other| other.to_token_stream().to_string() == text) {
        let message = format!("`{key}` in `#[schemars]` changes the schema, but not how the argument is read");
        errors.report(key, message, format!("write `#[serde({text})]`, which schemars reads too"));
    }
}

/// Returns the constraints on a parameter that the schema must express.
///
/// schemars silently drops a constraint that does not fit the type, so `build` compares this list with the schema. The list
/// leaves out garde, and `regex` of validator: a schema cannot express all of those constraints.
pub(crate) fn constraints(attrs: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attr in attrs {
        let known: &[&str] = match attr.path().get_ident() {
            Some(name) if name == "schemars" => &["length", "range", "email", "url", "regex", "pattern"],
            Some(name) if name == "validate" => &["length", "range", "email", "url"],
            _ => continue,
        };
        let keys = metas(attr).into_iter().filter_map(|meta| meta.path().get_ident().map(ToString::to_string));
        found.extend(keys.filter(|key| known.contains(&key.as_str())));
    }
    found
}

/// Returns `true` if `#[schemars]` replaces the schema of the parameter's type.
pub(crate) fn replaces_schema(attrs: &[Attribute]) -> bool {
    let mut of_schemars = attrs.iter().filter(|attr| attr.path().is_ident("schemars")).flat_map(metas);
    of_schemars.any(|meta| meta.path().is_ident("with") || meta.path().is_ident("schema_with"))
}

/// The keys of `#[serde]` on a parameter.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key, and they are independent")]
pub(crate) struct SerdeKeys {
    pub(crate) rename: Option<String>,
    /// `rename` sets the name that is read. `rename(serialize = "…")` alone does not.
    pub(crate) is_renamed: bool,
    pub(crate) aliases: Vec<String>,
    /// `default` without a function.
    pub(crate) has_default: bool,
    /// `default`, with or without a function.
    pub(crate) has_any_default: bool,
    /// `with` or `deserialize_with`: serde then requires the argument, even if it is an `Option`.
    pub(crate) is_read_by_function: bool,
    pub(crate) is_flattened: bool,
    /// Any other key: the field then has to be of the parameter's own type.
    pub(crate) has_other_keys: bool,
}

impl SerdeKeys {
    pub(crate) fn parse(attrs: &[Attribute]) -> Self {
        let mut keys = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            let Ok(metas) = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else {
                keys.has_other_keys = true;
                continue;
            };
            for meta in &metas {
                keys.has_any_default |= meta.path().is_ident("default");
                keys.is_read_by_function |= meta.path().is_ident("with") || meta.path().is_ident("deserialize_with");
                if meta.path().is_ident("alias") {
                    keys.aliases.extend(string_of(meta));
                } else if meta.path().is_ident("rename") {
                    keys.rename = string_of(meta).or(keys.rename);
                    keys.is_renamed = keys.rename.is_some();
                } else if matches!(meta, Meta::Path(path) if path.is_ident("default")) {
                    keys.has_default = true;
                } else if meta.path().is_ident("flatten") {
                    keys.is_flattened = true;
                } else {
                    keys.has_other_keys = true;
                }
            }
        }
        keys
    }
}

/// Returns the string of `key = "…"`.
pub(crate) fn string_of(meta: &Meta) -> Option<String> {
    let text = match meta {
        Meta::NameValue(meta) => meta.value.to_token_stream(),
        // `rename(serialize = "…", deserialize = "…")`: arguments are deserialized.
        Meta::List(list) => {
            let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
            return metas.iter().find(|meta| meta.path().is_ident("deserialize")).and_then(string_of);
        }
        Meta::Path(_) => return None,
    };
    syn::parse2::<LitStr>(text).ok().map(|text| text.value())
}
