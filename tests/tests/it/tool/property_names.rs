//! The names of properties.

use std::sync::Arc;

use mcp_tool_runtime::{Dispatcher, mcp_tool, mcp_tools, tools};
use serde_json::json;

use crate::run::{built, input, message, serve, value};

fn names(dispatcher: &Dispatcher, tool: &str) -> Vec<String> {
    input(dispatcher, tool)["properties"].as_object().expect("properties").keys().cloned().collect()
}

#[test]
fn an_unused_parameter_is_published_without_its_underscore() {
    /// List the notes.
    #[mcp_tool]
    async fn list(
        _page: u32,
        #[mcp_tool(default = 20, example = 50)] _most: u32,
        #[serde(alias = "sorted_by")] _order: Option<&str>,
        _type: Option<String>,
        _self: Option<bool>,
        #[serde(rename = "_id")] _id: Option<u32>,
        __typename: Option<String>,
    ) {
    }

    let dispatcher = serve(tools![list]);
    assert_eq!(names(&dispatcher, "list"), ["page", "most", "order", "type", "self", "_id", "_typename"]);
    assert_eq!(input(&dispatcher, "list")["required"], json!(["page"]));
    assert_eq!(input(&dispatcher, "list")["properties"]["most"]["default"], json!(20));
    assert_eq!(value(&dispatcher, "list", json!({"page": 1, "sorted_by": "date", "type": "a", "_id": 1})), json!(null));
    assert_eq!(
        message(&dispatcher, "list", json!({"_page": 1})),
        "invalid arguments:\n- _page: not known; did you mean `page`?\n- page: required, but missing"
    );
}

#[test]
fn an_unused_parameter_of_a_method_is_published_without_its_underscore() {
    struct Notes;

    #[mcp_tools]
    impl Notes {
        /// List the notes.
        #[mcp_tool]
        async fn list(&self, _page: u32, #[serde(rename(serialize = "sent"))] _most: Option<u32>) {}
    }

    let dispatcher = built(Dispatcher::builder().service(Arc::new(Notes)));
    assert_eq!(names(&dispatcher, "list"), ["page", "most"]);
    assert_eq!(value(&dispatcher, "list", json!({"page": 1, "most": 2})), json!(null));
}
