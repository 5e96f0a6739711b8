//! Finds out if the arguments of a tool can be read and described, or if the type of one of them makes this impossible.

use super::{PhantomData, type_markers};
use crate::arguments::parameters::{Parameter, ParameterTuple};
use crate::private::{DerivedArguments, DeserializeOwned, JsonSchema, TupleArguments, UnsupportedArguments};

type_markers! {
    /// The type of all arguments of a tool.
    ArgumentsType<A>
}

impl<A> ArgumentsType<A> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The types of a tool's arguments as a tuple, and their names.
pub struct TupleType<A> {
    parameters: &'static [Parameter],
    arguments: PhantomData<fn() -> A>,
}

impl<A> TupleType<A> {
    pub const fn new(parameters: &'static [Parameter]) -> Self {
        Self { parameters, arguments: PhantomData }
    }
}

pub trait ProbeArguments<A> {
    fn __mcp_tool_arguments(&self) -> DerivedArguments<A> {
        DerivedArguments(PhantomData)
    }
}

impl<A: DeserializeOwned + JsonSchema> ProbeArguments<A> for &ArgumentsType<A> {}

pub trait ProbeTuple<A> {
    fn __mcp_tool_arguments(&self) -> TupleArguments<A>;
}

impl<A: ParameterTuple> ProbeTuple<A> for &TupleType<A> {
    fn __mcp_tool_arguments(&self) -> TupleArguments<A> {
        TupleArguments { parameters: self.parameters, arguments: self.arguments }
    }
}

pub trait ProbeUnsupportedArguments<A> {
    fn __mcp_tool_arguments(&self) -> UnsupportedArguments<A> {
        UnsupportedArguments(PhantomData)
    }
}

impl<A> ProbeUnsupportedArguments<A> for ArgumentsType<A> {}

impl<A> ProbeUnsupportedArguments<A> for TupleType<A> {}
