//! Explains a value that no branch of a union accepts: by the errors of the most likely branch, or by listing the branches.

use serde_json::Value;

use super::errors::{Error, Errors};
use crate::schema::reference;

/// Returns the errors of the branch that the value is most likely meant for, or `None` if several are equally likely.
///
/// Branches of another type or with another tag are excluded. Of the rest, the branch with the fewest errors is chosen.
pub(super) fn likely_errors<'b, 'c>(branches: &'b [Errors<'c>]) -> Option<&'b [Error<'c>]> {
    let possible = || branches.iter().filter(|errors| !errors.is_excluded);
    // A missing or unknown property counts more against a branch than an invalid value.
    let distance = |errors: &Errors<'_>| (errors.about_names, errors.count);
    let least = possible().map(distance).min()?;
    let mut nearest = possible().filter(|errors| distance(errors) == least);
    match (nearest.next(), nearest.next()) {
        (Some(errors), None) if !errors.kept.is_empty() => Some(&errors.kept),
        _ => None,
    }
}

/// Describes the branches of a union: `{"id": …} or "none" or an array`.
pub(super) fn describe(branches: &[Value], schema: &Value) -> String {
    const MAX_FORMS: usize = 8;
    let mut forms: Vec<_> = branches.iter().map(|branch| describe_branch(branch, schema)).collect();
    forms.dedup();
    let has_more = forms.len() > MAX_FORMS;
    forms.truncate(MAX_FORMS);
    forms.join(" or ") + if has_more { " or another form" } else { "" }
}

fn describe_branch(branch: &Value, root: &Value) -> String {
    let target = branch["$ref"].as_str().and_then(|to| reference::resolve(root, to));
    let branch = target.unwrap_or(branch);
    if let Some(value) = branch.get("const") {
        return value.to_string();
    }
    if let Some(values) = branch["enum"].as_array().filter(|values| values.len() <= 8) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ");
    }
    let required = branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let property = |name: &str| match branch["properties"][name].get("const") {
        Some(value) => format!("\"{name}\": {value}"),
        None => format!("\"{name}\": …"),
    };
    let properties: Vec<_> = required.map(property).collect();
    if !properties.is_empty() {
        return format!("{{{}}}", properties.join(", "));
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
