//! The arguments of a call on their way from the caller's document to the types of a tool.
//!
//! [`read`] makes a document of the bytes, the schema is checked on it, and [`decode`] reads the types from it. What is
//! wrong on the way is a [`fault`]; what of it rule I3 forgives is in [`aliases`], [`lenient`] and [`forgive`].

pub(crate) mod aliases;
pub(crate) mod decode;
pub(crate) mod forgive;
pub(crate) mod lenient;
mod problem;
pub(crate) mod violations;
mod wording;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ToolError;
use crate::document::tape::Tape;
use crate::document::violation::Violation;

/// The arguments of one call, checked against the tool's input schema.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler};
///
/// struct Shout;
///
/// impl ToolHandler for Shout {
///     fn definition(&self) -> mcp::Tool {
///         let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
///         mcp::Tool::new("shout", "Say it louder.", schema)
///     }
///
///     fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         Box::pin(async move {
///             let text = arguments.as_value()?["text"].as_str().unwrap_or_default().to_uppercase();
///             Ok(Output::content(vec![mcp_tool_runtime::Text::new(text).into()]))
///         })
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a> {
    tape: &'a Tape<'a>,
    lax: bool,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(tape: &'a Tape<'a>, lax: bool) -> Self {
        Self { tape, lax }
    }

    /// Reads the arguments into a type. A number such as `3.0` is an integer where one is expected.
    ///
    /// # Errors
    ///
    /// The first argument that the type refuses, with its path, in words for a model.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        match decode::typed(self.tape.root()) {
            Ok(value) => Ok(value),
            Err(problem) => {
                let again = self.tape.with_integers().and_then(|tape| decode::typed(tape.root()).ok());
                let fault = problem.into_fault(self.tape.root());
                let again = again.or_else(|| self.deserialize_forgiving(&fault));
                again.ok_or_else(|| violations::invalid_arguments(&[fault]))
            }
        }
    }

    /// Forgives at the places that the type refused, one after the other.
    fn deserialize_forgiving<T: DeserializeOwned>(&self, fault: &Violation) -> Option<T> {
        let mut tape = self.tape.clone();
        let mut fault = fault.clone();
        for _ in 0..forgive::ROUNDS_OF_A_TYPE {
            if !forgive::forgive(&mut tape, std::slice::from_ref(&fault), self.lax, None) {
                return None;
            }
            match decode::typed(tape.root()) {
                Ok(value) => return Some(value),
                Err(problem) => fault = problem.into_fault(tape.root()),
            }
        }
        None
    }

    /// The arguments as a value.
    ///
    /// # Errors
    ///
    /// None today: whatever reaches a tool is a document that can be read.
    pub fn as_value(&self) -> Result<Value, ToolError> {
        Ok(self.tape.root().to_value())
    }
}
