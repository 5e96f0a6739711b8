//! Generates the published schema of a Rust type.
//!
//! The type is passed as a closure, so that nothing in this crate is compiled again for each tool.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Side, normalise};

/// Generates the schema of a tool's arguments (rule T10).
///
/// The schema refuses unknown arguments unless `allow_unknown` is set or the type itself accepts them (rule T1).
///
/// Also returns the JSON Pointers of the properties whose type reads a `null` that the schema does not publish.
pub(crate) fn input(root: &mut dyn FnMut(&mut SchemaGenerator) -> Schema, allow_unknown: bool) -> (Value, Vec<String>) {
    generate(Side::Input, allow_unknown, &mut |generator| Some(root(generator))).unwrap_or_default()
}

/// Generates the schema of a tool's result (rule T10), or `None` if the result has no schema.
pub(crate) fn output(root: &mut dyn FnMut(&mut SchemaGenerator) -> Option<Schema>) -> Option<Value> {
    Some(generate(Side::Output, false, root)?.0)
}

/// Generates the schema of an answer, an object with one property.
pub(crate) fn form(mut root: impl FnMut(&mut SchemaGenerator) -> Schema) -> Value {
    generate(Side::Form, false, &mut |generator| Some(root(generator))).unwrap_or_default().0
}

fn generate(
    side: Side,
    allow_unknown: bool,
    root: &mut dyn FnMut(&mut SchemaGenerator) -> Option<Schema>,
) -> Option<(Value, Vec<String>)> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.contract = match side {
        Side::Input | Side::Form => Contract::Deserialize,
        Side::Output => Contract::Serialize,
    };
    let mut generator = settings.into_generator();
    let mut schema = root(&mut generator)?.to_value();
    // Definitions that the root already has are kept.
    let mut definitions = normalise::take_definitions(&mut schema);
    for (name, definition) in generator.take_definitions(true) {
        definitions.entry(name).or_insert(definition);
    }
    normalise::put_definitions(&mut schema, definitions);
    let nullable = normalise::run(&mut schema, side, allow_unknown);
    Some((schema, nullable))
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
        let (input, _) = input(&mut Both::json_schema, false);
        assert_eq!(input["required"], json!(["read"]));
        let output = output(&mut |generator| Some(Both::json_schema(generator))).expect("a schema");
        assert_eq!(output["required"], json!(["written", "defaulted"]));
    }

    #[test]
    fn a_result_without_a_schema_has_none() {
        assert_eq!(output(&mut |_| None), None);
    }
}
