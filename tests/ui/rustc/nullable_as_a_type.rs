// rustc does not know the attribute, and reports each trait that the derives need. Write: `#[serde(default, with = "Nullable::<String>")] due: Option<Option<String>>`. `Nullable` is never the type of a field.

use mcp_tool_runtime::{Nullable, mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Change {
    due: Nullable<String>,
}

/// Change a note.
#[mcp_tool]
async fn change_note(change: Change) {
    let _ = change.due;
}

fn main() {
    let _ = tools![change_note];
}
