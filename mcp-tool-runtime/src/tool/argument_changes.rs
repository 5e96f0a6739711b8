//! Turns the arguments that a client sends into the arguments that the tool reads, if a shape has changed the tool.

use std::sync::Arc;

use mcp_tool_schema::Validator;
use serde_json::{Map, Value, json};

use super::metadata::ToolMetadata;
use crate::arguments::parameters::DecodeCheck;
use crate::call::add_property;
use crate::json::path::{Path, escape_token};
use crate::json::reader;
use crate::json::tape::{Tape, property_positions};
use crate::{Arguments, Extensions, ToolError};

/// A difference between the arguments that a client sends and the arguments that the tool reads.
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
    /// The tool gets `value` if the client does not send the argument.
    Defaulted {
        name: String,
        value: Value,
    },
}

/// What the tool gets for an argument that no client can send.
pub(crate) enum Supplied {
    /// The tool gets nothing, as if a client had left out the argument.
    Absent,
    Fixed(Value),
    FromCall(FromCall),
}

debug_struct!(Supplied);

type ReadValue = dyn Fn(&Extensions) -> Result<Value, serde_json::Error> + Send + Sync;

/// The function that reads the value of an argument from the extensions of a call, and the check of this value.
pub(crate) struct FromCall {
    pub(super) read: Box<ReadValue>,
    pub(super) check: ArgumentCheck,
}

impl FromCall {
    /// Reads the value and checks it against the schema of the argument. An error tells the caller no details.
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

/// The schema of a single argument, compiled to check its values.
pub(crate) struct ArgumentCheck {
    name: String,
    schema: Value,
    compiled: Validator,
}

impl ArgumentCheck {
    /// Compiles the schema that `input_schema` contains for the argument `name`.
    pub(super) fn new(name: &str, input_schema: &Value) -> Result<Self, String> {
        let properties: Map<_, _> = [(name.to_owned(), input_schema["properties"][name].clone())].into_iter().collect();
        let mut schema = json!({ "type": "object", "properties": properties, "required": [name] });
        add_property(&mut schema, "$defs", input_schema.get("$defs").cloned());
        let compiled = Validator::compile_linear(&schema).map_err(|error| error.to_string())?;
        Ok(Self { name: name.to_owned(), compiled, schema })
    }

    /// Checks a value against the schema, and returns the path and the message of each violation.
    pub(super) fn violations(&self, value: &Value) -> Vec<(String, String)> {
        let given = Value::Object([(self.name.clone(), value.clone())].into_iter().collect());
        let Ok(document) = reader::read_value(&given) else {
            return vec![(self.name.clone(), "it nests too deep".to_owned())];
        };
        let violations = self.compiled.violations(document.root(), &self.schema).into_iter();
        violations.map(|violation| (violation.path.to_string(), violation.message)).collect()
    }
}

/// The changes that one shape of a tool makes to the arguments, in the order in which a call applies them.
#[derive(Debug, Default)]
pub(crate) struct ArgumentChanges(pub(super) Vec<ArgumentChange>);

impl ArgumentChanges {
    /// Returns the values that are read from the call's extensions, in the order of the changes.
    pub(super) fn read(&self, extensions: &Extensions) -> Result<Vec<Value>, ToolError> {
        let from_call = self.0.iter().filter_map(|change| match change {
            ArgumentChange::Removed { value: Supplied::FromCall(from_call), .. } => Some(from_call),
            _ => None,
        });
        from_call.map(|value| value.read(extensions)).collect()
    }

    /// Applies the changes to the arguments in `document`. `from_call` contains the values that [`read`](Self::read)
    /// returns for the call.
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

    /// Replaces the names of arguments in an error of the tool with the names that the client knows. An error about a
    /// removed argument is masked, because the model can neither understand nor fix it.
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

/// Checks whether the types of the tool's parameters can read the arguments of a call, after all shapes of the tool
/// have changed the arguments.
#[derive(Debug, Clone)]
pub(crate) struct TypeCheck {
    decode: DecodeCheck,
    /// The changes of each shape, the innermost shape first.
    changes: Vec<Arc<ArgumentChanges>>,
}

impl TypeCheck {
    pub(crate) fn of(metadata: &ToolMetadata) -> Option<Self> {
        Some(Self { decode: metadata.decode_check?, changes: metadata.argument_changes.clone() })
    }

    /// Returns the names of the arguments that the types of the parameters read, aliases included. Returns no names if
    /// a shape changes arguments, because a name might be an alias of an argument that the shape has removed.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        if self.changes.is_empty() { (self.decode.names)() } else { &[] }
    }

    /// Returns `true` if the types of the parameters can read the arguments of a call with these extensions, after all
    /// shapes have changed the arguments.
    pub(crate) fn accepts(&self, arguments: &Arguments<'_>, extensions: &Extensions) -> bool {
        let Ok(from_call) = read_all(&self.changes, extensions) else { return false };
        let mut document = arguments.with_properties(|_| true);
        apply_all(&self.changes, &mut document, &from_call).is_ok()
            && (self.decode.read)(&arguments.with_document(&document), self.decode.parameters).is_ok()
    }
}

/// Returns the arguments that a tool reads after all its shapes have changed them. `changes` has the innermost shape
/// first.
#[cfg(feature = "tasks")]
pub(crate) fn behind_shapes(
    changes: &[Arc<ArgumentChanges>],
    arguments: &Value,
    input_schema: &Value,
    extensions: &Extensions,
) -> Result<Value, ToolError> {
    let from_call = read_all(changes, extensions)?;
    let document = reader::read_value(arguments).map_err(|violation| ToolError::internal(violation.message))?;
    if !document.root().is_object() {
        return Err(ToolError::masked("the arguments are not an object".to_owned()));
    }
    let mut document = Arguments::new(&document, input_schema).published_in(input_schema);
    apply_all(changes, &mut document, &from_call)?;
    let mut arguments = document.root().to_value();
    arguments.sort_all_objects();
    Ok(arguments)
}

/// Returns the values that each shape reads from the call's extensions, the innermost shape first.
fn read_all(changes: &[Arc<ArgumentChanges>], extensions: &Extensions) -> Result<Vec<Vec<Value>>, ToolError> {
    changes.iter().map(|changes| changes.read(extensions)).collect()
}

/// Applies the changes of all shapes to the arguments in `document`, from the outermost shape to the innermost.
fn apply_all<'a>(
    changes: &'a [Arc<ArgumentChanges>],
    document: &mut Tape<'a>,
    from_call: &'a [Vec<Value>],
) -> Result<(), ToolError> {
    let mut changes = changes.iter().zip(from_call).rev();
    changes.try_for_each(|(changes, from_call)| changes.apply(document, from_call))
}

fn first_token(pointer: &str) -> &str {
    pointer.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// Returns the position of the key of the argument `name` in the document.
fn position(document: &Tape<'_>, name: &str) -> Option<usize> {
    let mut properties = property_positions(document.slots_from(0), 0);
    properties.find(|(_, other, _)| *other == name).map(|(key, ..)| key)
}
