//! Whole calls as examples of a tool's arguments.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Schema;

/// The type of a parameter, created from a value of type `V`: the type itself, or the inner type of an `Option`.
#[diagnostic::on_unimplemented(
    message = "the example is of type `{V}`, the parameter of type `{Self}`",
    label = "not of the parameter's type",
    note = "help: write a value of the parameter's type, or of the type in its `Option`"
)]
pub trait FromExample<V> {
    fn from_example(value: V) -> Self;
}

impl<T> FromExample<T> for T {
    fn from_example(value: T) -> T {
        value
    }
}

impl<T> FromExample<T> for Option<T> {
    fn from_example(value: T) -> Option<T> {
        Some(value)
    }
}

/// A type that can be created from an example that is a string literal.
#[diagnostic::on_unimplemented(
    message = "the example is a string literal, and `{Self}` cannot be created from one",
    label = "does not implement `From<&str>`",
    note = "help: write a value of the parameter's type"
)]
pub trait ExampleText {
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> ExampleText for T {
    fn from_text(text: &'static str) -> T {
        T::from(text)
    }
}

/// A value that can be published as an example.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be published in an example",
    label = "does not implement `Serialize`",
    note = "help: write `#[derive(serde::Serialize)]` above it"
)]
pub trait ExampleValue {
    fn to_json(&self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ExampleValue for T {
    fn to_json(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

/// The arguments of one example. `build` checks them.
#[derive(Debug, Default)]
pub struct ExampleCall(Map<String, Value>);

impl ExampleCall {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an argument. A value that is not JSON becomes `null`, which `build` reports.
    pub fn argument<T: ExampleValue>(&mut self, name: &str, value: &T) {
        self.0.insert(name.to_owned(), value.to_json().unwrap_or_default());
    }

    /// Adds all properties of a value.
    pub fn all_of<T: ExampleValue>(&mut self, value: &T) {
        if let Some(Value::Object(properties)) = value.to_json() {
            self.0.extend(properties);
        }
    }

    /// Adds the example to the schema of the arguments. A `null` for an optional argument means that it is absent.
    pub fn publish(mut self, schema: &mut Schema) {
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        self.0.retain(|name, value| !value.is_null() || required.iter().any(|required| required == name));
        let schema = schema.ensure_object();
        if let Value::Array(examples) = schema.entry("examples").or_insert_with(|| Vec::<Value>::new().into()) {
            examples.push(self.0.into());
        }
    }
}
