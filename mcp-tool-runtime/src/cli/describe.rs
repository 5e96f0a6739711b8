//! `describe`: a Markdown page about the tools.

use std::fmt::Write as _;

use clap::ArgMatches;
use serde_json::Value;

use super::{Cli, Io};
use crate::ask::CompiledQuestion;
use crate::dispatcher::ToolEntry;
use crate::schema::{is_required, reference};
use crate::{ToolInfo, mcp};

/// The deepest nesting that the page shows, in lists and in types.
const MAX_DEPTH: usize = 4;

impl Cli {
    /// Prints the page about one tool or all tools.
    pub(super) fn describe(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let name = matches.get_one::<String>("tool");
        let one = match name.map(|name| self.tool(name).ok_or(name)).transpose() {
            Ok(one) => one,
            Err(unknown) => return self.report_unknown(unknown, io),
        };
        let mut page = String::from("# Tools\n");
        for (info, tool) in self.tools().filter(|(_, tool)| one.is_none_or(|one| tool.name == one.name)) {
            write_tool(&mut page, info, tool, self.dispatcher.entry(&tool.name).map_or(&[], ToolEntry::questions));
        }
        io.print(&page)
    }
}

fn write_tool(page: &mut String, info: &ToolInfo, tool: &mcp::Tool, questions: &[CompiledQuestion]) {
    let text = tool.description.as_deref().unwrap_or_default();
    let _ = write!(page, "\n## `{}`\n\n{text}\n", tool.name);
    let hints = tool.annotations.as_ref().map(mcp::ToolAnnotations::words).unwrap_or_default();
    if !hints.is_empty() {
        let _ = writeln!(page, "\nHints: {}", hints.join(", "));
    }
    for (what, labels) in [("Tags", info.tags()), ("Scopes", info.scopes())] {
        if !labels.is_empty() {
            let _ = writeln!(page, "\n{what}: `{}`", labels.join("`, `"));
        }
    }
    let schema = &tool.input_schema;
    if schema["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
        page.push('\n');
        write_properties(page, schema, schema, 0);
    } else if schema.get("oneOf").or_else(|| schema.get("anyOf")).is_some() {
        let _ = writeln!(page, "\nArguments: {}", kind(schema, schema));
    }
    for example in schema["examples"].as_array().into_iter().flatten() {
        let _ = writeln!(page, "\nExample: `{example}`");
    }
    write_questions(page, questions);
    if let Some(schema) = &tool.output_schema {
        let _ = write!(page, "\nResult: {}", kind(schema, schema));
        write_description(page, schema, 0);
        let inner = inner(schema, schema);
        if inner["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
            page.push('\n');
            write_properties(page, schema, inner, 0);
        }
    }
}

/// Writes the questions that a tool asks its user.
fn write_questions(page: &mut String, questions: &[CompiledQuestion]) {
    for question in questions {
        let spec = &question.spec;
        let need = if spec.is_optional { "optional" } else { "required" };
        let kind = if spec.is_consent { "consent" } else { "answer" };
        let _ = writeln!(page, "\nAsks the user for `{}` ({kind}, {need})", spec.key);
        if !spec.is_consent {
            page.push('\n');
            write_properties(page, question.form.schema(), question.form.schema(), 0);
        }
    }
}

/// Writes a list item for each property, with a nested list for an object or a list of objects.
fn write_properties(page: &mut String, root: &Value, object: &Value, depth: usize) {
    for (name, property) in object["properties"].as_object().into_iter().flatten() {
        let need = if is_required(object, name) { "required" } else { "optional" };
        let _ = write!(page, "{:depth$}- `{name}` ({}, {need}", "", kind(property, root), depth = 2 * depth);
        if let Some(default) = property.get("default") {
            let _ = write!(page, ", default `{default}`");
        }
        page.push(')');
        write_description(page, property, 2 * depth + 2);
        if depth + 1 < MAX_DEPTH {
            write_properties(page, root, inner(property, root), depth + 1);
        }
    }
}

/// Writes the description of a schema after a colon, indents its further lines, and ends the last line. Without a
/// description, only ends the line.
fn write_description(page: &mut String, schema: &Value, indent: usize) {
    for (index, line) in schema["description"].as_str().into_iter().flat_map(str::lines).enumerate() {
        match (index, line) {
            (0, line) => page.extend([": ", line]),
            (_, "") => page.push('\n'),
            (_, line) => {
                let _ = write!(page, "\n{:indent$}{line}", "");
            }
        }
    }
    page.push('\n');
}

/// Returns the schema whose properties the page lists: `schema` itself or, for a list, the schema of its elements.
fn inner<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let schema = reference::follow(schema, root);
    match schema.get("items") {
        Some(items) if schema.get("properties").is_none() => reference::follow(items, root),
        _ => schema,
    }
}

/// Describes the values that a schema accepts, such as `integer from 1 to 9`.
pub(super) fn kind(schema: &Value, root: &Value) -> String {
    kind_within(schema, root, MAX_DEPTH)
}

/// Describes the values that a schema accepts, with at most `levels` levels of nested types.
fn kind_within(schema: &Value, root: &Value, levels: usize) -> String {
    let schema = reference::follow(schema, root);
    let levels = levels.saturating_sub(1);
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" or ");
    }
    let union = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema[keyword].as_array());
    if let Some(branches) = union.filter(|_| levels > 0) {
        let mut kinds: Vec<_> = branches.iter().map(|branch| describe_branch(branch, root, levels)).collect();
        kinds.dedup();
        return kinds.join(" or ");
    }
    let mut text = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => return if levels == 0 { "…" } else { "anything" }.to_owned(),
    };
    if let Some(format) = schema["format"].as_str() {
        let _ = write!(text, " of the format {format}");
    }
    bounds(&mut text, schema, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], "");
    bounds(&mut text, schema, ["minLength", "maxLength", "", ""], " characters");
    if let Some(pattern) = schema["pattern"].as_str() {
        let _ = write!(text, " matching `{pattern}`");
    }
    if let Some(step) = schema.get("multipleOf") {
        let _ = write!(text, ", a multiple of {step}");
    }
    bounds(&mut text, schema, ["minItems", "maxItems", "", ""], " elements");
    let values = schema.get("additionalProperties").filter(|values| values.is_object());
    match (schema.get("items").filter(|items| items.is_object()), values) {
        (Some(items), _) if levels > 0 => text.extend([" of ", &kind_within(items, root, levels)]),
        (_, Some(values)) if levels > 0 && schema.get("properties").is_none() => {
            text.extend([" with values: ", &kind_within(values, root, levels)]);
        }
        _ => {}
    }
    text
}

/// Describes one branch of a union. An object is described by its properties and the value of its tag.
fn describe_branch(branch: &Value, root: &Value, levels: usize) -> String {
    let schema = reference::follow(branch, root);
    let properties = schema["properties"].as_object().into_iter().flatten();
    let shown: Vec<_> = properties
        .map(|(name, property)| match property.get("const") {
            Some(value) => format!("`{name}: {value}`"),
            None => format!("`{name}` ({})", kind_within(property, root, levels)),
        })
        .collect();
    if shown.is_empty() { kind_within(branch, root, levels) } else { format!("object with {}", shown.join(", ")) }
}

/// Writes bounds, such as ` from 1 to 9`. The first two keywords are inclusive, and the last two exclusive.
fn bounds(text: &mut String, schema: &Value, [minimum, maximum, above, below]: [&str; 4], unit: &str) {
    let bound = |keyword: &str| schema.get(keyword).filter(|bound| bound.is_number());
    let unit_of = |number: &Value| if *number == 1 { unit.trim_end_matches('s') } else { unit };
    let _ = match (bound(minimum), bound(maximum)) {
        (Some(low), Some(high)) if low == high => write!(text, " of {low}{}", unit_of(low)),
        (Some(low), Some(high)) => write!(text, " from {low} to {high}{unit}"),
        (Some(low), None) => write!(text, " of {low}{} or more", unit_of(low)),
        (None, Some(high)) => write!(text, " of {high}{} or less", unit_of(high)),
        (None, None) => Ok(()),
    };
    let _ = bound(above).map(|low| write!(text, " above {low}"));
    let _ = bound(below).map(|high| write!(text, " below {high}"));
}
