//! Questions are answered before a call becomes a task.

use std::time::Duration;

use mcp_tool_runtime::{Ask, Consent, Dispatcher, Tasks, json, mcp_tool, tools};

use super::client::Client;
use super::queue::Queue;
use crate::run::{built, faults};

/// Send a newsletter.
#[mcp_tool(task)]
async fn send_newsletter(readers: u32, #[mcp_tool(ask = slow_question(readers).await)] _sure: Consent) -> String {
    tokio::time::sleep(Duration::from_secs(5)).await;
    format!("sent to {readers}")
}

async fn slow_question(readers: &u32) -> Ask<Consent> {
    tokio::time::sleep(Duration::from_secs(30)).await;
    Ask::new(format!("Send to {readers} readers?"))
}

/// Print some pages.
#[mcp_tool(task)]
async fn print(pages: u32) -> u32 {
    tokio::time::sleep(Duration::from_secs(5)).await;
    pages
}

fn server() -> Dispatcher {
    let builder = Dispatcher::builder().tools(tools![send_newsletter, print]).tasks(Tasks::in_memory());
    built(builder.consent_for(|tool| tool.name() == "print"))
}

#[tokio::test(start_paused = true)]
async fn k12_a_task_is_made_after_the_last_answer() {
    let client = Client::new(&server());
    for (name, arguments, key, expected) in [
        ("send_newsletter", json!({"readers": 7}), "_sure", json!("sent to 7")),
        ("print", json!({"pages": 3}), "consent", json!(3)),
    ] {
        let question = client.call(name, arguments.clone()).await;
        assert_eq!(question["resultType"], "input_required", "{question}");
        let keys: Vec<_> = question["inputRequests"].as_object().expect("questions").keys().cloned().collect();
        assert_eq!(keys.len(), 1, "{key}");
        let answered = json!({
            "name": name,
            "arguments": arguments,
            "requestState": question["requestState"],
            "inputResponses": { &keys[0]: {"action": "accept", "content": {"confirm": true}} },
        });
        let task = client.result("tools/call", answered).await;
        assert_eq!(task["resultType"], "task", "{task}");
        let task = client.end(task["taskId"].as_str().expect("an id")).await;
        assert_eq!(task["result"]["structuredContent"], expected, "{task}");
    }
}

#[tokio::test(start_paused = true)]
async fn k12_a_refused_question_is_answered_at_once() {
    let client = Client::new(&server());
    let question = client.call("print", json!({"pages": 3})).await;
    let declined = json!({
        "name": "print",
        "arguments": {"pages": 3},
        "requestState": question["requestState"],
        "inputResponses": {"consent": {"action": "decline"}},
    });
    let result = client.result("tools/call", declined).await;
    assert_eq!((&result["resultType"], &result["isError"]), (&json!("complete"), &json!(true)));
}

/// Pay.
#[mcp_tool(once = "10m")]
async fn pay() {}

#[test]
fn k12_a_tool_that_asks_cannot_be_stored() {
    let builder = Dispatcher::builder().tools(tools![send_newsletter, print]).tasks(Tasks::on(Queue::default()));
    let expected = |tool: &str, asks: &str, remedy: &str, removal: &str| {
        format!(
            "tool `{tool}`: {asks}, and its calls are stored in an engine, which cannot ask: {remedy}, or {removal}, or \
             keep the calls in the process with `Tasks::in_memory()`"
        )
    };
    let (asks, remedy) = ("`consent_for` makes it ask its user", "exclude it from `consent_for`");
    assert_eq!(
        faults(builder.consent_for(|tool| tool.name() == "print")),
        [
            expected("send_newsletter", "it asks its user", "remove its questions", "remove `task`"),
            expected("print", asks, remedy, "remove `task`"),
        ]
    );
    let builder = Dispatcher::builder().tools(tools![pay]).tasks(Tasks::on(Queue::default()));
    let removal = "remove `once` and refuse a second act by a key of your own, such as the number of an invoice";
    assert_eq!(faults(builder.consent_for(|_| true)), [expected("pay", asks, remedy, removal)]);
}
