//! The lists for Open Tool Calling.

use super::{Dispatcher, SeenBy};
use crate::otc::{DefinitionError, ToolDefinition, definitions};

impl Dispatcher {
    /// Returns the definitions for Open Tool Calling: the `tools` of the response to `GET /tools`.
    ///
    /// All tools have this version. To find out if a request asks for it, use
    /// [`otc::Context::asks_for`](crate::otc::Context::asks_for). The schemas have no `$ref`: a referenced schema is written
    /// out, and a type that contains itself is cut to its `type`, `title` and `description`.
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
    /// A [`DefinitionError`] if a tool breaks a rule of the specification: a name has the form `Toolkit.Tool`, with letters,
    /// digits and `_`, and at most 64 characters; every parameter has a description; the version is three integers.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        definitions(self.list(), version, self.settings().compact_output_schemas)
    }
}

impl SeenBy<'_> {
    /// Returns the definitions for Open Tool Calling. See [`Dispatcher::list_otc`].
    ///
    /// # Errors
    ///
    /// A [`DefinitionError`] if one of these tools breaks a rule of the specification.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        definitions(self.list(), version, self.dispatcher.settings().compact_output_schemas)
    }
}
