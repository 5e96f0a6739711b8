//! How the arguments of a tool are read and described.
//!
//! Generated code probes the types once, and passes the resulting codec to functions of this crate. The compiler checks
//! these functions only once, not for each tool.

use super::{Arguments, DeserializeOwned, JsonSchema, PhantomData, Schema, SchemaGenerator, ToolError};
use crate::arguments::parameters::{
    DecodeCheck, Parameter, ParameterTuple, describe_parameters, field_names, read_parameters,
};

/// Reads and describes the arguments of a tool.
pub trait ArgumentsCodec<A>: Copy + Send {
    fn read(self, arguments: &Arguments<'_>) -> Result<A, ToolError>;
    fn schema(self, generator: &mut SchemaGenerator) -> Schema;
    fn decode_check(self) -> DecodeCheck;
}

type_markers! {
    /// A type that implements `DeserializeOwned` and `JsonSchema`.
    DerivedArguments<A>
    /// The arguments of a tool with a parameter whose type is refused.
    UnsupportedArguments<A>
}

impl<A: DeserializeOwned + JsonSchema> ArgumentsCodec<A> for DerivedArguments<A> {
    fn read(self, arguments: &Arguments<'_>) -> Result<A, ToolError> {
        arguments.deserialize()
    }

    fn schema(self, generator: &mut SchemaGenerator) -> Schema {
        A::json_schema(generator)
    }

    fn decode_check(self) -> DecodeCheck {
        let read = |arguments: &Arguments<'_>, _: &'static [Parameter]| arguments.deserialize::<A>().map(drop);
        DecodeCheck { read, parameters: &[], names: field_names::<A> }
    }
}

/// The types of a tool's arguments as a tuple, together with the names, docs and defaults of the parameters.
pub struct TupleType<A> {
    parameters: &'static [Parameter],
    arguments: PhantomData<fn() -> A>,
}

impl<A> TupleType<A> {
    pub const fn new(parameters: &'static [Parameter]) -> Self {
        Self { parameters, arguments: PhantomData }
    }
}

impl<A> Clone for TupleType<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for TupleType<A> {}

impl<A: ParameterTuple> ArgumentsCodec<A> for TupleType<A> {
    fn read(self, arguments: &Arguments<'_>) -> Result<A, ToolError> {
        read_parameters(arguments, self.parameters)
    }

    fn schema(self, generator: &mut SchemaGenerator) -> Schema {
        describe_parameters::<A>(generator, self.parameters)
    }

    fn decode_check(self) -> DecodeCheck {
        let read = |arguments: &Arguments<'_>, parameters| read_parameters::<A>(arguments, parameters).map(drop);
        DecodeCheck { read, parameters: self.parameters, names: || &[] }
    }
}

impl<A> UnsupportedArguments<A> {
    /// Stops the build if a method below is used. A constant of a generic type is evaluated only where it is used.
    const UNSUPPORTED: () = panic!("the arguments of this tool can be neither read nor described");

    fn unsupported<T>() -> T {
        let () = Self::UNSUPPORTED;
        unreachable!()
    }
}

/// Compiles for every type, so that the only compile error is the one at the parameter (see
/// [`ToolArgument`](super::ToolArgument)). If there is no such error, `UNSUPPORTED` stops the build.
impl<A> ArgumentsCodec<A> for UnsupportedArguments<A> {
    fn read(self, _: &Arguments<'_>) -> Result<A, ToolError> {
        Self::unsupported()
    }

    fn schema(self, _: &mut SchemaGenerator) -> Schema {
        Self::unsupported()
    }

    fn decode_check(self) -> DecodeCheck {
        Self::unsupported()
    }
}

type_markers! {
    /// A marker for the type `A` that holds all arguments of a tool.
    ArgumentsType<A>
}

probes! {
    __mcp_tool_arguments:
    ProbeArguments<A> -> DerivedArguments<A>
    ProbeUnsupportedArguments<A> -> UnsupportedArguments<A>
}

impl<A: DeserializeOwned + JsonSchema> ProbeArguments<A> for &ArgumentsType<A> {}

pub trait ProbeTuple<A> {
    fn __mcp_tool_arguments(&self) -> TupleType<A>;
}

impl<A: ParameterTuple> ProbeTuple<A> for &TupleType<A> {
    fn __mcp_tool_arguments(&self) -> TupleType<A> {
        **self
    }
}

impl<A> ProbeUnsupportedArguments<A> for ArgumentsType<A> {}
impl<A> ProbeUnsupportedArguments<A> for TupleType<A> {}

/// Returns the function that derives the input schema from the types of the arguments.
pub fn input_schema<A>(codec: impl ArgumentsCodec<A>) -> impl FnMut(&mut SchemaGenerator) -> Schema {
    move |generator| codec.schema(generator)
}
