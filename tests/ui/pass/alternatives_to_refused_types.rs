//! Alternatives to refused types: `&Arc<dyn Trait>` as a state, and a result type that is only named like one of the protocol.

use std::sync::Arc;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};

trait Repo: Send + Sync {
    fn count(&self) -> u8;
}

struct Seven;

impl Repo for Seven {
    fn count(&self) -> u8 {
        7
    }
}

/// Count the rows.
#[mcp_tool]
async fn count(
    #[mcp_tool(state)] repo: &Arc<dyn Repo>,
    #[mcp_tool(state)] other: Option<&Arc<dyn Fn() + Send + Sync>>,
) -> u8 {
    repo.count() + u8::from(other.is_some())
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct CallToolResult {
    code: u8,
}

/// Call a tool of the workshop.
#[mcp_tool]
async fn drill(
    #[serde(rename = "d")]
    #[schemars(rename = "d")]
    depth: u8,
) -> self::CallToolResult {
    CallToolResult { code: depth }
}

#[test]
fn runs() {
    let repo: Arc<dyn Repo> = Arc::new(Seven);
    let dispatcher = Dispatcher::builder().tools(tools![count, drill]).state(repo).build().unwrap();
    assert_eq!(dispatcher.list().len(), 2);
}
