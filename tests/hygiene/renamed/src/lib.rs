//! The runtime under other names: there is no `mcp_tool_runtime` here.

#![deny(warnings, missing_docs, unsafe_code, unused_qualifications, clippy::pedantic, clippy::nursery)]

/// The runtime behind a path of this crate.
pub mod kit {
    pub use renamed as runtime;
}

/// Add two numbers.
#[renamed::mcp_tool(crate = ::renamed)]
pub async fn add(a: i64, b: &i64) -> i64 {
    a + b
}

/// Subtract a number from another.
#[kit::runtime::mcp_tool(crate = crate::kit::runtime)]
pub async fn subtract(a: i64, #[serde(default)] b: i64) -> i64 {
    a - b
}

/// An error.
#[derive(Debug, renamed::IntoToolError)]
#[tool_error(crate = ::renamed, can_retry)]
pub struct Busy;

impl std::fmt::Display for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("busy")
    }
}

/// All of them.
#[must_use]
pub fn tools() -> Vec<Box<dyn renamed::ToolHandler>> {
    renamed::tools![add, subtract]
}

#[cfg(test)]
mod calls {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use renamed::{CallToolRequest, Dispatcher, json};

    #[test]
    fn both() {
        let dispatcher = Dispatcher::builder().tools(super::tools()).build().expect("definitions without a fault");
        for (name, result) in [("add", "5"), ("subtract", "-1")] {
            let mut call = pin!(dispatcher.call(CallToolRequest::new(name, json!({"a": 2, "b": 3}))));
            let Poll::Ready(response) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("nothing to wait for")
            };
            assert_eq!(response.expect("a tool of this name").value().expect("a value").get(), result);
        }
    }
}
