// The words are rustc's, which alone can say what in the type keeps it from other threads. Given to `.service(…)` it is
// an error there too.

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
