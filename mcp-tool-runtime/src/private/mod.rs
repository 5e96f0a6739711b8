//! What generated code calls. Nothing here is part of the public API: only generated code may use this module.
//!
//! [`definition`] creates a tool's definition, and [`returned`] runs a call. [`arguments`] and [`returned`] find out
//! what the types of a function implement, and how to read and write them. The compile errors that users see are the
//! `on_unimplemented` texts of the traits that those types must implement: [`argument`] for arguments, [`injected`] for
//! other parameters, [`output`], [`success`] and [`failure`] for results. [`registration`] serves `#[mcp_tools]`,
//! `tools!` and the builder.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::new_without_default,
    clippy::return_self_not_must_use,
    clippy::unused_self,
    reason = "hidden, and called by generated code only"
)]

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Deref;

pub use mcp_tool_macros::__tools;

/// Contains `#[mcp_tool]` for the methods of a service, because the service's author might not have imported the
/// attribute.
pub mod attributes {
    pub use mcp_tool_macros::mcp_tool;
}

pub use schemars::{self, JsonSchema, Schema, SchemaGenerator};
pub use serde;
use serde::Serialize;
use serde::de::DeserializeOwned;
pub use serde_json::Value;
pub use std::any::type_name;
pub use std::boxed::Box;
pub use std::clone::Clone;
pub use std::convert::{From, Into};
pub use std::default::Default;
pub use std::format;
pub use std::iter::{IntoIterator, Iterator};
pub use std::marker::{Send, Sync};
pub use std::option::Option;
pub use std::result::Result;
pub use std::string::{String, ToString};
pub use std::sync::Arc;
pub use std::time::Duration;
pub use std::vec::Vec;

pub use crate::Extensions;
use crate::ToolOutput;
pub use crate::arguments::nullable::present;
pub use crate::arguments::parameters::{
    DecodeCheck, Defaulted, Given, Parameter, ParameterDescriber, ParameterReader, ParameterTuple, ParameterValue,
};
pub use crate::ask::{
    answer::AskedParameter,
    asking::{Asking, unanswered},
    message::{Message, plain_question},
    question::{QuestionFor, QuestionSpec},
};
pub use crate::call::shared_state::{Need, States};
pub use crate::mcp::{Icon, Tool};
pub use crate::tool::metadata::ToolMetadata;
pub use crate::tool::service::{OnlyOneBlockWithoutPart, SharedService, ToolService};
pub use crate::{Arguments, BoxFuture, CallContext, IntoToolError, Output, ToolError, ToolHandler};

/// The keys of the attributes, for completion in rust-analyzer: the module `editor` of the macro crate explains how.
#[cfg(rust_analyzer)]
#[allow(non_camel_case_types, reason = "each type is named like its key")]
pub mod keys {
    mcp_tool_macros::__keys!();
}

/// Defines zero-sized types that carry other types as type parameters.
macro_rules! type_markers {
    ($($(#[$attr:meta])* $name:ident<$($ty:ident),+>)+) => {$(
        $(#[$attr])*
        pub struct $name<$($ty),+>(std::marker::PhantomData<fn() -> ($($ty,)+)>);

        impl<$($ty),+> $name<$($ty),+> {
            pub const fn new() -> Self {
                Self(std::marker::PhantomData)
            }
        }

        impl<$($ty),+> Clone for $name<$($ty),+> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($ty),+> Copy for $name<$($ty),+> {}
    )+};
}

/// Defines traits for autoref specialization. The traits share one method name, and the method of each trait returns
/// the marker after the arrow. Of the implementations whose bounds hold, rustc calls the one for the type with the most
/// `&`.
macro_rules! probes {
    ($method:ident: $($(#[$attr:meta])* $name:ident<$($ty:ident),*> -> $marker:ident<$($of:ident),+>)+) => {$(
        $(#[$attr])*
        pub trait $name<$($ty),*> {
            fn $method(&self) -> $marker<$($of),+> {
                $marker::new()
            }
        }
    )+};
}

/// Defines `check` and `described` for markers that never cause a compile error.
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

mod argument;
mod arguments;
mod definition;
mod failure;
mod injected;
mod output;
mod registration;
mod returned;
mod success;

pub use argument::*;
pub use arguments::*;
pub use definition::*;
pub use failure::*;
pub use injected::*;
pub use output::*;
pub use registration::*;
pub use returned::*;
pub use success::*;

/// The traits whose methods generated code calls. The traits have no names here, because their names could hide the
/// author's. Generated code imports all of them with one glob.
pub mod traits {
    pub use super::{
        ProbeArguments as _, ProbeContainer as _, ProbeDisplayError as _, ProbeElementArgument as _,
        ProbeIntoToolError as _, ProbeOffendingArgument as _, ProbePagedList as _, ProbePagedText as _,
        ProbePlain as _, ProbePointerToError as _, ProbeSerializable as _, ProbeSerializableContainer as _,
        ProbeSerializableDefault as _, ProbeStdError as _, ProbeStructured as _, ProbeToolOutput as _, ProbeTuple as _,
        ProbeUnlistedContent as _, ProbeUnserializableDefault as _, ProbeUnsupportedArguments as _,
        ProbeUnsupportedError as _, ProbeUnsupportedList as _, ProbeUnsupportedOutput as _, ProbeValidArgument as _,
    };
    pub use std::iter::{IntoIterator as _, Iterator as _};
}
