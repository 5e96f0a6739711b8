//! Questions, whatever features of `serde_json` are turned on: the state of a call has the numbers of answers.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_tool_runtime::{CallToolRequest, Consent, Dispatcher, mcp_tool, tools};
use serde_json::{Value, json};

/// Pay.
#[mcp_tool]
async fn pay(
    amount: f64,
    #[mcp_tool(ask = "Pay {amount}?")] _sure: Consent,
    #[mcp_tool(ask = "How often?")] times: f64,
) -> String {
    format!("{amount} {times} times")
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

#[test]
fn a_state_with_an_answer_comes_back() {
    let dispatcher = Dispatcher::builder().tools(tools![pay]).build().expect("a dispatcher");
    let capabilities = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
    let request = || {
        CallToolRequest::new("pay", json!({"amount": 1e2}))
            .with_meta(capabilities.as_object().expect("an object").clone())
    };
    let answer = |content: Value| json!({"action": "accept", "content": content});
    let first = now(dispatcher.call(request())).expect("a response");
    let again = request()
        .with_request_state(first.input_required().expect("two questions").state())
        .with_input_responses(json!({"times": answer(json!({"times": 2.5}))}));
    let second = now(dispatcher.call(again)).expect("the state is valid");
    let required = second.input_required().expect("a question");
    assert_eq!(required.questions().len(), 1, "the number is in the state");
    let again = request()
        .with_request_state(required.state())
        .with_input_responses(json!({"sure": answer(json!({"confirm": true}))}));
    let done = now(dispatcher.call(again)).expect("the state is valid");
    assert_eq!(done.deserialize::<String>().expect("a text"), "100 2.5 times");
}
