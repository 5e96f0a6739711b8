//! Tools that ask, in an agent loop.

use std::time::Duration;

use mcp_tool_runtime::{
    Answer, BoxFuture, Consent,
    ask::{Asker, Question, Reply, Scripted},
    export::Vendor,
    mcp_tool, tools,
};
use serde_json::{Value, json};

use super::answers::message;
use super::{definitions, now, parts, serve};

/// Delete a note.
#[mcp_tool(destructive_hint)]
async fn delete_note(id: u32, #[mcp_tool(ask = "Delete note {id} for good?")] _sure: Consent) -> String {
    format!("deleted {id}")
}

/// Create a note.
#[mcp_tool]
async fn create_note(text: String, #[mcp_tool(ask = "In which folder?")] folder: Answer<String>) -> String {
    match folder {
        Answer::Given(folder) => format!("{folder}: {text}"),
        other => format!("{other:?}: {text}"),
    }
}

/// Returns the texts of the results.
fn texts(vendor: Vendor, results: &[Value]) -> Vec<String> {
    let parts = |name: &str| results[0][name].as_array().expect("results").clone();
    match vendor {
        Vendor::OpenAiResponses => results.iter().map(|result| result["output"].to_string()).collect(),
        Vendor::OpenAiChat => results.iter().map(|result| result["content"].to_string()).collect(),
        Vendor::Gemini => parts("parts").iter().map(Value::to_string).collect(),
        _ => parts("content").iter().map(Value::to_string).collect(),
    }
}

#[test]
fn the_asker_of_an_export_answers_the_questions_of_its_tools() {
    for vendor in Vendor::ALL.iter().copied() {
        let user = Scripted::new().reply("sure", Reply::yes()).reply("folder", Reply::accept("work"));
        let dispatcher = serve(tools![delete_note, create_note]);
        let export = dispatcher.export(vendor).with_asker(user.clone());
        let calls = [("c1", "delete_note", json!({ "id": 7 })), ("c2", "create_note", json!({ "text": "Call Ann" }))];
        let results = texts(vendor, &now(export.answer(&message(vendor, &calls))).expect("a message of this shape"));
        assert_eq!(results.len(), 2, "{vendor}");
        assert!(results[0].contains("deleted 7") && results[1].contains("work: Call Ann"), "{vendor}: {results:?}");
        let asked: Vec<_> = user.asked().iter().map(|question| question.message().to_owned()).collect();
        assert_eq!(asked, ["Delete note 7 for good?", "In which folder?"], "{vendor}");
    }
}

#[test]
fn a_user_who_declines_is_an_error_for_the_model() {
    for vendor in Vendor::ALL.iter().copied() {
        let user = Scripted::new().reply("sure", Reply::Decline);
        let dispatcher = serve(tools![delete_note, create_note]);
        let calls = [("c1", "delete_note", json!({ "id": 7 }))];
        let export = dispatcher.export(vendor).with_asker(user);
        let declined = texts(vendor, &now(export.answer(&message(vendor, &calls))).expect("a message")).remove(0);
        assert!(declined.contains("the user declined"), "{vendor}: {declined}");
        // Without an asker nobody can be asked.
        let alone = dispatcher.export(vendor);
        let refused = texts(vendor, &now(alone.answer(&message(vendor, &calls))).expect("a message")).remove(0);
        assert!(refused.contains("cannot ask") && !refused.contains("deleted"), "{vendor}: {refused}");
        let calls = [("c1", "create_note", json!({ "text": "Call Ann" }))];
        let made = texts(vendor, &now(alone.answer(&message(vendor, &calls))).expect("a message")).remove(0);
        assert!(made.contains("Unavailable: Call Ann"), "{vendor}: {made}");
    }
}

#[test]
fn a_model_sees_nothing_of_what_is_asked() {
    for vendor in Vendor::ALL.iter().copied() {
        let export = serve(tools![delete_note, create_note]).export(vendor);
        for definition in definitions(export.tools(), vendor) {
            let (name, schema, _) = parts(&definition, vendor);
            let properties: Vec<_> = schema["properties"].as_object().expect("properties").keys().cloned().collect();
            assert_eq!(properties, [if name == "delete_note" { "id" } else { "text" }], "{vendor}");
        }
    }
}

/// Agrees to every question after a minute.
struct Slow;

impl Asker for Slow {
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Reply::yes()
        })
    }
}

#[tokio::test(start_paused = true)]
async fn five_hundred_questions_of_an_export_may_be_open_and_one_more_is_not_asked() {
    let vendor = Vendor::OpenAiChat;
    let export = serve(tools![delete_note]).export(vendor).with_asker(Slow);
    let ids: Vec<_> = (0..501).map(|id| format!("c{id}")).collect();
    let calls: Vec<_> = ids.iter().map(|id| (&**id, "delete_note", json!({ "id": 7 }))).collect();
    // The questions of the first message are closed when those of the second are asked.
    for _ in 0..2 {
        let results = export.answer(&message(vendor, &calls)).await.expect("a message of this shape");
        let mut refused = texts(vendor, &results);
        refused.retain(|text| !text.contains("deleted 7"));
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(refused[0].contains("this client cannot ask"), "{refused:?}");
    }
}
