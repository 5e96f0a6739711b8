//! What a client that lies gets.

use std::sync::Arc;
use std::time::Duration;

use mcp_tool_runtime::serde_json::{self, Value};
use mcp_tool_runtime::{CallToolRequest, CallToolResponse, DispatchError, Dispatcher, json};

use crate::ask::tools::{Log, accept, builder, messages, request, state, text};

struct User(&'static str);

const YES: fn() -> Value = || json!({ "sure": accept(json!({ "confirm": true })) });

async fn first(dispatcher: &Dispatcher, request: CallToolRequest) -> CallToolResponse {
    dispatcher.call(request).await.expect("a response")
}

async fn refused(dispatcher: &Dispatcher, request: CallToolRequest, what: &str) {
    let error = dispatcher.call(request).await.err();
    assert_eq!(error, Some(DispatchError::InvalidState), "{what}");
    let error = error.expect("an error");
    assert_eq!((error.code(), error.to_string()), (-32602, "Invalid or expired requestState".to_owned()));
}

#[tokio::test]
async fn an_approval_in_a_first_call_does_not_count() {
    let log = Arc::new(Log::default());
    let dispatcher = Dispatcher::builder()
        .tools(mcp_tool_runtime::tools![
            crate::ask::tools::delete_note,
            crate::ask::tools::greet,
            crate::ask::tools::decide
        ])
        .state(Arc::clone(&log))
        .build()
        .expect("valid tools");
    let response = first(&dispatcher, request("delete_note", json!({ "id": 7 })).with_input_responses(YES())).await;
    assert_eq!(messages(&response).len(), 1, "the user is asked");
    assert!(log.lines().is_empty());
    // A sealed question too; an ordinary one is no worse than an argument.
    let sealed = json!({ "go": accept(json!({ "confirm": true })), "count": accept(json!({ "count": 3 })) });
    let response = first(&dispatcher, request("decide", json!({})).with_input_responses(sealed)).await;
    assert_eq!(messages(&response).len(), 2);
    let plain = json!({ "guest": accept(json!({ "guest": "Ann" })) });
    let response = first(&dispatcher, request("greet", json!({})).with_input_responses(plain)).await;
    assert_eq!(text(&response), "Hello, Ann!");
    // Without the capability, and without any.
    let request = CallToolRequest::new("delete_note", json!({ "id": 7 })).with_input_responses(YES());
    assert!(!first(&dispatcher, request).await.is_success());
    assert_eq!(log.lines(), ["greeted Ann"]);
}

#[tokio::test]
async fn a_state_is_bound_to_arguments_tool_principal_and_server() {
    let keys = [[7; 32]];
    let server = |audience: &str| {
        builder()
            .state_keys(audience, keys)
            .principal(|extensions| extensions.get::<User>().map(|user| user.0.to_owned()))
            .build()
            .expect("valid tools")
    };
    let notes = server("notes");
    let of_ann = |name: &str, arguments: Value| request(name, arguments).with_extension(User("ann"));
    let asked = state(&first(&notes, of_ann("delete_note", json!({ "id": 7 }))).await);
    let again = |request: CallToolRequest| request.with_request_state(&*asked).with_input_responses(YES());
    refused(&notes, again(of_ann("delete_note", json!({ "id": 8 }))), "a changed argument").await;
    refused(&notes, again(of_ann("decide", json!({ "id": 7 }))), "another tool").await;
    let of_bob = request("delete_note", json!({ "id": 7 })).with_extension(User("bob"));
    refused(&notes, again(of_bob), "another principal").await;
    refused(&notes, again(request("delete_note", json!({ "id": 7 }))), "no principal").await;
    refused(&server("mail"), again(of_ann("delete_note", json!({ "id": 7 }))), "another server").await;
    // On a replica with the same keys it is fine, and the order of arguments does not matter.
    let done = first(&server("notes"), again(of_ann("delete_note", json!({ "id": 7 })))).await;
    assert!(done.is_success());
    let anonymous = state(&first(&notes, request("delete_note", json!({ "id": 7 }))).await);
    let with_user = of_ann("delete_note", json!({ "id": 7 })).with_request_state(anonymous).with_input_responses(YES());
    refused(&notes, with_user, "a principal where there was none").await;
}

#[tokio::test]
async fn nobody_is_asked_and_no_state_counts_if_the_principal_panics() {
    let log = Arc::new(Log::default());
    let server = |panics: bool| {
        Dispatcher::builder()
            .tools(mcp_tool_runtime::tools![crate::ask::tools::delete_note])
            .state(Arc::clone(&log))
            .state_keys("notes", [[7; 32]])
            .principal(move |_| if panics { panic!("principal") } else { None })
            .build()
            .expect("valid tools")
    };
    let (works, panics) = (server(false), server(true));
    let call = || request("delete_note", json!({ "id": 7 }));
    let response = first(&panics, call()).await;
    assert!(response.input_required().is_none());
    assert!(response.error().is_some_and(|error| error.message().starts_with("this needs an answer from the user")));
    // The state of a request without a principal is not one of a request whose principal is not known.
    let again = call().with_request_state(state(&first(&works, call()).await)).with_input_responses(YES());
    refused(&panics, again.clone(), "a principal that is not known").await;
    assert!(log.lines().is_empty());
    assert!(first(&works, again).await.is_success());
}

#[tokio::test]
async fn keys_rotate_between_two_rounds_and_random_keys_are_not_shared() {
    let (old, new) = ([1; 32], [2; 32]);
    let before = builder().state_keys("notes", [old]).build().expect("valid tools");
    let between = builder().state_keys("notes", [new, old]).build().expect("valid tools");
    let after = builder().state_keys("notes", [new]).build().expect("valid tools");
    let asked = state(&first(&before, request("delete_note", json!({ "id": 7 }))).await);
    let again = request("delete_note", json!({ "id": 7 })).with_request_state(asked).with_input_responses(YES());
    assert!(first(&between, again.clone()).await.is_success());
    refused(&after, again, "a key that was removed").await;
    let asked = state(&first(&between, request("delete_note", json!({ "id": 7 }))).await);
    let again = request("delete_note", json!({ "id": 7 })).with_request_state(asked).with_input_responses(YES());
    assert!(first(&after, again).await.is_success());

    let (one, other) = (builder().build().expect("valid tools"), builder().build().expect("valid tools"));
    let asked = state(&first(&one, request("delete_note", json!({ "id": 7 }))).await);
    let again = request("delete_note", json!({ "id": 7 })).with_request_state(asked).with_input_responses(YES());
    refused(&other, again, "the random key of another process").await;
}

#[tokio::test]
async fn an_expired_state_is_refused() {
    let dispatcher = builder().state_ttl(Duration::from_millis(1)).build().expect("valid tools");
    let asked = state(&first(&dispatcher, request("delete_note", json!({ "id": 7 }))).await);
    std::thread::sleep(Duration::from_millis(5));
    let again = request("delete_note", json!({ "id": 7 })).with_request_state(asked).with_input_responses(YES());
    refused(&dispatcher, again, "expired").await;
}

#[tokio::test]
async fn ten_thousand_changed_states_are_refused() {
    let dispatcher = builder().build().expect("valid tools");
    let asked = state(&first(&dispatcher, request("delete_note", json!({ "id": 7 }))).await);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let mut tried = 0;
    while tried < 10_000 {
        let mut bytes = asked.clone().into_bytes();
        let (index, bit) = (next(bytes.len()), next(7));
        bytes[index] ^= 1 << bit;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        let again = request("delete_note", json!({ "id": 7 })).with_request_state(changed).with_input_responses(YES());
        refused(&dispatcher, again, "a changed bit").await;
        tried += 1;
    }
    for text in ["", ".", "v1.", "v1..", "v1.e30.", "v2.e30.AAAA", "ey.ey.ey"] {
        refused(&dispatcher, request("delete_note", json!({ "id": 7 })).with_request_state(text), text).await;
    }
    let long = "v1.".to_owned() + &"A".repeat(1 << 20);
    refused(&dispatcher, request("delete_note", json!({ "id": 7 })).with_request_state(long), "1 MiB").await;
}

/// Delete whatever is selected now.
#[mcp_tool_runtime::mcp_tool]
async fn delete_selected(
    #[mcp_tool(ask = selected(notes))] _sure: mcp_tool_runtime::Consent,
    #[mcp_tool(state)] notes: &Selection,
    #[mcp_tool(state)] log: &Log,
) {
    log.add(format!("deleted {}", notes.0.lock().expect("no panic")));
}

struct Selection(std::sync::Mutex<String>);

fn selected(notes: &Selection) -> mcp_tool_runtime::Ask<mcp_tool_runtime::Consent> {
    mcp_tool_runtime::Ask::new(format!("Delete {}?", notes.0.lock().expect("no panic")))
}

#[tokio::test]
async fn a_consent_counts_only_for_the_question_that_was_shown() {
    let (log, selection) = (Arc::new(Log::default()), Arc::new(Selection(std::sync::Mutex::new("a draft".to_owned()))));
    let dispatcher = Dispatcher::builder()
        .tools(mcp_tool_runtime::tools![delete_selected])
        .state(Arc::clone(&log))
        .state(Arc::clone(&selection))
        .build()
        .expect("valid tools");
    let asked = state(&first(&dispatcher, request("delete_selected", json!({}))).await);
    *selection.0.lock().expect("no panic") = "all notes".to_owned();
    let again = request("delete_selected", json!({})).with_request_state(asked).with_input_responses(YES());
    let response = first(&dispatcher, again).await;
    assert_eq!(messages(&response), [("sure".to_owned(), "Delete all notes?".to_owned())]);
    assert!(log.lines().is_empty());
}

#[tokio::test]
async fn a_consent_of_an_earlier_round_counts_only_for_its_question() {
    let (log, selection) = (Arc::new(Log::default()), Arc::new(Selection(std::sync::Mutex::new("a draft".to_owned()))));
    let dispatcher = Dispatcher::builder()
        .tools(mcp_tool_runtime::tools![delete_selected_for_a_reason])
        .state(Arc::clone(&log))
        .state(Arc::clone(&selection))
        .build()
        .expect("valid tools");
    let call = || request("delete_selected_for_a_reason", json!({}));
    let first = first(&dispatcher, call()).await;
    let yes = call().with_request_state(state(&first)).with_input_responses(YES());
    let second = dispatcher.call(yes).await.expect("a response");
    assert_eq!(messages(&second), [("reason".to_owned(), "Why?".to_owned())], "the consent is in the state now");
    *selection.0.lock().expect("no panic") = "all notes".to_owned();
    let reason = json!({ "reason": accept(json!({ "reason": "old" })) });
    let again = call().with_request_state(state(&second)).with_input_responses(reason);
    let third = dispatcher.call(again).await.expect("a response");
    assert_eq!(messages(&third), [("sure".to_owned(), "Delete all notes?".to_owned())]);
    assert!(log.lines().is_empty());
    // The consent of the second round, sent again with the state of the third.
    *selection.0.lock().expect("no panic") = "a draft".to_owned();
    let again = call().with_request_state(state(&third)).with_input_responses(YES());
    let fourth = dispatcher.call(again).await.expect("a response");
    assert_eq!(messages(&fourth), [("sure".to_owned(), "Delete a draft?".to_owned())]);
    assert!(log.lines().is_empty());
    let again = call().with_request_state(state(&fourth)).with_input_responses(YES());
    assert!(dispatcher.call(again).await.expect("a response").is_success());
    assert_eq!(log.lines(), ["deleted a draft: old"]);
}

/// Delete whatever is selected now, for a reason.
#[mcp_tool_runtime::mcp_tool]
async fn delete_selected_for_a_reason(
    #[mcp_tool(ask = selected(notes))] _sure: mcp_tool_runtime::Consent,
    #[mcp_tool(ask = "Why?")] reason: String,
    #[mcp_tool(state)] notes: &Selection,
    #[mcp_tool(state)] log: &Log,
) {
    log.add(format!("deleted {}: {reason}", notes.0.lock().expect("no panic")));
}

#[tokio::test]
async fn a_question_that_always_changes_ends_with_a_word_to_the_author() {
    let selection = Arc::new(Selection(std::sync::Mutex::new(String::new())));
    let dispatcher = Dispatcher::builder()
        .tools(mcp_tool_runtime::tools![delete_selected])
        .state(Log::default())
        .state(Arc::clone(&selection))
        .build()
        .expect("valid tools");
    let mut last = first(&dispatcher, request("delete_selected", json!({}))).await;
    for round in 2..=9 {
        *selection.0.lock().expect("no panic") = format!("note {round}");
        let again = request("delete_selected", json!({})).with_request_state(state(&last)).with_input_responses(YES());
        last = dispatcher.call(again).await.expect("a response");
    }
    let error = last.error().expect("an error");
    assert_eq!(error.message(), "the user gave no valid answer in 8 rounds: Delete note 9?");
    assert!(error.developer_message().expect("a message").contains("was another one in each round"), "{error:?}");
}

#[tokio::test]
async fn a_model_cannot_dress_up_a_question() {
    let dispatcher = Dispatcher::builder().tools(mcp_tool_runtime::tools![remove]).build().expect("valid tools");
    let name = format!("x\"?\n\nThe administrator asks you to agree.\u{202e}{}", "y".repeat(300));
    let response = first(&dispatcher, request("remove", json!({ "name": name }))).await;
    let message = &messages(&response)[0].1;
    assert!(message.starts_with(r#"Remove "x\"?\n\nThe administrator"#), "{message}");
    assert!(!message.contains('\n') && !message.contains('\u{202e}'), "{message}");
    assert!(message.chars().count() < 260, "{message}");
}

/// Remove something.
#[mcp_tool_runtime::mcp_tool]
async fn remove(
    name: &str,
    #[mcp_tool(ask = "Remove {name:?} {{for good}}?")] _sure: mcp_tool_runtime::Consent,
) -> String {
    name.to_owned()
}

#[test]
fn wrong_keys_are_errors_of_build() {
    let error = builder().state_keys("notes", []).build().expect_err("no key").to_string();
    assert!(error.contains("`state_keys` needs a key"), "{error}");
    let error = builder().state_keys("notes", [[1; 32], [1; 32]]).build().expect_err("a key twice").to_string();
    assert!(error.contains("the same key twice"), "{error}");
    assert!(serde_json::to_string(&json!({})).is_ok());
}
