use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{mcp_tool, tools};

struct Database;

/// Count the rows.
#[mcp_tool]
async fn count(database: Arc<Mutex<Database>>) -> usize {
    let _ = database;
    0
}

fn main() {
    let _ = tools![count];
}
