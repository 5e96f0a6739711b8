//! The shape of one argument: its name, description and default for clients, or its removal.

use mcp_tool_schema::NULLABLE;
use serde::Serialize;
use serde_json::{Map, Value};

use super::argument_changes::ArgumentChange;
use super::metadata::ToolMetadata;
use crate::arguments::accepts_any_name;
use crate::json::violation::hint;
use crate::schema::{is_required, remove_required};

/// Another name, description or default for an argument.
/// [`ToolHandler::with_argument`](crate::ToolHandler::with_argument) applies these changes.
///
/// ```
/// use mcp_tool_runtime::{json, mcp_tool, ToolHandler as _};
///
/// /// Get the current weather for a place.
/// #[mcp_tool]
/// async fn get_weather(loc: String) -> String { loc }
///
/// let tool = get_weather {}
///     .with_argument("loc", |argument| argument.with_name("location").with_description("A city.").with_default("Paris"))
///     .definition();
/// assert_eq!(
///     tool.input_schema["properties"],
///     json!({"location": {"type": "string", "description": "A city.", "default": "Paris"}}),
/// );
/// ```
#[derive(Debug, Default)]
#[must_use = "the function returns the shape"]
pub struct ArgumentShape {
    name: Option<String>,
    description: Option<String>,
    default: Option<Result<Value, String>>,
}

impl ArgumentShape {
    /// Renames the argument for clients. The old name becomes unknown, but serde aliases are still accepted.
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Replaces the description.
    pub fn with_description(self, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..self }
    }

    /// Makes the argument optional, and publishes this value as its default. The tool gets the value if a client sends
    /// none.
    pub fn with_default(self, value: impl Serialize) -> Self {
        Self { default: Some(serde_json::to_value(value).map_err(|error| error.to_string())), ..self }
    }

    /// Changes the input schema, and returns how the arguments change on their way to the tool.
    pub(super) fn apply(
        self,
        argument: &str,
        schema: &mut Value,
        metadata: &ToolMetadata,
    ) -> Result<Vec<ArgumentChange>, String> {
        let Self { name, description, default } = self;
        find(argument, schema, metadata, "changed")?;
        let mut changes = Vec::new();
        if let Some(description) = description {
            schema["properties"][argument]["description"] = description.into();
        }
        if let Some(default) = default {
            no_cursor(argument, schema, "given a default")?;
            let value =
                default.map_err(|error| format!("the default of `{argument}` cannot be written as JSON: {error}"))?;
            let property = &mut schema["properties"][argument];
            property["default"] = value.clone();
            // Remove the mark `NULLABLE`, so that `null` counts as an absent argument and the default applies.
            property.as_object_mut().and_then(|keywords| keywords.shift_remove(NULLABLE));
            if let Some(schema) = schema.as_object_mut() {
                remove_required(schema, argument);
            }
            changes.push(ArgumentChange::Defaulted { name: argument.to_owned(), value });
        }
        if let Some(published) = name.filter(|name| name != argument) {
            rename(argument, &published, schema)?;
            // Put the renaming first, because the default is added under the name that the tool reads.
            changes.insert(0, ArgumentChange::Renamed { published, name: argument.to_owned() });
        }
        Ok(changes)
    }
}

/// Removes an argument from the input schema and from its examples. Returns an error if this argument cannot be
/// removed.
pub(super) fn remove(name: &str, schema: &mut Value, metadata: &ToolMetadata, verb: &str) -> Result<(), String> {
    find(name, schema, metadata, verb)?;
    only_published(name, schema, verb)?;
    no_cursor(name, schema, verb)?;
    if verb == HIDDEN && is_required(schema, name) {
        return Err(format!(
            "the argument `{name}` cannot be hidden, because it is required; give it a value: `.with_fixed(\"{name}\", …)`"
        ));
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove(name);
    }
    for example in examples(schema) {
        example.shift_remove(name);
    }
    if let Some(schema) = schema.as_object_mut() {
        remove_required(schema, name);
    }
    Ok(())
}

pub(super) const HIDDEN: &str = "hidden";

/// The keywords that, at the root of a schema, might contain the name of an argument or a pattern that matches the
/// name.
const NAMING: &str = "allOf anyOf oneOf not if dependentRequired dependentSchemas patternProperties propertyNames";

/// Renames an argument in the input schema and in its examples. Returns an error if this argument cannot be renamed.
fn rename(name: &str, published: &str, schema: &mut Value) -> Result<(), String> {
    only_published(name, schema, "renamed")?;
    if schema["properties"].get(published).is_some() {
        return Err(format!(
            "the argument `{name}` cannot be renamed, because there is another argument `{published}`"
        ));
    }
    if let Some(keyword) = NAMING.split(' ').find(|keyword| schema.get(keyword).is_some()) {
        return Err(format!(
            "the argument `{name}` cannot be renamed, because the root of the input schema has the keyword `{keyword}`"
        ));
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        rename_key(properties, name, published);
    }
    examples(schema).for_each(|example| rename_key(example, name, published));
    let required = schema.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten();
    required.filter(|required| *required == name).for_each(|required| *required = published.into());
    Ok(())
}

/// Renames a key of an object. The key keeps its position.
fn rename_key(object: &mut Map<String, Value>, from: &str, to: &str) {
    let renamed = |(key, value)| (if key == from { to.to_owned() } else { key }, value);
    *object = std::mem::take(object).into_iter().map(renamed).collect();
}

/// Returns an error if the schema is written by hand, or if there is no such argument.
fn find(name: &str, schema: &Value, metadata: &ToolMetadata, verb: &str) -> Result<(), String> {
    if !metadata.has_derived_input {
        return Err(format!(
            "the argument `{name}` cannot be {verb}, because the input schema is written by hand; {}",
            if verb == "changed" { "change the schema" } else { "write a schema without it" }
        ));
    }
    if schema["properties"].get(name).is_some() {
        return Ok(());
    }
    let earlier = metadata.argument_changes.iter().flat_map(|changes| &changes.0).rev();
    let mut earlier = earlier.filter_map(|change| match change {
        ArgumentChange::Removed { name: gone, .. } if gone == name => {
            Some("; it was fixed or removed before".to_owned())
        }
        ArgumentChange::Renamed { published, name: gone } if gone == name => {
            Some(format!("; it was renamed to `{published}` before"))
        }
        _ => None,
    });
    let known = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let hint = earlier.next().unwrap_or_else(|| hint(name, known));
    Err(format!("the argument `{name}` cannot be {verb}: there is no such argument{hint}"))
}

/// Returns an error if the schema accepts arguments that it does not list, because the tool might read the argument
/// `name` from one of them.
fn only_published(name: &str, schema: &Value, verb: &str) -> Result<(), String> {
    if accepts_any_name(schema) {
        return Err(format!(
            "the argument `{name}` cannot be {verb}, because the tool takes arguments of any name, and its type may read `{name}` \
             from one of them"
        ));
    }
    Ok(())
}

/// Returns an error if the argument is a cursor, because clients send it to get the next page.
fn no_cursor(name: &str, schema: &Value, verb: &str) -> Result<(), String> {
    if schema["properties"][name].get(crate::schema::CURSOR).is_none() {
        return Ok(());
    }
    Err(format!(
        "the argument `{name}` cannot be {verb}, because it is a `Cursor<…>`: a client sends it to get the next page"
    ))
}

/// Returns the examples at the root of an input schema. Each contains all arguments of a call.
fn examples(schema: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    let examples = schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten();
    examples.filter_map(Value::as_object_mut)
}
