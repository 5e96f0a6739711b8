//! What a dispatcher says about its questions.

use mcp_tool_runtime::{CallContext, CallToolRequest, Client, Dispatcher, Severity, ToolError, json, mcp_tool, tools};

use crate::tools::{builder, error, request};

#[test]
fn the_page_for_people_has_the_questions() {
    let page = builder().build().expect("valid tools").describe();
    assert!(page.contains("Asks the user for `sure` (consent, required)"), "{page}");
    assert!(page.contains("Asks the user for `day` (answer, optional)"), "{page}");
    assert!(page.contains("- `seats` (integer from 0 to 255, required)"), "{page}");
}

/// Sign in.
#[mcp_tool]
async fn sign_in(#[mcp_tool(ask = "Your password?")] password: String) -> usize {
    password.len()
}

#[test]
fn lint_warns_of_random_keys_secrets_and_clients_that_cannot_ask() {
    let dispatcher = Dispatcher::builder().tools(tools![sign_in]).build().expect("valid tools");
    let rules = |dispatcher: &Dispatcher, clients: &[Client]| -> Vec<_> {
        dispatcher.lint(clients).iter().map(|finding| (finding.rule(), finding.severity())).collect()
    };
    let secret = ("asks-for-secret", Severity::Lost);
    assert_eq!(rules(&dispatcher, &[Client::VsCode]), [("random-state-key", Severity::Advice), secret]);
    let dispatcher =
        Dispatcher::builder().tools(tools![sign_in]).state_keys("a", [[1; 32]]).build().expect("valid tools");
    assert_eq!(rules(&dispatcher, &[Client::VsCode]), [secret]);
    assert_eq!(rules(&dispatcher, &[Client::Gemini]), [secret, ("cannot-ask", Severity::Lost)]);
}

/// Delete through another tool.
#[mcp_tool]
async fn delete_both(#[mcp_tool(context)] cx: &CallContext) -> Result<String, ToolError> {
    let response = cx.call("delete_note", json!({ "id": 1 })).await?;
    response.error().map_or(Ok("deleted".to_owned()), |error| Err(error.clone()))
}

#[tokio::test]
async fn a_tool_that_another_tool_calls_cannot_ask() {
    let dispatcher = builder().tools(tools![delete_both]).build().expect("valid tools");
    let response = dispatcher.call(request("delete_both", json!({}))).await.expect("a response");
    assert!(error(&response).starts_with("this needs an answer from the user"), "{}", error(&response));
    assert_eq!(response.error().and_then(ToolError::code), Some("unavailable"));
    let user = mcp_tool_runtime::Scripted::new().reply("sure", mcp_tool_runtime::Reply::yes());
    let asked = CallToolRequest::new("delete_both", json!({})).with_asker(user);
    assert!(!dispatcher.call(asked).await.expect("a response").is_success());
}
