//! Finds the type that a compile error has to name when a container cannot be an argument: `T` of `Option<Vec<T>>`.
//!
//! It works by method resolution, as in [`probe`](super::probe). One call of `__mcp_tool_offending_type` looks into one
//! container. Generated code calls it three times, and only for parameters that are written as containers.

use std::collections::{BTreeMap, HashMap};

use super::{DeserializeOwned, JsonSchema, PhantomData, ToolArgument};

/// A type that may be unable to be an argument.
pub struct ProbedArgument<T>(PhantomData<fn() -> T>);

/// The type that is reported: `()`, which is never reported, if the probed type can be an argument.
pub struct OffendingType<T>(PhantomData<fn() -> T>);

impl<T> ProbedArgument<T> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    pub fn check(&self)
    where
        T: ToolArgument,
    {
    }
}

impl<T> OffendingType<T> {
    pub fn __mcp_tool_offending_type(&self) -> Self {
        Self(PhantomData)
    }

    pub fn check(&self)
    where
        T: ToolArgument,
    {
    }
}

pub trait ProbeValidArgument {
    fn __mcp_tool_offending_type(&self) -> OffendingType<()> {
        OffendingType(PhantomData)
    }
}

impl<T: DeserializeOwned + JsonSchema> ProbeValidArgument for &&ProbedArgument<T> {}

pub trait ProbeElementArgument<T> {
    fn __mcp_tool_offending_type(&self) -> ProbedArgument<T> {
        ProbedArgument::new()
    }
}

impl<T> ProbeElementArgument<T> for &ProbedArgument<Option<T>> {}

impl<T> ProbeElementArgument<T> for &ProbedArgument<Vec<T>> {}

impl<T> ProbeElementArgument<T> for &ProbedArgument<Box<T>> {}

impl<T, S> ProbeElementArgument<T> for &ProbedArgument<HashMap<String, T, S>> {}

impl<T> ProbeElementArgument<T> for &ProbedArgument<BTreeMap<String, T>> {}

pub trait ProbeOffendingArgument<T> {
    fn __mcp_tool_offending_type(&self) -> OffendingType<T> {
        OffendingType(PhantomData)
    }
}

impl<T> ProbeOffendingArgument<T> for ProbedArgument<T> {}
