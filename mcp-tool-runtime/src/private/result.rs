//! What the type of a result has to be able to do.

use std::borrow::Borrow;

use super::{JsonSchema, Schema, SchemaGenerator, Serialize};

/// A type that can be the structured value of a result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be sent as a structured value",
    note = "help: write `#[derive(serde::Serialize, schemars::JsonSchema)]` above it (schemars of version 1), or implement `mcp_tool_runtime::ToolOutput`",
    note = "help: a type of another crate: turn on its features `serde` and `schemars1`, or return a type of your own"
)]
pub trait StructuredOutput {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> StructuredOutput for T {}

/// A type that can be the value of a result whose schema is somebody else's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be sent as a value",
    note = "help: write `#[derive(serde::Serialize)]` above it, or implement `mcp_tool_runtime::ToolOutput`",
    note = "help: a type of another crate: turn on its feature `serde`, or return a type of your own"
)]
pub trait SentOutput {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> SentOutput for T {}

/// A type whose schema is published for the result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema to publish as the output of a tool",
    label = "does not implement `JsonSchema`",
    note = "help: write `#[derive(schemars::JsonSchema)]` above it (schemars of version 1)"
)]
pub trait DescribedOutput {
    fn describe(generator: &mut SchemaGenerator) -> Schema;
}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> DescribedOutput for T {
    fn describe(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A value, as the function of the key `text` takes it: a `String` also as `str`, a `Vec` as a slice.
#[diagnostic::on_unimplemented(
    message = "the function of `text` takes `&{V}`, and the result of the tool is `{Self}`",
    label = "not a function of the result",
    note = "help: write a function that takes `&{Self}` and returns a `String`"
)]
pub trait ReadAs<V: ?Sized> {
    fn read_as(&self) -> &V;
}

#[diagnostic::do_not_recommend]
impl<T: Borrow<V>, V: ?Sized> ReadAs<V> for T {
    fn read_as(&self) -> &V {
        self.borrow()
    }
}

/// What the function of the key `text` returns.
#[diagnostic::on_unimplemented(
    message = "the function of `text` returns `{Self}`, and the text beside a result is a `String`",
    label = "does not return a `String`",
    note = "help: write a function that takes `&T` and returns a `String`"
)]
pub trait TextOfResult {
    fn into_text(self) -> String;
}

impl TextOfResult for String {
    fn into_text(self) -> String {
        self
    }
}

/// The text that a function makes of a value.
pub fn text_of<T: ReadAs<V>, V: ?Sized, R: TextOfResult>(value: &T, text: impl FnOnce(&V) -> R) -> String {
    text(value.read_as()).into_text()
}
