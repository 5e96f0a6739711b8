//! The consent that a dispatcher asks for before a tool runs.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::answer::ConsentForm;
use super::asking::Asking;
use super::message::{Message, quote};
use super::question::QuestionSpec;
use crate::mcp::Tool;
use crate::{Ask, BoxFuture, CallContext, Consent, Output, ToolError};

/// The struct that `Asking::ask` reads the form into.
#[derive(Deserialize, JsonSchema)]
struct ConsentFirst {
    consent: ConsentForm,
}

/// Returns the specification of the consent question that a dispatcher adds to a tool.
pub(crate) fn spec() -> QuestionSpec {
    QuestionSpec::new::<Consent, ConsentFirst>("consent", true)
}

/// Asks for consent, and runs the tool if the user consents.
pub(crate) async fn run<'c>(
    cx: &'c CallContext,
    index: usize,
    question: Ask<Consent>,
    tool: impl FnOnce() -> BoxFuture<'c, Result<Output, ToolError>> + Send,
) -> Result<Output, ToolError> {
    let mut asking = Asking::new(cx);
    loop {
        if let Some(Consent) = asking.ask(index, question.clone(), |ConsentFirst { consent }| consent)? {
            asking.carry();
            cx.settle(Some(index));
            return tool().await;
        }
        // If `finish` returns `None`, it has asked the user in place, and the next iteration finds the reply.
        if let Some(needs_input) = asking.finish().await? {
            return Ok(needs_input);
        }
    }
}

/// Writes the question: the title of the tool, and its arguments in the order of the schema. Unknown arguments come
/// last, so they cannot push the known ones out of a long message. The cursor is left out, because the consent is for
/// all pages.
pub(crate) fn question(tool: &Tool, arguments: &Value, cursor: Option<&str>) -> Ask<Consent> {
    let annotated = tool.annotations.as_ref().and_then(|annotations| annotations.title.as_deref());
    let title = tool.title.as_deref().or(annotated).unwrap_or(&tool.name);
    let mut message = Message::new().text("Run \"").value(title).text("\"?");
    let properties = tool.input_schema["properties"].as_object();
    let is_known = |name: &str| properties.is_some_and(|properties| properties.contains_key(name));
    let given = arguments.as_object();
    let known = properties.into_iter().flat_map(Map::keys).filter_map(|name| given?.get_key_value(name));
    let unknown = given.into_iter().flatten().filter(|(name, _)| !is_known(name));
    let shown = known.chain(unknown).filter(|(name, _)| Some(&***name) != cursor);
    for (index, (name, value)) in shown.enumerate() {
        let name = if is_known(name) { Message::shown(name) } else { quote(name) };
        let value = value.as_str().map_or_else(|| Message::shown(&value.to_string()), quote);
        let separator = if index == 0 { "\n\n" } else { "\n" };
        message = message.text(separator).text(&name).text(": ").text(&value);
    }
    message.question()
}
