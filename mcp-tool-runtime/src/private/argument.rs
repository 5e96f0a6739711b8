//! The traits that the type of an argument must implement.
//!
//! Generated code requires each of them in one place only, so that a type without it is one compile error. For a
//! container, such as `Option<Vec<T>>`, method resolution finds the type to name in the error, as in
//! [`returned`](super::returned).

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Deserializer};

use super::{DeserializeOwned, JsonSchema, PhantomData};
use crate::arguments::parameters::is_newtype_of_option;

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "help: a type of another crate: turn on its feature `serde`, and for its schema a feature of `schemars`: `chrono04`, `jiff02`, `uuid1`, `url2`, `rust_decimal1`, …: the module `mcp_tool_runtime::schemas` lists them",
    note = "help: a parameter that no client sends needs `#[mcp_tool(context)]`, `#[mcp_tool(state)]`, `#[mcp_tool(extension)]` or `#[mcp_tool(ask = …)]`"
)]
pub trait ToolArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {}

/// The type of an argument that is spelt like an answer of the user.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "an answer of the user needs the key `ask`",
    note = "help: write `#[mcp_tool(ask = \"…\")]` before the parameter, with the question that the user is asked",
    note = "help: a type that the client sends: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it"
)]
pub trait UnaskedArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> UnaskedArgument for T {}

/// A type that an argument can have whose schema is given by a key of `#[schemars]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize)]` above it; a type of another crate: turn on its feature `serde`, or name a function with `#[serde(deserialize_with = \"…\")]`"
)]
pub trait ReadArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> ReadArgument for T {}

/// Tells an `Option` from other arguments, because an inherent item takes precedence over one of a trait.
pub struct ArgumentType<T>(PhantomData<fn() -> T>);

impl<T> ArgumentType<Option<T>> {
    pub const __MCP_TOOL_IS_OPTION: bool = true;

    /// Returns `true` if `null` is a different value from the default.
    #[expect(clippy::needless_pass_by_value, reason = "the other one takes a value that is no `Option`")]
    pub fn __mcp_tool_tells_null(default: Option<T>) -> bool {
        default.is_some()
    }
}

pub trait ProbeRequired<T> {
    const __MCP_TOOL_IS_OPTION: bool = false;

    fn __mcp_tool_tells_null(_: T) -> bool
    where
        T: DeserializeOwned,
    {
        !is_newtype_of_option::<T>()
    }
}

impl<T> ProbeRequired<T> for ArgumentType<T> {}

/// Reads the inner value of an `Option` that is `None` only if the argument is absent.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The type behind a parameter `&T`. The call owns an `Owned`, and the function borrows from it.
pub trait BorrowedArgument {
    type Owned;

    fn borrow(owned: &Self::Owned) -> &Self;
}

impl<T> BorrowedArgument for T {
    type Owned = T;

    fn borrow(owned: &T) -> &T {
        owned
    }
}

impl<T> BorrowedArgument for [T] {
    type Owned = Vec<T>;

    fn borrow(owned: &Vec<T>) -> &[T] {
        owned
    }
}

impl BorrowedArgument for str {
    type Owned = String;

    fn borrow(owned: &String) -> &str {
        owned
    }
}

impl BorrowedArgument for std::path::Path {
    type Owned = std::path::PathBuf;

    fn borrow(owned: &std::path::PathBuf) -> &std::path::Path {
        owned
    }
}

/// Borrows the argument of a parameter `Option<&T>`.
pub fn borrow_option<T: BorrowedArgument + ?Sized>(owned: &Option<T::Owned>) -> Option<&T> {
    owned.as_ref().map(T::borrow)
}

/// A type that may not work as an argument.
pub struct ProbedArgument<T>(PhantomData<fn() -> T>);

/// The type to report, or `()` if the probed type works as an argument.
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
