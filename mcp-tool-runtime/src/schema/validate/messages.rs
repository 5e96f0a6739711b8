//! Turns errors into violations for a model: what is expected and the type of the value, never the value itself.

use serde_json::Value;

use super::branches;
use super::errors::{Error, ErrorKind, Errors};
use super::node::Node;
use crate::json::path::{Path, Step};
use crate::json::violation::{MAX_FOUND, Violation};
use crate::schema::reference;

/// Returns the violations that the errors describe. Equal violations in a row are listed once.
pub(super) fn violations(errors: &Errors<'_>, schema: &Value) -> Vec<Violation> {
    let mut violations = Vec::new();
    push_all(&mut violations, &errors.kept, schema);
    violations.dedup();
    violations
}

/// Adds the violations of all errors. One mistake gives one violation: bounds are skipped for a number of the wrong type, and the
/// type where the values are listed.
fn push_all(violations: &mut Vec<Violation>, errors: &[Error<'_>], schema: &Value) {
    let lists_values = |kind: &ErrorKind<'_>| match kind {
        ErrorKind::Enum(_) | ErrorKind::Const(_) => true,
        ErrorKind::Union { likely: None, pointer, .. } => are_values(schema.pointer(pointer)),
        _ => false,
    };
    for error in errors {
        if violations.len() >= MAX_FOUND {
            return;
        }
        let mut others = errors.iter().filter(|other| other.path == error.path).map(|other| &other.kind);
        let is_said_by_another = match error.kind {
            ErrorKind::Bound(_) => others.any(|kind| matches!(kind, ErrorKind::Type(_)) || lists_values(kind)),
            ErrorKind::Type(_) => others.any(lists_values),
            _ => false,
        };
        if !is_said_by_another {
            push(violations, error, schema);
        }
    }
}

fn push(violations: &mut Vec<Violation>, error: &Error<'_>, schema: &Value) {
    let path = &error.path;
    violations.push(match &error.kind {
        ErrorKind::Required { name, object } => missing_property(path, name, object, schema),
        ErrorKind::Unknown { names, object } | ErrorKind::Unevaluated { names, object } => {
            let remaining = MAX_FOUND - violations.len();
            return violations
                .extend(names.iter().take(remaining).map(|name| unknown_property(path, name, object, schema)));
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

/// Returns the violation of a property that the object of a node must have. If its schema lists the values, so does the message: then
/// the next call can be right.
pub(super) fn missing_property(object: &Path, name: &str, node: &Node, schema: &Value) -> Violation {
    let properties = schema.pointer(&node.pointer).and_then(|schema| schema["properties"].as_object());
    let values = properties.and_then(|properties| values(properties.get(name)?, schema));
    let message = match values {
        Some(values) => format!("required, but missing; expected {values}"),
        None => "required, but missing".to_owned(),
    };
    Violation::new(object.property(name), message)
}

/// Lists the values that a schema accepts, if it names all of them.
fn values(schema: &Value, root: &Value) -> Option<String> {
    let schema = reference::follow(schema, root);
    if let Some(value) = schema.get("const") {
        return Some(value.to_string());
    }
    if let Some(values) = schema.get("enum") {
        return values.as_array().map(|values| one_of(values));
    }
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    let branches = branches.filter(|branches| are_values(Some(branches)))?.as_array()?;
    Some(branches::describe(branches, root))
}

/// Returns `true` if each branch of a union is a value, or a list of values.
fn are_values(branches: Option<&Value>) -> bool {
    let is_value = |branch: &Value| branch.get("const").or_else(|| branch.get("enum")).is_some();
    branches.and_then(Value::as_array).is_some_and(|branches| branches.iter().all(is_value))
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
        ErrorKind::Enum(values) => format!("expected {}, got {}", one_of(values), another(error.actual, values)),
        ErrorKind::Const(value) => {
            format!("expected {value}, got {}", another(error.actual, std::slice::from_ref(value)))
        }
        ErrorKind::Bound(message) | ErrorKind::Other(message) => message.clone(),
        _ => "does not match the published schema".to_owned(),
    }
}

/// Describes a value that is none of those expected: "another string", or "a string" if no string is expected.
fn another(actual: &str, expected: &[Value]) -> String {
    let has_same_type = expected.iter().any(|value| match value {
        Value::Null => false,
        Value::Bool(_) => actual == "a boolean",
        Value::Number(_) => actual.starts_with("an integer") || actual == "a number",
        Value::String(_) => actual == "a string",
        Value::Array(_) => actual == "an array",
        Value::Object(_) => actual == "an object",
    });
    match actual.strip_prefix("an ").or_else(|| actual.strip_prefix("a ")) {
        Some(kind) if has_same_type => format!("another {kind}"),
        _ => actual.to_owned(),
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader;
    use crate::schema::validate::CompiledSchema;

    fn found(schema: &Value, value: &Value) -> Vec<Violation> {
        let compiled = CompiledSchema::new(schema).expect("a schema");
        let document = reader::read_value(value).expect("a document");
        compiled.violations(document.root(), schema)
    }

    #[test]
    fn a_value_of_an_expected_type_is_another_one() {
        for (expected, value, message) in [
            (json!([true]), json!(false), "expected true, got another boolean"),
            (json!([true]), json!("x"), "expected true, got a string"),
            (json!([1, 2]), json!(3), "expected one of 1, 2, got another integer"),
            (json!([1]), json!(1.5), "expected 1, got another number"),
            (json!([1]), json!([]), "expected 1, got an array"),
            (json!(["a"]), json!("b"), "expected \"a\", got another string"),
            (json!([[1]]), json!([]), "expected [1], got another array"),
            (json!([[1]]), json!({}), "expected [1], got an object"),
            (json!([{"a": 1}]), json!({}), "expected {\"a\":1}, got another object"),
            (json!([{"a": 1}]), json!(true), "expected {\"a\":1}, got a boolean"),
            (json!([null]), json!(1), "expected null, got an integer"),
        ] {
            let found = found(&json!({ "enum": expected }), &value);
            assert_eq!(found, [Violation::root(message)]);
        }
    }

    #[test]
    fn an_object_that_no_form_accepts_is_another_object_if_one_form_is_an_object() {
        let (object, text) = (json!({"required": ["id"]}), json!({"type": "string"}));
        for (branches, actual, message) in [
            ([&object, &text], "an object", "expected {\"id\": …} or a string, got another object"),
            ([&object, &text], "an array", "expected {\"id\": …} or a string, got an array"),
            ([&text, &text], "an object", "expected a string, got an object"),
        ] {
            let violation = no_branch(Path::default(), &branches.map(Clone::clone), &json!({}), actual);
            assert_eq!(violation, Violation::root(message));
        }
    }

    #[test]
    fn a_name_that_is_refused_is_reported_with_the_reason() {
        let found = found(&json!({"propertyNames": {"maxLength": 3}}), &json!({"abc": 1, "label": 2}));
        let message = "the name is not allowed: expected at most 3 characters";
        assert_eq!(found, [Violation::new(Path::default().property("label"), message)]);
    }

    #[test]
    fn the_unknown_properties_of_all_objects_count_for_one_limit() {
        let object: Value = (0..20).map(|at| (format!("p{at}"), json!(at))).collect();
        let found = found(&json!({"items": {"additionalProperties": false}}), &json!([object, object]));
        assert_eq!(found.len(), MAX_FOUND);
        assert!(found.iter().all(|violation| violation.is_unknown_property));
    }
}
