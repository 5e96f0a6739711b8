//! Compiles each distinct schema once.
//!
//! Equal schemas are common: many tools have the same result type, and a service can be registered under several prefixes.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};
use serde_json::Value;

use super::CompiledSchema;

/// Compiles schemas and caches the compiled ones.
pub(crate) struct SchemaCompiler<'s>(HashMap<(SchemaKey<'s>, bool), Arc<CompiledSchema>>);

impl<'s> SchemaCompiler<'s> {
    /// Creates a compiler with room for the input and output schemas of this number of tools.
    pub(crate) fn with_capacity(tools: usize) -> Self {
        Self(HashMap::with_capacity(2 * tools))
    }

    /// Compiles a schema, or returns the result of an earlier call with an equal schema.
    pub(crate) fn compile(&mut self, schema: &'s Value, hand_written: bool) -> Result<Arc<CompiledSchema>, String> {
        Ok(match self.0.entry((SchemaKey(schema), hand_written)) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(new) => {
                let compile = if hand_written { CompiledSchema::of_hand_written } else { CompiledSchema::new };
                Arc::clone(new.insert(Arc::new(compile(schema)?)))
            }
        })
    }
}

/// A schema as a key of the cache.
///
/// Two keys are equal if their schemas have the same JSON text. Unlike the `==` of `Value`, this compares the order of properties,
/// because violations are reported in that order.
struct SchemaKey<'s>(&'s Value);

impl PartialEq for SchemaKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Value::Array(ours), Value::Array(theirs)) => ours.iter().map(SchemaKey).eq(theirs.iter().map(SchemaKey)),
            (Value::Object(ours), Value::Object(theirs)) => {
                let entry = |(key, value)| (key, SchemaKey(value));
                ours.iter().map(entry).eq(theirs.iter().map(entry))
            }
            // `0.0 == -0.0`, but their JSON texts differ.
            (Value::Number(ours), Value::Number(theirs)) => {
                ours == theirs && ours.as_f64().map(f64::to_bits) == theirs.as_f64().map(f64::to_bits)
            }
            (this, that) => this == that,
        }
    }
}

impl Eq for SchemaKey<'_> {}

impl Hash for SchemaKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Value::Null => state.write_u8(0),
            Value::Bool(flag) => flag.hash(state),
            Value::Number(number) => number.hash(state),
            Value::String(text) => text.hash(state),
            Value::Array(elements) => elements.iter().for_each(|element| SchemaKey(element).hash(state)),
            Value::Object(object) => {
                for (key, value) in object {
                    key.hash(state);
                    SchemaKey(value).hash(state);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_with_the_same_text_are_compiled_once() {
        let mut schemas = vec![
            json!({"type": "object", "properties": {"a": {"const": 1}, "b": {"enum": [null, true, "x", 2.5]}}}),
            json!({"type": "object", "properties": {"b": {"enum": [null, true, "x", 2.5]}, "a": {"const": 1}}}),
            json!({"type": "object", "properties": {"a": {"const": 1.0}, "b": {"enum": [null, true, "x", 2.5]}}}),
            json!({"type": "object", "properties": {"a": {"const": 1}, "b": {"enum": [null, true, "x"]}}}),
            json!({"type": "object", "properties": {"a": {"const": 1}}}),
            json!({"properties": {"a": {"const": 1}}, "type": "object"}),
            json!({"const": 0.0}),
            json!({"const": -0.0}),
        ];
        let count = schemas.len();
        schemas.extend(schemas.clone());
        let mut compiler = SchemaCompiler::with_capacity(schemas.len());
        let results: Vec<_> =
            schemas.iter().map(|schema| compiler.compile(schema, false).expect("it compiles")).collect();
        for (index, schema) in results.iter().enumerate() {
            let first = results.iter().position(|other| Arc::ptr_eq(schema, other));
            assert_eq!(first, Some(index % count), "{}", schemas[index]);
        }
    }
}
