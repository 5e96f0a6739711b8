// rustc reports an unknown method, and names the nearest one. Help: define the method in a block of the service.

use mcp_tool_runtime::{Ask, Consent, Dispatcher, mcp_tool, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    fn question(&self, id: &u32) -> Ask<Consent> {
        Ask::new(format!("Delete {id}?"))
    }

    /// Delete a note.
    #[mcp_tool]
    async fn delete(
        &self,
        id: u32,
        #[mcp_tool(ask = self.qestion(id))] sure: Consent,
    ) -> u32 {
        drop((id, sure)); 1
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
