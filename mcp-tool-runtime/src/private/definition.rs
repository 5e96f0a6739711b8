//! Creates the definition of a tool from the keys of `#[mcp_tool]`, the doc comment and the schemas.

use serde_json::Value;

use super::{Schema, SchemaGenerator, Tool};
use crate::tool::title_of;
use crate::{mcp, mcp::identity, schema};

/// The keys of `#[mcp_tool]` that describe the tool, and the note of `#[deprecated]`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Draft<'n> {
    pub prefix: &'n str,
    pub name: &'n str,
    pub title: Option<&'n str>,
    pub description: &'n str,
    /// The note of `#[deprecated]`, which may be empty.
    pub deprecated: Option<&'n str>,
    pub read_only_hint: Option<bool>,
    pub destructive_hint: Option<bool>,
    pub idempotent_hint: Option<bool>,
    pub open_world_hint: Option<bool>,
    pub allow_unknown: bool,
    pub always_load: bool,
    pub search_hint: Option<&'n str>,
}

/// The origin of a schema.
pub enum SchemaSource<'g, S> {
    /// Generated from types.
    Derived(&'g mut dyn FnMut(&mut SchemaGenerator) -> S),
    /// Written by the author.
    Written(Value),
}

/// Creates the definition. This function is not generic, so that it is compiled only once, not for each tool.
pub fn define(draft: &Draft<'_>, input: SchemaSource<'_, Schema>, output: SchemaSource<'_, Option<Schema>>) -> Tool {
    let (input, nullable) = match input {
        SchemaSource::Derived(root) => {
            let (mut schema, nullable) = schema::input(root, draft.allow_unknown);
            crate::arguments::coerce::remove_nulls_of_examples(&mut schema);
            (schema, nullable)
        }
        SchemaSource::Written(schema) => (schema, Vec::new()),
    };
    let name = format!("{}{}", draft.prefix, draft.name);
    let title = draft.title.map_or_else(|| title_of(&name), str::to_owned);
    let description = match draft.deprecated.map(str::trim) {
        None => draft.description.trim().to_owned(),
        Some("") => format!("[DEPRECATED] {}", draft.description.trim()),
        Some(note) => format!("[DEPRECATED: {note}] {}", draft.description.trim()),
    };
    let mut tool = Tool::new(name, description, input).with_title(title);
    tool.nullable = nullable;
    tool.output_schema = match output {
        SchemaSource::Derived(root) => schema::output(root),
        SchemaSource::Written(schema) => Some(schema),
    };
    let annotations = mcp::ToolAnnotations {
        title: None,
        read_only_hint: draft.read_only_hint,
        destructive_hint: draft.destructive_hint,
        idempotent_hint: draft.idempotent_hint,
        open_world_hint: draft.open_world_hint,
    };
    tool.annotations = (annotations != mcp::ToolAnnotations::default()).then_some(annotations);
    if draft.always_load {
        tool = tool.with_meta(identity::ALWAYS_LOAD, true);
    }
    if let Some(words) = draft.search_hint {
        tool = tool.with_meta(identity::SEARCH_HINT, words);
    }
    tool
}

/// The value of the key `description`.
#[diagnostic::on_unimplemented(
    message = "the description of a tool is a text, not `{Self}`",
    label = "not a text",
    note = "help: name a `const` of type `&str`, or write the text itself"
)]
pub trait Description<'t> {
    fn text(self) -> &'t str;
}

impl<'t> Description<'t> for &'t str {
    fn text(self) -> &'t str {
        self
    }
}

/// The value of the keys `input_schema` and `output_schema`: a function that returns the schema, or the schema as JSON
/// text.
#[diagnostic::on_unimplemented(
    message = "a schema cannot come from `{Self}`",
    label = "neither a `fn() -> Value` nor a `&str`",
    note = "help: name a function without parameters that returns a `serde_json::Value`, or a constant of JSON text"
)]
pub trait WrittenSchema<Form: ?Sized> {
    fn schema(self) -> Value;
}

impl<F: FnOnce() -> R, R: SchemaOfFunction> WrittenSchema<fn() -> R> for F {
    fn schema(self) -> Value {
        self().into_value()
    }
}

/// The return type of a function that returns a schema.
#[diagnostic::on_unimplemented(
    message = "the function returns `{Self}`, and a schema is a `serde_json::Value`",
    label = "does not return a schema",
    note = "help: write a function without parameters that returns a `serde_json::Value`"
)]
pub trait SchemaOfFunction {
    fn into_value(self) -> Value;
}

impl SchemaOfFunction for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl SchemaOfFunction for Schema {
    fn into_value(self) -> Value {
        self.into()
    }
}

impl WrittenSchema<str> for &str {
    /// Parses the text. Text that is not JSON becomes a string, which `build` reports with the tool's name.
    fn schema(self) -> Value {
        serde_json::from_str(self).unwrap_or_else(|_| Value::String(self.to_owned()))
    }
}

/// The headings of sections for people who call the function from Rust. The description ends before the first of these
/// sections.
const RUST_SECTIONS: [&str; 4] = ["Errors", "Panics", "Safety", "Examples"];

/// Returns the description in a doc comment: without the common indent, and up to the first section for Rust callers.
pub fn description_of(docs: &str) -> String {
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common_indent = docs.lines().filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0);
    let mut fence = None;
    let lines = docs.lines().map(|line| line.get(common_indent..).unwrap_or_default().trim_end());
    let lines: Vec<_> = lines
        .take_while(|line| {
            fence = fence_after(fence, line);
            fence.is_some() || !is_rust_section(line)
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

fn is_rust_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    heading.len() < line.len() && RUST_SECTIONS.contains(&heading.trim())
}

/// The character and the length of the fence around a block of code.
type Fence = (char, usize);

/// Returns the fence that is open after a line. `open` is the fence that was open before the line.
fn fence_after(open: Option<Fence>, line: &str) -> Option<Fence> {
    let line = line.trim_start();
    let Some(mark) = line.chars().next().filter(|mark| ['`', '~'].contains(mark)) else { return open };
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    match open {
        Some((of, least)) => (of != mark || length < least || !rest.is_empty()).then_some((of, least)),
        // A line such as "```text```" is a code span, so it does not open a block of code.
        None => (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length)),
    }
}

#[cfg(test)]
mod tests {
    use super::description_of;

    #[test]
    fn the_description_ends_before_the_sections_for_rust_callers() {
        assert_eq!(description_of(" Adds.\n\n  - a\n # Errors\n\n Never."), "Adds.\n\n - a");
        assert_eq!(description_of(" Adds.\n ## Examples\n x"), "Adds.");
        assert_eq!(description_of(" # Adding\n Adds # Errors"), "# Adding\nAdds # Errors");
        assert_eq!(description_of(" # Errors\n none"), "");
    }

    #[test]
    fn a_heading_inside_a_block_of_code_is_code() {
        let code = "Runs a script:\n\n```sh\n# Examples\nls\n```\n\nIt returns the output.";
        assert_eq!(description_of(&format!("{code}\n\n# Errors\n\nNone.")), code);
        let nested = "~~~~\n```\n# Panics\n~~~\n# Safety\n~~~~\nend";
        assert_eq!(description_of(&format!("{nested}\n# Errors")), nested);
        assert_eq!(description_of("Writes ```code```.\n# Errors"), "Writes ```code```.");
    }
}
