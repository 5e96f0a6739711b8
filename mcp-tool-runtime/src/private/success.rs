//! Chooses the codec for the value that a tool returns on success, by the traits that the type of the value implements.

use std::collections::{BTreeMap, HashMap};

use super::{
    JsonSchema, Output, Schema, SchemaGenerator, SerializableOutput, Serialize, StructuredOutput, Success,
    SuccessCodec, ToolError, ToolOutput, type_name,
};
use crate::{Audio, Content, EmbeddedResource, Image, ResourceLink, Text};

type_markers! {
    /// A type that implements `ToolOutput`.
    CustomOutput<T>
    /// A type that implements `Serialize` and `JsonSchema`.
    StructuredValue<T>
    /// A value of type `V` that has no schema, because `T` (`V` or its element) has none.
    WithoutSchema<T, V>
    /// A value of type `V` that cannot be an output, because `T` (`V` or its element) does not implement `Serialize`.
    NotSerializable<T, V>
    /// A container of content blocks that is not a `Vec<Content>`, such as an `Option<Image>`.
    UnlistedContent<V>
}

probes! {
    __mcp_tool_output:
    ProbeToolOutput<T> -> CustomOutput<T>
    ProbeStructured<T> -> StructuredValue<T>
    // Tried before `ProbeSerializable`, so that for a container, the compile error names the type of the elements.
    ProbeSerializableContainer<T, V> -> WithoutSchema<T, V>
    // A type without a schema can still be an output if the attribute names another type or schema, or publishes none.
    ProbeSerializable<T> -> WithoutSchema<T, T>
    ProbeContainer<T, V> -> NotSerializable<T, V>
    ProbeUnsupportedOutput<T> -> NotSerializable<T, T>
    /// Implemented for a type with as many `&` as [`ProbeStructured`]. The two never compete, because `ProbeStructured`
    /// needs a schema, and a content block has none.
    ProbeUnlistedContent<V> -> UnlistedContent<V>
}

impl<T: ToolOutput> ProbeToolOutput<T> for &&&&&Success<T> {}
impl<T: Serialize + JsonSchema> ProbeStructured<T> for &&&&Success<T> {}

impl<T: Serialize> ProbeSerializable<T> for &&Success<T> {}

macro_rules! containers {
    ($([$($parameter:ident),*] $container:ty)+) => {$(
        impl<$($parameter),*> ProbeSerializableContainer<T, $container> for &&&Success<$container>
        where
            $container: Serialize,
        {
        }

        impl<$($parameter),*> ProbeContainer<T, $container> for &Success<$container> {}
    )+};
}

containers! {
    [T] Option<T>
    [T] Vec<T>
    [T] Box<T>
    [T, S] HashMap<String, T, S>
    [T] BTreeMap<String, T>
}

impl<T> ProbeUnsupportedOutput<T> for Success<T> {}

always_valid!(CustomOutput<T> StructuredValue<T>);

impl<T: ToolOutput> SuccessCodec for CustomOutput<T> {
    type Value = T;

    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        T::schema(generator)
    }

    fn structured_type(self) -> Option<&'static str> {
        Some(T::__result_type())
    }

    fn adds_content(self) -> bool {
        true
    }

    fn output(self, value: T) -> Result<Output, ToolError> {
        value.into_output()
    }
}

impl<T: Serialize + JsonSchema> SuccessCodec for StructuredValue<T> {
    type Value = T;

    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    fn structured_type(self) -> Option<&'static str> {
        Some(type_name::<T>())
    }

    fn output(self, value: T) -> Result<Output, ToolError> {
        Output::value(value)
    }
}

impl<T, V: Serialize> WithoutSchema<T, V> {
    pub fn check(self) -> Self {
        self
    }

    pub fn described(self) -> Self
    where
        T: StructuredOutput,
    {
        self
    }
}

impl<T, V: Serialize> SuccessCodec for WithoutSchema<T, V> {
    type Value = V;

    fn structured_type(self) -> Option<&'static str> {
        Some(type_name::<V>())
    }

    fn output(self, value: V) -> Result<Output, ToolError> {
        Output::value(value)
    }
}

impl<T, V> NotSerializable<T, V> {
    pub fn check(self) -> Self
    where
        T: SerializableOutput,
    {
        self
    }

    pub fn described(self) -> Self
    where
        T: StructuredOutput,
    {
        self
    }
}

// Never runs, because generated code first calls `check` or `described`, and that call does not compile. This impl has
// no bounds, so it adds no second error.
impl<T, V> SuccessCodec for NotSerializable<T, V> {
    type Value = V;

    fn output(self, _: V) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

// The rest of this file gives a readable error for blocks in a type other than `Vec<Content>`, such as `Option<Image>`.
// Blocks have no schema, so rustc would otherwise ask for `JsonSchema`.

pub trait ContentBlock {}

macro_rules! blocks {
    ($($block:ident)+) => {$(impl ContentBlock for $block {})+};
}

blocks!(Text Image Audio ResourceLink EmbeddedResource Content);

/// No type implements this trait, so each use of it as a bound is a compile error.
#[diagnostic::on_unimplemented(
    message = "content in `{Self}` cannot be the result of a tool",
    label = "content is returned alone or in a `Vec<Content>`",
    note = "help: return `Vec<Content>`: `vec![text.into(), image.into()]`, and an empty one where there is nothing"
)]
pub trait ListOfContent {}

impl<V> UnlistedContent<V> {
    pub fn check(self) -> Self
    where
        V: ListOfContent,
    {
        self
    }

    pub fn described(self) -> Self
    where
        V: ListOfContent,
    {
        self
    }
}

// Never runs, because generated code first calls `check` or `described`, and that call does not compile. This impl has
// no bounds, so it adds no second error.
impl<V> SuccessCodec for UnlistedContent<V> {
    type Value = V;

    fn output(self, _: V) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

macro_rules! unlisted {
    ($([$($parameter:ident)*] $value:ty)+) => {$(
        impl<$($parameter: ContentBlock),*> ProbeUnlistedContent<$value> for &&&&Success<$value> {}
    )+};
}

unlisted! {
    [T] Vec<T>
    [T] Option<T>
    [] Option<Vec<Content>>
    [T U] (T, U)
    [T U V] (T, U, V)
}
