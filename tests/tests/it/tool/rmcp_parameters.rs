//! Types of rmcp in a signature, also behind an alias: `build` says what to write.

use mcp_tool_runtime::{Dispatcher, ToolError, mcp_tool, tools};
use rmcp::handler::server::wrapper::Parameters;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::run::{faults, message, serve};

/// A query.
#[derive(Deserialize, JsonSchema)]
struct Query {
    text: String,
}

mod own {
    use super::{Deserialize, JsonSchema};

    /// A wrapper.
    #[derive(Deserialize, JsonSchema)]
    pub(crate) struct Parameters<T>(pub(crate) T);
}

type Wrapped = Parameters<Query>;
type Answer<T> = Result<T, rmcp::ErrorData>;

#[test]
fn wrapped_parameters_behind_an_alias_are_refused() {
    /// Find notes.
    #[mcp_tool]
    async fn find(query: Wrapped) -> usize {
        query.0.text.len()
    }

    let [fault] = faults(Dispatcher::builder().tools(tools![find])).try_into().expect("one");
    assert!(fault.starts_with("tool `find`: `query` is of type `rmcp::"), "{fault}");
    assert!(
        fault.ends_with(
            "here it would be one argument: mark it with `#[mcp_tool(arguments)]`, and write the type inside"
        )
    );
}

#[test]
fn an_error_of_rmcp_behind_an_alias_keeps_its_message() {
    /// Find notes.
    #[mcp_tool]
    async fn find(text: String) -> Answer<usize> {
        Err(rmcp::ErrorData::invalid_params(format!("{text:?} is no query"), None))
    }

    let message = message(&serve(tools![find]), "find", json!({"text": "?"}));
    assert_eq!(message, "\"?\" is no query");
}

#[test]
fn a_result_of_rmcp_behind_an_alias_is_refused() {
    type Answer = rmcp::model::CallToolResult;

    /// Find notes.
    #[mcp_tool]
    async fn find(text: String) -> Result<Answer, ToolError> {
        Ok(Answer::structured(text.into()))
    }

    let [fault] = faults(Dispatcher::builder().tools(tools![find])).try_into().expect("one");
    assert!(fault.contains("return the value itself"), "{fault}");
}

#[test]
#[allow(unused_qualifications, reason = "a path that begins with `crate` is surely the author's own type")]
fn types_of_the_author_with_the_same_names_are_accepted() {
    /// Find notes.
    #[mcp_tool]
    async fn find(#[serde(rename = "q")] query: Option<crate::tool::rmcp_parameters::own::Parameters<Query>>) -> usize {
        query.map_or(0, |query| query.0.text.len())
    }

    assert_eq!(serve(tools![find]).list().len(), 1);
}
