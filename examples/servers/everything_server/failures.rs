//! One tool for each way in which a call can fail.

use std::io;
use std::time::Duration;

use mcp_tool_runtime::{IntoToolError, ToolError, ToolHandler, json, mcp_tool, tools};
use serde_json::Value;

pub(crate) fn all() -> Vec<Box<dyn ToolHandler>> {
    tools![
        test_error_handling,
        fail_busy,
        fail_masked,
        fail_panicking,
        fail_panicking_blocking,
        fail_not_finite,
        fail_against_schema,
        fail_late,
    ]
}

/// Fail with a message for the model.
#[mcp_tool(read_only_hint)]
async fn test_error_handling() -> Result<String, &'static str> {
    Err("This tool intentionally returns an error for testing")
}

#[derive(Debug, thiserror::Error, IntoToolError)]
enum Busy {
    #[error("the service is busy")]
    #[tool_error(retry_after_ms = 250, additional_prompt_content = "wait, then call again")]
    Now,
}

/// Fail, and say when to retry.
#[mcp_tool(read_only_hint)]
async fn fail_busy() -> Result<u8, Busy> {
    Err(Busy::Now)
}

/// Fail with an error whose message the model must not see.
#[mcp_tool(read_only_hint)]
async fn fail_masked() -> Result<u8, io::Error> {
    Err(io::Error::other("password=hunter2 refused by 10.0.0.7"))
}

/// Panic.
#[mcp_tool(read_only_hint)]
async fn fail_panicking() -> u8 {
    panic!("secret in a panic")
}

/// Panic in a blocking function.
#[mcp_tool(read_only_hint, blocking)]
fn fail_panicking_blocking() -> u8 {
    panic!("secret in a panic")
}

/// Return a number that JSON cannot represent.
#[mcp_tool(read_only_hint)]
async fn fail_not_finite() -> Vec<Option<f64>> {
    vec![Some(1.0), Some(f64::NAN)]
}

fn positive() -> Value {
    json!({"type": "integer", "minimum": 1})
}

/// Return a value that the tool's own output schema does not allow.
#[mcp_tool(read_only_hint, output_schema = positive)]
async fn fail_against_schema() -> i64 {
    -41
}

/// Run longer than the time-out.
#[mcp_tool(read_only_hint, timeout = "50ms")]
async fn fail_late() -> Result<u8, ToolError> {
    tokio::time::sleep(Duration::from_secs(60)).await;
    Ok(0)
}
