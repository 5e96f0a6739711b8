use mcp_tool_runtime::{Dispatcher, mcp_tools};

trait Repo: Send + Sync {
    fn count(&self) -> u64;
}

struct Notes<R>(R);

#[mcp_tools]
impl<R: Repo + 'static> Notes<R> {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        self.0.count()
    }
}

fn register(repo: Box<dyn Repo>) {
    let _ = Dispatcher::builder().service(Notes(repo));
}

fn main() {
    let _ = register;
}
