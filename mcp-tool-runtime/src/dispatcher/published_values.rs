//! Checks the values that a tool publishes against its own schema: defaults and examples.

use serde_json::Value;

use crate::json::path::Step;
use crate::json::reader;
use mcp_tool_schema::Validator;

/// Returns an error for each value that the schema refuses.
pub(super) fn errors(compiled: &Validator, schema: &Value) -> Vec<String> {
    let mut errors = refused_defaults(compiled, schema);
    errors.extend(refused_examples(compiled, schema));
    errors.extend(refused_example_calls(compiled, schema));
    errors
}

/// Returns an error for each published default that the schema itself refuses.
fn refused_defaults(compiled: &Validator, schema: &Value) -> Vec<String> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let defaults = properties.filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone())));
    let defaults = Value::Object(defaults.collect());
    let errors = violations_of(compiled, schema, &defaults).into_iter();
    errors.map(|(path, text)| format!("the default of `{path}`: {text}")).collect()
}

/// Returns an error for each published example that the schema itself refuses.
fn refused_examples(compiled: &Validator, schema: &Value) -> Vec<String> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let examples = properties.filter_map(|(name, property)| Some((name, property.get("examples")?.as_array()?)));
    let single = examples.flat_map(|(name, examples)| examples.iter().map(move |example| (name, example)));
    let of_one = |(name, example): (&String, &Value)| {
        let given = Value::Object([(name.clone(), example.clone())].into_iter().collect());
        let errors = violations_of(compiled, schema, &given).into_iter();
        errors.map(|(path, text)| format!("the example of `{path}`, {example}: {text}")).collect::<Vec<_>>()
    };
    single.flat_map(of_one).collect()
}

/// Returns an error for each example of a whole call that the schema itself refuses.
fn refused_example_calls(compiled: &Validator, schema: &Value) -> Vec<String> {
    let examples = schema["examples"].as_array().into_iter().flatten();
    let of_one = |example: &Value| {
        let Ok(document) = reader::read_value(example) else {
            return vec![format!("the example {example} nests too deep")];
        };
        let errors = compiled.violations(document.root(), schema).into_iter();
        errors.map(|error| format!("the example {example}: {}: {}", error.path, error.message)).collect()
    };
    examples.flat_map(of_one).collect()
}

/// Validates some of the arguments alone, and ignores that others are missing.
fn violations_of(compiled: &Validator, schema: &Value, given: &Value) -> Vec<(String, String)> {
    if given.as_object().is_none_or(serde_json::Map::is_empty) {
        return Vec::new();
    }
    let Ok(document) = reader::read_value(given) else { return Vec::new() };
    let errors = compiled.violations(document.root(), schema).into_iter();
    let of_a_given = errors.filter(|error| {
        let first = error.path.steps().first();
        matches!(first, Some(Step::Key(name)) if given.get(&**name).is_some())
    });
    of_a_given.map(|error| (error.path.to_string(), error.message)).collect()
}
