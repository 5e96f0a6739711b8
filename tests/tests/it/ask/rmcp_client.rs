//! Questions through the official SDK: its server with our tools, and its client, connected in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use mcp_tool_runtime::serde_json::{Map, Value};
use mcp_tool_runtime::{Answer, Consent, Dispatcher, json, mcp_tool, rmcp::Server, tools};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, Implementation, ProtocolVersion,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt as _, PeerRequestOptions, RequestContext, RunningService, ServiceError,
};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt as _};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::{Notify, watch};

use crate::ask::tools::{Log, builder, delete_note};

/// What the user does with a question.
#[derive(Clone)]
enum UserDoes {
    Accept(Value),
    Decline,
    Cancel,
    /// Thinks until the question is closed.
    Think,
}

/// A client whose user answers by the text of the question.
#[derive(Clone, Default)]
struct Client {
    answers: HashMap<String, UserDoes>,
    /// The forms that the client has shown, by the text of their questions.
    shown: Arc<Mutex<Vec<(String, Value)>>>,
    is_asked: Arc<Notify>,
    is_closed: Arc<Notify>,
}

impl Client {
    fn answer(mut self, message: impl Into<String>, answer: UserDoes) -> Self {
        self.answers.insert(message.into(), answer);
        self
    }

    fn shown(&self) -> Vec<(String, Value)> {
        self.shown.lock().expect("no panic").clone()
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        // A client without answers is one that cannot ask.
        let capabilities = if self.answers.is_empty() { json!({}) } else { json!({ "elicitation": {} }) };
        let capabilities: ClientCapabilities = serde_json::from_value(capabilities).expect("capabilities");
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else {
            return Err(ErrorData::invalid_params("not a form", None));
        };
        let form = serde_json::to_value(requested_schema).expect("JSON");
        self.shown.lock().expect("no panic").push((message.clone(), form));
        self.is_asked.notify_one();
        match self.answers.get(&message) {
            Some(UserDoes::Accept(answer)) => {
                Ok(ElicitResult::new(ElicitationAction::Accept).with_content(answer.clone()))
            }
            Some(UserDoes::Decline) => Ok(ElicitResult::new(ElicitationAction::Decline)),
            Some(UserDoes::Cancel) => Ok(ElicitResult::new(ElicitationAction::Cancel)),
            Some(UserDoes::Think) => {
                context.ct.cancelled().await;
                self.is_closed.notify_one();
                Ok(ElicitResult::new(ElicitationAction::Cancel))
            }
            None => Err(ErrorData::invalid_params(format!("unexpected: {message}"), None)),
        }
    }
}

/// Both eras of the protocol.
fn eras() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![serde_json::from_value::<ProtocolVersion>(json!("2026-07-28")).expect("a version")];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

async fn connect(
    dispatcher: Dispatcher,
    client: &Client,
    era: ClientLifecycleMode,
) -> RunningService<RoleClient, Client> {
    let (near, far) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        if let Ok(running) = Server::new(dispatcher).serve(far).await {
            let _ = running.waiting().await;
        }
    });
    client.clone().serve_with_lifecycle(near, era).await.expect("a session")
}

fn params(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("no object: {arguments}") };
    CallToolRequestParams::new(name).with_arguments(arguments)
}

/// Returns the text of the first block.
fn text(result: &CallToolResult) -> String {
    let content = serde_json::to_value(&result.content).expect("JSON");
    let text = content[0]["text"].as_str().expect("a text");
    // Since 2026-07-28 the text of a string is its JSON.
    serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
}

#[tokio::test]
async fn the_sdks_client_answers_round_after_round_in_both_eras() {
    let again = "Who comes to table   5?\n\nThe last answer was not valid:\nseats: required, but missing";
    let client = Client::default()
        .answer("Who comes to table   5?", UserDoes::Accept(json!({ "name": "Ann" })))
        .answer(again, UserDoes::Accept(json!({ "name": "Ann", "seats": 2 })))
        .answer("Which day, Ann?", UserDoes::Accept(json!({ "day": "today" })))
        .answer("First?", UserDoes::Accept(json!({ "first": 1 })))
        .answer("Second?", UserDoes::Accept(json!({})));
    for era in eras() {
        let service = connect(builder().build().expect("valid tools"), &client, era.clone()).await;
        let booked = service.call_tool(params("book", json!({ "table": 5 }))).await.expect("a result");
        assert_eq!(text(&booked), "Ann at table 5, Given(Today)", "{era:?}");
        let both = service.call_tool(params("two", json!({}))).await.expect("a result");
        assert_eq!(text(&both), "1 None", "{era:?}");
    }
    let mut messages: Vec<_> = client.shown().into_iter().map(|(message, _)| message).collect();
    messages.sort();
    messages.dedup();
    assert_eq!(messages, ["First?", "Second?", "Which day, Ann?", "Who comes to table   5?", again]);
    assert_eq!(client.shown().len(), 10, "each question once in each era");
}

#[tokio::test]
async fn nothing_but_consent_deletes_through_the_sdk() {
    for era in eras() {
        let client = Client::default()
            .answer("Delete note 1 for good?", UserDoes::Decline)
            .answer("Delete note 2 for good?", UserDoes::Cancel)
            .answer("Delete note 3 for good?", UserDoes::Accept(json!({ "confirm": false })))
            .answer("Delete note 4 for good?", UserDoes::Accept(json!({ "confirm": true })));
        let log = Arc::new(Log::default());
        let dispatcher = Dispatcher::builder().tools(tools![delete_note]).state(Arc::clone(&log));
        let service = connect(dispatcher.build().expect("valid tools"), &client, era).await;
        for (id, expected) in [
            (1, "the user declined: Delete note 1 for good?"),
            (2, "the user closed the question without an answer: Delete note 2 for good?"),
            (3, "the user declined: Delete note 3 for good?"),
        ] {
            let result = service.call_tool(params("delete_note", json!({ "id": id }))).await.expect("a result");
            assert_eq!((result.is_error, &*text(&result)), (Some(true), expected));
        }
        assert!(log.lines().is_empty());
        let result = service.call_tool(params("delete_note", json!({ "id": 4 }))).await.expect("a result");
        assert_eq!(result.is_error, Some(false));
        assert_eq!(log.lines(), ["deleted 4"]);
    }
}

/// Clear a shelf.
#[mcp_tool(destructive_hint)]
async fn clear_shelf(shelf: String) -> String {
    shelf
}

#[tokio::test]
async fn the_consent_of_a_policy_is_asked_through_the_sdk() {
    let message = |shelf: &str| format!("Run \"Clear Shelf\"?\n\nshelf: \"{shelf}\"");
    for era in eras() {
        let client = Client::default()
            .answer(message("a"), UserDoes::Decline)
            .answer(message("b"), UserDoes::Accept(json!({ "confirm": true })));
        let dispatcher = Dispatcher::builder().tools(tools![clear_shelf]).consent_for(|_| true);
        let service = connect(dispatcher.build().expect("valid tools"), &client, era).await;
        let declined = service.call_tool(params("clear_shelf", json!({ "shelf": "a" }))).await.expect("a result");
        assert_eq!(text(&declined), format!("the user declined: {}", message("a")));
        let done = service.call_tool(params("clear_shelf", json!({ "shelf": "b" }))).await.expect("a result");
        assert_eq!((done.is_error, &*text(&done)), (Some(false), "b"));
        assert_eq!(client.shown().len(), 2);
    }
}

#[tokio::test]
async fn a_client_of_the_sdk_without_forms_is_not_asked() {
    let [legacy, modern] = eras();
    let client = Client::default();
    let service = connect(builder().build().expect("valid tools"), &client, legacy).await;
    let result = service.call_tool(params("delete_note", json!({ "id": 7 }))).await.expect("a result");
    assert_eq!(
        text(&result),
        "this needs an answer from the user, and this client cannot ask: Delete note 7 for good?"
    );
    let result = service.call_tool(params("decide", json!({}))).await.expect("a result");
    assert_eq!(text(&result), "Unavailable Unavailable");

    let service = connect(builder().build().expect("valid tools"), &client, modern).await;
    let error = service.call_tool(params("delete_note", json!({ "id": 7 }))).await.expect_err("an error");
    let ServiceError::McpError(error) = error else { panic!("another error: {error}") };
    assert_eq!(error.code.0, -32021);
    assert_eq!(error.data, Some(json!({ "requiredCapabilities": { "elicitation": {} } })));
    let result = service.call_tool(params("decide", json!({}))).await.expect("a result");
    assert_eq!(text(&result), "Unavailable Unavailable");
    assert!(client.shown().is_empty());
}

#[tokio::test]
async fn answers_of_fifty_calls_through_the_sdk_are_not_mixed_up() {
    for era in eras() {
        let mut client = Client::default();
        for table in 100..150 {
            let guest = json!({ "name": format!("Guest {table}"), "seats": 1 });
            client = client
                .answer(format!("Who comes to table {table}?"), UserDoes::Accept(guest))
                .answer(format!("Which day, Guest {table}?"), UserDoes::Decline);
        }
        let service = Arc::new(connect(builder().build().expect("valid tools"), &client, era).await);
        let calls: Vec<_> = (100..150)
            .map(|table| {
                let service = Arc::clone(&service);
                tokio::spawn(async move {
                    let result = service.call_tool(params("book", json!({ "table": table }))).await;
                    assert_eq!(text(&result.expect("a result")), format!("Guest {table} at table {table}, Declined"));
                })
            })
            .collect();
        for call in calls {
            call.await.expect("no panic");
        }
        assert_eq!(client.shown().len(), 100);
    }
}

#[tokio::test]
async fn a_question_through_the_sdk_is_closed_with_its_call() {
    let client = Client::default().answer("Delete note 7 for good?", UserDoes::Think);
    let log = Arc::new(Log::default());
    let dispatcher = Dispatcher::builder().tools(tools![delete_note]).state(Arc::clone(&log));
    let [legacy, _] = eras();
    let service = connect(dispatcher.build().expect("valid tools"), &client, legacy).await;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params("delete_note", json!({ "id": 7 }))));
    let call = service.send_cancellable_request(request, PeerRequestOptions::no_options()).await.expect("it is sent");
    client.is_asked.notified().await;
    call.cancel(Some("the user has left".to_owned())).await.expect("it is sent");
    client.is_closed.notified().await;
    assert!(log.lines().is_empty());
}

/// Go on, whatever the user says.
#[mcp_tool]
async fn go_on(#[mcp_tool(ask = "Go on?")] go: Answer<Consent>, #[mcp_tool(state)] outcome: &watch::Sender<String>) {
    outcome.send_replace(format!("{go:?}"));
}

#[tokio::test]
async fn a_question_ends_as_cancelled_with_the_connection_of_the_sdk() {
    let client = Client::default().answer("Go on?", UserDoes::Think);
    let (outcome, mut watched) = watch::channel(String::new());
    let dispatcher = Dispatcher::builder().tools(tools![go_on]).state(outcome).build().expect("a valid tool");
    let [legacy, _] = eras();
    let service = Arc::new(connect(dispatcher, &client, legacy).await);
    let caller = Arc::clone(&service);
    let call = tokio::spawn(async move { caller.call_tool(params("go_on", json!({}))).await });
    client.is_asked.notified().await;
    service.cancellation_token().cancel();
    call.await.expect("no panic").expect_err("the connection is closed");
    let outcome = watched.wait_for(|outcome| !outcome.is_empty()).await.expect("the tool runs");
    assert_eq!(*outcome, "Cancelled");
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    /// For one.
    Small,
    /// For two.
    Large,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Extra {
    Ice,
    Lemon,
}

/// Each kind of field, in an order that is not that of the alphabet.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its form is looked at")]
struct Order {
    /// The name on the cup.
    #[schemars(length(min = 1, max = 30))]
    zoe: String,
    size: Size,
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 9))]
    count: u8,
    #[schemars(length(max = 2))]
    extras: Vec<Extra>,
    sizes: Vec<Size>,
    #[schemars(range(min = 0.5))]
    litres: Option<f64>,
    #[schemars(email)]
    mail: Option<String>,
    #[serde(default)]
    away: bool,
}

fn one() -> u8 {
    1
}

/// Order a drink.
#[mcp_tool]
async fn order(#[mcp_tool(ask = "What do you want?")] order: Order) -> String {
    format!("{order:?}")
}

/// Returns the names of the properties of a form, in their order.
fn names(form: &Value) -> Vec<&String> {
    form["properties"].as_object().map(Map::keys).into_iter().flatten().collect()
}

#[tokio::test]
async fn the_sdk_passes_on_every_kind_of_field_in_its_order() {
    let dispatcher = Dispatcher::builder().tools(tools![order]).build().expect("a valid tool");
    let response = dispatcher.call(crate::ask::tools::request("order", json!({}))).await.expect("a response");
    let expected = response.input_required().expect("a question").questions()[0].schema().clone();
    assert_eq!(names(&expected).len(), 8);
    for era in eras() {
        let client = Client::default().answer("What do you want?", UserDoes::Decline);
        let service = connect(dispatcher.clone(), &client, era.clone()).await;
        service.call_tool(params("order", json!({}))).await.expect("a result");
        let shown = &client.shown()[0].1;
        assert_eq!(*shown, expected, "{era:?}");
        assert_eq!(names(shown), names(&expected), "{era:?}");
    }
}
