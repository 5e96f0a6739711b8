//! What a dispatcher says about its questions.

use mcp_tool_runtime::http::Claims;
use mcp_tool_runtime::lint::{Client, Severity};
use mcp_tool_runtime::{
    Answer, CallContext, CallToolRequest, Consent, Dispatcher, DispatcherBuilder, ToolError,
    ask::{Reply, Scripted},
    export::Vendor,
    json, mcp_tool, tools,
};

use crate::ask::tools::{Day, builder, error, request};
use crate::cli::described;

#[tokio::test]
async fn the_page_for_people_has_the_questions() {
    let page = described(builder().build().expect("valid tools")).await;
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
        dispatcher.lint(clients).iter().map(|finding| (finding.rule, finding.severity)).collect()
    };
    let secret = ("asks-for-secret", Severity::Lost);
    assert_eq!(rules(&dispatcher, &[Client::VsCode]), [("random-state-key", Severity::Advice), secret]);
    let dispatcher =
        Dispatcher::builder().tools(tools![sign_in]).state_keys("a", [[1; 32]]).build().expect("valid tools");
    assert_eq!(rules(&dispatcher, &[Client::VsCode]), [secret]);
    let text = dispatcher.lint(&[Client::VsCode])[0].to_string();
    assert!(text.starts_with("`sign_in` has a fault at /questions/password: the form asks for `password`"), "{text}");
    assert_eq!(rules(&dispatcher, &[Client::Gemini]), [secret, ("cannot-ask", Severity::Advice)]);
}

/// Choose places.
#[mcp_tool]
async fn choose(#[mcp_tool(ask = "Where?")] _days: Vec<Day>, #[mcp_tool(ask = "Sure?")] _sure: Answer<Consent>) {}

#[test]
fn lint_says_which_clients_cannot_ask() {
    let dispatcher =
        Dispatcher::builder().tools(tools![choose]).state_keys("a", [[1; 32]]).build().expect("valid tools");
    let findings = dispatcher.lint(&[Client::McpLegacy, Client::ClaudeCode, Client::VsCode, Client::ClaudeApi]);
    let found: Vec<_> = findings.iter().map(|found| (found.client(), found.rule, found.severity)).collect();
    assert_eq!(
        found,
        [
            (Some(Client::McpLegacy), "form-list", Severity::Lost),
            (Some(Client::McpLegacy), "cannot-ask", Severity::Advice),
            (Some(Client::ClaudeCode), "declines-unseen", Severity::Advice),
            (Some(Client::ClaudeApi), "cannot-ask", Severity::Advice),
        ],
        "a question that the tool can do without is no finding"
    );
    assert!(findings.iter().all(|finding| finding.place == "/questions/days"));
    assert!(!findings[2].source.is_empty() && !findings[2].date.is_empty());
    let line = findings[3].to_string();
    assert!(line.starts_with("Claude API may be unable to call `choose` because of /questions/days: "), "{line}");
    assert!(line.contains("`Export::with_asker`"), "{line}");
}

struct User;

/// Choose a place of a user.
#[mcp_tool]
async fn choose_own(#[mcp_tool(ask = "Sure?")] _sure: Consent, #[mcp_tool(extension)] _user: &User) {}

/// List what a user has.
#[mcp_tool]
async fn of_user(#[mcp_tool(extension)] _user: &User) {}

/// List what a user may have.
#[mcp_tool]
async fn perhaps_of_user(#[mcp_tool(extension)] _user: Option<&User>) {}

/// List what needs a scope.
#[mcp_tool(scopes("read"))]
async fn scoped() {}

/// List what the claims say.
#[mcp_tool]
async fn of_claims(#[mcp_tool(extension)] _claims: &Claims) {}

/// List what the claims say, if there are any.
#[mcp_tool]
async fn perhaps_of_claims(#[mcp_tool(extension)] _claims: Option<&Claims>) {}

#[test]
fn lint_finds_states_that_a_layer_in_front_may_leave_without_a_caller() {
    let keyed = || Dispatcher::builder().state_keys("a", [[1; 32]]);
    let rules = |builder: DispatcherBuilder| -> Vec<_> {
        let findings = builder.build().expect("valid tools").lint(&[]);
        findings.iter().map(|finding| (finding.rule, finding.severity)).collect()
    };
    let found = [("no-principal", Severity::Lost)];
    assert_eq!(rules(keyed().tools(tools![choose]).visible(|_, _| true)), found);
    assert_eq!(rules(keyed().tools(tools![choose, choose_own])), found);
    // The tool that depends on the caller is another one than the tool that asks.
    assert_eq!(rules(keyed().tools(tools![choose, of_user])), found);
    assert_eq!(rules(keyed().tools(tools![choose, perhaps_of_user])), found);
    assert_eq!(rules(keyed().tools(tools![choose, scoped]).visible(|_, _| true).scopes_are_read()), found);
    // `http::Bearer` says who the caller is.
    assert_eq!(rules(keyed().tools(tools![choose, scoped]).visible_by_scopes::<Claims>()), []);
    assert_eq!(rules(keyed().tools(tools![choose, of_claims])), []);
    assert_eq!(rules(keyed().tools(tools![choose, perhaps_of_claims])), []);
    assert_eq!(rules(keyed().tools(tools![choose]).visible_to::<Claims>(|_, claims| claims.is_some())), []);
    // All callers are alike, or the server says who they are.
    assert_eq!(rules(keyed().tools(tools![choose])), []);
    assert_eq!(rules(keyed().tools(tools![choose_own]).principal(|_| None)), []);
    // No tool asks.
    assert_eq!(rules(keyed().visible(|_, _| true)), []);
}

#[tokio::test]
async fn an_export_says_which_tools_need_somebody_to_ask() {
    let dispatcher = builder().build().expect("valid tools");
    for vendor in Vendor::ALL {
        let export = dispatcher.export(*vendor);
        let cannot: Vec<_> = export
            .findings()
            .iter()
            .filter(|found| found.rule == "cannot-ask")
            .map(|found| found.tool.as_deref())
            .collect();
        assert_eq!(cannot, [Some("delete_note"), Some("greet"), Some("book"), Some("two"), Some("two")], "{vendor}");
        let first = export.findings().iter().find(|found| found.rule == "cannot-ask").map(ToString::to_string);
        let expected = format!(
            "{vendor} may be unable to call `delete_note` because of /questions/sure: its calls fail, because they need an answer from the \
             user, and this export has nobody to ask; call `with_asker` on the export, or take an `Answer<…>` [cannot-ask]"
        );
        assert_eq!(first, Some(expected));
        let export = export.with_asker(Scripted::new());
        assert!(export.findings().iter().all(|found| found.rule != "cannot-ask"), "{vendor}");
        // An asked parameter is not in the definition.
        assert!(!json!(export.tools()).to_string().contains("sure"), "{vendor}");
    }
    let message = json!({ "role": "assistant", "content": [
        { "type": "tool_use", "id": "1", "name": "delete_note", "input": { "id": 7 } } ] });
    let export = dispatcher.export(Vendor::Anthropic);
    let alone = export.answer(&message).await.expect("results");
    assert_eq!(alone[0]["content"][0]["is_error"], true);
    let user = Scripted::new().reply("sure", Reply::yes());
    let asked = export.with_asker(user).answer(&message).await.expect("results");
    assert_eq!(asked[0]["content"][0]["is_error"], false, "{asked:?}");
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
    let user = Scripted::new().reply("sure", Reply::yes());
    let asked = CallToolRequest::new("delete_both", json!({})).with_asker(user);
    assert!(!dispatcher.call(asked).await.expect("a response").is_success());
}
