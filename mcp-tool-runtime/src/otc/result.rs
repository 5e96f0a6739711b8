//! Writes the outcome of a call as an Open Tool Calling 1.0 response.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::call::milliseconds;
use crate::output::value::Body;
use crate::{Content, Output};

/// An Open Tool Calling 1.0 response. [`to_otc`](crate::CallToolResponse::to_otc) creates it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, serde_json, tools, CallToolRequest, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let response = dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3}))).await?;
/// let response = serde_json::to_value(response.to_otc())?;
/// assert_eq!((&response["success"], &response["value"]), (&json!(true), &json!(5)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CallToolResponse<'a>(&'a crate::CallToolResponse);

impl<'a> CallToolResponse<'a> {
    pub(crate) fn new(response: &'a crate::CallToolResponse) -> Self {
        Self(response)
    }
}

/// Serializes `call_id`, `duration`, `success`, and `value` or `error`.
impl Serialize for CallToolResponse<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.input_required() {
            Some(required) => write(&self.0.without_questions(required), serializer),
            None => write(self.0, serializer),
        }
    }
}

fn write<S: Serializer>(response: &crate::CallToolResponse, serializer: S) -> Result<S::Ok, S::Error> {
    let mut document = serializer.serialize_struct("CallToolResponse", 4)?;
    document.serialize_field("call_id", &response.call_id)?;
    document.serialize_field("duration", &whole_or_fractional(milliseconds(response.duration)))?;
    document.serialize_field("success", &response.is_success())?;
    match &response.result {
        Ok(_) => document.serialize_field("value", &response.value())?,
        Err(error) if response.format.settings.expose_developer_messages => {
            document.serialize_field("error", error)?;
        }
        Err(error) => document.serialize_field("error", &error.clone().without_developer_message())?,
    }
    document.end()
}

/// Returns the value of a result that has no structured value: `null` for a tool that returns nothing, the text of a
/// single text block, or else the array of blocks. Returns `None` if the result has a structured value or asks the
/// user.
pub(crate) fn value_of_content(output: &Output) -> Option<Box<RawValue>> {
    match (&output.body, output.blocks()) {
        (Body::Value(_) | Body::InputRequired(_) | Body::Unfinished(_), _) => None,
        (Body::Unit, _) => Some(RawValue::NULL.to_owned()),
        (Body::Blocks, [Content::Text(text)]) => to_raw_value(text.text()).ok(),
        (Body::Blocks, blocks) => to_raw_value(blocks).ok(),
    }
}

/// Returns a number that is not negative as JSON. A whole number becomes an integer.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, positive and small")]
fn whole_or_fractional(number: f64) -> Value {
    if number.fract() == 0.0 && number < 1e15 { (number as u64).into() } else { number.into() }
}
