//! Tools under a condition, as in a library with MCP as an option.
//!
//! `all()` is always true and `any()` never, as a feature would be.

use mcp_tool_runtime::{CallContext, Dispatcher, mcp_tool, mcp_tools, tools};
use serde_json::json;

use crate::run::{built, exact, input, serve, value};

struct Notes(u32);

#[cfg_attr(all(), mcp_tools)]
impl Notes {
    /// Count notes.
    #[cfg_attr(all(), mcp_tool(read_only_hint), must_use)]
    async fn count(
        &self,
        /// How many are too many.
        #[cfg_attr(all(), mcp_tool(default = 5), serde(rename = "limit"))]
        most: u32,
        #[cfg_attr(all(), mcp_tool(context))] _cx: &CallContext,
    ) -> u32 {
        self.0.min(most)
    }

    /// Never a tool.
    #[cfg_attr(any(), mcp_tool(title = "Other"))]
    async fn other(&self, #[cfg_attr(any(), serde(default))] most: u32) -> u32 {
        self.0 + most
    }

    /// Always a tool.
    #[mcp_tool_runtime::mcp_tool]
    async fn always(&self, #[cfg_attr(all(), schemars(range(max = 9)))] most: u32) -> u32 {
        most
    }
}

#[cfg_attr(any(), mcp_tools)]
impl Notes {
    #[cfg_attr(any(), mcp_tool)]
    fn plain(&self) -> u32 {
        self.0
    }
}

/// Double a number.
#[cfg_attr(all(), mcp_tool(name = concat!("double", '_', 2), title = concat!("Double ", concat!("it", true))))]
async fn double(#[cfg_attr(all(), serde(default))] number: u32) -> u32 {
    number * 2
}

#[test]
fn a_method_is_a_tool_under_the_condition_of_its_attribute() {
    let dispatcher = built(exact().service(Notes(7)));
    let names: Vec<_> = dispatcher.list().iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["count", "always"]);
    assert_eq!(input(&dispatcher, "count")["properties"]["limit"]["default"], json!(5));
    assert_eq!(input(&dispatcher, "always")["properties"]["most"]["maximum"], json!(9));
    assert_eq!(value(&dispatcher, "count", json!({})), json!(5));
    assert_eq!(dispatcher.list()[0].annotations.as_ref().and_then(|hints| hints.read_only_hint), Some(true));
    assert_eq!(Notes(7).plain() + crate::run::now(Notes(7).other(1)), 15);
}

#[test]
fn a_name_and_a_title_may_be_concatenated() {
    let dispatcher: Dispatcher = serve(tools![double]);
    let tool = &dispatcher.list()[0];
    assert_eq!((&*tool.name, tool.title.as_deref()), ("double_2", Some("Double ittrue")));
    assert_eq!(value(&dispatcher, "double_2", json!({})), json!(0));
}
