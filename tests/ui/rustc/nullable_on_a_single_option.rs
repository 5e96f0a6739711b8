// The help is that of rustc. Write: `Option<Option<String>>` as the type of the field: the outer `None` is absence, the inner one is `null`.

use mcp_tool_runtime::{Nullable, mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Change {
    #[serde(default, with = "Nullable::<String>")]
    due: Option<String>,
}

/// Change a note.
#[mcp_tool]
async fn change_note(change: Change) {
    let _ = change.due;
}

fn main() {
    let _ = tools![change_note];
}
