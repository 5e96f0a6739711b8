//! Handlers that are written by hand, and ask.

use std::ops::ControlFlow;
use std::sync::Arc;

use mcp_tool_runtime::{
    Answer, Arguments, Ask, BoxFuture, CallContext, CallToolRequest, Consent, Dispatcher, Output, Reply, Scripted,
    ToolError, ToolHandler, ToolMetadata, json, mcp, mcp_tool, tools,
};

use crate::ask::tools::{Log, accept, error, messages, request, state, text};
use crate::ask::transports::{self, Client};

/// Asks two things, one after the other.
struct Restart(Arc<Log>);

impl ToolHandler for Restart {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("restart", "Restart a server.", json!({ "type": "object" }))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new().with_question::<Consent>("sure").with_question::<Answer<u8>>("delay")
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let server = arguments.to_value()["server"].as_str().unwrap_or("all").to_owned();
            match cx.ask("sure", Ask::new(format!("Restart {server}?"))).await? {
                ControlFlow::Continue(Consent) => {}
                ControlFlow::Break(needs_input) => return Ok(needs_input),
            }
            let delay: Answer<u8> = match cx.ask("delay", Ask::new("In how many minutes?")).await? {
                ControlFlow::Continue(delay) => delay,
                ControlFlow::Break(needs_input) => return Ok(needs_input),
            };
            self.0.add(format!("{server} in {delay:?}"));
            Output::value(format!("{delay:?}"))
        })
    }
}

fn serve() -> (Dispatcher, Arc<Log>) {
    let log = Arc::new(Log::default());
    (Dispatcher::builder().tool(Restart(Arc::clone(&log))).build().expect("a valid tool"), log)
}

#[tokio::test]
async fn a_handler_asks_in_rounds_and_acts_once() {
    let (dispatcher, log) = serve();
    let call = || request("restart", json!({ "server": "db" }));
    let first = dispatcher.call(call()).await.expect("a response");
    assert_eq!(messages(&first), [("sure".to_owned(), "Restart db?".to_owned())]);
    let yes = json!({ "sure": accept(json!({ "confirm": true })) });
    let second = call().with_input_responses(yes.clone()).with_request_state(state(&first));
    let second = dispatcher.call(second).await.expect("a response");
    assert_eq!(messages(&second), [("delay".to_owned(), "In how many minutes?".to_owned())]);
    // The consent is not asked for again.
    let delay = json!({ "delay": accept(json!({ "delay": 3 })) });
    let third = call().with_input_responses(delay).with_request_state(state(&second));
    assert_eq!(text(&dispatcher.call(third).await.expect("a response")), "Given(3)");
    assert_eq!(log.lines(), ["db in Given(3)"]);

    // A yes that nobody was asked for, and one to another question.
    let forged = dispatcher.call(call().with_input_responses(yes.clone())).await.expect("a response");
    assert_eq!(messages(&forged), messages(&first));
    let other = request("restart", json!({ "server": "web" })).with_input_responses(yes);
    assert!(dispatcher.call(other.with_request_state(state(&first))).await.is_err());
    assert_eq!(log.lines().len(), 1);
}

#[tokio::test]
async fn a_handler_asks_in_place_and_stops_at_a_no() {
    let (dispatcher, log) = serve();
    let call = || CallToolRequest::new("restart", json!({ "server": "db" }));
    let user =
        Scripted::new().reply("sure", Reply::yes()).reply("delay", Reply::accept(700)).reply("delay", Reply::Decline);
    let response = dispatcher.call(call().with_asker(user.clone())).await.expect("a response");
    assert_eq!(text(&response), "Declined");
    assert_eq!(user.asked().len(), 3);
    let user = Scripted::new().reply("sure", Reply::Decline);
    let response = dispatcher.call(call().with_asker(user)).await.expect("a response");
    assert_eq!(error(&response), "the user declined: Restart db?");
    let response = dispatcher.call(call()).await.expect("a response");
    assert_eq!(response.error().and_then(ToolError::code), Some("unavailable"));
    assert_eq!(log.lines(), ["db in Declined"]);

    let mut client = Client::legacy(dispatcher, "2025-11-25", json!({ "elicitation": {} })).await;
    client.call(1, "restart", json!({})).await;
    let question = client.next().await;
    assert_eq!(question["params"]["message"], "Restart all?");
    client.answer(&question, accept(json!({ "confirm": true }))).await;
    let question = client.next().await;
    client.answer(&question, accept(json!({ "delay": 4 }))).await;
    assert_eq!(transports::text(&client.next().await), "Given(4)");
}

/// Ask in the body.
#[mcp_tool]
async fn ask_in_the_body(
    #[mcp_tool(ask = "Sure?")] _sure: Consent,
    #[mcp_tool(context)] cx: &CallContext,
) -> Result<&'static str, ToolError> {
    let asked: ControlFlow<Output, Consent> = cx.ask("sure", Ask::new("Really?")).await?;
    Ok(if matches!(asked, ControlFlow::Continue(Consent)) { "yes" } else { "later" })
}

#[tokio::test]
async fn only_a_question_of_the_metadata_can_be_asked() {
    let dispatcher = Dispatcher::builder().tools(tools![ask_in_the_body]).build().expect("a valid tool");
    let user = Scripted::new().reply("sure", Reply::yes()).reply("sure", Reply::yes());
    let asked = CallToolRequest::new("ask_in_the_body", json!({})).with_asker(user);
    let response = dispatcher.call(asked).await.expect("a response");
    let reason = response.error().and_then(ToolError::developer_message).expect("a reason");
    assert!(reason.contains("the metadata of the tool has no question `sure`"), "{reason}");
}

struct Twice;

impl ToolHandler for Twice {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("twice", "Ask twice.", json!({ "type": "object" }))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new().with_question::<Consent>("sure").with_question::<bool>("sure")
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Output::value(1) })
    }
}

#[test]
fn a_key_twice_is_an_error_of_build() {
    let error = Dispatcher::builder().tool(Twice).build().expect_err("a key twice");
    assert_eq!(error.errors(), ["tool `twice`: two questions have the key `sure`; rename one of them"]);
}
