//! Finds out what a type implements, by method resolution and never by how the type is written.
//!
//! Several traits share one method name. The impl for `&&Probe<T>` has the strictest bounds on `T`, the impl for `Probe<T>`
//! has none. The call adds references, so rustc tries the strictest impl first and takes the first one whose bounds hold.
//! The impl without bounds is the fallback: it returns a type that causes a compile error with a message of this crate.
//!
//! The types that these methods return implement the traits of [`codec`](super::codec). Their checks are inherent methods that
//! take `self`. Method resolution tries those first, so a blanket trait of the author cannot replace them.
//!
//! This file splits a return type into the type of the success and the type of the error. [`output`], [`error`] and
//! [`arguments`] probe those types and the arguments.

mod arguments;
mod asked;
mod error;
mod output;
mod paged;

pub use arguments::*;
pub use asked::*;
pub use error::*;
pub use output::*;
pub use paged::*;

use super::{FallibleCodec, IntoToolError, PhantomData, PlainCodec, ToolError};

/// Defines zero-sized types that carry other types as type parameters.
macro_rules! type_markers {
    ($($(#[$attr:meta])* $name:ident<$($ty:ident),+>)+) => {$(
        $(#[$attr])*
        pub struct $name<$($ty),+>(pub(in crate::private) std::marker::PhantomData<fn() -> ($($ty,)+)>);

        impl<$($ty),+> Clone for $name<$($ty),+> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($ty),+> Copy for $name<$($ty),+> {}
    )+};
}
pub(super) use type_markers;

/// Defines the checks of types that have nothing to report.
macro_rules! always_valid {
    ($($name:ident<$ty:ident>)+) => {$(
        impl<$ty> $name<$ty> {
            pub fn check(self) -> Self {
                self
            }

            pub fn described(self) -> Self {
                self
            }
        }
    )+};
}
use always_valid;

type_markers! {
    /// The return type of a function.
    Returned<R>
    /// A return type that is a `Result`, or an alias of one.
    Fallible<T, E>
    /// Any other return type.
    Plain<T>
    /// The type of a success, to be probed by `output`.
    Success<T>
    /// The type of an error, to be probed by `error`.
    Failure<E>
}

impl<R> Returned<R> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    pub const fn of(_: &R) -> Self {
        Self(PhantomData)
    }
}

impl<T, E> Returned<Result<T, E>> {
    pub const fn __mcp_tool_split(self) -> Fallible<T, E> {
        Fallible(PhantomData)
    }
}

pub trait ProbePlain<T>: Sized {
    fn __mcp_tool_split(self) -> Plain<T> {
        Plain(PhantomData)
    }
}

impl<T> ProbePlain<T> for Returned<T> {}

impl<T, E> Fallible<T, E> {
    pub const fn success(self) -> Success<T> {
        Success(PhantomData)
    }

    pub const fn failure(self) -> Failure<E> {
        Failure(PhantomData)
    }

    pub fn take(self, returned: Result<T, E>) -> Result<T, E> {
        returned
    }

    pub fn codec<S, F>(self, success: S, failure: F) -> FallibleCodec<S, F> {
        FallibleCodec { success, failure }
    }
}

impl<T> Plain<T> {
    pub const fn success(self) -> Success<T> {
        Success(PhantomData)
    }

    pub const fn failure(self) -> Failure<Never> {
        Failure(PhantomData)
    }

    pub fn take(self, returned: T) -> Result<T, Never> {
        Ok(returned)
    }

    pub fn codec<S, F>(self, success: S, _: F) -> PlainCodec<S> {
        PlainCodec { success }
    }
}

/// The error type of a function that does not return a `Result`.
pub enum Never {}

impl IntoToolError for Never {
    fn into_tool_error(self) -> ToolError {
        match self {}
    }
}
