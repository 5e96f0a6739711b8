//! Calls every tool through the dispatcher and prints each response.

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{CallToolRequest, CallToolResponse, Content, Dispatcher, json, serde_json};

use crate::access::{Access, ApiKey};
use crate::notes::Notes;

type Error = Box<dyn std::error::Error>;

pub(crate) async fn run() -> Result<(), Error> {
    let access = Access::new(&[("key-of-ann", "Ann"), ("key-of-bob", "Bob")]);
    let dispatcher = crate::dispatcher(Notes::open(None)?, access)?;
    let [ann, bob] = ["key-of-ann", "key-of-bob"].map(|key| ApiKey(key.to_owned()));

    let call = |name, arguments| CallToolRequest::new(name, arguments).with_extension(ann.clone());
    show(&dispatcher, call("notes_create", json!({"title": "Milk", "body": "Two bottles."})), true).await?;
    show(&dispatcher, call("notes_create", json!({"title": "Bread"})).with_extension(bob), true).await?;
    show(&dispatcher, call("notes_read", json!({"id": 1})), true).await?;
    show(&dispatcher, call("notes_read", json!({"id": 99})), false).await?;
    show(&dispatcher, call("notes_search", json!({"words": "BOTTLES", "limit": 5})), true).await?;
    show(&dispatcher, call("notes_search", json!({"limit": 500, "wrods": "x"})), false).await?;

    let drafts: Vec<_> = (1..=250).map(|number| json!({"title": format!("Note {number}"), "body": ""})).collect();
    let reports = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&reports);
    let import = call("notes_import", json!({"notes": drafts}));
    let import = import.with_progress(move |progress| {
        if let (Ok(mut reports), Some(message)) = (sink.lock(), progress.message) {
            reports.push(message);
        }
    });
    show(&dispatcher, import, true).await?;
    println!("  progress: {}", reports.lock().map(|reports| reports.join(", ")).unwrap_or_default());

    show(&dispatcher, call("notes_chart", json!({})), true).await?;
    show(&dispatcher, call("notes_delete", json!({"id": 1})), true).await?;
    show(&dispatcher, call("notes_delete", json!({"id": 1})), false).await?;
    show(&dispatcher, CallToolRequest::new("notes_chart", json!({})), false).await?;
    Ok(())
}

/// Makes a call and prints the response. Returns an error if the call does not succeed or fail as expected.
async fn show(dispatcher: &Dispatcher, request: CallToolRequest, succeeds: bool) -> Result<CallToolResponse, Error> {
    let name = request.name.clone();
    let response = dispatcher.call(request).await?;
    let text = match response.content() {
        [Content::Image(_)] => format!("an image, {} bytes of JSON", serde_json::to_vec(&response.to_otc())?.len()),
        _ => serde_json::to_string(&response.to_otc())?,
    };
    println!("{name}: {text}");
    if response.is_success() != succeeds {
        return Err(format!("{name} was expected to {}", if succeeds { "succeed" } else { "fail" }).into());
    }
    Ok(response)
}
