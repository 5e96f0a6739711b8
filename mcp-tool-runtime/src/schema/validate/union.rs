//! A value that fits no branch of a union: the faults of the branch that was meant, or else what the branches are.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use crate::schema::reference;

/// The errors of the one branch that the value was meant for, if that can be told.
///
/// A branch of another type, or with another tag, was not meant. Of several that are left the one that misses least
/// was, if there is one such.
pub(super) fn meant<'c, 'e>(branches: &'c [Vec<ValidationError<'e>>], here: &str) -> Option<&'c [ValidationError<'e>]> {
    let possible: Vec<_> = branches.iter().filter(|errors| !errors.iter().any(|error| excludes(error, here))).collect();
    // That a member is missing, or too many, says more against a branch than that a member is wrong.
    let misses = |errors: &[ValidationError<'_>]| {
        let shape = |error: &&ValidationError<'_>| {
            matches!(
                error.kind(),
                ValidationErrorKind::Required { .. } | ValidationErrorKind::AdditionalProperties { .. }
            )
        };
        (errors.iter().filter(shape).count(), errors.len())
    };
    let least = possible.iter().map(|errors| misses(errors)).min()?;
    let mut fewest = possible.iter().filter(|errors| misses(errors) == least);
    match (fewest.next(), fewest.next()) {
        (Some(errors), None) if !errors.is_empty() => Some(errors),
        _ => None,
    }
}

/// Whether an error shows that the branch is for another kind of value: its type is another, or its tag is.
fn excludes(error: &ValidationError<'_>, here: &str) -> bool {
    let at = error.instance_path().to_string();
    let depth = at.strip_prefix(here).map_or(usize::MAX, |below| below.matches('/').count());
    match error.kind() {
        ValidationErrorKind::Type { .. } => depth == 0,
        ValidationErrorKind::Constant { .. } => depth <= 1,
        ValidationErrorKind::Enum { options } => {
            depth == 0 || depth == 1 && options.as_array().is_some_and(|all| all.len() == 1)
        }
        _ => false,
    }
}

/// The branches of a union in a few words each: `{"id": …}`, `"none"`, `an array`.
pub(super) fn forms(branches: &[Value], schema: &Value) -> String {
    const SHOWN: usize = 8;
    let mut forms: Vec<_> = branches.iter().map(|branch| form(branch, schema)).collect();
    forms.dedup();
    let more = forms.len() > SHOWN;
    forms.truncate(SHOWN);
    forms.join(" or ") + if more { " or another form" } else { "" }
}

fn form(branch: &Value, root: &Value) -> String {
    let target = branch["$ref"].as_str().and_then(|to| reference::resolve(root, to));
    let branch = target.unwrap_or(branch);
    if let Some(value) = branch.get("const") {
        return value.to_string();
    }
    if let Some(values) = branch["enum"].as_array().filter(|values| values.len() <= 8) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ");
    }
    let members = branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let member = |name: &str| match branch["properties"][name].get("const") {
        Some(value) => format!("\"{name}\": {value}"),
        None => format!("\"{name}\": …"),
    };
    let members: Vec<_> = members.map(member).collect();
    if !members.is_empty() {
        return format!("{{{}}}", members.join(", "));
    }
    if let Some(format) = branch["format"].as_str() {
        return format!("a string of format {format}");
    }
    match branch["type"].as_str() {
        Some("array") => "an array".to_owned(),
        Some("boolean") => "a boolean".to_owned(),
        Some("integer") => "an integer".to_owned(),
        Some("null") => "null".to_owned(),
        Some("number") => "a number".to_owned(),
        Some("object") => "an object".to_owned(),
        Some("string") => "a string".to_owned(),
        _ => "another form".to_owned(),
    }
}
