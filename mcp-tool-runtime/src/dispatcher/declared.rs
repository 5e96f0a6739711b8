//! Checks further declarations of a tool: that its defaults and examples match its own schema, that its `_meta` keys are
//! valid, and that its signature has no types of the crate `rmcp` that would mean something else here.

use mcp_tool_schema::Validator;
use serde_json::{Map, Value};

use crate::json::path::Step;
use crate::json::reader;
use crate::json::violation::Violation;
use crate::tool::metadata::ToolMetadata;

/// Returns an error for each default and example that the tool's own schema refuses.
pub(super) fn refused_values(compiled: &Validator, schema: &Value) -> Vec<String> {
    let properties = || schema["properties"].as_object().into_iter().flatten();
    let defaults = properties().filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone())));
    let refused = violations_of(compiled, schema, defaults.collect()).into_iter();
    let mut errors: Vec<_> =
        refused.map(|error| format!("the default of `{}`: {}", error.path, error.message)).collect();
    for (name, property) in properties() {
        for example in property["examples"].as_array().into_iter().flatten() {
            let given = Map::from_iter([(name.clone(), example.clone())]);
            let refused = violations_of(compiled, schema, given).into_iter();
            let written = |error: Violation| format!("the example of `{}`, {example}: {}", error.path, error.message);
            errors.extend(refused.map(written));
        }
    }
    for example in schema["examples"].as_array().into_iter().flatten() {
        let Ok(document) = reader::read_value(example) else {
            errors.push(format!("the example {example} nests too deep"));
            continue;
        };
        let refused = compiled.violations(document.root(), schema).into_iter();
        errors.extend(refused.map(|error| format!("the example {example}: {}: {}", error.path, error.message)));
    }
    errors
}

/// Validates only the given arguments, and ignores that the other arguments are missing.
fn violations_of(compiled: &Validator, schema: &Value, given: Map<String, Value>) -> Vec<Violation> {
    if given.is_empty() {
        return Vec::new();
    }
    let given = Value::Object(given);
    let Ok(document) = reader::read_value(&given) else { return Vec::new() };
    let mut violations = compiled.violations(document.root(), schema);
    let is_of_a_given = |step: Option<&Step>| matches!(step, Some(Step::Key(name)) if given.get(&**name).is_some());
    violations.retain(|error| is_of_a_given(error.path.steps().first()));
    violations
}

/// Returns an error if a `_meta` key does not have the syntax that the protocol defines, or has a reserved prefix.
pub(super) fn key_error(key: &str) -> Option<String> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let is_end = |c: char| c.is_ascii_alphanumeric();
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_valid = name.is_empty() || name.starts_with(is_end) && name.ends_with(is_end) && name.bytes().all(is_inner);
    if !is_valid {
        return Some(format!(
            "the `_meta` key `{key}` is not valid: its name may have letters and digits, and `-_.` between them"
        ));
    }
    prefix.and_then(prefix_error)
}

fn prefix_error(prefix: &str) -> Option<String> {
    let labels: Vec<_> = prefix.split('.').collect();
    let is_label = |label: &&str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !labels.iter().all(is_label) {
        return Some(format!(
            "the prefix `{prefix}` is not valid: write labels separated by dots, each a letter followed by letters, digits \
             or hyphens"
        ));
    }
    let is_reserved = labels.get(1).is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(label));
    is_reserved.then(|| format!("the prefix `{prefix}` is reserved by the protocol"))
}

/// Returns an error for each rmcp type in a tool's signature that would compile, but would have another meaning here.
///
/// The macros report such a type only if the signature spells its name. `build` also finds it behind an alias, and in
/// every version of rmcp, because the name of a type does not contain the version.
pub(super) fn rmcp_types(metadata: &ToolMetadata) -> Vec<String> {
    let mut errors = Vec::new();
    for (parameter, type_name) in metadata.argument_types {
        let name = type_name();
        let advice = match of_rmcp(name) {
            Some("Parameters") => "mark it with `#[mcp_tool(arguments)]`, and write the type inside",
            Some("Meta" | "MetaObject" | "RequestMetaObject") => {
                "take `#[mcp_tool(context)] cx: &CallContext`, and read `cx.meta()`"
            }
            _ => continue,
        };
        errors.push(format!("`{parameter}` is of type `{name}`, and here it would be one argument: {advice}"));
    }
    if let Some(name) = metadata.results.structured
        && let Some("CallToolResult" | "CallToolResponse" | "Content" | "ContentBlock" | "Annotated") = of_rmcp(name)
    {
        errors.push(format!(
            "its result is of type `{name}`, and here it would be a structured value: return the value itself, or `Vec<Content>` \
             with the `Content` of this library"
        ));
    }
    if let Some(name) = metadata.results.masked_error
        && of_rmcp(name) == Some("ErrorData")
    {
        errors.push(format!(
            "its error is of type `{name}`, and a model would not read its message: return a `ToolError`, or an error with \
             `#[derive(IntoToolError)]`"
        ));
    }
    errors
}

/// Finds the first rmcp type in a type's name, and returns the last segment of its path: `Content` for
/// `alloc::vec::Vec<rmcp::model::Content>`.
fn of_rmcp(name: &str) -> Option<&str> {
    let start = name
        .find("rmcp::")
        .filter(|start| !name[..*start].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))?;
    let path = name[start..].split(['<', '>', ',', ' ', ')', ']', ';']).next()?;
    path.rsplit("::").next()
}

#[cfg(test)]
mod tests {
    use super::of_rmcp;

    #[test]
    fn only_types_of_rmcp_are_found() {
        assert_eq!(of_rmcp("rmcp::model::ErrorData"), Some("ErrorData"));
        assert_eq!(of_rmcp("alloc::vec::Vec<rmcp::model::content::ContentBlock>"), Some("ContentBlock"));
        assert_eq!(of_rmcp("rmcp::handler::server::wrapper::Parameters<app::Query>"), Some("Parameters"));
        assert_eq!(of_rmcp("app::rmcp::Json<app::Query>"), None);
        assert_eq!(of_rmcp("my_rmcp::model::ErrorData"), None);
        assert_eq!(of_rmcp("app::ErrorData"), None);
    }
}
