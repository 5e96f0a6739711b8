//! What an agent loop sees: calls, their approvals and outcomes, and the choice of tools.

use std::time::Duration;

use serde_json::Value;

use crate::ToolError;
use crate::mcp::{self, ToolAnnotations};

/// A call in a message of a model. The call has not run yet. See [`Export::calls`](crate::export::Export::calls).
///
/// ```
/// # use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # /// Delete a note.
/// # #[mcp_tool(destructive_hint)]
/// # async fn delete_note(id: u32) {
/// #     let _ = id;
/// # }
/// # let export = Dispatcher::builder().tools(tools![delete_note]).build()?.export(Vendor::Gemini);
/// # let message = json!({"role": "model", "parts": [{"functionCall": {"name": "delete_note", "args": {"id": 7}}}]});
/// let call = &export.calls(&message)?[0];
/// assert_eq!((call.tool(), call.is_complete()), (Some("delete_note"), true));
/// assert_eq!(call.annotations().and_then(|hints| hints.destructive_hint), Some(true));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ExportedCall {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: Result<Value, ToolError>,
    pub(super) is_complete: bool,
    pub(super) tool: Option<mcp::Tool>,
    pub(super) has_invalid_arguments: bool,
}

impl ExportedCall {
    /// Returns the id that the vendor gave the call. Only a call from Gemini can have no id.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the name that the model wrote.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tool's own name, or `None` if the export has no such tool.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_ref().map(|tool| tool.name.as_str())
    }

    /// Returns the hints of the tool, for example to approve all calls that only read. An unknown tool has none.
    pub fn annotations(&self) -> Option<&ToolAnnotations> {
        self.tool.as_ref()?.annotations.as_ref()
    }

    /// Returns the arguments, or `None` if the model did not write valid JSON. A `null` that stands for "not set" in a
    /// strict call has been removed. The arguments may be invalid: see [`can_run`](Self::can_run).
    pub fn arguments(&self) -> Option<&Value> {
        self.arguments.as_ref().ok()
    }

    /// Returns `false` if the model stopped before the arguments were complete. Such a call never runs, and its result
    /// is an error.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns `false` if the call cannot run: the tool is unknown, the call was cut off, or its arguments are invalid.
    /// Nobody needs to decide about such a call. Its result tells the model what is wrong.
    ///
    /// If the tool has a [middleware](crate::Middleware), its own or one of the dispatcher, a call with invalid
    /// arguments can run, because the middleware might correct them. Only arguments that are not JSON cannot be
    /// corrected. If you approve the call and the arguments stay invalid, the function of the tool does not run, and
    /// the model gets the reason. To log calls without a middleware, use
    /// [`on_call`](crate::DispatcherBuilder::on_call). A tool that asks for [`Consent`](crate::Consent) itself asks
    /// only after its arguments were checked.
    ///
    /// ```
    /// # use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
    /// # /// Delete a note.
    /// # #[mcp_tool(destructive_hint)]
    /// # async fn delete_note(id: u32) {
    /// #     let _ = id;
    /// # }
    /// # let export = Dispatcher::builder().tools(tools![delete_note]).build()?.export(Vendor::Gemini);
    /// let message = json!({"role": "model", "parts": [{"functionCall": {"name": "delete_note", "args": {"id": "seven"}}}]});
    /// assert!(!export.calls(&message)?[0].can_run());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_run(&self) -> bool {
        self.tool.is_some() && self.is_complete && self.arguments.is_ok() && !self.has_invalid_arguments
    }
}

/// What to do with a call. See [`Export::answer_with`](crate::export::Export::answer_with).
///
/// ```
/// # use mcp_tool_runtime::export::Approval;
/// # use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # /// Delete a note.
/// # #[mcp_tool(destructive_hint)]
/// # async fn delete_note(id: u32) {
/// #     let _ = id;
/// # }
/// # let export = Dispatcher::builder().tools(tools![delete_note]).build()?.export(Vendor::Gemini);
/// # let message = json!({"role": "model", "parts": [{"functionCall": {"name": "delete_note", "args": {"id": 7}}}]});
/// let answer = export.answer_with(&message, |_| Approval::Refuse("the note is locked".to_owned())).await?;
/// assert!(answer.messages[0].to_string().contains("the note is locked"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// Run the call.
    Run,
    /// Do not run the call. The model gets this text as an error.
    Refuse(String),
    /// Do not run the call, and do not add a result. Vendors expect a result for each call, so add your own.
    Skip,
}

/// The results of the calls in one message. See [`Export::answer_with`](crate::export::Export::answer_with).
///
/// ```
/// # use mcp_tool_runtime::export::Approval;
/// # use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # /// Delete a note.
/// # #[mcp_tool(destructive_hint)]
/// # async fn delete_note(id: u32) {
/// #     let _ = id;
/// # }
/// # let export = Dispatcher::builder().tools(tools![delete_note]).build()?.export(Vendor::Gemini);
/// # let message = json!({"role": "model", "parts": [{"functionCall": {"name": "delete_note", "args": {"id": 7}}}]});
/// let answer = export.answer_with(&message, |_| Approval::Run).await?;
/// assert_eq!((answer.messages.len(), answer.outcomes.len()), (1, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Answer {
    /// What to append to the conversation. It is empty if there are no results.
    pub messages: Vec<Value>,
    /// The outcomes of the calls that have a result, in the order of the calls.
    pub outcomes: Vec<Outcome>,
}

/// The outcome of one call, for logs and for deciding what to do next.
///
/// ```
/// # use mcp_tool_runtime::export::Approval;
/// # use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # /// Delete a note.
/// # #[mcp_tool(destructive_hint)]
/// # async fn delete_note(id: u32) {
/// #     let _ = id;
/// # }
/// # let export = Dispatcher::builder().tools(tools![delete_note]).build()?.export(Vendor::Gemini);
/// # let message = json!({"role": "model", "parts": [{"functionCall": {"name": "delete_note", "args": {"id": 7}}}]});
/// for outcome in export.answer_with(&message, |_| Approval::Run).await?.outcomes {
///     println!("{}: success {} after {:?}", outcome.tool, outcome.is_success, outcome.duration);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The tool's own name, or the name that the model wrote if there is no such tool.
    pub tool: String,
    /// The id that the vendor gave the call, if there is one.
    pub call_id: Option<String>,
    /// Whether the tool ran and returned no error.
    pub is_success: bool,
    /// How long the tool ran, or zero if it did not run.
    pub duration: Duration,
    /// Whether the same call, unchanged, may succeed later.
    pub can_retry: bool,
    /// How long to wait before trying again, if the error says so.
    pub retry_after: Option<Duration>,
}

/// Which tools a model may or must call. See [`Export::tool_choice`](crate::export::Export::tool_choice).
///
/// ```
/// use mcp_tool_runtime::export::ToolChoice;
/// use mcp_tool_runtime::{json, Dispatcher, export::Vendor};
///
/// let export = Dispatcher::builder().build()?.export(Vendor::Bedrock);
/// assert_eq!(export.tool_choice(ToolChoice::Any), Some(json!({"any": {}})));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice<'t> {
    /// The model decides. This is the vendors' default.
    Auto,
    /// The model must call at least one tool.
    Any,
    /// The model must not call a tool.
    None,
    /// The model must call the tool with this name (the tool's own name, not the exported one).
    Tool(&'t str),
}
