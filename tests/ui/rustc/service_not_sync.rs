// Only rustc can say which part of the type is not `Sync`. The call of `.service(…)` gives the same error
// again.

use mcp_tool_runtime::mcp_tools;

struct Notes(std::cell::Cell<u64>);

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        self.0.get()
    }
}

fn main() {
    let _ = Notes(std::cell::Cell::new(1)).count();
}
