//! Generates the published schema of a Rust type.
//!
//! The type is passed as a closure, so that nothing in this crate is compiled again for each tool.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::{Side, normalise};

/// Generates the schema of a tool's arguments (rule T10).
///
/// The schema refuses unknown arguments unless `allow_unknown` is set or the type itself accepts them (rule T1).
pub(crate) fn input(root: &mut dyn FnMut(&mut SchemaGenerator) -> Schema, allow_unknown: bool) -> Map<String, Value> {
    let mut generator = generator(Side::Input);
    let schema = root(&mut generator);
    let mut schema = with_definitions(schema, &mut generator);
    normalise::run(&mut schema, Side::Input, allow_unknown);
    match schema {
        Value::Object(schema) => schema,
        // Normalised arguments are never a boolean schema.
        _ => Map::new(),
    }
}

/// Generates the schema of a tool's result (rule T10), or `None` if the result has no schema.
pub(crate) fn output(root: &mut dyn FnMut(&mut SchemaGenerator) -> Option<Schema>) -> Option<Value> {
    let mut generator = generator(Side::Output);
    let schema = root(&mut generator)?;
    let mut schema = with_definitions(schema, &mut generator);
    normalise::run(&mut schema, Side::Output, false);
    Some(schema)
}

/// Generates the schema of an answer, an object with one property.
pub(crate) fn form(root: impl FnOnce(&mut SchemaGenerator) -> Schema) -> Value {
    let mut generator = generator(Side::Form);
    let schema = root(&mut generator);
    let mut schema = with_definitions(schema, &mut generator);
    normalise::run(&mut schema, Side::Form, false);
    schema
}

fn generator(side: Side) -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.contract = match side {
        Side::Input | Side::Form => Contract::Deserialize,
        Side::Output => Contract::Serialize,
    };
    settings.into_generator()
}

/// Adds the definitions that the root refers to. Definitions that the root already has are kept.
fn with_definitions(root: Schema, generator: &mut SchemaGenerator) -> Value {
    let mut root = root.to_value();
    let definitions = generator.take_definitions(true);
    if let Some(root) = root.as_object_mut()
        && !definitions.is_empty()
        && let Value::Object(own) = root.entry("$defs").or_insert_with(|| Map::new().into())
    {
        for (name, definition) in definitions {
            own.entry(name).or_insert(definition);
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Both {
        #[serde(rename(serialize = "written", deserialize = "read"))]
        value: u8,
        #[serde(default)]
        defaulted: bool,
    }

    #[test]
    fn input_uses_the_deserialize_contract_and_output_the_serialize_contract() {
        let input = Value::Object(input(&mut Both::json_schema, false));
        assert_eq!(input["required"], json!(["read"]));
        let output = output(&mut |generator| Some(Both::json_schema(generator))).expect("a schema");
        assert_eq!(output["required"], json!(["written", "defaulted"]));
    }

    #[test]
    fn a_result_without_a_schema_has_none() {
        assert_eq!(output(&mut |_| None), None);
    }
}
