// The words are rustc's: a path does not say that it ends in a method. Methods are registered with `.service(…)`.

use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Notes;
    let _ = mcp_tool_runtime::tools![Notes::count];
}
