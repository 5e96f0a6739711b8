//! A server of notes that asks before it deletes, and asks for what is missing.
//!
//! - `cargo run -p mcp-tool-servers --example asking` plays a client and its user, and prints every step.
//! - With words it is a command: `asking call delete --id 1` asks on the terminal, and `asking serve` (or `--stdio`) serves over
//!   stdio.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use mcp_tool_runtime::{
    Answer, Ask, CallToolRequest, Consent, Dispatcher, ToolError,
    ask::{Reply, Scripted},
    cli::Cli,
    json, mcp_tools, stdio,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Folder {
    /// Notes about work.
    Work,
    /// Everything else.
    Home,
}

#[derive(Default)]
struct Notes(Mutex<BTreeMap<u32, String>>);

#[mcp_tools]
impl Notes {
    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<u32, String>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// An empty note needs no question. A question function changes nothing: it runs in every round.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "a question function borrows the arguments")]
    fn before_deleting(&self, id: &u32) -> Result<Ask<Consent>, ToolError> {
        match self.with(|notes| notes.get(id).cloned()) {
            None => Err(ToolError::new(format!("there is no note {id}"))),
            Some(text) if text.is_empty() => Ok(Ask::known(Consent)),
            Some(text) => Ok(Ask::new(format!("Delete note {id} for good? It says: {text:?}"))),
        }
    }

    /// Delete a note for good.
    #[mcp_tool(destructive_hint)]
    async fn delete(&self, id: u32, #[mcp_tool(ask = self.before_deleting(id))] _sure: Consent) -> String {
        self.with(|notes| notes.remove(&id));
        format!("note {id} is deleted")
    }

    /// Create a note.
    #[mcp_tool]
    async fn create(
        &self,
        text: String,
        /// Where the note belongs.
        #[mcp_tool(ask = "In which folder do you want the note {text:?}?")]
        folder: Answer<Folder>,
    ) -> Result<u32, ToolError> {
        let folder = match folder {
            Answer::Given(folder) => folder,
            // Nobody could be asked: a reasonable choice is better than no note.
            Answer::Unavailable => Folder::Home,
            Answer::Declined | Answer::Cancelled => return Err(ToolError::new("the user did not choose a folder")),
        };
        Ok(self.with(|notes| {
            let id = notes.keys().last().map_or(1, |last| last + 1);
            notes.insert(id, format!("[{folder:?}] {text}"));
            id
        }))
    }
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    if words.is_empty() {
        play(&Dispatcher::builder().service(Notes::default()).build()?).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let notes = Notes::default();
    notes.with(|notes| notes.insert(1, "Call Ann".to_owned()));
    let dispatcher = Dispatcher::builder().service(notes).info("asking", env!("CARGO_PKG_VERSION")).build()?;
    if words == ["--stdio"] {
        stdio::serve(dispatcher).await?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(Cli::new(dispatcher).run().await)
}

/// Plays a client whose user has prepared answers.
async fn play(dispatcher: &Dispatcher) -> Result<(), Box<dyn std::error::Error>> {
    let user = Scripted::new()
        .reply("folder", Reply::accept("work"))
        .reply("sure", Reply::Decline)
        .reply("sure", Reply::yes());
    let call = |name: &str, arguments| CallToolRequest::new(name, arguments).with_asker(user.clone());
    let calls = [
        call("create", json!({ "text": "Call Ann" })),
        call("delete", json!({ "id": 1 })),
        call("delete", json!({ "id": 1 })),
        CallToolRequest::new("create", json!({ "text": "Nobody can be asked" })),
        CallToolRequest::new("delete", json!({ "id": 1 })),
    ];
    for request in calls {
        let asked_before = user.asked().len();
        let name = request.name.clone();
        let response = dispatcher.call(request).await?;
        for question in &user.asked()[asked_before..] {
            println!("{name} asks: {}", question.message());
        }
        match (response.value(), response.error()) {
            (Some(value), _) => println!("{name}: {value}"),
            (_, Some(error)) => println!("{name} fails: {error}"),
            _ => println!("{name} waits for an answer"),
        }
    }
    Ok(())
}
