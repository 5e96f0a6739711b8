//! Turns the errors of `jsonschema` into violations for a model: what is expected and the type of the value, never the value
//! itself.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::branches;
use crate::document::json_pointer::unescape_token;
use crate::document::path::{Path, Step};
use crate::document::tape::View;
use crate::document::violation::{MAX_FOUND, Violation};

/// Returns the violations that the errors describe. Equal violations in a row are listed once.
pub(super) fn violations<'e>(
    errors: impl Iterator<Item = ValidationError<'e>>,
    document: View<'_>,
    schema: &Value,
) -> Vec<Violation> {
    let errors: Vec<_> = errors.take(MAX_ERRORS).collect();
    let mut violations = Vec::new();
    push_all(&mut violations, &errors, document, schema);
    violations.dedup();
    violations
}

/// The number of errors that are looked at. Several errors can be one violation.
const MAX_ERRORS: usize = 4 * MAX_FOUND;

/// Adds the violations of all errors. Bounds are skipped for a number of the wrong type, where they would only distract.
fn push_all(violations: &mut Vec<Violation>, errors: &[ValidationError<'_>], document: View<'_>, schema: &Value) {
    let has_wrong_type = |error: &ValidationError<'_>| {
        let is_type = |other: &&ValidationError<'_>| matches!(other.kind(), Kind::Type { .. });
        errors.iter().filter(is_type).any(|other| other.instance_path() == error.instance_path())
    };
    for error in errors {
        if violations.len() >= MAX_FOUND {
            return;
        }
        let is_bound = matches!(
            error.kind(),
            Kind::Minimum { .. }
                | Kind::Maximum { .. }
                | Kind::ExclusiveMinimum { .. }
                | Kind::ExclusiveMaximum { .. }
                | Kind::MultipleOf { .. }
        );
        if !(is_bound && has_wrong_type(error)) {
            push(violations, error, document, schema);
        }
    }
}

fn push(violations: &mut Vec<Violation>, error: &ValidationError<'_>, document: View<'_>, schema: &Value) {
    let (path, node) = locate(&error.instance_path().to_string(), document);
    let actual = node.map_or("nothing", View::describe_type);
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            violations.push(Violation::new(path.property(name), "required, but missing"));
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = known_properties(error, schema);
            for name in unexpected.iter().take(MAX_FOUND - violations.len()) {
                violations.push(Violation::unknown_property(&path, name, known.iter().copied()));
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            if let Some(errors) = branches::likely_errors(context, &error.instance_path().to_string()) {
                return push_all(violations, errors, document, schema);
            }
            let branches = schema.pointer(&error.schema_path().to_string()).and_then(Value::as_array);
            violations.push(no_branch(path, branches.map_or(&[][..], Vec::as_slice), schema, actual));
        }
        Kind::PropertyNames { error } => match error.instance().as_ref() {
            Value::String(name) => {
                violations.push(Violation::new(
                    path.property(name),
                    format!("the name is not allowed: {}", message(error.kind(), "a string")),
                ));
            }
            _ => violations.push(Violation::new(path, message(error.kind(), actual))),
        },
        kind => match unknown_property(&path, error, schema) {
            Some(unknown) => violations.push(unknown),
            None => violations.push(Violation::new(path, message(kind, actual))),
        },
    }
}

/// Returns the violation of a value that no branch of a union accepts.
pub(super) fn no_branch(path: Path, branches: &[Value], schema: &Value, actual: &str) -> Violation {
    let forms = branches::describe(branches, schema);
    let forms = if forms.is_empty() { "one of the published forms".to_owned() } else { forms };
    let actual = if forms.contains('{') && actual == "an object" { "another object" } else { actual };
    Violation::new(path, format!("expected {forms}, got {actual}"))
}

/// Returns the violation of a property that a closed object refuses. Below the root, `{"not": {}}` replaces the `false`
/// of `additionalProperties` (rule T4), so `jsonschema` reports a `not`.
fn unknown_property(path: &Path, error: &ValidationError<'_>, schema: &Value) -> Option<Violation> {
    let Kind::Not { schema: excluded } = error.kind() else { return None };
    let keyword = error.schema_path().to_string();
    let object = keyword.strip_suffix("/additionalProperties/not")?;
    let (Step::Key(name), above) = path.steps().split_last()? else { return None };
    if excluded.as_object().is_none_or(|excluded| !excluded.is_empty()) {
        return None;
    }
    let mut parent = Path::default();
    for step in above {
        parent.push(step.clone());
    }
    let properties = schema.pointer(object).and_then(|object| object["properties"].as_object());
    Some(Violation::unknown_property(&parent, name, properties.into_iter().flatten().map(|(name, _)| name.as_str())))
}

/// Returns the property names of the schema that refused a property.
fn known_properties<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Vec<&'s str> {
    let keyword = error.schema_path().to_string();
    let object = keyword.rsplit_once('/').and_then(|(object, _)| schema.pointer(object));
    let properties = object.and_then(|object| object["properties"].as_object());
    properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Returns the message for one kind of error. `actual` is the type of the value, such as "an array".
fn message(kind: &Kind, actual: &str) -> String {
    match kind {
        Kind::Type { kind } => format!("expected {}, got {actual}", types(kind)),
        Kind::Enum { options } => format!("expected {}, got {}", one_of(options), another(actual)),
        Kind::Constant { expected_value } => format!("expected {expected_value}, got {}", another(actual)),
        Kind::Minimum { limit } => format!("expected {limit} or more"),
        Kind::Maximum { limit } => format!("expected {limit} or less"),
        Kind::ExclusiveMinimum { limit } => format!("expected more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("expected less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("expected a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("expected at least {}", count(*limit, "character")),
        Kind::MaxLength { limit } => format!("expected at most {}", count(*limit, "character")),
        Kind::MinItems { limit } => format!("expected at least {}", count(*limit, "element")),
        Kind::MaxItems { limit } => format!("expected at most {}", count(*limit, "element")),
        Kind::AdditionalItems { limit } => format!("expected at most {}", count(*limit as u64, "element")),
        Kind::MinProperties { limit } => format!("expected at least {}", count(*limit, "property")),
        Kind::MaxProperties { limit } => format!("expected at most {}", count(*limit, "property")),
        Kind::UniqueItems => "expected no duplicate elements".to_owned(),
        Kind::Pattern { pattern } => format!("expected a string that matches {pattern}"),
        Kind::Format { format } => format!("expected a string of format {format}"),
        Kind::Contains => "expected at least one element that matches `contains`".to_owned(),
        Kind::OneOfMultipleValid { .. } => "expected exactly one of the published forms, but several match".to_owned(),
        Kind::Not { .. } => "expected a value that the schema does not exclude".to_owned(),
        Kind::FalseSchema => "no value is allowed here".to_owned(),
        Kind::UnevaluatedItems { .. } => "too many elements".to_owned(),
        other => format!("does not satisfy `{}`", other.keyword()),
    }
}

fn count(number: u64, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "property") => format!("{number} properties"),
        _ => format!("{number} {noun}s"),
    }
}

fn another(actual: &str) -> String {
    match actual.strip_prefix("an ").or_else(|| actual.strip_prefix("a ")) {
        Some(kind) => format!("another {kind}"),
        None => actual.to_owned(),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => type_name(*kind).to_owned(),
        TypeKind::Multiple(kinds) => kinds.iter().map(type_name).collect::<Vec<_>>().join(" or "),
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

/// Lists the first values of an `enum`.
fn one_of(options: &Value) -> String {
    const MAX_VALUES: usize = 20;
    let all = options.as_array().map_or(&[][..], Vec::as_slice);
    let mut text = all.iter().take(MAX_VALUES).map(Value::to_string).collect::<Vec<_>>().join(", ");
    if all.len() > MAX_VALUES {
        text.push_str(", …");
    }
    if all.len() == 1 { text } else { format!("one of {text}") }
}

/// Returns the path of a JSON Pointer, and the value there.
fn locate<'t>(pointer: &str, document: View<'t>) -> (Path, Option<View<'t>>) {
    let mut path = Path::default();
    let mut current = Some(document);
    for token in pointer.split('/').skip(1) {
        let token = unescape_token(token);
        if let Some(mut elements) = current.and_then(View::elements) {
            let index = token.parse().unwrap_or(usize::MAX);
            path.push(Step::Index(index));
            current = elements.nth(index);
        } else {
            current = current.and_then(|view| view.get(&token));
            path.push(Step::Key(token.into_owned()));
        }
    }
    (path, current)
}
