//! The traits that the type of a parameter must implement.
//!
//! Generated code requires each of them at one place only, so that a type without it is one compile error.

use super::{DeserializeOwned, JsonSchema};

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "help: a type of another crate: turn on its features `serde` and `schemars1`, or convert it from types that have both",
    note = "help: a parameter that no client sends needs `#[mcp_tool(context)]`, `#[mcp_tool(state)]` or `#[mcp_tool(extension)]`"
)]
pub trait ToolArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {}

/// The target of a parameter that is a reference: the call owns an `Owned`, and the function borrows it.
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
