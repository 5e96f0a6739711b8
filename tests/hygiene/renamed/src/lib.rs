//! The runtime under other names: this package has no dependency called `mcp_tool_runtime`.

#![deny(warnings, missing_docs, unsafe_code, unused_qualifications, clippy::pedantic, clippy::nursery)]

/// The runtime, re-exported from this crate.
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

/// Wait on a thread of its own, as long as it may take.
#[renamed::mcp_tool(crate = ::renamed, blocking, timeout = "5s")]
#[must_use]
pub fn wait(#[mcp_tool(context)] cx: &renamed::CallContext, #[mcp_tool(default = "it")] what: &str) -> String {
    format!("{} for {what}", cx.tool_name())
}

/// A service.
pub struct Clock;

#[renamed::mcp_tools(crate = ::renamed, prefix = "clock_")]
impl Clock {
    /// The time.
    #[mcp_tool(timeout = "1m")]
    pub async fn time(&self, #[mcp_tool(default = 1)] zone: i8) -> i8 {
        zone
    }

    /// Wind it up.
    #[mcp_tool(blocking)]
    pub const fn wind(&self) {}
}

#[kit::runtime::mcp_tools(crate = crate::kit::runtime)]
impl<T: Send + Sync + 'static> Shelf<T> {
    /// Whether there is something on it.
    #[mcp_tool(blocking, timeout = "10ms")]
    pub const fn is_full(&self) -> bool {
        self.0.is_some()
    }
}

/// A service of any type.
pub struct Shelf<T>(pub Option<T>);

/// All of them.
#[must_use]
pub fn tools() -> Vec<Box<dyn renamed::ToolHandler>> {
    renamed::tools![add, subtract, wait]
}

#[cfg(test)]
mod calls {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use renamed::{CallToolRequest, Dispatcher, json};

    #[test]
    fn both() {
        let builder = Dispatcher::builder().tools(super::tools()).service(super::Clock).service(super::Shelf(Some(1)));
        let dispatcher = builder.build().expect("a dispatcher");
        let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["add", "subtract", "wait", "clock_time", "clock_wind", "is_full"]);
        for (name, result) in [("add", "5"), ("subtract", "-1")] {
            let mut call = pin!(dispatcher.call(CallToolRequest::new(name, json!({"a": 2, "b": 3}))));
            let Poll::Ready(response) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("every tool is ready at once")
            };
            assert_eq!(response.expect("a known tool").value().expect("a value").get(), result);
        }
    }
}
