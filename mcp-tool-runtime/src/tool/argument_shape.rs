//! The shape of one argument: its name and default for clients, and a value that no client sends.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::metadata::ToolMetadata;
use crate::arguments::parameters::DecodeCheck;
use crate::json::path::{Path, escape_token};
use crate::json::reader;
use crate::json::tape::{Tape, property_positions};
use crate::json::violation::hint;
use crate::{Arguments, Extensions, ToolError};
use mcp_tool_schema::Validator;

/// Another shape of an argument, for [`ToolHandler::with_argument`](crate::ToolHandler::with_argument).
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
    /// Renames the argument for clients. The old name is then unknown. Its serde aliases are accepted as before.
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Replaces the description.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Makes the argument optional, and publishes this value as its default. The tool gets the value if a client sends none.
    pub fn with_default(mut self, value: impl Serialize) -> Self {
        self.default = Some(serde_json::to_value(value).map_err(|error| error.to_string()));
        self
    }

    /// Changes the input schema, and returns how the arguments change on their way to the tool.
    pub(super) fn apply(
        self,
        argument: &str,
        schema: &mut Value,
        hand_written: bool,
    ) -> Result<Vec<ArgumentChange>, String> {
        let Self { name, description, default } = self;
        find(argument, schema, hand_written, "changed")?;
        let mut changes = Vec::new();
        if let Some(description) = description {
            schema["properties"][argument]["description"] = description.into();
        }
        if let Some(default) = default {
            let value =
                default.map_err(|error| format!("the default of `{argument}` cannot be written as JSON: {error}"))?;
            schema["properties"][argument]["default"] = value.clone();
            remove_required(schema, argument);
            changes.push(ArgumentChange::Defaulted { name: argument.to_owned(), value });
        }
        if let Some(published) = name.filter(|name| name != argument) {
            rename(argument, &published, schema)?;
            // Before the default is added under the name that the tool reads.
            changes.insert(0, ArgumentChange::Renamed { published, name: argument.to_owned() });
        }
        Ok(changes)
    }
}

/// A change between the arguments that a client sends and those that the tool reads.
#[derive(Debug)]
pub(crate) enum ArgumentChange {
    /// Clients neither see nor send the argument.
    Removed {
        name: String,
        value: Supplied,
    },
    Renamed {
        published: String,
        name: String,
    },
    /// The tool gets a value if there is none.
    Defaulted {
        name: String,
        value: Value,
    },
}

/// The value of an argument that no client sends.
pub(crate) enum Supplied {
    /// The argument is absent.
    Absent,
    Fixed(Value),
    FromCall(FromCall),
}

impl fmt::Debug for Supplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "Absent",
            Self::Fixed(_) => "Fixed",
            Self::FromCall(_) => "FromCall",
        })
    }
}

type ReadValue = dyn Fn(&Extensions) -> Result<Value, serde_json::Error> + Send + Sync;

/// A value that is read from what the server attached to a call.
pub(crate) struct FromCall {
    pub(super) read: Box<ReadValue>,
    pub(super) check: ArgumentCheck,
}

impl FromCall {
    /// Returns the value. The error names nothing to the caller.
    fn read(&self, extensions: &Extensions) -> Result<Value, ToolError> {
        let masked = |problem: &str| {
            let name = &self.check.name;
            ToolError::masked(format!("the value of `{name}` from the extensions of the call {problem}"))
        };
        let value = (self.read)(extensions).map_err(|error| masked(&format!("cannot be written as JSON: {error}")))?;
        if value.is_null() {
            return Err(masked("is absent"));
        }
        match self.check.violations(&value).first() {
            Some((_, text)) => Err(masked(&format!("is not valid: {text}"))),
            None => Ok(value),
        }
    }
}

/// Checks values of one argument alone.
pub(crate) struct ArgumentCheck {
    name: String,
    schema: Value,
    compiled: Validator,
}

impl ArgumentCheck {
    /// Compiles the schema of an argument, which is part of an input schema.
    pub(super) fn new(name: &str, input_schema: &Value) -> Result<Self, String> {
        let properties: Map<_, _> = [(name.to_owned(), input_schema["properties"][name].clone())].into_iter().collect();
        let mut schema = json!({ "type": "object", "properties": properties, "required": [name] });
        if let Some(definitions) = input_schema.get("$defs") {
            schema["$defs"] = definitions.clone();
        }
        let compiled = Validator::compile_linear(&schema).map_err(|error| error.to_string())?;
        Ok(Self { name: name.to_owned(), compiled, schema })
    }

    /// Returns what the schema refuses in a value: the path, and the problem.
    pub(super) fn violations(&self, value: &Value) -> Vec<(String, String)> {
        let given = Value::Object([(self.name.clone(), value.clone())].into_iter().collect());
        let Ok(document) = reader::read_value(&given) else {
            return vec![(self.name.clone(), "it nests too deep".to_owned())];
        };
        let violations = self.compiled.violations(document.root(), &self.schema).into_iter();
        violations.map(|violation| (violation.path.to_string(), violation.message)).collect()
    }
}

/// What the shape of a tool does to its arguments, in the order in which a call applies it.
#[derive(Debug, Default)]
pub(crate) struct ArgumentChanges(pub(super) Vec<ArgumentChange>);

impl ArgumentChanges {
    /// Returns `true` if a value comes from the call.
    pub(crate) fn need_call(&self) -> bool {
        let is_from_call = |change: &_| matches!(change, ArgumentChange::Removed { value: Supplied::FromCall(_), .. });
        self.0.iter().any(is_from_call)
    }

    /// Returns the values that come from this call, in order.
    pub(super) fn read(&self, extensions: &Extensions) -> Result<Vec<Value>, ToolError> {
        let from_call = self.0.iter().filter_map(|change| match change {
            ArgumentChange::Removed { value: Supplied::FromCall(from_call), .. } => Some(from_call),
            _ => None,
        });
        from_call.map(|value| value.read(extensions)).collect()
    }

    /// Turns the arguments of a client into those that the tool reads. `from_call` are the values that come from this call.
    pub(crate) fn apply<'a>(&'a self, document: &mut Tape<'a>, from_call: &'a [Value]) -> Result<(), ToolError> {
        let mut from_call = from_call.iter();
        for change in &self.0 {
            let (name, value) = match change {
                ArgumentChange::Renamed { published, name } => {
                    if let Some(key) = position(document, published) {
                        document.rename(key, name);
                    }
                    continue;
                }
                ArgumentChange::Defaulted { name, value } if position(document, name).is_none() => (name, Some(value)),
                ArgumentChange::Defaulted { .. } => continue,
                ArgumentChange::Removed { name, value } => match value {
                    Supplied::Absent => (name, None),
                    Supplied::Fixed(value) => (name, Some(value)),
                    Supplied::FromCall(_) => (name, from_call.next()),
                },
            };
            if let Some(value) = value {
                let value = reader::read_value(value).map_err(|violation| ToolError::internal(violation.message))?;
                document.push_property(name, value);
            }
        }
        Ok(())
    }

    /// Writes an error of the tool with the names that the client knows. An error about a removed argument is masked: the model can
    /// neither read nor mend it.
    pub(super) fn error_for_client(&self, mut error: ToolError) -> ToolError {
        for change in self.0.iter().rev() {
            match change {
                ArgumentChange::Removed { name, .. } => {
                    let token = escape_token(name);
                    if error.errors().iter().any(|wrong| first_token(wrong.pointer()) == token) {
                        return ToolError::masked(error.message().to_owned());
                    }
                }
                ArgumentChange::Renamed { published, name } => {
                    let [(path, token), (published_path, published_token)] =
                        [name, published].map(|name| (Path::default().property(name).to_string(), escape_token(name)));
                    error = error.with_renamed_parameter([&path, &token], [&published_path, &published_token]);
                }
                ArgumentChange::Defaulted { .. } => {}
            }
        }
        error
    }
}

/// Reads arguments into the type of a tool, behind all its shapes, and drops them.
#[derive(Debug)]
pub(crate) struct TypeCheck {
    decode: DecodeCheck,
    /// The innermost shape first.
    changes: Vec<Arc<ArgumentChanges>>,
}

impl TypeCheck {
    pub(crate) fn of(metadata: &ToolMetadata) -> Option<Self> {
        Some(Self { decode: metadata.decode_check?, changes: metadata.argument_changes.clone() })
    }

    /// Returns `true` if a shape reads a value from the call.
    #[cfg(feature = "lint")]
    pub(crate) fn needs_call(&self) -> bool {
        self.changes.iter().any(|changes| changes.need_call())
    }

    /// Returns the names of the arguments that the type reads beside the published ones. Behind a shape, there are none: one of them
    /// may be an alias of an argument that the shape has removed.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        if self.changes.is_empty() { (self.decode.names)() } else { &[] }
    }

    /// Returns `true` if the type reads the arguments of a call with these extensions.
    pub(crate) fn accepts(&self, arguments: &Arguments<'_>, extensions: &Extensions) -> bool {
        let from_call = self.changes.iter().map(|changes| changes.read(extensions));
        let Ok(from_call) = from_call.collect::<Result<Vec<_>, _>>() else { return false };
        let mut document = arguments.with_properties(|_| true);
        let mut changes = self.changes.iter().zip(&from_call).rev();
        changes.all(|(changes, from_call)| changes.apply(&mut document, from_call).is_ok())
            && self.decode.accepts(&arguments.with_document(&document))
    }
}

fn first_token(pointer: &str) -> &str {
    pointer.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// Returns the position of the key of an argument.
fn position(document: &Tape<'_>, name: &str) -> Option<usize> {
    let mut properties = property_positions(document.slots_from(0), 0);
    properties.find(|(_, other, _)| *other == name).map(|(key, ..)| key)
}

/// Removes an argument from the input schema.
pub(super) fn remove(name: &str, schema: &mut Value, hand_written: bool, verb: &str) -> Result<(), String> {
    find(name, schema, hand_written, verb)?;
    only_published(name, schema, verb)?;
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
    remove_required(schema, name);
    Ok(())
}

pub(super) const HIDDEN: &str = "hidden";

/// Renames an argument in the input schema.
fn rename(name: &str, published: &str, schema: &mut Value) -> Result<(), String> {
    only_published(name, schema, "renamed")?;
    if schema["properties"].get(published).is_some() {
        return Err(format!(
            "the argument `{name}` cannot be renamed, because there is another argument `{published}`"
        ));
    }
    // These keywords of the root can name the argument.
    let keywords = [
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "dependentRequired",
        "dependentSchemas",
        "patternProperties",
        "propertyNames",
    ];
    if let Some(keyword) = keywords.into_iter().find(|keyword| schema.get(keyword).is_some()) {
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

/// Renames a key, which keeps its position.
fn rename_key(object: &mut Map<String, Value>, from: &str, to: &str) {
    let renamed = |(key, value)| (if key == from { to.to_owned() } else { key }, value);
    *object = std::mem::take(object).into_iter().map(renamed).collect();
}

/// Returns why an argument cannot be changed, if the author wrote the schema or there is no such argument.
fn find(name: &str, schema: &Value, hand_written: bool, verb: &str) -> Result<(), String> {
    if hand_written {
        return Err(format!(
            "the argument `{name}` cannot be {verb}, because the input schema is written by hand; {}",
            if verb == "changed" { "change the schema" } else { "write a schema without it" }
        ));
    }
    let argument = schema["properties"].get(name);
    if argument.is_none() {
        let known = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let hint = hint(name, known);
        return Err(format!("the argument `{name}` cannot be {verb}: there is no such argument{hint}"));
    }
    Ok(())
}

/// Returns an error if a client can send an argument that the schema does not publish, and the type reads it.
fn only_published(name: &str, schema: &Value, verb: &str) -> Result<(), String> {
    let others = ["additionalProperties", "unevaluatedProperties"].into_iter().find_map(|keyword| schema.get(keyword));
    if others.is_some_and(|others| *others != false) {
        return Err(format!(
            "the argument `{name}` cannot be {verb}, because the tool takes arguments of any name, and its type may read `{name}` \
             from one of them"
        ));
    }
    Ok(())
}

pub(super) fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().into_iter().flatten().any(|required| required == name)
}

fn remove_required(schema: &mut Value, name: &str) {
    let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) else { return };
    required.retain(|required| required != name);
    let is_empty = required.is_empty();
    if let Some(schema) = schema.as_object_mut().filter(|_| is_empty) {
        schema.shift_remove("required");
    }
}

/// Returns the examples of whole calls.
fn examples(schema: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    let examples = schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten();
    examples.filter_map(Value::as_object_mut)
}
