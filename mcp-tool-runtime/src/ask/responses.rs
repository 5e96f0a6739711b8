//! Reads the `inputResponses` of a request.

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::CompiledQuestion;
use super::state::RecordedOutcome;
use crate::DispatchError;
use crate::json::reader;

/// The error of an accepted form without content.
pub(super) const EMPTY_FORM: &str = "the form is empty";

/// The responses to the questions of a tool, each at the index of its question. An error is that of an accepted form.
pub(super) type Responses = Vec<Option<Result<RecordedOutcome, String>>>;

/// Reads the responses. Ignores keys that are not the key of a question.
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
    let document = reader::read_text_at_depth(raw.get(), 0).map_err(|violation| violation.message)?;
    Ok(document.root().to_value())
}

fn invalid(message: String) -> DispatchError {
    DispatchError::InvalidRequest { message }
}

/// Reads an object and returns the value for each question, not yet parsed.
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
