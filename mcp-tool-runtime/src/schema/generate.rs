//! From a Rust type to the schema that a client reads.
//!
//! The type comes as a closure, so that nothing in this crate is compiled once per tool.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::{Side, normalise};

/// The schema of a tool's arguments, from the deserialise contract (rule T10).
///
/// Always closed against unknown arguments unless `allow_unknown` or the type itself takes any (rule T1).
pub(crate) fn input(root: &mut dyn FnMut(&mut SchemaGenerator) -> Schema, allow_unknown: bool) -> Map<String, Value> {
    let mut generator = generator(Side::Input);
    let schema = root(&mut generator);
    let mut schema = with_definitions(schema, &mut generator);
    normalise::run(&mut schema, Side::Input, allow_unknown);
    match schema {
        Value::Object(schema) => schema,
        // Normalising leaves no boolean at the root.
        _ => Map::new(),
    }
}

/// The schema of a tool's result, from the serialise contract (rule T10); `None` when the result has no schema.
pub(crate) fn output(root: &mut dyn FnMut(&mut SchemaGenerator) -> Option<Schema>) -> Option<Value> {
    let mut generator = generator(Side::Output);
    let schema = root(&mut generator)?;
    let mut schema = with_definitions(schema, &mut generator);
    normalise::run(&mut schema, Side::Output, false);
    Some(schema)
}

fn generator(side: Side) -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.contract = match side {
        Side::Input => Contract::Deserialize,
        Side::Output => Contract::Serialize,
    };
    settings.into_generator()
}

/// Attaches the definitions that the root refers to. A root that came with its own keeps them.
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
    fn each_side_has_its_contract() {
        let input = Value::Object(input(&mut Both::json_schema, false));
        assert_eq!(input["required"], json!(["read"]));
        let output = output(&mut |generator| Some(Both::json_schema(generator))).expect("a schema");
        assert_eq!(output["required"], json!(["written", "defaulted"]));
    }

    #[test]
    fn no_schema_stays_none() {
        assert_eq!(output(&mut |_| None), None);
    }
}
