//! How generated code reads arguments and writes what a function returns.
//!
//! A tool probes its types once ([`probe`](super::probe)), and gets values that implement these traits. Generated code passes
//! them to functions of this crate, which the compiler checks once and not for each tool.

use super::output::BorrowAs;
use super::{
    Arguments, DeserializeOwned, JsonSchema, Output, PhantomData, Schema, SchemaGenerator, TextOfResult, ToolError,
};
use crate::arguments::parameters::{
    DecodeCheck, Parameter, ParameterTuple, describe_parameters, field_names, read_parameters,
};
use crate::tool::metadata::ResultTypes;

/// Reads and describes the arguments of a tool.
pub trait ArgumentsCodec<A>: Copy + Send {
    fn read(self, arguments: &Arguments<'_>) -> Result<A, ToolError>;
    fn schema(self, generator: &mut SchemaGenerator) -> Schema;
    fn decode_check(self) -> DecodeCheck;
}

super::type_markers! {
    /// A type that implements the traits of serde and schemars.
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

/// A tuple, and the names of its parameters.
pub struct TupleArguments<A> {
    pub(super) parameters: &'static [Parameter],
    pub(super) arguments: PhantomData<fn() -> A>,
}

impl<A> Clone for TupleArguments<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for TupleArguments<A> {}

impl<A: ParameterTuple> ArgumentsCodec<A> for TupleArguments<A> {
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
    /// Evaluated only if one of the methods below is used: constants of a generic type are evaluated on use.
    const UNSUPPORTED: () = panic!("the arguments of this tool can be neither read nor described");

    fn unsupported<T>() -> T {
        let () = Self::UNSUPPORTED;
        unreachable!()
    }
}

/// Compiles for every type, so that the only compile error is the one at the parameter (see
/// [`ToolArgument`](super::ToolArgument)). If there were no such error, the constant would stop the build.
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

/// Describes a return type. Unlike [`ReturnCodec`], it does not name the type.
pub trait ReturnDescription: Copy + Send {
    type Success: SuccessCodec;

    fn success(self) -> Self::Success;

    /// Returns the name of the error type whose text is masked.
    fn masked_type(self) -> Option<&'static str> {
        None
    }
}

/// Writes what a function returns.
pub trait ReturnCodec<R>: ReturnDescription {
    fn write(self, returned: R, expose_errors: bool) -> Result<Output, ToolError>;
}

/// Writes the value of a success.
pub trait SuccessCodec: Copy + Send {
    type Value;

    fn output(self, value: Self::Value) -> Result<Output, ToolError>;

    /// Writes the value with the text that the function of the key `text` makes of it.
    fn output_with_text<V: ?Sized, R: TextOfResult>(
        self,
        value: Self::Value,
        text: impl FnOnce(&V) -> R + Send + 'static,
    ) -> Result<Output, ToolError>
    where
        Self::Value: BorrowAs<V>,
    {
        let text = text(value.borrow_as()).into_text();
        self.output(value).map(|output| output.with_text(text))
    }

    fn schema(self, _: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn structured_type(self) -> Option<&'static str> {
        None
    }

    fn is_paged(self) -> bool {
        false
    }
}

/// Converts the error of a tool.
pub trait FailureCodec: Copy + Send {
    type Error;

    fn masked_type(self) -> Option<&'static str> {
        None
    }

    fn error(self, error: Self::Error, expose: bool) -> ToolError;
}

/// The codec of a return type that is a `Result`.
#[derive(Clone, Copy)]
pub struct FallibleCodec<S, F> {
    pub(super) success: S,
    pub(super) failure: F,
}

impl<S: SuccessCodec, F: FailureCodec> ReturnDescription for FallibleCodec<S, F> {
    type Success = S;

    fn success(self) -> S {
        self.success
    }

    fn masked_type(self) -> Option<&'static str> {
        self.failure.masked_type()
    }
}

impl<S: SuccessCodec, F: FailureCodec> ReturnCodec<Result<S::Value, F::Error>> for FallibleCodec<S, F> {
    fn write(self, returned: Result<S::Value, F::Error>, expose_errors: bool) -> Result<Output, ToolError> {
        match returned {
            Ok(value) => self.success.output(value),
            Err(error) => Err(self.failure.error(error, expose_errors)),
        }
    }
}

/// The codec of any other return type.
#[derive(Clone, Copy)]
pub struct PlainCodec<S> {
    pub(super) success: S,
}

impl<S: SuccessCodec> ReturnDescription for PlainCodec<S> {
    type Success = S;

    fn success(self) -> S {
        self.success
    }
}

impl<S: SuccessCodec> ReturnCodec<S::Value> for PlainCodec<S> {
    fn write(self, returned: S::Value, _: bool) -> Result<Output, ToolError> {
        self.success.output(returned)
    }
}

/// Returns what the metadata of a tool says about its return type.
pub fn result_types(codec: impl ReturnDescription, expose_errors: bool) -> ResultTypes {
    ResultTypes {
        structured: codec.success().structured_type(),
        masked_error: codec.masked_type().filter(|_| !expose_errors),
        is_paged: codec.success().is_paged(),
    }
}

/// Returns the source of a schema that is derived from the parameters.
pub fn input_schema<A>(codec: impl ArgumentsCodec<A>) -> impl FnMut(&mut SchemaGenerator) -> Schema {
    move |generator| codec.schema(generator)
}

/// Returns the source of a schema that is derived from the return type.
pub fn output_schema(codec: impl ReturnDescription) -> impl FnMut(&mut SchemaGenerator) -> Option<Schema> {
    move |generator| codec.success().schema(generator)
}
