//! What does generated code call? Nothing here is part of the public contract.
//!
//! [`definition`] creates a tool's definition, [`future`] runs a call. [`probe`] finds out what the types of a function
//! implement, and [`codec`] reads and writes them. [`argument`], [`default`], [`example`], [`injected`], [`output`] and [`error`] are the traits that those types must
//! implement; their `on_unimplemented` texts are the compile errors of users. [`element_type`] and [`unlisted_content`] make
//! two of those errors more exact. [`service_part`], [`package`], [`builder`], [`blocking`] and [`tokio_feature`] serve `#[mcp_tools]`,
//! `tools!` and the builder.
//!
//! It may import every module. Only generated code imports it.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::new_without_default,
    clippy::return_self_not_must_use,
    clippy::unused_self,
    reason = "hidden, and called by generated code only"
)]

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Deref;

pub use mcp_tool_macros::__tools;

/// `#[mcp_tool]` for the methods of a service, whose author may not have imported it.
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
pub use std::string::String;
pub use std::string::ToString;
pub use std::sync::Arc;
pub use std::time::Duration;
pub use std::vec::Vec;

pub use crate::Extensions;
use crate::ToolOutput;
pub use crate::arguments::parameters::{
    DecodeCheck, Defaulted, Parameter, ParameterDescriber, ParameterReader, ParameterTuple, ParameterValue,
};
pub use crate::ask::{
    answer::AskedParameter,
    asking::{Asking, unanswered},
    message::{Message, plain_question},
    question::{QuestionFor, QuestionSpec},
};
pub use crate::call::shared_state::{Need, States};
pub use crate::mcp::Icon;
pub use crate::mcp::Tool;
pub use crate::tool::metadata::ToolMetadata;
pub use crate::tool::service::{OneBlockWithItsParts, SharedService, ToolService};
pub use crate::{Arguments, BoxFuture, CallContext, IntoToolError, Output, ToolError, ToolHandler};

/// The keys of the attributes, from which rust-analyzer completes them: `editor` of the macro crate explains how.
#[cfg(rust_analyzer)]
#[allow(non_camel_case_types, reason = "each type is named like its key")]
pub mod keys {
    mcp_tool_macros::__keys!();
}

mod argument;
#[cfg_attr(not(feature = "tokio"), path = "without_tokio.rs")]
mod blocking;
mod builder;
mod codec;
mod default;
mod definition;
mod docs;
mod element_type;
mod error;
mod example;
mod future;
mod injected;
mod output;
mod package;
mod probe;
mod service_part;
mod tokio_feature;
mod unlisted_content;

pub use argument::*;
pub use blocking::blocking;
pub use builder::*;
pub use codec::*;
pub use default::*;
pub use definition::*;
pub use docs::description_of;
pub use element_type::*;
pub use error::{DisplayedError, ErrorCode, ErrorOfTool, Milliseconds, masked};
pub use example::{ExampleValue, add_example, add_example_call, example};
pub use future::{boxed, call};
pub use injected::*;
pub use output::{DescribedOutput, SerializableOutput, StructuredOutput, TextOfResult, output_with_text};
pub use package::of_package;
use probe::type_markers;
pub use probe::*;
pub use service_part::*;
pub use tokio_feature::*;
pub use unlisted_content::*;

/// The traits whose methods generated code calls. They have no names, which could hide names of the author. A glob imports them, so
/// that each tool has one import and not 22.
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
