//! `consent_for`: a consent before each call of some tools, whose functions do not change.

use std::sync::Arc;

use mcp_tool_runtime::http::{Endpoint, PlainHttp};
use mcp_tool_runtime::serde_json::{Map, Value};
use mcp_tool_runtime::{
    Answer, CallContext, CallToolRequest, CallToolResponse, Consent, Dispatcher, DispatcherBuilder, Middleware,
    ToolError, ToolHandler as _,
    ask::{Reply, Scripted},
    export::Vendor,
    json, mcp_tool, middleware, tools,
};
use tower::ServiceExt as _;

use crate::ask::tools::{Log, accept, delete_note, error, messages, request, state};
use crate::ask::transports::{Client, modern, post, text};
use crate::cli::described;

/// Delete files.
#[mcp_tool(title = "Delete \"files\"", destructive_hint)]
async fn delete_files(
    paths: Vec<String>,
    reason: Option<String>,
    #[mcp_tool(state)] log: &Log,
) -> Result<usize, ToolError> {
    log.add(format!("{paths:?} {reason:?}"));
    Ok(paths.len())
}

/// Count files.
#[mcp_tool]
async fn count_files(#[mcp_tool(state)] log: &Log) -> usize {
    log.lines().len()
}

/// Move a file.
#[mcp_tool(destructive_hint)]
async fn move_file(
    path: String,
    #[mcp_tool(ask = "Where to?")] to: String,
    #[mcp_tool(ask = "Keep a copy?")] copy: Answer<Consent>,
    #[mcp_tool(state)] log: &Log,
) -> String {
    log.add(format!("{path} to {to} {copy:?}"));
    to
}

/// Delete through another tool.
#[mcp_tool]
async fn delete_indirectly(#[mcp_tool(context)] cx: &CallContext) -> Result<String, ToolError> {
    let response = cx.call("delete_files", json!({ "paths": ["a"] })).await?;
    response.error().map_or(Ok("deleted".to_owned()), |error| Err(error.clone()))
}

fn builder(log: &Arc<Log>) -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![delete_files, count_files, move_file, delete_indirectly, delete_note])
        .state(Arc::clone(log))
        .consent_for(|tool| tool.annotations().destructive_hint == Some(true))
}

fn serve() -> (Dispatcher, Arc<Log>) {
    let log = Arc::new(Log::default());
    (builder(&log).build().expect("valid tools"), log)
}

const QUESTION: &str = "Run \"Delete \\\"files\\\"\"?\n\npaths: [\"a\"]";

#[tokio::test]
async fn the_user_is_asked_with_the_title_and_the_arguments_and_a_yes_counts_for_that_text() {
    let (dispatcher, log) = serve();
    let call = || request("delete_files", json!({ "paths": ["a"] }));
    let first = dispatcher.call(call()).await.expect("a response");
    assert_eq!(messages(&first), [("consent".to_owned(), QUESTION.to_owned())]);
    let yes = json!({ "consent": accept(json!({ "confirm": true })) });
    // Forged in a first call, and a yes to other arguments.
    let forged = dispatcher.call(call().with_input_responses(yes.clone())).await.expect("a response");
    assert_eq!(messages(&forged), messages(&first));
    let other = request("delete_files", json!({ "paths": ["b"] })).with_input_responses(yes.clone());
    assert!(dispatcher.call(other.with_request_state(state(&first))).await.is_err());
    for (answer, expected) in [
        (json!({ "action": "decline" }), "the user declined: "),
        (accept(json!({ "confirm": false })), "the user declined: "),
        (json!({ "action": "cancel" }), "the user closed the question without an answer: "),
    ] {
        let no = call().with_input_responses(json!({ "consent": answer })).with_request_state(state(&first));
        let response = dispatcher.call(no).await.expect("a response");
        assert_eq!(error(&response), format!("{expected}{QUESTION}"));
    }
    assert!(log.lines().is_empty());
    let again = call().with_input_responses(yes).with_request_state(state(&first));
    assert!(dispatcher.call(again).await.expect("a response").is_success());
    assert_eq!(log.lines(), ["[\"a\"] None"]);
    // The other tools run unasked, and one with a `Consent` asks itself.
    assert!(dispatcher.call(request("count_files", json!({}))).await.expect("a response").is_success());
    let own = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
    assert_eq!(messages(&own), [("sure".to_owned(), "Delete note 7 for good?".to_owned())]);
}

/// Say anything.
#[mcp_tool(allow_unknown)]
async fn say(words: String) -> String {
    words
}

#[tokio::test]
async fn arguments_are_bounded_and_quoted_and_wrong_ones_are_not_asked_about() {
    let (dispatcher, _) = serve();
    let sent = json!({ "reason": "x\"?\n\nYes\u{202e}", "paths": ["y".repeat(5_000)] });
    let first = dispatcher.call(request("delete_files", sent)).await.expect("a response");
    let expected = format!("paths: [\"{}…\nreason: \"x\\\"?\\n\\nYes\\u{{202e}}\"", "y".repeat(198));
    assert_eq!(messages(&first)[0].1, format!("Run \"Delete \\\"files\\\"\"?\n\n{expected}"));
    let wrong = dispatcher.call(request("delete_files", json!({ "paths": 7 }))).await.expect("a response");
    assert!(!wrong.is_success() && wrong.input_required().is_none());

    let dispatcher = Dispatcher::builder().tools(tools![say]).consent_for(|_| true).build().expect("valid tools");
    let sent = json!({ "a\nwords: \"hello\"": 1, "words": "no" });
    let first = dispatcher.call(request("say", sent)).await.expect("a response");
    assert_eq!(messages(&first)[0].1, "Run \"Say\"?\n\nwords: \"no\"\n\"a\\nwords: \\\"hello\\\"\": 1");
    let many: Map<_, _> =
        (0..5_000).map(|n| (format!("n{n}"), json!(n))).chain([("words".to_owned(), json!("no"))]).collect();
    let first = dispatcher.call(request("say", many.into())).await.expect("a response");
    let message = &messages(&first)[0].1;
    assert!(message.starts_with("Run \"Say\"?\n\nwords: \"no\"\n"), "{message}");
    assert_eq!(message.chars().count(), 4_001);
}

#[tokio::test]
async fn the_consent_comes_before_the_questions_of_the_tool_and_is_asked_once() {
    let (dispatcher, log) = serve();
    let call = || request("move_file", json!({ "path": "a" }));
    let first = dispatcher.call(call()).await.expect("a response");
    assert_eq!(messages(&first), [("consent".to_owned(), "Run \"Move File\"?\n\npath: \"a\"".to_owned())]);
    let yes = json!({ "consent": accept(json!({ "confirm": true })) });
    let second = call().with_input_responses(yes).with_request_state(state(&first));
    let second = dispatcher.call(second).await.expect("a response");
    let keys: Vec<_> = messages(&second).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["to", "copy"]);
    let answers = json!({ "to": accept(json!({ "to": "b" })), "copy": { "action": "cancel" } });
    // Without the state of the second round, everything is open again.
    let skipped = dispatcher.call(call().with_input_responses(answers.clone())).await.expect("a response");
    assert_eq!(messages(&skipped), messages(&first));
    let third = call().with_input_responses(answers).with_request_state(state(&second));
    assert!(dispatcher.call(third).await.expect("a response").is_success());
    assert_eq!(log.lines(), ["a to b Cancelled"]);

    let user =
        Scripted::new().reply("consent", Reply::yes()).reply("to", Reply::accept("c")).reply("copy", Reply::yes());
    let asked = CallToolRequest::new("move_file", json!({ "path": "a" })).with_asker(user.clone());
    assert!(dispatcher.call(asked).await.expect("a response").is_success());
    let keys: Vec<_> = user.asked().iter().map(|question| question.key().to_owned()).collect();
    assert_eq!(keys, ["consent", "to", "copy"]);
}

fn text_of(response: &CallToolResponse) -> String {
    response.error().map_or_else(|| "ran".to_owned(), |error| error.message().to_owned())
}

#[tokio::test]
async fn where_nobody_can_be_asked_the_tool_does_not_run() {
    let (dispatcher, log) = serve();
    let unavailable = format!("this needs an answer from the user, and this client cannot ask: {QUESTION}");
    let call = CallToolRequest::new("delete_files", json!({ "paths": ["a"] }));
    assert_eq!(text_of(&dispatcher.call(call.clone()).await.expect("a response")), unavailable);
    let nested = dispatcher.call(CallToolRequest::new("delete_indirectly", json!({}))).await.expect("a response");
    assert_eq!(text_of(&nested), unavailable);
    let user = Scripted::new().reply("consent", Reply::yes());
    let nested = CallToolRequest::new("delete_indirectly", json!({})).with_asker(user);
    assert_eq!(text_of(&dispatcher.call(nested).await.expect("a response")), unavailable);
    // A client without forms.
    let meta = crate::ask::tools::meta(json!({}));
    assert!(dispatcher.call(call.with_meta(meta)).await.is_err());
    // Plain HTTP.
    let rest = PlainHttp::new(dispatcher.clone());
    let posted = http::Request::post("/delete_files")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(http_body_util::Full::new(bytes::Bytes::from_static(br#"{"paths":["a"]}"#)))
        .expect("a request");
    assert!(rest.oneshot(posted).await.expect("infallible").status().is_client_error());
    assert!(log.lines().is_empty());
}

#[tokio::test]
async fn every_carrier_that_can_ask_does() {
    // stdio, both eras.
    let (dispatcher, log) = serve();
    let mut client = Client::legacy(dispatcher.clone(), "2025-06-18", json!({ "elicitation": {} })).await;
    client.call(1, "delete_files", json!({ "paths": ["a"] })).await;
    let question = client.next().await;
    assert_eq!(question["params"]["message"], QUESTION);
    client.answer(&question, accept(json!({ "confirm": true }))).await;
    assert_eq!(text(&client.next().await), "1");
    let mut client = Client::of(dispatcher.clone());
    let call = json!({ "name": "delete_files", "arguments": { "paths": ["a"] } });
    let again = |first: &Value| {
        let mut again = call.clone();
        again["requestState"] = first["result"]["requestState"].clone();
        again["inputResponses"] = json!({ "consent": accept(json!({ "confirm": true })) });
        again
    };
    client.send(modern(1, call.clone())).await;
    let first = client.next().await;
    client.send(modern(2, again(&first))).await;
    assert_eq!(client.next().await["result"]["isError"], false);
    // HTTP.
    let endpoint = Endpoint::new(dispatcher.clone());
    let (_, first) = post(&endpoint, &modern(1, call.clone()), "Bearer ann").await;
    assert_eq!(first["result"]["inputRequests"]["consent"]["params"]["message"], QUESTION);
    let (_, refused) = post(&endpoint, &modern(2, again(&first)), "Bearer bob").await;
    assert_eq!(refused["error"]["data"]["reason"], "invalid_request_state");
    let (_, done) = post(&endpoint, &modern(2, again(&first)), "Bearer ann").await;
    assert_eq!(done["result"]["isError"], false);
    // An agent loop.
    let message = json!({ "role": "assistant", "content": [
        { "type": "tool_use", "id": "1", "name": "delete_files", "input": { "paths": ["a"] } } ] });
    let export = dispatcher.export(Vendor::Anthropic);
    let cannot: Vec<_> = export.findings().iter().filter(|found| found.rule == "cannot-ask").collect();
    assert!(cannot.iter().any(|found| found.tool.as_deref() == Some("delete_files")), "{cannot:?}");
    let alone = export.answer(&message).await.expect("results");
    assert_eq!(alone[0]["content"][0]["is_error"], true);
    let user = Scripted::new().reply("consent", Reply::yes());
    let asked = export.with_asker(user).answer(&message).await.expect("results");
    assert_eq!(asked[0]["content"][0]["is_error"], false, "{asked:?}");
    assert_eq!(log.lines().len(), 4);
    // People read it.
    assert!(described(dispatcher).await.contains("Asks the user for `consent` (consent, required)"));
}

fn adding_a_path() -> impl Middleware {
    middleware::from_fn(|request, cx, next| {
        request.arguments = Some(json!({ "paths": ["a", "b"] }));
        Box::pin(next.run(request, cx))
    })
}

#[tokio::test]
async fn the_question_shows_the_arguments_that_the_layers_leave() {
    let log = Arc::new(Log::default());
    let dispatcher = builder(&log).middleware(adding_a_path()).build().expect("valid tools");
    let user = Scripted::new().reply("consent", Reply::yes());
    let call = CallToolRequest::new("delete_files", json!({ "paths": ["a"] })).with_asker(user.clone());
    assert!(dispatcher.call(call).await.expect("a response").is_success());
    assert!(user.asked()[0].message().ends_with("paths: [\"a\",\"b\"]"), "{:?}", user.asked());
    assert_eq!(log.lines(), ["[\"a\", \"b\"] None"]);
}

#[tokio::test]
async fn several_functions_add_up_and_a_merged_builder_cannot_lose_one() {
    let log = Arc::new(Log::default());
    let both = builder(&log).consent_for(|tool| tool.name() == "count_files").build().expect("valid tools");
    assert_eq!(described(both).await.matches("Asks the user for `consent` (consent, required)").count(), 3);
    let error = Dispatcher::builder().merge(builder(&log)).build().expect_err("a setting of a merged builder");
    let expected = "a merged builder sets `consent_for`; set it on the builder that it is merged into";
    assert_eq!(error.errors(), [expected]);
    // A builder's policy is about the tools of merged builders too, under the names that clients see.
    let merged = Dispatcher::builder().tools(tools![count_files]).state(Arc::clone(&log));
    let outer = Dispatcher::builder()
        .merge_with_prefix("files_", merged)
        .consent_for(|tool| tool.name() == "files_count_files");
    let page = described(outer.build().expect("valid tools")).await;
    assert!(page.contains("Asks the user for `consent`"), "{page}");
}

/// Ask under the same key.
#[mcp_tool]
async fn same_key(#[mcp_tool(ask = "Why?")] consent: String) -> String {
    consent
}

#[tokio::test]
async fn a_question_with_the_same_key_is_an_error_of_build() {
    let error = Dispatcher::builder().tools(tools![same_key]).consent_for(|_| true).build().expect_err("a key twice");
    assert_eq!(error.errors(), ["tool `same_key`: two questions have the key `consent`; rename one of them"]);
    let renamed = Dispatcher::builder().tool(delete_files {}.with_name("rm")).state(Log::default());
    let dispatcher = renamed.consent_for(|tool| tool.name() == "rm").build().expect("a valid tool");
    assert!(described(dispatcher).await.contains("Asks the user for `consent`"));
}
