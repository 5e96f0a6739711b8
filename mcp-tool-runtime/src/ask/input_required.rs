//! The result of a call that first needs answers from the user.

use serde_json::{Map, Value, json};

use super::Question;
use crate::ProtocolVersion;

/// The questions that a client must ask its user before it calls again (protocol version 2026-07-28 and later).
///
/// The client calls the tool again with the same name and arguments. It adds the answers, each under the key of its request, and the
/// unchanged state. [`CallToolRequest::with_input_responses`](crate::CallToolRequest::with_input_responses) and
/// [`with_request_state`](crate::CallToolRequest::with_request_state) do that:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{CallToolRequest, Consent, Dispatcher, json, mcp_tool, tools};
///
/// /// Delete a note for good.
/// #[mcp_tool]
/// async fn delete_note(id: u32, #[mcp_tool(ask = "Delete note {id} for good?")] _sure: Consent) -> String {
///     format!("note {id} is deleted")
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![delete_note]).build()?;
/// let capabilities = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
/// let request = CallToolRequest::new("delete_note", json!({"id": 7})).with_meta(capabilities.as_object().unwrap().clone());
///
/// let response = dispatcher.call(request.clone()).await?;
/// let required = response.input_required().unwrap();
/// assert_eq!(required.requests()["sure"]["params"]["message"], "Delete note 7 for good?");
///
/// let again = request
///     .with_input_responses(json!({"sure": {"action": "accept", "content": {"confirm": true}}}))
///     .with_request_state(required.state());
/// assert_eq!(dispatcher.call(again).await?.deserialize::<String>()?, "note 7 is deleted");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct InputRequired {
    questions: Vec<Question>,
    requests: Map<String, Value>,
    state: String,
}

impl InputRequired {
    pub(super) fn new(questions: Vec<Question>, state: String) -> Self {
        let request = |question: &Question| {
            let params = question.params(ProtocolVersion::V2026_07_28);
            (question.key.to_owned(), json!({ "method": "elicitation/create", "params": params }))
        };
        Self { requests: questions.iter().map(request).collect(), questions, state }
    }

    /// Returns the `inputRequests` of the protocol: an `elicitation/create` request for each question, by the key of the question.
    #[must_use]
    pub fn requests(&self) -> &Map<String, Value> {
        &self.requests
    }

    /// Returns the questions, in the order of the parameters.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// Returns the state that the client must send back unchanged. It is signed, but not encrypted.
    #[must_use]
    pub fn state(&self) -> &str {
        &self.state
    }
}
