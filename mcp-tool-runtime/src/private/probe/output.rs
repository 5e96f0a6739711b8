//! How the value of a success becomes an output: what [`Success`] implements.

use std::collections::{BTreeMap, HashMap};

use super::{PhantomData, Success, ToolError, always_valid, type_markers};
use crate::private::{
    JsonSchema, Output, Schema, SchemaGenerator, SerializableOutput, Serialize, StructuredOutput, SuccessCodec,
    ToolOutput, type_name,
};

type_markers! {
    /// A type that implements `ToolOutput`.
    CustomOutput<T>
    /// A type that implements `Serialize` and `JsonSchema`.
    StructuredValue<T>
    /// A value of type `V` that has no schema, because `T` (`V` or its element) has none.
    WithoutSchema<T, V>
    /// A value of type `V` that cannot be an output, because `T` (`V` or its element) does not implement `Serialize`.
    NotSerializable<T, V>
}

pub trait ProbeToolOutput<T> {
    fn __mcp_tool_output(&self) -> CustomOutput<T> {
        CustomOutput(PhantomData)
    }
}

impl<T: ToolOutput> ProbeToolOutput<T> for &&&&&Success<T> {}

pub trait ProbeStructured<T> {
    fn __mcp_tool_output(&self) -> StructuredValue<T> {
        StructuredValue(PhantomData)
    }
}

impl<T: Serialize + JsonSchema> ProbeStructured<T> for &&&&Success<T> {}

// For a container without a schema, the compile error names its element.
pub trait ProbeSerializableContainer<T, V> {
    fn __mcp_tool_output(&self) -> WithoutSchema<T, V> {
        WithoutSchema(PhantomData)
    }
}

// A type without a schema is an output if a key of the attribute gives another schema, or none.
pub trait ProbeSerializable<T> {
    fn __mcp_tool_output(&self) -> WithoutSchema<T, T> {
        WithoutSchema(PhantomData)
    }
}

impl<T: Serialize> ProbeSerializable<T> for &&Success<T> {}

pub trait ProbeContainer<T, V> {
    fn __mcp_tool_output(&self) -> NotSerializable<T, V> {
        NotSerializable(PhantomData)
    }
}

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

pub trait ProbeUnsupportedOutput<T> {
    fn __mcp_tool_output(&self) -> NotSerializable<T, T> {
        NotSerializable(PhantomData)
    }
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

// Never used: `check` or `described` does not compile. It has no bound, so that there is only one error.
impl<T, V> SuccessCodec for NotSerializable<T, V> {
    type Value = V;

    fn output(self, _: V) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}
