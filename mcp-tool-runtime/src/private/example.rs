//! Examples of arguments, and of whole calls. `build` checks them against the published schema.

use serde::Serialize;
use serde_json::Value;

use super::Schema;
use super::default::property_of;

/// A value that can be written into a schema.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be an example",
    label = "does not implement `Serialize`",
    note = "help: write `#[derive(serde::Serialize)]` above the type, or write the example with `serde_json::json!`"
)]
pub trait ExampleValue {
    fn into_json(self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<E: Serialize> ExampleValue for E {
    /// A value that is not JSON becomes `null`, which `build` reports.
    fn into_json(self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Returns an example as JSON.
pub fn example<E: ExampleValue>(example: E) -> Value {
    example.into_json()
}

/// Adds an example of one argument.
pub fn add_example(schema: &mut Schema, property: &str, example: Value) {
    if let Some(property) = property_of(schema, property)
        && let Some(examples) = property.entry("examples").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
    {
        examples.push(example);
    }
}

/// Adds an example of a whole call. An argument without a name is an object, whose properties are arguments.
pub fn add_example_call<const N: usize>(schema: &mut Schema, arguments: [(Option<&str>, Value); N]) {
    let mut call = serde_json::Map::new();
    for argument in arguments {
        match argument {
            (Some(name), value) => _ = call.insert(name.to_owned(), value),
            (None, Value::Object(properties)) => call.extend(properties),
            (None, _) => {}
        }
    }
    let examples = schema.ensure_object().entry("examples").or_insert_with(|| Value::Array(Vec::new()));
    if let Some(examples) = examples.as_array_mut() {
        examples.push(call.into());
    }
}
