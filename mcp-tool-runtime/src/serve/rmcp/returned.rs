//! What tools of the SDK return, with the meaning that it has there.

use ::rmcp::model::ContentBlock;
use ::rmcp::{ErrorData, Json};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::types;
use crate::{IntoToolError, Output, ToolError, ToolOutput};

/// An error of the SDK, with its message for the model.
///
/// The SDK sends it as a JSON-RPC error, which most clients do not show to a model. Here it is an error result, as every failure
/// of a tool: with the message, and for programs with the number of the code and the data. The operator `?` converts it in the
/// same way into a [`ToolError`].
///
/// ```
/// use mcp_tool_runtime::{json, IntoToolError as _};
/// use rmcp::ErrorData;
///
/// let error = ErrorData::invalid_params("no note has the id 7", Some(json!({"last": 5}))).into_tool_error();
/// assert_eq!(error.message(), "no note has the id 7");
/// assert_eq!((error.code(), error.data()), (Some("-32602"), Some(&json!({"last": 5}))));
/// ```
impl IntoToolError for ErrorData {
    fn into_tool_error(self) -> ToolError {
        let error = ToolError::new(self.message).with_code(self.code.0.to_string());
        match self.data {
            Some(data) => error.with_data(data),
            None => error,
        }
    }
}

/// The value, with the schema of its type. The wrapper of the SDK has no meaning of its own here: every value is structured.
impl<T: Serialize + JsonSchema> ToolOutput for Json<T> {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    fn into_output(self) -> Result<Output, ToolError> {
        Output::value(self.0)
    }
}

/// The block, without an output schema.
impl ToolOutput for ContentBlock {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn into_output(self) -> Result<Output, ToolError> {
        vec![self].into_output()
    }
}

/// The blocks, without an output schema.
impl ToolOutput for Vec<ContentBlock> {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn into_output(self) -> Result<Output, ToolError> {
        self.iter().map(types::same_form).collect::<Result<_, _>>().map(Output::content).map_err(|error| {
            ToolError::invalid_result("a content block cannot be converted").with_developer_message(error.to_string())
        })
    }
}
