//! Reads and describes the arguments of a tool one by one, without a derived struct.
//!
//! The derives of serde and schemars write several impls for a struct, which rustc would have to check for each tool.
//! The macro instead passes a tuple of types and a list of names. `tests/cost/README.md` has the figures. To measure
//! again, let `Tuple::of` in `mcp-tool-macros/src/expand/arguments.rs` always return `None`, and run
//! `python3 tests/cost/cost.py`.

#![allow(missing_docs, clippy::exhaustive_structs, reason = "used by generated code only, and hidden")]

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde_json::{Map, Value};

use super::Arguments;
use super::decode::ValueDeserializer;
use super::type_error::TypeError;
use crate::ToolError;
use crate::json::path::Step;
use crate::json::tape::View;
use crate::schema::normalise::{mark_own_null, title_and_description};

/// The name, the documentation and the default of a tool's parameter.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name of the property.
    pub name: &'static str,
    /// The doc comment, without the space that starts each line. It may be empty.
    pub docs: &'static str,
    /// The function that returns the default to publish. It returns `None` if the type does not implement `Serialize`.
    pub default: Option<fn() -> Option<Value>>,
}

/// The argument of a parameter with `#[serde(default)]`.
pub struct Defaulted<T>(pub T);

/// The argument of a parameter with `#[mcp_tool(default = …)]`, or `None` if it is absent. Unlike an `Option`, it reads
/// a `null` as a value of the type if the type accepts `null`.
pub struct Given<T>(pub Option<T>);

/// A value that can be read from the argument of one parameter, and described in the input schema.
pub trait ParameterValue: Sized {
    fn read(reader: &mut ParameterReader<'_>, index: usize) -> Option<Self>;
    fn describe(describer: &mut ParameterDescriber<'_>, index: usize);
}

impl<T: DeserializeOwned + JsonSchema> ParameterValue for T {
    fn read(reader: &mut ParameterReader<'_>, index: usize) -> Option<T> {
        let read = match reader.find(index) {
            Some(value) => T::deserialize(value),
            None => T::deserialize(MissingArgument::Absent),
        };
        let name = reader.parameters[index].name;
        read.map_err(|error| reader.error = Some(error.inside(|| Step::Key(name.into())))).ok()
    }

    fn describe(describer: &mut ParameterDescriber<'_>, index: usize) {
        describer.add::<T>(index, Absence::OfType);
    }
}

impl<T: DeserializeOwned + JsonSchema + Default> ParameterValue for Defaulted<T> {
    fn read(reader: &mut ParameterReader<'_>, index: usize) -> Option<Self> {
        match reader.find(index) {
            Some(_) => T::read(reader, index).map(Defaulted),
            None => Some(Defaulted(T::default())),
        }
    }

    fn describe(describer: &mut ParameterDescriber<'_>, index: usize) {
        describer.add::<T>(index, Absence::Default);
    }
}

impl<T: DeserializeOwned + JsonSchema> ParameterValue for Given<T> {
    fn read(reader: &mut ParameterReader<'_>, index: usize) -> Option<Self> {
        match reader.find(index) {
            // If the type does not accept `null`, a `null` means that the argument is absent.
            Some(value) if value.view.is_null() => Some(Given(T::deserialize(value).ok())),
            Some(_) => T::read(reader, index).map(|value| Given(Some(value))),
            None => Some(Given(None)),
        }
    }

    fn describe(describer: &mut ParameterDescriber<'_>, index: usize) {
        describer.add::<T>(index, Absence::Value);
    }
}

/// What an absent argument means.
#[derive(Clone, Copy, PartialEq)]
enum Absence {
    /// An error or, for an `Option`, the same as `null`.
    OfType,
    /// The default of the type, which for an `Option` is the same as `null`.
    Default,
    /// A value that the author wrote.
    Value,
}

/// A struct that shows what schemars publishes for a field: its schema, and whether it is required.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct OneProperty<T> {
    value: T,
}

/// All arguments of a tool: a tuple of [`ParameterValue`]s.
pub trait ParameterTuple: Sized {
    fn read(reader: &mut ParameterReader<'_>) -> Option<Self>;
    fn describe(describer: &mut ParameterDescriber<'_>);
}

macro_rules! tuples {
    ($(($($ty:ident $index:literal),*))+) => {$(
        impl<$($ty: ParameterValue),*> ParameterTuple for ($($ty,)*) {
            #[allow(unused_variables, clippy::unused_unit, reason = "without parameters there is nothing to read")]
            fn read(reader: &mut ParameterReader<'_>) -> Option<Self> {
                Some(($($ty::read(reader, $index)?,)*))
            }

            #[allow(unused_variables, reason = "without parameters there is nothing to describe")]
            fn describe(describer: &mut ParameterDescriber<'_>) {
                $($ty::describe(describer, $index);)*
            }
        }
    )+};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// The document from which the arguments are read, and the error of the argument that could not be read.
pub struct ParameterReader<'t> {
    root: View<'t>,
    parameters: &'static [Parameter],
    error: Option<TypeError>,
}

impl<'t> ParameterReader<'t> {
    fn find(&self, index: usize) -> Option<ValueDeserializer<'t>> {
        self.root.get(self.parameters[index].name).map(|view| ValueDeserializer { view })
    }
}

pub(crate) fn read_parameters<T: ParameterTuple>(
    arguments: &Arguments<'_>,
    parameters: &'static [Parameter],
) -> Result<T, ToolError> {
    arguments.read(|root| {
        if !root.is_object() {
            return Err(TypeError::new("expected an object"));
        }
        let mut reader = ParameterReader { root, parameters, error: None };
        T::read(&mut reader).ok_or_else(|| reader.error.unwrap_or_else(|| TypeError::new("refused")))
    })
}

/// Checks whether arguments can be read into the types of a tool's parameters. Drops the values that it reads.
#[derive(Debug, Clone, Copy)]
pub struct DecodeCheck {
    pub(crate) read: fn(&Arguments<'_>, &'static [Parameter]) -> Result<(), ToolError>,
    pub(crate) parameters: &'static [Parameter],
    /// The function that returns the names of the arguments that the type reads, aliases included. It returns no names
    /// if they are not known.
    pub(crate) names: fn() -> &'static [&'static str],
}

/// Returns the field names that serde's derive passes to the deserializer for a struct, aliases included. For a struct
/// with a flattened field, the derive passes none.
pub(crate) fn field_names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    let _ = T::deserialize(FieldNames(&mut names));
    names
}

struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = TypeError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TypeError> {
        Err(TypeError::new("only the names are of interest"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Builds the schema of the arguments, one parameter at a time.
pub struct ParameterDescriber<'g> {
    generator: &'g mut SchemaGenerator,
    parameters: &'static [Parameter],
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl ParameterDescriber<'_> {
    /// Adds a parameter of type `T`.
    fn add<T: DeserializeOwned + JsonSchema>(&mut self, index: usize, absence: Absence) {
        let object = OneProperty::<T>::json_schema(self.generator);
        let is_newtype = absence == Absence::Default && is_newtype_of_option::<T>();
        self.add_property(index, object, absence, is_newtype);
    }

    /// Adds a parameter. `object` is the schema of an object with only this property.
    fn add_property(&mut self, index: usize, mut object: Schema, absence: Absence, is_newtype: bool) {
        let Parameter { name, docs, default } = self.parameters[index];
        let property = object.get_mut("properties").and_then(|properties| properties.get_mut("value"));
        let mut schema = property.map(Value::take).and_then(|schema| Schema::try_from(schema).ok()).unwrap_or_default();
        let (title, description) = title_and_description(docs);
        for (key, text) in [("title", title), ("description", description)] {
            if !text.is_empty() {
                schema.insert(key.to_owned(), text.into());
            }
        }
        let is_option = object.get("required").is_none();
        if absence == Absence::OfType && !is_option {
            self.required.push(name.into());
        }
        if let Some(default) = default.and_then(|default| default()) {
            schema.insert("default".to_owned(), default);
        }
        let mut schema = schema.to_value();
        if absence == Absence::Value || absence == Absence::Default && !is_option {
            mark_own_null(&mut schema, !is_newtype);
        } else if is_option {
            mark_own_null(&mut schema, false);
        }
        self.properties.insert(name.to_owned(), schema);
    }
}

/// Returns the schema of the object that holds a tool's arguments.
pub(crate) fn describe_parameters<T: ParameterTuple>(
    generator: &mut SchemaGenerator,
    parameters: &'static [Parameter],
) -> Schema {
    let (properties, required) = (Map::new(), Vec::new());
    let mut describer = ParameterDescriber { generator, parameters, properties, required };
    T::describe(&mut describer);
    let ParameterDescriber { properties, required, .. } = describer;
    json_schema!({ "type": "object", "properties": properties, "required": required })
}

/// Returns `true` if `T` is a newtype of an `Option`. Such a type reads `null` as `None`, the default of the `Option`.
pub(crate) fn is_newtype_of_option<T: DeserializeOwned>() -> bool {
    T::deserialize(MissingArgument::OfNewtype).is_ok()
}

/// A deserializer that stands for an absent argument.
enum MissingArgument {
    /// Only an `Option` can be read from this.
    Absent,
    /// Only a newtype of an `Option` can be read from this.
    OfNewtype,
}

impl<'de> Deserializer<'de> for MissingArgument {
    type Error = TypeError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TypeError> {
        Err(TypeError::new("required, but missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match self {
            Self::Absent => visitor.visit_none(),
            Self::OfNewtype => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, TypeError> {
        match self {
            Self::Absent => self.deserialize_any(visitor),
            Self::OfNewtype => visitor.visit_newtype_struct(Self::Absent),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
