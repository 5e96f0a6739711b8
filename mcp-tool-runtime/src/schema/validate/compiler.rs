//! Compiles schemas, each distinct schema once.
//!
//! Many tools have the same result type, and a service can be registered under several prefixes.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};
use serde_json::Value;

use super::CompiledSchema;

/// Compiles schemas and caches the compiled ones.
pub(crate) struct SchemaCompiler<'s>(HashMap<WrittenSchema<'s>, Arc<CompiledSchema>>);

impl<'s> SchemaCompiler<'s> {
    /// Creates a compiler for this number of tools.
    pub(crate) fn with_capacity(tools: usize) -> Self {
        Self(HashMap::with_capacity(2 * tools))
    }

    /// Returns the compiled schema.
    pub(crate) fn compile(&mut self, schema: &'s Value) -> Result<Arc<CompiledSchema>, String> {
        Ok(match self.0.entry(WrittenSchema(schema)) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(new) => Arc::clone(new.insert(Arc::new(CompiledSchema::new(schema)?))),
        })
    }
}

/// A schema that is compared as it is written.
///
/// The order of properties matters, unlike for `Value`, because violations are reported in that order.
struct WrittenSchema<'s>(&'s Value);

impl PartialEq for WrittenSchema<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Value::Array(ours), Value::Array(theirs)) => {
                ours.iter().map(WrittenSchema).eq(theirs.iter().map(WrittenSchema))
            }
            (Value::Object(ours), Value::Object(theirs)) => {
                let written = |(key, value)| (key, WrittenSchema(value));
                ours.iter().map(written).eq(theirs.iter().map(written))
            }
            // The two zeros are equal but written differently.
            (Value::Number(ours), Value::Number(theirs)) => {
                ours == theirs && ours.as_f64().map(f64::to_bits) == theirs.as_f64().map(f64::to_bits)
            }
            (this, that) => this == that,
        }
    }
}

impl Eq for WrittenSchema<'_> {}

impl Hash for WrittenSchema<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Value::Null => state.write_u8(0),
            Value::Bool(flag) => flag.hash(state),
            Value::Number(number) => number.hash(state),
            Value::String(text) => text.hash(state),
            Value::Array(elements) => elements.iter().for_each(|element| WrittenSchema(element).hash(state)),
            Value::Object(object) => {
                for (key, value) in object {
                    key.hash(state);
                    WrittenSchema(value).hash(state);
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
    fn schemas_that_are_written_the_same_are_compiled_once() {
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
        let results: Vec<_> = schemas.iter().map(|schema| compiler.compile(schema).expect("it compiles")).collect();
        for (index, schema) in results.iter().enumerate() {
            let first = results.iter().position(|other| Arc::ptr_eq(schema, other));
            assert_eq!(first, Some(index % count), "{}", schemas[index]);
        }
    }
}
