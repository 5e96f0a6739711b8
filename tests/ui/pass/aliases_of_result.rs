//! Aliases of `Result`: traits decide what a return type is, never its name.

use mcp_tool_runtime::{mcp_tool, tools};

type Outcome = Result<u8, String>;
type Maybe<T> = Option<T>;

mod renamed {
    pub(super) use std::result::Result as Fallible;
}

/// An alias of a result.
#[mcp_tool]
async fn first(number: Maybe<u8>) -> Outcome {
    number.ok_or_else(|| "no number".to_owned())
}

/// A result under another name.
#[mcp_tool]
async fn second() -> renamed::Fallible<Maybe<u8>, std::num::ParseIntError> {
    "7".parse().map(Some)
}

#[test]
fn runs() {
    let tools = tools![first, second];
    let schemas = tools.iter().map(|tool| tool.definition().output_schema.unwrap());
    assert!(schemas.map(|schema| schema.to_string()).all(|schema| schema.contains("integer")));
}
