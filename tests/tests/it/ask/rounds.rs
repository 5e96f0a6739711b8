//! Questions of 2026-07-28: the result asks, and the client calls again.

use std::sync::Arc;

use mcp_tool_runtime::{CallToolRequest, DispatchError, ProtocolVersion, json, serde_json};

use crate::ask::tools::{Log, accept, builder, error, messages, meta, request, state, text};

#[tokio::test]
async fn a_consent_is_asked_for_and_the_body_runs_once_after_it() {
    let log = Arc::new(Log::default());
    let dispatcher = mcp_tool_runtime::Dispatcher::builder()
        .tools(mcp_tool_runtime::tools![crate::ask::tools::delete_note])
        .state(Arc::clone(&log))
        .build()
        .expect("valid tools");
    let first = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
    assert!(!first.is_success() && first.value().is_none() && first.error().is_none() && first.content().is_empty());
    assert_eq!(messages(&first), [("sure".to_owned(), "Delete note 7 for good?".to_owned())]);
    let required = first.input_required().expect("questions");
    assert_eq!(
        serde_json::Value::from(required.requests().clone()),
        json!({ "sure": { "method": "elicitation/create", "params": {
            "mode": "form",
            "message": "Delete note 7 for good?",
            "requestedSchema": { "type": "object", "properties": { "confirm": { "type": "boolean" } }, "required": ["confirm"] },
        } } })
    );
    assert!(log.lines().is_empty());

    let again = request("delete_note", json!({ "id": 7 }))
        .with_request_state(required.state())
        .with_input_responses(json!({ "sure": accept(json!({ "confirm": true })) }));
    let done = dispatcher.call(again).await.expect("a response");
    assert_eq!(text(&done), first.call_id().as_str(), "all rounds of a call have one id");
    assert_eq!(done.call_id(), first.call_id());
    assert_eq!(log.lines(), ["deleted 7"]);
}

#[tokio::test]
async fn only_accept_with_true_is_a_yes() {
    let dispatcher = builder().build().expect("valid tools");
    for (response, expected) in [
        (accept(json!({ "confirm": false })), "the user declined: Delete note 7 for good?"),
        (json!({ "action": "decline" }), "the user declined: Delete note 7 for good?"),
        (json!({ "action": "decline", "content": { "confirm": true } }), "the user declined: Delete note 7 for good?"),
        (json!({ "action": "cancel" }), "the user closed the question without an answer: Delete note 7 for good?"),
    ] {
        let first = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
        let again = request("delete_note", json!({ "id": 7 }))
            .with_request_state(state(&first))
            .with_input_responses(json!({ "sure": response }));
        let done = dispatcher.call(again).await.expect("a response");
        assert_eq!(error(&done), expected);
        assert!(!done.error().expect("an error").can_retry());
    }
}

#[tokio::test]
async fn an_answer_that_is_not_valid_is_asked_for_again_with_what_is_wrong() {
    let dispatcher = builder().build().expect("valid tools");
    let first = dispatcher.call(request("greet", json!({}))).await.expect("a response");
    let schema = first.input_required().expect("questions").questions()[0].schema().clone();
    assert_eq!(
        schema,
        json!({ "type": "object", "required": ["guest"], "properties": { "guest": {
            "type": "string", "description": "How the guest wants to be called.", "minLength": 2 } } })
    );
    let mut last = first;
    for (content, problem) in [
        (json!({ "guest": "A" }), "guest: expected at least 2 characters"),
        (json!({ "guest": 5 }), "guest: expected a string, got an integer"),
        (json!({}), "guest: required, but missing"),
        (json!(null), "the form is empty"),
        (json!([1]), "the content of the form must be an object"),
    ] {
        let again = request("greet", json!({}))
            .with_request_state(state(&last))
            .with_input_responses(json!({ "guest": accept(content.clone()) }));
        last = dispatcher.call(again).await.expect("a response");
        let message = &messages(&last)[0].1;
        assert!(message.starts_with("Who is the guest?\n\nThe last answer was not valid:\n"), "{message}");
        assert!(message.contains(problem), "{content}: {message}");
    }
    let again = request("greet", json!({}))
        .with_request_state(state(&last))
        .with_input_responses(json!({ "guest": accept(json!({ "guest": "Ann", "more": 1 })) }));
    assert_eq!(text(&dispatcher.call(again).await.expect("a response")), "Hello, Ann!");
}

#[tokio::test]
async fn a_missing_answer_is_asked_for_again_until_round_8() {
    let dispatcher = builder().build().expect("valid tools");
    let mut last = dispatcher.call(request("greet", json!({}))).await.expect("a response");
    for _ in 1..8 {
        let again =
            request("greet", json!({})).with_request_state(state(&last)).with_input_responses(json!({ "other": 5 }));
        last = dispatcher.call(again).await.expect("a response");
        assert_eq!(messages(&last)[0].1, "Who is the guest?");
    }
    let again = request("greet", json!({})).with_request_state(state(&last));
    let last = dispatcher.call(again).await.expect("a response");
    assert_eq!(error(&last), "the user gave no valid answer in 8 rounds: Who is the guest?");
    assert!(!last.error().expect("an error").can_retry());
    assert_eq!(last.error().expect("an error").code(), Some("invalid_answer"));
}

#[tokio::test]
async fn independent_questions_go_out_together_and_one_answer_is_kept() {
    let dispatcher = builder().build().expect("valid tools");
    let first = dispatcher.call(request("two", json!({}))).await.expect("a response");
    assert_eq!(messages(&first).len(), 2);
    let again = request("two", json!({}))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "second": accept(json!({ "second": 2 })) }));
    let second = dispatcher.call(again).await.expect("a response");
    assert_eq!(messages(&second), [("first".to_owned(), "First?".to_owned())]);
    let again = request("two", json!({}))
        .with_request_state(state(&second))
        .with_input_responses(json!({ "first": accept(json!({ "first": 1 })) }));
    assert_eq!(text(&dispatcher.call(again).await.expect("a response")), "1 Some(2)");
}

#[tokio::test]
async fn an_option_is_a_property_that_may_be_left_out() {
    let dispatcher = builder().build().expect("valid tools");
    let first = dispatcher.call(request("two", json!({}))).await.expect("a response");
    let second = first.input_required().expect("questions").questions()[1].schema().clone();
    assert!(second.get("required").is_none(), "{second}");
    for left_out in [json!({}), json!({ "second": null })] {
        let again = request("two", json!({}))
            .with_request_state(state(&first))
            .with_input_responses(json!({ "first": accept(json!({ "first": 1.0 })), "second": accept(left_out) }));
        assert_eq!(text(&dispatcher.call(again).await.expect("a response")), "1 None");
    }
}

#[tokio::test]
async fn one_decline_ends_the_call_though_another_answer_is_missing() {
    let dispatcher = builder().build().expect("valid tools");
    let first = dispatcher.call(request("two", json!({}))).await.expect("a response");
    let again = request("two", json!({}))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "second": { "action": "decline" } }));
    assert_eq!(error(&dispatcher.call(again).await.expect("a response")), "the user declined: Second?");
}

#[tokio::test]
async fn a_decline_ends_the_call_though_the_question_was_answered_in_an_earlier_round() {
    let dispatcher = builder().build().expect("valid tools");
    let first = dispatcher.call(request("two", json!({}))).await.expect("a response");
    let again = request("two", json!({}))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "first": accept(json!({ "first": 1 })) }));
    let second = dispatcher.call(again).await.expect("a response");
    let both = |action: &str| json!({ "first": { "action": action }, "second": accept(json!({ "second": 2 })) });
    let again = request("two", json!({})).with_request_state(state(&second)).with_input_responses(both("decline"));
    assert_eq!(error(&dispatcher.call(again).await.expect("a response")), "the user declined: First?");
    let again = request("two", json!({})).with_request_state(state(&second)).with_input_responses(both("accept"));
    assert_eq!(text(&dispatcher.call(again).await.expect("a response")), "1 Some(2)");
}

#[tokio::test]
async fn a_question_about_an_answer_goes_out_in_the_next_round() {
    let dispatcher = builder().build().expect("valid tools");
    let ann = json!({ "name": "Ann", "seats": 2 });
    let first = dispatcher.call(request("book", json!({ "table": 5 }))).await.expect("a response");
    assert_eq!(messages(&first), [("guest".to_owned(), "Who comes to table   5?".to_owned())]);
    let again = request("book", json!({ "table": 5 }))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "guest": accept(ann) }));
    let second = dispatcher.call(again).await.expect("a response");
    assert_eq!(messages(&second), [("day".to_owned(), "Which day, Ann?".to_owned())]);
    assert_eq!(
        *second.input_required().expect("questions").questions()[0].schema(),
        json!({ "type": "object", "required": ["day"], "properties": { "day": { "type": "string", "oneOf": [
            { "const": "tomorrow", "title": "The day after today." }, { "const": "today", "title": "Today, after six." } ] } } })
    );
    for (response, expected) in [
        (accept(json!({ "day": "tomorrow" })), "Ann at table 5, Given(Tomorrow)"),
        (json!({ "action": "decline" }), "Ann at table 5, Declined"),
        (json!({ "action": "cancel" }), "Ann at table 5, Cancelled"),
    ] {
        let again = request("book", json!({ "table": 5 }))
            .with_request_state(state(&second))
            .with_input_responses(json!({ "day": response }));
        assert_eq!(text(&dispatcher.call(again).await.expect("a response")), expected);
    }
}

#[tokio::test]
async fn a_function_knows_the_answer_or_fails_with_the_tools_error() {
    let dispatcher = builder().build().expect("valid tools");
    for (table, expected) in [(1, Ok("Ann at table 1, Given(Today)")), (0, Err("table 0 does not exist"))] {
        let first = dispatcher.call(request("book", json!({ "table": table }))).await.expect("a response");
        let again = request("book", json!({ "table": table }))
            .with_request_state(state(&first))
            .with_input_responses(json!({ "guest": accept(json!({ "name": "Ann", "seats": 2 })) }));
        let response = dispatcher.call(again).await.expect("a response");
        match expected {
            Ok(expected) => assert_eq!(text(&response), expected),
            Err(expected) => assert_eq!(error(&response), expected),
        }
    }
}

#[tokio::test]
async fn a_client_without_forms_is_told_so_and_one_that_says_nothing_cannot_be_asked() {
    let dispatcher = builder().build().expect("valid tools");
    for capabilities in [
        json!({}),
        json!({ "sampling": {} }),
        json!({ "elicitation": { "url": {} } }),
        json!({ "elicitation": { "form": null } }),
        json!({ "elicitation": { "form": false } }),
    ] {
        let request = CallToolRequest::new("delete_note", json!({ "id": 7 })).with_meta(meta(capabilities));
        let error = dispatcher.call(request).await.expect_err("a missing capability");
        assert_eq!(error, DispatchError::MissingCapability);
        assert_eq!(error.code(), -32021);
    }
    let silent = dispatcher.call(CallToolRequest::new("delete_note", json!({ "id": 7 }))).await.expect("a response");
    assert_eq!(
        error(&silent),
        "this needs an answer from the user, and this client cannot ask: Delete note 7 for good?"
    );
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let request = CallToolRequest::new("decide", json!({})).with_meta(meta(capabilities));
        assert_eq!(text(&dispatcher.call(request).await.expect("a response")), "Unavailable Unavailable");
    }
    let silent = dispatcher.call(CallToolRequest::new("decide", json!({}))).await.expect("a response");
    assert_eq!(text(&silent), "Unavailable Unavailable");
    let form = request("delete_note", json!({ "id": 7 })).with_meta(meta(json!({ "elicitation": { "form": {} } })));
    assert_eq!(messages(&dispatcher.call(form).await.expect("a response")).len(), 1);
}

#[tokio::test]
async fn a_legacy_request_cannot_be_asked_whatever_it_declares() {
    let dispatcher = builder().build().expect("valid tools");
    for version in [ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25] {
        let request = request("delete_note", json!({ "id": 7 })).with_protocol_version(version);
        let response = dispatcher.call(request).await.expect("a response");
        assert!(error(&response).starts_with("this needs an answer from the user"));
    }
}

#[tokio::test]
async fn questions_can_be_off_for_a_client() {
    let dispatcher = builder().disable_questions_for(|client| client.name() == "mute").build().expect("valid tools");
    let mut meta = meta(json!({ "elicitation": {} }));
    meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), json!({ "name": "mute", "version": "1" }));
    let request = CallToolRequest::new("decide", json!({})).with_meta(meta.clone());
    assert_eq!(text(&dispatcher.call(request).await.expect("a response")), "Unavailable Unavailable");
    meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), json!({ "name": "chatty", "version": "1" }));
    let request = CallToolRequest::new("decide", json!({})).with_meta(meta);
    assert!(dispatcher.call(request).await.expect("a response").input_required().is_some());
}

#[tokio::test]
async fn a_client_is_not_asked_if_the_function_of_questions_off_panics() {
    let dispatcher = builder().disable_questions_for(|_| panic!("disable_questions_for")).build().expect("valid tools");
    let mut meta = meta(json!({ "elicitation": {} }));
    meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), json!({ "name": "any", "version": "1" }));
    let call = async |name: &str, arguments| {
        dispatcher.call(CallToolRequest::new(name, arguments).with_meta(meta.clone())).await.expect("a response")
    };
    assert!(error(&call("delete_note", json!({ "id": 7 })).await).starts_with("this needs an answer from the user"));
    assert_eq!(text(&call("decide", json!({})).await), "Unavailable Unavailable");
}

#[tokio::test]
async fn malformed_responses_are_errors_of_the_request() {
    let dispatcher = builder().build().expect("valid tools");
    for responses in [
        json!(null),
        json!(5),
        json!([]),
        json!("accept"),
        json!({ "sure": 5 }),
        json!({ "sure": null }),
        json!({ "sure": {} }),
        json!({ "sure": { "action": "yes" } }),
        json!({ "sure": { "action": 1 } }),
        json!({ "sure": ["accept"] }),
    ] {
        let request = request("delete_note", json!({ "id": 7 })).with_input_responses(responses.clone());
        let error = dispatcher.call(request).await.expect_err("a malformed request");
        assert!(matches!(error, DispatchError::InvalidRequest { .. }), "{responses}: {error}");
        assert_eq!(error.code(), -32602);
    }
    let other_keys = json!({ "other": 5, "more": { "action": "yes" } });
    let request = request("delete_note", json!({ "id": 7 })).with_input_responses(other_keys);
    assert!(dispatcher.call(request).await.expect("a response").input_required().is_some());
}

#[tokio::test]
async fn the_bytes_of_each_protocol() {
    let dispatcher = builder().build().expect("valid tools");
    let params = br#"{"name":"delete_note","arguments":{"id":7},"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}"#;
    let modern = dispatcher.call_json(params, ProtocolVersion::V2026_07_28).await.expect("a result");
    let modern: serde_json::Value = serde_json::from_slice(&modern).expect("JSON");
    assert_eq!(modern["resultType"], "input_required");
    assert_eq!(modern["inputRequests"]["sure"]["method"], "elicitation/create");
    assert!(modern["requestState"].is_string() && modern.get("content").is_none() && modern.get("isError").is_none());
    let legacy = dispatcher.call_json(params, ProtocolVersion::V2025_11_25).await.expect("a result");
    let legacy: serde_json::Value = serde_json::from_slice(&legacy).expect("JSON");
    assert_eq!(legacy["isError"], true);

    let mut again: serde_json::Value = serde_json::from_slice(params).expect("JSON");
    again["requestState"] = modern["requestState"].clone();
    again["inputResponses"] = json!({ "sure": accept(json!({ "confirm": true })) });
    let done =
        dispatcher.call_json(again.to_string().as_bytes(), ProtocolVersion::V2026_07_28).await.expect("a result");
    let done: serde_json::Value = serde_json::from_slice(&done).expect("JSON");
    assert_eq!((&done["resultType"], &done["isError"]), (&json!("complete"), &json!(false)));

    let response = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
    let result = serde_json::to_value(response.to_mcp(ProtocolVersion::V2026_07_28)).expect("JSON");
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result["inputRequests"], modern["inputRequests"]);
    assert!(result.get("content").is_none(), "{result}");
    let result = serde_json::to_value(response.to_mcp(ProtocolVersion::V2025_06_18)).expect("JSON");
    assert_eq!(result["isError"], true);
    let open = serde_json::to_value(response.to_otc()).expect("JSON");
    assert_eq!(open["success"], false);
    assert!(open["error"]["message"].as_str().expect("a text").starts_with("this needs an answer"), "{open}");
}

#[tokio::test]
async fn asked_parameters_are_not_arguments() {
    let dispatcher = builder().build().expect("valid tools");
    assert_eq!(dispatcher.list()[0].input_schema["properties"].as_object().expect("properties").len(), 1);
    let request = request("greet", json!({ "guest": "Ann" }));
    let response = dispatcher.call(request).await.expect("a response");
    assert!(error(&response).contains("guest: not known"), "{}", error(&response));
}

#[tokio::test]
async fn a_request_of_the_protocol_is_read_with_its_answers_and_its_state() {
    let dispatcher = builder().build().expect("valid tools");
    let meta =
        json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} }, "rs.mcp-tool/call_id": "mine" });
    let mut params = json!({ "name": "delete_note", "arguments": { "id": 7 }, "_meta": meta });
    let read =
        |params: &serde_json::Value| serde_json::from_value::<CallToolRequest>(params.clone()).expect("a request");
    let first = dispatcher.call(read(&params)).await.expect("a response");
    assert_eq!(first.call_id().as_str(), "mine");
    params["_meta"]["rs.mcp-tool/call_id"] = json!("another");
    params["requestState"] = json!(state(&first));
    params["inputResponses"] = json!({ "sure": accept(json!({ "confirm": true })) });
    let done = dispatcher.call(read(&params)).await.expect("a response");
    assert!(done.is_success());
    assert_eq!(done.call_id().as_str(), "mine", "the id of the first round wins");
}

#[tokio::test]
async fn a_text_is_no_consent_even_with_lax() {
    let dispatcher = builder().lax(true).build().expect("valid tools");
    for wrong in [json!("true"), json!(1), json!("yes"), json!(null), json!([true]), json!({ "confirm": true })] {
        let first = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
        let again = request("delete_note", json!({ "id": 7 }))
            .with_request_state(state(&first))
            .with_input_responses(json!({ "sure": accept(json!({ "confirm": wrong })) }));
        let response = dispatcher.call(again).await.expect("a response");
        assert!(messages(&response)[0].1.contains("confirm: "), "{wrong}: {response:?}");
    }
    // Another type is read as leniently as an argument.
    let first = dispatcher.call(request("two", json!({}))).await.expect("a response");
    let again = request("two", json!({})).with_request_state(state(&first)).with_input_responses(
        json!({ "first": accept(json!({ "first": "1" })), "second": accept(json!({ "second": "" })) }),
    );
    assert_eq!(text(&dispatcher.call(again).await.expect("a response")), "1 None");
}
