//! What a client is asked in the result of a call, and what it sends back.

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::state::RecordedOutcome;
use super::{CompiledQuestion, Question};
use crate::json::reader;
use crate::{DispatchError, ProtocolVersion};

/// The error for an accepted form without content.
pub(super) const EMPTY_FORM: &str = "the form is empty";

/// The responses to the questions of a tool, each at the index of its question. Only an accepted form can have an
/// error.
pub(super) type Responses = Vec<Option<Result<RecordedOutcome, String>>>;

/// Reads the responses from the JSON text of `inputResponses`. Ignores keys that are not the key of a question.
///
/// # Errors
///
/// If the text is too long or is not an object, the key of a question occurs twice, or the response to a
/// question has no valid `action`.
pub(super) fn read(text: &str, questions: &[CompiledQuestion], max_bytes: usize) -> Result<Responses, DispatchError> {
    if text.len() > max_bytes {
        return Err(invalid(format!("`inputResponses` must have at most {max_bytes} bytes")));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let raw = deserializer.deserialize_map(ResponsesVisitor(questions));
    let raw = raw.map_err(|_| invalid("`inputResponses` must be an object, with each key once".to_owned()))?;
    raw.into_iter().zip(questions).map(|(raw, question)| raw.map(|raw| response(raw, question)).transpose()).collect()
}

fn response(raw: &RawValue, question: &CompiledQuestion) -> Result<Result<RecordedOutcome, String>, DispatchError> {
    #[derive(serde::Deserialize)]
    struct RawResponse<'r> {
        action: Action,
        #[serde(borrow)]
        content: Option<&'r RawValue>,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Action {
        Accept,
        Decline,
        Cancel,
    }

    let object = Some(raw.get()).filter(|text| text.starts_with('{'));
    let Some(form) = object.and_then(|text| serde_json::from_str::<RawResponse<'_>>(text).ok()) else {
        let key = question.spec.key;
        return Err(invalid(format!(
            "`inputResponses.{key}` must be an object with an `action`: `accept`, `decline` or `cancel`"
        )));
    };
    Ok(match form.action {
        Action::Accept => content(form.content).map(RecordedOutcome::Accept),
        Action::Decline => Ok(RecordedOutcome::Decline),
        Action::Cancel => Ok(RecordedOutcome::Cancel),
    })
}

fn content(raw: Option<&RawValue>) -> Result<Value, String> {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else { return Err(EMPTY_FORM.to_owned()) };
    if !raw.get().starts_with('{') {
        return Err("the content of the form must be an object".to_owned());
    }
    // The reader also refuses duplicate keys and deep nesting.
    let document = reader::read_text(raw.get()).map_err(|violation| violation.message)?;
    Ok(document.root().to_value())
}

fn invalid(message: String) -> DispatchError {
    DispatchError::InvalidRequest { message }
}

/// A visitor that reads an object and returns the unparsed value for each question.
struct ResponsesVisitor<'q>(&'q [CompiledQuestion]);

impl<'de> Visitor<'de> for ResponsesVisitor<'_> {
    type Value = Vec<Option<&'de RawValue>>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut found = vec![None; self.0.len()];
        while let Some(key) = entries.next_key::<std::borrow::Cow<'de, str>>()? {
            let Some(index) = self.0.iter().position(|question| question.spec.key == key) else {
                entries.next_value::<IgnoredAny>()?;
                continue;
            };
            if found[index].replace(entries.next_value::<&RawValue>()?).is_some() {
                return Err(A::Error::custom("duplicate key"));
            }
        }
        Ok(found)
    }
}

/// The questions that a client must ask its user before it calls again (protocol version 2026-07-28 and later).
///
/// The client calls the tool again with the same name and arguments. It adds the answers, each under the key of its
/// request, and the unchanged state.
/// [`CallToolRequest::with_input_responses`](crate::CallToolRequest::with_input_responses) and
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

    /// Returns the `inputRequests` of the protocol: an `elicitation/create` request for each question, under the key of
    /// the question.
    pub fn requests(&self) -> &Map<String, Value> {
        &self.requests
    }

    /// Returns the questions, in the order in which the tool asks them.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// Returns the state that the client must send back unchanged. It is signed, but not encrypted.
    pub fn state(&self) -> &str {
        &self.state
    }
}
