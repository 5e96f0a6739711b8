//! Turns errors into violations for a model: what is expected and the type of the value, never the value itself.

use serde_json::Value;

use super::branches;
use super::errors::{Error, ErrorKind, Errors};
use super::node::Node;
use crate::document::path::{Path, Step};
use crate::document::violation::{MAX_FOUND, Violation};

/// Returns the violations that the errors describe. Equal violations in a row are listed once.
pub(super) fn violations(errors: &Errors<'_>, schema: &Value) -> Vec<Violation> {
    let mut violations = Vec::new();
    push_all(&mut violations, &errors.kept, schema);
    violations.dedup();
    violations
}

/// Adds the violations of all errors. Bounds are skipped for a number of the wrong type, where they would only distract.
fn push_all(violations: &mut Vec<Violation>, errors: &[Error<'_>], schema: &Value) {
    let has_wrong_type = |error: &Error<'_>| {
        errors.iter().any(|other| matches!(other.kind, ErrorKind::Type(_)) && other.path == error.path)
    };
    for error in errors {
        if violations.len() >= MAX_FOUND {
            return;
        }
        if !(matches!(error.kind, ErrorKind::Bound(_)) && has_wrong_type(error)) {
            push(violations, error, schema);
        }
    }
}

fn push(violations: &mut Vec<Violation>, error: &Error<'_>, schema: &Value) {
    let path = &error.path;
    violations.push(match &error.kind {
        ErrorKind::Required(name) => Violation::new(path.property(name), "required, but missing"),
        ErrorKind::Unknown { names, object } | ErrorKind::Unevaluated { names, object } => {
            let room = MAX_FOUND - violations.len();
            return violations.extend(names.iter().take(room).map(|name| unknown_property(path, name, object, schema)));
        }
        ErrorKind::Excluded { object } => match path.steps().split_last() {
            Some((Step::Key(name), above)) => {
                let mut parent = Path::default();
                for step in above {
                    parent.push(step.clone());
                }
                unknown_property(&parent, name, object, schema)
            }
            _ => Violation::new(path.clone(), message(error)),
        },
        ErrorKind::Union { likely, pointer, .. } => {
            if let Some(errors) = likely {
                return push_all(violations, errors, schema);
            }
            let branches = schema.pointer(pointer).and_then(Value::as_array);
            no_branch(path.clone(), branches.map_or(&[][..], Vec::as_slice), schema, error.actual)
        }
        ErrorKind::Name { name, error } => {
            Violation::new(path.property(name), format!("the name is not allowed: {}", message(error)))
        }
        _ => Violation::new(path.clone(), message(error)),
    });
}

/// Returns the violation of a property that the object of a node must not have.
pub(super) fn unknown_property(object: &Path, name: &str, node: &Node, schema: &Value) -> Violation {
    let properties = schema.pointer(&node.pointer).and_then(|schema| schema["properties"].as_object());
    Violation::unknown_property(object, name, properties.into_iter().flatten().map(|(name, _)| name.as_str()))
}

/// Returns the violation of a value that no branch of a union accepts.
pub(super) fn no_branch(path: Path, branches: &[Value], schema: &Value, actual: &str) -> Violation {
    let forms = branches::describe(branches, schema);
    let forms = if forms.is_empty() { "one of the published forms".to_owned() } else { forms };
    let actual = if forms.contains('{') && actual == "an object" { "another object" } else { actual };
    Violation::new(path, format!("expected {forms}, got {actual}"))
}

/// Returns the message of one error.
fn message(error: &Error<'_>) -> String {
    match &error.kind {
        ErrorKind::Type(types) => format!("expected {}, got {}", types.describe(), error.actual),
        ErrorKind::Enum(values) => format!("expected {}, got {}", one_of(values), another(error.actual)),
        ErrorKind::Const(value) => format!("expected {value}, got {}", another(error.actual)),
        ErrorKind::Bound(message) | ErrorKind::Other(message) => message.clone(),
        _ => "does not match the published schema".to_owned(),
    }
}

fn another(actual: &str) -> String {
    match actual.strip_prefix("an ").or_else(|| actual.strip_prefix("a ")) {
        Some(kind) => format!("another {kind}"),
        None => actual.to_owned(),
    }
}

/// Lists the first values of an `enum`.
fn one_of(values: &[Value]) -> String {
    const MAX_VALUES: usize = 20;
    let mut text = values.iter().take(MAX_VALUES).map(Value::to_string).collect::<Vec<_>>().join(", ");
    if values.len() > MAX_VALUES {
        text.push_str(", …");
    }
    if values.len() == 1 { text } else { format!("one of {text}") }
}
