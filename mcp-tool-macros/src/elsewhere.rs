//! Keys that other libraries have, or this one elsewhere, and how the same is said here.

use proc_macro2::Ident;

const OF_TOOLS: [(&str, &str); 18] = [
    (
        "annotations",
        "write its keys by themselves: `read_only_hint`, `destructive_hint`, `idempotent_hint`, `open_world_hint`",
    ),
    ("hints", "write them by themselves: `read_only_hint`, `destructive_hint`, `idempotent_hint`, `open_world_hint`"),
    ("optional", "make the type of the parameter an `Option<…>`, or give it `#[mcp_tool(default = …)]`"),
    ("required", "remove it: a parameter is required unless it is an `Option<…>` or has a default"),
    ("deprecated", "write `#[deprecated(note = \"…\")]` on the function"),
    ("doc", "write a doc comment: `/// …`"),
    ("min", "write `#[schemars(range(min = …))]` for a number, `#[schemars(length(min = …))]` for a text or a list"),
    ("max", "write `#[schemars(range(max = …))]` for a number, `#[schemars(length(max = …))]` for a text or a list"),
    ("minimum", "write `#[schemars(range(min = …))]`"),
    ("maximum", "write `#[schemars(range(max = …))]`"),
    ("range", "write `#[schemars(range(min = …, max = …))]`"),
    ("length", "write `#[schemars(length(min = …, max = …))]`"),
    ("pattern", "write `#[schemars(regex(pattern = \"…\"))]`"),
    ("format", "write `#[schemars(extend(\"format\" = \"…\"))]`"),
    ("flatten", "write `#[serde(flatten)]`"),
    ("skip", "what no client sends is marked `context`, `state` or `extension`"),
    ("examples", "write `example = …` for each of them"),
    ("retry", "a call is never repeated by the server; an error says `#[tool_error(can_retry)]`"),
];

const OF_ERRORS: [(&str, &str); 8] = [
    ("retry", "write `can_retry`"),
    ("retryable", "write `can_retry`"),
    ("retry_after", "write `retry_after_ms = 500`"),
    ("message", "the message is the `Display` of the variant: `#[error(\"…\")]` of `thiserror`"),
    ("hint", "write `additional_prompt_content = \"…\"`"),
    ("prompt", "write `additional_prompt_content = \"…\"`"),
    ("hidden", "write `internal`"),
    ("masked", "write `internal`"),
];

/// What to write in place of a key that an attribute does not have, where it is clear what was meant.
pub(crate) fn help(key: &Ident, attribute: &str) -> Option<&'static str> {
    let known = match attribute {
        "`#[tool_error]`" => OF_ERRORS.as_slice(),
        _ if attribute.contains("#[mcp_tool]") => OF_TOOLS.as_slice(),
        _ => return None,
    };
    known.iter().find(|(word, _)| key == word).map(|(_, help)| *help)
}
