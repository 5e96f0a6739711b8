//! Adds the argument `cursor` to the definition of a tool with pages.

use serde_json::{Value, json};

use super::cursor::MARK;
use crate::mcp;

/// The argument for the cursor.
#[derive(Debug, Clone)]
pub(crate) struct CursorArgument {
    pub(crate) name: String,
    /// The tool reads the key in the cursor.
    pub(crate) is_keyed: bool,
}

const CURSOR: &str = "cursor";
const OF_CURSOR: &str = "Where to continue: the `next_cursor` of the last page, unchanged. Leave it out for the first page, and repeat the \
                         other arguments as they were.";

/// Returns the description of `next_cursor`.
pub(super) fn next_cursor(argument: &str) -> String {
    format!(
        "There may be more: call the tool again with the same arguments, and with this text as `{argument}`. Absent on the last page."
    )
}

/// Publishes the parameters of the type `Cursor`, or else adds the argument `cursor` if the tool returns pages.
///
/// # Errors
///
/// What is wrong with the tool.
pub(crate) fn publish(
    tool: &mut mcp::Tool,
    is_paged: bool,
    hand_written: bool,
) -> Result<Option<CursorArgument>, &'static str> {
    let schema = &mut tool.input_schema;
    let mut names = Vec::new();
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        if let Some(property) = property.as_object_mut()
            && property.shift_remove(MARK).is_some()
        {
            property.entry("description").or_insert_with(|| OF_CURSOR.into());
            names.push(name.clone());
        }
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|required| !names.iter().any(|name| required == name));
        if required.is_empty()
            && let Some(schema) = schema.as_object_mut()
        {
            schema.shift_remove("required");
        }
    }
    let has_cursor = schema["properties"].get(CURSOR).is_some();
    let argument = match names.as_slice() {
        [] if !is_paged => return Ok(None),
        [] if hand_written && has_cursor => CursorArgument { name: CURSOR.to_owned(), is_keyed: false },
        [] if hand_written => {
            return Err("it returns pages, so its input schema needs an optional string `cursor`; add that property");
        }
        [] if has_cursor => {
            return Err(
                "it returns pages, which add an argument `cursor`; rename its own, or give it the type `Cursor<…>`",
            );
        }
        [] => {
            let properties =
                schema.as_object_mut().map(|schema| schema.entry("properties").or_insert_with(|| json!({})));
            if let Some(properties) = properties.and_then(Value::as_object_mut) {
                properties.insert(CURSOR.to_owned(), json!({ "type": "string", "description": OF_CURSOR }));
            }
            CursorArgument { name: CURSOR.to_owned(), is_keyed: false }
        }
        _ if !is_paged => {
            return Err("it has a `Cursor<…>`, and does not return a `Paged<…>`; return one, or remove the parameter");
        }
        [name] if name != CURSOR && has_cursor => {
            return Err("it has an argument `cursor` beside its `Cursor<…>`; rename it");
        }
        [name] => CursorArgument { name: name.clone(), is_keyed: true },
        _ => return Err("it has two parameters of the type `Cursor<…>`; remove one of them"),
    };
    if argument.name != CURSOR
        && let Some(description) =
            tool.output_schema.as_mut().and_then(|schema| schema.pointer_mut("/properties/next_cursor/description"))
    {
        *description = next_cursor(&argument.name).into();
    }
    Ok(Some(argument))
}
