//! What a parameter's type has to be able to do. Each of these traits is asked for at one place, so that a type without
//! it is one error.

use super::{DeserializeOwned, JsonSchema};

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "help: a type of another crate: turn on its features `serde` and `schemars1`, or take it apart into types that have both",
    note = "help: what no client sends is marked: `#[mcp_tool(context)]`, `#[mcp_tool(state)]` or `#[mcp_tool(extension)]`"
)]
pub trait ToolArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {}

/// A type that an argument is lent as: the call owns `Owned`, the function gets a reference.
pub trait Lend {
    type Owned;

    fn lend(owned: &Self::Owned) -> &Self;
}

impl<T> Lend for T {
    type Owned = T;

    fn lend(owned: &T) -> &T {
        owned
    }
}

impl<T> Lend for [T] {
    type Owned = Vec<T>;

    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }
}

impl Lend for str {
    type Owned = String;

    fn lend(owned: &String) -> &str {
        owned
    }
}

impl Lend for std::path::Path {
    type Owned = std::path::PathBuf;

    fn lend(owned: &std::path::PathBuf) -> &std::path::Path {
        owned
    }
}

/// An argument that is lent where there is one.
pub fn lend_option<T: Lend + ?Sized>(owned: &Option<T::Owned>) -> Option<&T> {
    owned.as_ref().map(T::lend)
}

/// A type with a value for an argument that is absent.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{Self}` has no default",
    label = "does not implement `Default`",
    note = "help: derive `Default` for it, or write `#[serde(default = \"function\")]`"
)]
pub trait DefaultArgument {
    fn default_argument() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultArgument for T {
    fn default_argument() -> Self {
        Self::default()
    }
}
