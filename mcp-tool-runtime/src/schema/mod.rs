//! The JSON Schemas of a tool: what is published for a client, and what the dispatcher enforces.
//!
//! What is published and what is enforced must be the same (rule T17). Everything here runs while a dispatcher is
//! built. The crate `mcp-tool-schema` checks documents.
//!
//! - This file asks schemars for the schema of a type, and [`normalise`] rewrites it. A hand-written schema is never
//!   rewritten (rule T15).
//! - [`check`] reports what `build()` refuses, in derived and in hand-written schemas.
//! - [`project`] adapts an output schema to a protocol version, and replaces references.
//!
//! Imports no other module. Code that reads any schema, not only that of a tool, is in `mcp-tool-schema`.

pub(crate) mod check;
pub(crate) mod normalise;
pub(crate) mod project;

use normalise::NullablePlace;
use schemars::generate::{Contract, SchemaSettings};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

pub(crate) use mcp_tool_schema::{accepted, branch, pattern, reference, walk};

/// The keyword that marks a [`Cursor`](crate::Cursor) in a derived schema. It is removed before the schema is
/// published.
pub(crate) const CURSOR: &str = "x-mcp-tool-cursor";

/// The keyword that marks an argument that clients also send as an HTTP header. It is part of MCP, not of JSON Schema.
pub(crate) const HEADER: &str = "x-mcp-header";

#[cfg(test)]
mod tests;

/// What a schema describes: arguments, results or a user's answers. This decides how the schema is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Arguments: serde reads them, so the schema follows the deserialize contract.
    Input,
    /// Results: serde writes them, so the schema follows the serialize contract.
    Output,
    /// Answers of a user: like arguments, but the variants of an enum keep their descriptions, which become titles.
    Form,
}

/// Generates the schema of a tool's arguments (rule T10). The type is passed as a closure, so that nothing in this
/// crate is compiled again for each tool.
///
/// The schema refuses unknown arguments unless `allow_unknown` is set or the type itself accepts them (rule T1).
///
/// Also returns the properties whose type reads `null` although their schema does not accept it.
pub(crate) fn input(
    root: &mut dyn FnMut(&mut SchemaGenerator) -> Schema,
    allow_unknown: bool,
) -> (Value, Vec<NullablePlace>) {
    generate(Side::Input, allow_unknown, &mut |generator| Some(root(generator))).unwrap_or_default()
}

/// Generates the schema of a tool's result (rule T10). Returns `None` if the result has no schema.
pub(crate) fn output(root: &mut dyn FnMut(&mut SchemaGenerator) -> Option<Schema>) -> Option<Value> {
    Some(generate(Side::Output, false, root)?.0)
}

/// Generates the schema of a user's answer. The answer is an object with one property.
pub(crate) fn form(mut root: impl FnMut(&mut SchemaGenerator) -> Schema) -> Value {
    generate(Side::Form, false, &mut |generator| Some(root(generator))).unwrap_or_default().0
}

fn generate(
    side: Side,
    allow_unknown: bool,
    root: &mut dyn FnMut(&mut SchemaGenerator) -> Option<Schema>,
) -> Option<(Value, Vec<NullablePlace>)> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.contract = match side {
        Side::Input | Side::Form => Contract::Deserialize,
        Side::Output => Contract::Serialize,
    };
    let mut generator = settings.into_generator();
    let mut schema = root(&mut generator)?.to_value();
    let mut definitions = normalise::take_definitions(&mut schema);
    for (name, definition) in generator.take_definitions(true) {
        definitions.entry(name).or_insert(definition);
    }
    normalise::put_definitions(&mut schema, definitions);
    let nullable = normalise::run(&mut schema, side, allow_unknown);
    Some((schema, nullable))
}

/// Returns the keys of the object that is the value of a keyword such as `properties`. Returns none for other values.
pub(crate) fn keys<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s String> {
    walk::keyword(schema, keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys)
}

/// Returns `true` if the schema of an object requires the property with this name.
pub(crate) fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().into_iter().flatten().any(|required| required == name)
}

/// Makes the property with this name optional.
pub(crate) fn remove_required(schema: &mut Map<String, Value>, name: &str) {
    let Some(Value::Array(required)) = schema.get_mut("required") else { return };
    required.retain(|required| required != name);
    if required.is_empty() {
        schema.shift_remove("required");
    }
}
