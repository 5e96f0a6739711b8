//! A validator's errors in words for a model: what was expected, never what came.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::union;
use crate::document::json_pointer::unescape_token;
use crate::document::path::{Path, Step};
use crate::document::tape::View;
use crate::document::violation::Violation;

/// The faults that the errors speak of, each place and text once.
pub(super) fn faults<'e>(
    errors: impl Iterator<Item = ValidationError<'e>>,
    document: View<'_>,
    schema: &Value,
) -> Vec<Violation> {
    let errors: Vec<_> = errors.take(MOST).collect();
    let mut faults = Vec::new();
    push_all(&mut faults, &errors, document, schema);
    faults.dedup();
    faults
}

/// Where looking for more faults would only cost time: a model mends what it is shown and calls again.
pub(super) const MOST: usize = 100;

/// Of a number of the wrong kind it is not said besides that it is too large, or too small.
fn push_all(faults: &mut Vec<Violation>, errors: &[ValidationError<'_>], document: View<'_>, schema: &Value) {
    let of_another_type = |error: &ValidationError<'_>| {
        let is_type = |other: &&ValidationError<'_>| matches!(other.kind(), Kind::Type { .. });
        errors.iter().filter(is_type).any(|other| other.instance_path() == error.instance_path())
    };
    for error in errors {
        let is_bound = matches!(
            error.kind(),
            Kind::Minimum { .. }
                | Kind::Maximum { .. }
                | Kind::ExclusiveMinimum { .. }
                | Kind::ExclusiveMaximum { .. }
                | Kind::MultipleOf { .. }
        );
        if !(is_bound && of_another_type(error)) {
            push(faults, error, document, schema);
        }
    }
}

fn push(faults: &mut Vec<Violation>, error: &ValidationError<'_>, document: View<'_>, schema: &Value) {
    let (path, node) = locate(&error.instance_path().to_string(), document);
    let came = node.map_or("nothing", View::describe_type);
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            faults.push(Violation::new(path.property(name), "required, but missing"));
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = siblings(error, schema);
            for name in unexpected {
                faults.push(Violation::unknown_property(&path, name, known.iter().copied()));
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            if let Some(errors) = union::meant(context, &error.instance_path().to_string()) {
                return push_all(faults, errors, document, schema);
            }
            let branches = schema.pointer(&error.schema_path().to_string()).and_then(Value::as_array);
            faults.push(no_branch(path, branches.map_or(&[][..], Vec::as_slice), schema, came));
        }
        Kind::PropertyNames { error } => match error.instance().as_ref() {
            Value::String(name) => {
                faults.push(Violation::new(
                    path.property(name),
                    format!("as a name, {}", text(error.kind(), "a string")),
                ));
            }
            _ => faults.push(Violation::new(path, text(error.kind(), came))),
        },
        kind => match closed(&path, error, schema) {
            Some(unknown) => faults.push(unknown),
            None => faults.push(Violation::new(path, text(kind, came))),
        },
    }
}

/// The fault of a value that fits no branch of a union.
pub(super) fn no_branch(path: Path, branches: &[Value], schema: &Value, came: &str) -> Violation {
    let forms = union::forms(branches, schema);
    let forms = if forms.is_empty() { "one of the published forms".to_owned() } else { forms };
    let came = if forms.contains('{') && came == "an object" { "another object" } else { came };
    Violation::new(path, format!("expected {forms}, got {came}"))
}

/// The fault of a member below the root that a closed object refuses: there `false` is written `{"not": {}}` (rule T4).
fn closed(path: &Path, error: &ValidationError<'_>, schema: &Value) -> Option<Violation> {
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

/// The names that the schema knows beside the keyword that refused one.
fn siblings<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Vec<&'s str> {
    let keyword = error.schema_path().to_string();
    let object = keyword.rsplit_once('/').and_then(|(object, _)| schema.pointer(object));
    let properties = object.and_then(|object| object["properties"].as_object());
    properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// What was expected, and the kind of thing that came where that is the fault.
fn text(kind: &Kind, came: &str) -> String {
    match kind {
        Kind::Type { kind } => format!("expected {}, got {came}", types(kind)),
        Kind::Enum { options } => format!("expected {}, got {}", one_of(options), another(came)),
        Kind::Constant { expected_value } => format!("expected {expected_value}, got {}", another(came)),
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
        Kind::MinProperties { limit } => format!("expected at least {}", count(*limit, "member")),
        Kind::MaxProperties { limit } => format!("expected at most {}", count(*limit, "member")),
        Kind::UniqueItems => "expected no element twice".to_owned(),
        Kind::Pattern { pattern } => format!("expected a string that matches {pattern}"),
        Kind::Format { format } => format!("expected a string of format {format}"),
        Kind::Contains => "expected an element that is missing".to_owned(),
        Kind::OneOfMultipleValid { .. } => "expected just one of the published forms, got several at once".to_owned(),
        Kind::Not { .. } => "expected anything but what the schema excludes".to_owned(),
        Kind::FalseSchema => "expected nothing here".to_owned(),
        Kind::UnevaluatedItems { .. } => "expected fewer elements".to_owned(),
        other => format!("does not satisfy `{}`", other.keyword()),
    }
}

fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn another(came: &str) -> String {
    match came.strip_prefix("an ").or_else(|| came.strip_prefix("a ")) {
        Some(kind) => format!("another {kind}"),
        None => came.to_owned(),
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

/// The published values, as many as a message bears.
fn one_of(options: &Value) -> String {
    const SHOWN: usize = 20;
    let all = options.as_array().map_or(&[][..], Vec::as_slice);
    let mut text = all.iter().take(SHOWN).map(Value::to_string).collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN {
        text.push_str(", …");
    }
    if all.len() == 1 { text } else { format!("one of {text}") }
}

/// The path of a JSON pointer, and the value there.
fn locate<'t>(pointer: &str, document: View<'t>) -> (Path, Option<View<'t>>) {
    let mut path = Path::default();
    let mut here = Some(document);
    for token in pointer.split('/').skip(1) {
        let token = unescape_token(token);
        if let Some(mut elements) = here.and_then(View::elements) {
            let index = token.parse().unwrap_or(usize::MAX);
            path.push(Step::Index(index));
            here = elements.nth(index);
        } else {
            here = here.and_then(|view| view.get(&token));
            path.push(Step::Key(token.into_owned()));
        }
    }
    (path, here)
}
