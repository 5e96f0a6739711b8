//! Open Tool Calling: requests, responses and definitions, also against the examples of its specification.

use std::time::Duration;

use mcp_tool_runtime::{CallToolRequest, CallToolResponse, Dispatcher, ToolError, ToolHandler, mcp_tool, otc, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::run::{self, built, exact_after, send};
use crate::specification::{assert_valid, document};

/// Adds two numbers together.
#[mcp_tool(name = "Calculator.Add")]
async fn calculator_add(a: i64, b: i64) -> i64 {
    a + b
}

/// Rings a doorbell given a doorbell ID.
#[mcp_tool(name = "Doorbell.Ring")]
async fn doorbell_ring(doorbell_id: &str) -> Result<(), ToolError> {
    match doorbell_id {
        "doorbell42" => Ok(()),
        "unreachable" => Err(ToolError::new("Could not reach the server. Please try again later.")
            .with_developer_message("The host api.example.com is not reachable (ECONNREFUSED)")),
        unknown => Err(ToolError::new("Doorbell ID not found")
            .with_developer_message(format!("The doorbell with ID '{unknown}' does not exist."))
            .with_additional_prompt_content("ids: doorbell42,doorbell84")
            .with_retry_after(Duration::from_millis(500))),
    }
}

#[derive(Serialize, JsonSchema)]
struct Timestamp {
    #[schemars(extend("format" = "date-time"))]
    timestamp: &'static str,
}

/// Retrieves the current system timestamp.
#[mcp_tool(name = "System.GetTimestamp")]
async fn get_timestamp() -> Timestamp {
    Timestamp { timestamp: "2023-10-05T12:00:00Z" }
}

#[derive(Serialize, JsonSchema)]
struct Emails {
    emails: Vec<Email>,
}

#[derive(Serialize, JsonSchema)]
struct Email {
    id: &'static str,
    subject: &'static str,
    snippet: &'static str,
}

/// Retrieves emails from Gmail using OAuth 2.0 authentication.
#[mcp_tool(name = "Gmail.GetEmails")]
async fn get_emails(query: Option<String>) -> Emails {
    drop(query);
    let email = |id, subject, snippet| Email { id, subject, snippet };
    let emails = vec![
        email("email_1", "Welcome to Gmail", "Hello, welcome to your inbox!"),
        email("email_2", "Your Receipt", "Thank you for your purchase..."),
    ];
    Emails { emails }
}

#[derive(Serialize, JsonSchema)]
struct Sent {
    status: &'static str,
}

/// Sends SMS messages using Twilio.
#[mcp_tool(name = "SMS.Send")]
async fn send_sms(to: String, message: String) -> Sent {
    drop((to, message));
    Sent { status: "sent" }
}

/// A tool whose name has no toolkit, which Open Tool Calling requires.
#[mcp_tool]
async fn count(limit: u8) -> u8 {
    limit
}

fn open_tool_calling(step: Duration) -> Dispatcher {
    let tools: Vec<Box<dyn ToolHandler>> = tools![calculator_add, doorbell_ring, get_timestamp, get_emails, send_sms];
    built(exact_after(step).tools(tools).expose_developer_messages(true))
}

const REQUESTS: [&str; 5] = [
    "01-calculator-add",
    "02-doorbell-ring-no-output",
    "03-system-gettimestamp-no-input",
    "04-gmail-getemails-oauth-2-0-authorization",
    "05-sms-send-secret-requirement",
];

fn request(name: &str) -> CallToolRequest {
    let fixture = document(&format!("otc/fixtures/CallToolRequest-{name}.json"));
    let request: CallToolRequest = serde_json::from_value(fixture.clone()).expect("a request");
    let id = fixture["tool_id"].as_str().expect("an id");
    assert_eq!(request.name, id.split_once('@').map_or(id, |(name, _)| name));
    assert_eq!(request.call_id.as_ref().map(mcp_tool_runtime::CallId::as_str), fixture["call_id"].as_str());
    assert_eq!(request.arguments.as_ref(), fixture.get("input"));
    assert!(request.meta.is_none());
    let context = request.extensions.get::<otc::Context>().expect("a context");
    assert_eq!(context.trace_id(), fixture["trace_id"].as_str());
    assert_eq!(context.user_id(), fixture["context"]["user_id"].as_str());
    assert_eq!(context.authorization("google"), fixture["context"]["authorization"][0]["token"].as_str());
    assert_eq!(context.secret("TWILIO_API_KEY"), fixture["context"]["secrets"][0]["value"].as_str());
    request
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn request_examples_are_parsed_and_answered() {
    for request in REQUESTS.map(request) {
        let response = send(&open_tool_calling(Duration::from_millis(1)), request.clone());
        assert!(response.is_success(), "{request:?}: {response:?}");
    }
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn response_examples_are_reproduced() {
    let ring = |id: &str| CallToolRequest::new("Doorbell.Ring", json!({"doorbell_id": id}));
    for (name, request) in [
        ("01-calculator-add-success", request(REQUESTS[0])),
        ("02-doorbell-ring-success-no-output", request(REQUESTS[1])),
        ("03-system-gettimestamp-success", request(REQUESTS[2])),
        ("04-gmail-getemails-success", request(REQUESTS[3])),
        ("05-sms-send-success", request(REQUESTS[4])),
        ("06-error-response", ring("unreachable")),
        ("07-error-response-with-additional-prompt-content", ring("doorbell1")),
    ] {
        let fixture = document(&format!("otc/fixtures/CallToolResponse-{name}.json"));
        let duration = Duration::from_millis(fixture["duration"].as_u64().expect("a duration"));
        let request = request.with_call_id(fixture["call_id"].as_str().expect("an id"));
        assert_eq!(run::otc(&send(&open_tool_calling(duration), request)), fixture, "{name}");
    }
}

/// Arguments of several types.
#[mcp_tool(name = "Search.Run")]
async fn search(query: String, limit: u8, tags: Vec<String>) -> usize {
    query.len() + usize::from(limit) + tags.len()
}

/// The response to a call of `search` with this input.
fn searched(input: &serde_json::Value) -> CallToolResponse {
    let request = json!({"tool_id": "Search.Run@1.0.0", "call_id": "c", "input": input});
    let dispatcher = built(exact_after(Duration::from_millis(1)).tools(tools![search, calculator_add]));
    send(&dispatcher, serde_json::from_value(request).expect("a request"))
}

/// The body that answers a call of `search` with an input that is not an object.
fn not_an_object() -> serde_json::Value {
    run::json(&otc::ValidationError::of(&searched(&json!([1]))).expect("invalid input"))
}

#[test]
fn i1_invalid_parameters_are_listed_as_data() {
    let response = searched(&json!({"limit": "many", "tags": ["a", 1], "qwery": "x"}));
    let errors = json!({
        "query": "required, but missing",
        "limit": "expected an integer, got a string",
        "tags[1]": "expected a string, got an integer",
        "qwery": "not known; did you mean `query`?",
    });
    let document = run::otc(&response);
    assert_eq!(document["error"]["parameter_errors"], errors);
    let body = run::json(&otc::ValidationError::of(&response).expect("invalid input"));
    assert_eq!(body, json!({"message": document["error"]["message"], "parameter_errors": errors}));
    let listed: Vec<_> = response.error().expect("an error").errors().iter().collect();
    assert!(listed.iter().all(|error| errors[error.parameter()] == error.message()), "{listed:?}");

    // With developer messages another function writes the error. The result must be the same.
    let open = built(exact_after(Duration::from_millis(1)).tools(tools![search]).expose_developer_messages(true));
    let request = || CallToolRequest::new("Search.Run", json!({"limit": "many", "tags": ["a", 1], "qwery": "x"}));
    assert_eq!(run::otc(&send(&open, request().with_call_id("c"))), document);

    // An error of the whole input lists no parameters.
    assert!(run::otc(&searched(&json!([1])))["error"].get("parameter_errors").is_none());
    let not_an_object = not_an_object();
    assert!(
        not_an_object["message"].as_str().is_some_and(|text| text.starts_with("invalid arguments: expected an object"))
    );
    assert_eq!(not_an_object.as_object().map(serde_json::Map::len), Some(1), "{not_an_object}");
    let ran =
        send(&open_tool_calling(Duration::ZERO), CallToolRequest::new("Doorbell.Ring", json!({"doorbell_id": "1"})));
    assert!(!ran.is_success() && otc::ValidationError::of(&ran).is_none(), "the tool ran and failed");
    assert!(otc::ValidationError::of(&searched(&json!({"query": "", "limit": 1, "tags": []}))).is_none());
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn i1_invalid_parameters_fit_the_schemas_of_the_specification() {
    let response = run::otc(&searched(&json!({"limit": "many", "tags": ["a", 1], "qwery": "x"})));
    let schema = document("otc/CallToolResponse.fixed.schema.json");
    assert_valid(&jsonschema::validator_for(&schema).expect("a schema"), &response, "a response");
    let api = document("otc/otc-openapi-1.0-45b1208.json");
    let schema = &api["components"]["schemas"]["ValidationErrorResponse"];
    assert!(schema["properties"]["parameter_errors"].is_object());
    assert_valid(&jsonschema::validator_for(schema).expect("a schema"), &not_an_object(), "a body");
}

#[test]
fn i1_a_parameter_with_two_violations_is_listed_once() {
    let schema = json!({"type": "object", "properties": {"a": {"minLength": 9, "pattern": "^b"}}});
    let response = send(
        &built(exact_after(Duration::ZERO).tool(run::taking("t", schema))),
        CallToolRequest::new("t", json!({"a": "c"})),
    );
    let [error] = response.error().expect("an error").errors() else { panic!("{response:?}") };
    assert_eq!(error.parameter(), "a");
    assert_eq!(error.message().split("; ").count(), 2, "{error:?}");
}

#[test]
fn a_request_is_parsed_with_and_without_its_envelope() {
    let parse = |body| serde_json::from_value::<CallToolRequest>(body).map_err(|error| error.to_string());
    let inner = json!({"tool_id": "Calculator.Add@1.0.0", "call_id": "c", "trace_id": "t", "input": {"a": 1, "b": 2}});
    for schema in
        ["urn:oxp:1.0", "https://github.com/OpenToolCalling/Specification/tree/main/spec/http/1.0/openapi.json"]
    {
        let request = parse(json!({"$schema": schema, "request": inner})).expect("a request");
        assert_eq!(run::otc(&send(&open_tool_calling(Duration::ZERO), request.clone()))["value"], 3);
        assert_eq!((request.name.as_str(), request.call_id.expect("an id").as_str()), ("Calculator.Add", "c"));
        let context = request.extensions.get::<otc::Context>().expect("a context");
        assert_eq!((context.trace_id(), context.version()), (Some("t"), Some("1.0.0")));
    }
    assert!(parse(json!({"request": inner})).is_ok());
    let refused = |body| parse(body).expect_err("an error");
    assert!(refused(json!({"$schema": "urn:oxp:2.0", "request": inner})).contains("1.0"));
    assert_eq!(refused(json!({"request": {"input": {}}})), "`request.tool_id` is missing");
    assert_eq!(refused(json!({"request": {"name": "a"}})), "`request.tool_id` is missing");
    assert_eq!(refused(json!({"input": {}})), "missing field `tool_id`");
    assert_eq!(refused(json!({"arguments": {}})), "missing field `name`");
}

#[test]
fn definitions_that_the_specification_forbids_are_errors() {
    let definitions = open_tool_calling(Duration::ZERO).list_otc("1.0.0");
    let text = definitions.expect_err("parameters have no description").to_string();
    assert_eq!(text.lines().count(), 7, "{text}");
    assert!(text.contains("- tool `Calculator.Add`: the parameter `a` has no description"), "{text}");

    let text = built(exact_after(Duration::ZERO).tools(tools![count])).list_otc("1.0").expect_err("errors").to_string();
    for words in
        ["the version `1.0`", "tool `count`: a name must have", "`name = \"Toolkit.count\"`", "parameter `limit`"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

mod described {
    use super::{Emails, Sent, Timestamp};

    /// Adds two numbers together.
    #[mcp_tool_runtime::mcp_tool(name = "Calculator.Add")]
    pub(super) async fn add(
        /// The first number to add.
        a: f64,
        /// The second number to add.
        b: f64,
    ) -> f64 {
        a + b
    }

    /// Retrieves the current system timestamp.
    #[mcp_tool_runtime::mcp_tool(name = "System.GetTimestamp")]
    pub(super) async fn now() -> Timestamp {
        super::get_timestamp().await
    }

    /// Retrieves emails from Gmail using OAuth 2.0 authentication.
    #[mcp_tool_runtime::mcp_tool(name = "Gmail.GetEmails")]
    pub(super) async fn emails(
        /// Search query for filtering emails.
        query: Option<String>,
    ) -> Emails {
        super::get_emails(query).await
    }

    /// Sends SMS messages using Twilio.
    #[mcp_tool_runtime::mcp_tool(name = "SMS.Send")]
    pub(super) async fn send(
        /// Recipient phone number.
        to: String,
        /// Message content to send.
        message: String,
    ) -> Sent {
        super::send_sms(to, message).await
    }

    /// A folder and its subfolders.
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Folder {
        name: String,
        folders: Vec<Folder>,
    }

    /// Makes a folder.
    #[mcp_tool_runtime::mcp_tool(name = "Folders.Make")]
    pub(super) async fn make(
        /// The folder to make.
        folder: Folder,
    ) -> Folder {
        folder
    }

    /// Draws a folder.
    #[mcp_tool_runtime::mcp_tool(name = "Folders.Draw")]
    pub(super) async fn draw() -> mcp_tool_runtime::Text {
        mcp_tool_runtime::Text::new("+")
    }
}

fn described_tools() -> Dispatcher {
    let tools =
        tools![described::add, described::now, described::emails, described::send, described::make, described::draw];
    built(exact_after(Duration::ZERO).tools(tools))
}

#[test]
fn definitions_have_no_references() {
    let definitions = run::json(&described_tools().list_otc("1.0.0").expect("definitions"));
    assert!(!definitions.to_string().contains("$ref") && !definitions.to_string().contains("$defs"), "{definitions}");
    // A recursive type is inlined up to its first recursion.
    let folder = &definitions[4]["input_schema"]["parameters"]["properties"]["folder"];
    assert_eq!(folder["description"], "The folder to make.");
    assert_eq!(folder["properties"]["name"], json!({"type": "string"}));
    let within = &folder["properties"]["folders"]["items"];
    assert!(within["type"] == "object", "{folder}");
    assert_eq!(definitions[5]["output_schema"], json!({}));
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn definitions_fit_the_api_and_reproduce_the_examples() {
    let dispatcher = described_tools();
    let definitions = run::json(&dispatcher.list_otc("1.0.0").expect("definitions"));
    let api = document("otc/otc-openapi-1.0-45b1208.json");
    let schema = json!({"$ref": "#/components/schemas/ToolDefinition", "components": api["components"]});
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for definition in definitions.as_array().expect("a list") {
        assert_valid(&validator, definition, "a definition");
    }
    for (index, name, version) in [
        (0, "01-calculator-add", "1.0.0"),
        (1, "03-system-gettimestamp-no-input", "1.0.0"),
        (2, "04-gmail-getemails-oauth-2-0-authorization", "1.2.0"),
        (3, "05-sms-send-secret-requirement", "0.1.2"),
    ] {
        let fixture = document(&format!("otc/fixtures/ToolDefinition-{name}.json"));
        let read: otc::ToolDefinition = serde_json::from_value(fixture.clone()).expect("a definition");
        assert_eq!(run::json(&read), fixture, "{name}");
        let ours = run::json(&dispatcher.list_otc(version).expect("definitions")[index]);
        for property in ["id", "name", "description", "version"] {
            assert_eq!(ours[property], fixture[property], "{name}");
        }
        let (ours, theirs) = (&ours["input_schema"]["parameters"], &fixture["input_schema"]["parameters"]);
        let nothing = json!({});
        assert_eq!(&ours["properties"], theirs.get("properties").unwrap_or(&nothing), "{name}");
    }
}
