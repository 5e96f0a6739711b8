//! Documents against schemas, with the `jsonschema` crate.
//!
//! A document is checked where it stands: [`View`] is a representation of JSON to the validator, so that no
//! `serde_json::Value` is made of it.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use jsonschema::json::{Array, Json, JsonNumber, NodeIdentity, Object};
use jsonschema::{JsonType, PatternOptions, Retrieve, ValidationError, ValidationOptions, Validator, ValidatorMap};
use serde_json::{Number, Value};

use crate::document::number::Numeral;
use crate::document::quick_hash::QuickMap;
use crate::document::tape::{Elements, Properties, Slot, View};
use crate::document::violation::Violation;

mod explain;
mod union;
mod wording;

/// A schema made ready to check documents.
#[derive(Debug)]
pub(crate) struct CompiledSchema {
    validator: Validator<Document>,
    /// The parts of a schema with unions. To collect the errors of all branches takes time and memory that grow with the
    /// power of the depth, and much of both in a large document, so there one branch at a time is looked at. Made when
    /// such a document first is at fault, which is seldom.
    parts: OnceLock<Option<ValidatorMap<Document>>>,
    /// Its unions, looked for when a document first is at fault.
    unions: OnceLock<Unions>,
}

/// What there is of unions in a schema.
#[derive(Debug, Clone, Copy)]
struct Unions {
    has_any: bool,
    /// Whether they may contain themselves.
    are_recursive: bool,
}

/// Formats are asserted, nothing is fetched, and patterns run in linear time.
fn options<'s>() -> ValidationOptions<'s, Arc<dyn Retrieve>, Document> {
    jsonschema::options_for::<Document>()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .offline()
}

/// From so many slots on a document is large.
const LARGE: usize = 512;

impl CompiledSchema {
    /// Compiles a schema.
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        let fault = |error: ValidationError<'_>| format!("{error} (at `{}`)", error.instance_path());
        let validator = options().build(schema).map_err(fault)?;
        Ok(Self { validator, parts: OnceLock::new(), unions: OnceLock::new() })
    }

    /// Whether the schema admits a document.
    pub(crate) fn accepts(&self, document: View<'_>) -> bool {
        self.validator.is_valid(document)
    }

    /// Every fault that the schema sees in a document.
    ///
    /// `schema` is the one that was compiled; unknown names are compared with the names it knows.
    pub(crate) fn faults(&self, document: View<'_>, schema: &Value) -> Vec<Violation> {
        if self.accepts(document) {
            return Vec::new();
        }
        let unions = self.unions.get_or_init(|| explain::unions(schema));
        let is_costly = unions.has_any && (unions.are_recursive || document.slot_count() > LARGE);
        // What was compiled whole compiles in parts too.
        let parts = || self.parts.get_or_init(|| options().build_map(schema).ok()).as_ref();
        match is_costly.then(parts).flatten() {
            Some(parts) => explain::faults(parts, schema, document),
            None => wording::faults(self.validator.iter_errors(document), document, schema),
        }
    }
}

/// Compiles schemas, each of them once: tools share the types of their results, and a service may stand under several
/// prefixes.
pub(crate) struct SchemaCompiler<'s>(QuickMap<Written<'s>, Arc<CompiledSchema>>);

impl<'s> SchemaCompiler<'s> {
    /// For so many tools.
    pub(crate) fn for_tools(count: usize) -> Self {
        Self(QuickMap::with_capacity_and_hasher(2 * count, BuildHasherDefault::default()))
    }

    /// The check of a schema.
    pub(crate) fn compile(&mut self, schema: &'s Value) -> Result<Arc<CompiledSchema>, String> {
        Ok(match self.0.entry(Written(schema)) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(new) => Arc::clone(new.insert(Arc::new(CompiledSchema::new(schema)?))),
        })
    }
}

/// A schema as it is written: another order of members is another schema, since faults come in that order.
struct Written<'s>(&'s Value);

impl PartialEq for Written<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Value::Array(ours), Value::Array(theirs)) => ours.iter().map(Written).eq(theirs.iter().map(Written)),
            (Value::Object(ours), Value::Object(theirs)) => {
                let written = |(key, value)| (key, Written(value));
                ours.iter().map(written).eq(theirs.iter().map(written))
            }
            // The two zeros are equal, and written differently.
            (Value::Number(ours), Value::Number(theirs)) => {
                ours == theirs && ours.as_f64().map(f64::to_bits) == theirs.as_f64().map(f64::to_bits)
            }
            (this, that) => this == that,
        }
    }
}

impl Eq for Written<'_> {}

impl Hash for Written<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Value::Null => state.write_u8(0),
            Value::Bool(flag) => flag.hash(state),
            Value::Number(number) => number.hash(state),
            Value::String(text) => text.hash(state),
            Value::Array(elements) => elements.iter().for_each(|element| Written(element).hash(state)),
            Value::Object(members) => {
                for (key, value) in members {
                    key.hash(state);
                    Written(value).hash(state);
                }
            }
        }
    }
}

/// The representation: documents as lists of slots.
#[derive(Debug)]
struct Document;

impl Json for Document {
    type Node<'a> = View<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    // Properties are a list: walking it once is as good as three look-ups.
    const KEYS_PER_LOOKUP: usize = 3;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(View<'_>) -> T) -> T {
        f(View::of_slots(&[Slot::String(Cow::Borrowed(string))]))
    }
}

impl JsonNumber for Numeral {
    fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Unsigned(number) => Some(*number),
            _ => None,
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Unsigned(number) => i64::try_from(*number).ok(),
            Self::Signed(number) => Some(*number),
            Self::Float(_) => None,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest float is what is asked for")]
    fn as_f64(&self) -> Option<f64> {
        Some(match self {
            Self::Unsigned(number) => *number as f64,
            Self::Signed(number) => *number as f64,
            Self::Float(number) => *number,
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_json().to_string())
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(self.to_json())
    }

    /// A float that stands for several integers is none of them (rule I3 ends at 2^53).
    fn is_integer(&self) -> bool {
        self.integer().is_some()
    }
}

impl<'a> jsonschema::json::Node<'a, Document> for View<'a> {
    type Object = Properties<'a>;
    type Array = Elements<'a>;
    type Number = Numeral;

    fn as_object(&self) -> Option<Properties<'a>> {
        self.properties()
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        View::elements(*self)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.slot() {
            Slot::String(text) => Some(Cow::Borrowed(text.as_ref())),
            Slot::EscapedString(_) => self.text(),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Numeral> {
        self.number()
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.slot() {
            Slot::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        View::is_null(*self)
    }

    fn is_number(&self) -> bool {
        matches!(self.slot(), Slot::Number(_) | Slot::UnparsedNumber(_))
    }

    fn json_type(&self) -> JsonType {
        match self.slot() {
            Slot::Null | Slot::Tombstone => JsonType::Null,
            Slot::Bool(_) => JsonType::Boolean,
            Slot::Number(_) | Slot::UnparsedNumber(_) => JsonType::Number,
            Slot::String(_) | Slot::EscapedString(_) => JsonType::String,
            Slot::Array(_) => JsonType::Array,
            Slot::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self.slot(), expected) {
            (Slot::String(text), Value::String(expected)) => text == expected,
            (Slot::Bool(flag), Value::Bool(expected)) => flag == expected,
            (Slot::Null, Value::Null) => true,
            (Slot::String(_) | Slot::Bool(_) | Slot::Null | Slot::Tombstone, _) => false,
            _ => jsonschema::json::cmp::equal(&View::to_value(*self), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(View::to_value(*self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref(self.slot()).addr()))
    }
}

impl<'a> Object<'a, Document> for Properties<'a> {
    type Node = View<'a>;
    type MemberName = &'a str;
    type MembersIter = Self;

    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    fn get(&self, key: &Box<str>) -> Option<View<'a>> {
        self.clone().find(|(name, _)| *name == &**key).map(|(_, value)| value)
    }

    fn members(&self) -> Self {
        self.clone()
    }
}

impl<'a> Array<'a, Document> for Elements<'a> {
    type Node = View<'a>;
    type ElementsIter = Self;

    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    fn elements(&self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_the_same_is_compiled_once() {
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
        let mut checks = SchemaCompiler::for_tools(schemas.len());
        let compiled: Vec<_> = schemas.iter().map(|schema| checks.compile(schema).expect("it compiles")).collect();
        for (index, check) in compiled.iter().enumerate() {
            let first = compiled.iter().position(|other| Arc::ptr_eq(check, other));
            assert_eq!(first, Some(index % count), "{}", schemas[index]);
        }
    }
}
