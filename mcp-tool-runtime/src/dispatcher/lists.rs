//! The list for Open Tool Calling.

use super::{Dispatcher, SeenBy};
use crate::otc::{DefinitionError, ToolDefinition, definitions};

impl Dispatcher {
    /// Returns the definitions for Open Tool Calling, which are the `tools` in the response to `GET /tools`.
    ///
    /// All tools have this version. To check whether a request asks for it, use
    /// [`otc::Context::asks_for`](crate::otc::Context::asks_for). The schemas contain no `$ref`: every reference is replaced by its
    /// schema. Where a type contains itself, only its `type`, `title` and `description` remain.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, serde_json, tools, Dispatcher};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool(name = "Calculator.Add")]
    /// async fn add(
    ///     /// The first summand.
    ///     a: f64,
    ///     /// The second summand.
    ///     b: f64,
    /// ) -> f64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let body = json!({"$schema": "urn:oxp:1.0", "tools": dispatcher.list_otc("1.0.0")?});
    /// assert_eq!(body["tools"][0]["id"], "Calculator.Add@1.0.0");
    /// assert_eq!(body["tools"][0]["input_schema"]["parameters"]["required"], json!(["a", "b"]));
    /// assert_eq!(body["tools"][0]["output_schema"], json!({"type": "number"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`DefinitionError`] if a tool does not follow the specification. It requires names of the form `Toolkit.Tool`, with
    /// letters, digits and `_`, and at most 64 characters. Every parameter needs a description, and the version must be three integers.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        definitions(self.list(), version)
    }
}

impl SeenBy<'_> {
    /// Returns the definitions for Open Tool Calling. See [`Dispatcher::list_otc`].
    ///
    /// # Errors
    ///
    /// Returns a [`DefinitionError`] if one of these tools does not follow the specification.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        definitions(self.list(), version)
    }
}
