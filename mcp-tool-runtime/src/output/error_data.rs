//! The part of an error that is for programs: its code and its data.

use serde::Serialize;
use serde_json::Value;

use super::error::ToolError;
use super::value::not_json;
use crate::json::writer::{JsonText, WriteError};

impl ToolError {
    /// Sets an error code for programs, such as `NOT_FOUND`. You define the codes.
    ///
    /// Models do not read the code. Results of the Model Context Protocol contain it in `_meta`, as `rs.mcp-tool/code`.
    /// Open Tool Calling responses contain it as the property `code` of the error.
    ///
    /// A masked error keeps its code.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, ProtocolVersion, ToolError};
    ///
    /// /// Delete a note.
    /// #[mcp_tool]
    /// async fn delete(id: u32) -> Result<(), ToolError> {
    ///     let error = ToolError::new(format!("there is no note {id}"));
    ///     Err(error.with_code("NOT_FOUND").with_data(json!({"first": 1, "last": 5})))
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![delete]).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("delete", json!({"id": 7}))).await?;
    /// let result = response.to_mcp(ProtocolVersion::LATEST);
    /// assert_eq!(result.meta["rs.mcp-tool/code"], "NOT_FOUND");
    /// assert_eq!(result.meta["rs.mcp-tool/data"], json!({"first": 1, "last": 5}));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into().into());
        self
    }

    /// Sets data about the failure for programs, such as the ids that exist.
    ///
    /// Like the [code](Self::with_code), the data is not for models. Results of the Model Context Protocol contain it in `_meta`,
    /// as `rs.mcp-tool/data`. Open Tool Calling responses contain it as the property `data` of the error.
    ///
    /// Data that JSON cannot represent, such as NaN or a map whose keys are not strings, is dropped. Data whose JSON is longer
    /// than [`max_result_bytes`](crate::DispatcherBuilder::max_result_bytes) is dropped when the error is sent. In both cases the
    /// developer message says so.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, ToolError};
    ///
    /// let error = ToolError::new("the seats are taken").with_data([12, 13]);
    /// assert_eq!(error.data(), Some(&json!([12, 13])));
    /// ```
    #[must_use]
    pub fn with_data(mut self, data: impl Serialize) -> Self {
        let written = JsonText::write(&data).map_err(|error| match error {
            WriteError::Serialize(error) => error.to_string(),
            WriteError::NotFinite(_) => not_json(error).message().to_owned(),
            WriteError::TooDeep => "it has too many levels of nesting".to_owned(),
        });
        let read = written.and_then(|json| serde_json::from_str(json.as_str()).map_err(|error| error.to_string()));
        match read {
            Ok(data) => self.0.data = Some(data),
            Err(problem) => self.leave_out_data(&format!("it cannot be written as JSON: {problem}")),
        }
        self
    }

    /// Returns the code for programs.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// Returns the data for programs.
    #[must_use]
    pub fn data(&self) -> Option<&Value> {
        self.0.data.as_ref()
    }

    /// Removes data that is too large to send.
    pub(crate) fn limit_data(&mut self, max_bytes: usize) {
        let Some(data) = &self.0.data else { return };
        let bytes = data.to_string().len();
        if bytes > max_bytes {
            self.leave_out_data(&format!("it has {bytes} bytes, and at most {max_bytes} are sent"));
        }
    }

    /// Removes the data and says why in the developer message.
    fn leave_out_data(&mut self, reason: &str) {
        self.0.data = None;
        let note = format!("the data of the error is left out: {reason}");
        self.0.developer_message = Some(match self.0.developer_message.take() {
            Some(message) => format!("{message}; {note}"),
            None => note,
        });
    }
}
