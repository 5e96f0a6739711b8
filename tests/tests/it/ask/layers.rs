//! Questions and layers.

use std::sync::Arc;

use mcp_tool_runtime::{
    CallToolRequest, Dispatcher,
    ask::{Reply, Scripted},
    json, middleware, tools,
};

use crate::ask::tools::{Log, accept, delete_note, request, state};

#[tokio::test]
async fn a_layer_runs_in_every_round_and_sees_a_question_as_ok() {
    let log = Arc::new(Log::default());
    let seen = Arc::clone(&log);
    let dispatcher = Dispatcher::builder()
        .tools(tools![delete_note])
        .state(Arc::clone(&log))
        .middleware(middleware::from_fn(move |request, cx, next| {
            let seen = Arc::clone(&seen);
            Box::pin(async move {
                let output = next.run(request, cx).await?;
                seen.add(format!("round {}, asks: {}", cx.round(), output.input_required().is_some()));
                Ok(output)
            })
        }))
        .build()
        .expect("valid tools");
    let first = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
    let again = request("delete_note", json!({ "id": 7 }))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "sure": accept(json!({ "confirm": true })) }));
    assert!(dispatcher.call(again).await.expect("a response").is_success());
    assert_eq!(log.lines(), ["round 1, asks: true", "deleted 7", "round 2, asks: false"]);
}

#[tokio::test]
async fn a_layer_runs_once_where_questions_are_answered_in_place() {
    let log = Arc::new(Log::default());
    let seen = Arc::clone(&log);
    let dispatcher = Dispatcher::builder()
        .tools(tools![delete_note])
        .state(Arc::clone(&log))
        .middleware(middleware::from_fn(move |request, cx, next| {
            seen.add(format!("round {}", cx.round()));
            Box::pin(next.run(request, cx))
        }))
        .build()
        .expect("valid tools");
    // An answer that is not valid, then a valid one.
    let user = Scripted::new().reply("sure", Reply::accept("perhaps")).reply("sure", Reply::yes());
    let call = CallToolRequest::new("delete_note", json!({ "id": 7 })).with_asker(user.clone());
    assert!(dispatcher.call(call).await.expect("a response").is_success());
    assert_eq!(user.asked().len(), 2);
    assert_eq!(log.lines(), ["round 1", "deleted 7"]);
}

#[tokio::test]
async fn the_state_is_bound_to_the_arguments_before_the_layers() {
    let dispatcher = Dispatcher::builder()
        .tools(tools![delete_note])
        .state(Log::default())
        .middleware(middleware::from_fn(|request, cx, next| {
            request.arguments = Some(json!({ "id": cx.round() }));
            Box::pin(next.run(request, cx))
        }))
        .build()
        .expect("valid tools");
    let first = dispatcher.call(request("delete_note", json!({ "id": 7 }))).await.expect("a response");
    let again = request("delete_note", json!({ "id": 7 }))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "sure": accept(json!({ "confirm": true })) }));
    let second = dispatcher.call(again).await.expect("the state verifies");
    // But the question is another one now, so the consent does not count.
    assert_eq!(second.input_required().expect("a question").questions()[0].message(), "Delete note 2 for good?");
}
