use mcp_tool_runtime::mcp_tools;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

struct Notes<T>(Vec<T>);

#[mcp_tools]
impl<T: DeserializeOwned + JsonSchema + Default + Send + Sync + 'static> Notes<T> {
    /// Add a note.
    #[mcp_tool]
    async fn add(&self, #[serde(default)] note: T) -> usize {
        drop(note);
        self.0.len()
    }
}

fn main() {}
