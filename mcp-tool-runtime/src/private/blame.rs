//! Which type is at fault where a list of something cannot be an argument: what is in the list.
//!
//! Asked by the same means as in `probe.rs`, and only of parameters that are spelt as containers. The answer is asked
//! again, so that of `Option<Vec<T>>` it is `T`.

use std::collections::{BTreeMap, HashMap};

use super::{DeserializeOwned, JsonSchema, PhantomData, ToolArgument};

/// A type that may be none of an argument.
pub struct Faulty<T>(PhantomData<fn() -> T>);

/// A type that is at fault, or one without any.
pub struct Fault<T>(PhantomData<fn() -> T>);

impl<T> Faulty<T> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    pub fn check(&self)
    where
        T: ToolArgument,
    {
    }
}

impl<T> Fault<T> {
    pub fn __mcp_tool_fault(&self) -> Self {
        Self(PhantomData)
    }

    pub fn check(&self)
    where
        T: ToolArgument,
    {
    }
}

pub trait NoFault {
    fn __mcp_tool_fault(&self) -> Fault<()> {
        Fault(PhantomData)
    }
}

impl<T: DeserializeOwned + JsonSchema> NoFault for &&Faulty<T> {}

pub trait FaultOfElement<T> {
    fn __mcp_tool_fault(&self) -> Faulty<T> {
        Faulty::new()
    }
}

impl<T> FaultOfElement<T> for &Faulty<Option<T>> {}

impl<T> FaultOfElement<T> for &Faulty<Vec<T>> {}

impl<T> FaultOfElement<T> for &Faulty<Box<T>> {}

impl<T, S> FaultOfElement<T> for &Faulty<HashMap<String, T, S>> {}

impl<T> FaultOfElement<T> for &Faulty<BTreeMap<String, T>> {}

pub trait FaultOfArgument<T> {
    fn __mcp_tool_fault(&self) -> Fault<T> {
        Fault(PhantomData)
    }
}

impl<T> FaultOfArgument<T> for Faulty<T> {}
