//! The tools: two read reports, and one writes them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mcp_tool_runtime::http::Claims;
use mcp_tool_runtime::{CallContext, ToolError, mcp_tool};

/// The reports, by title, with their authors.
#[derive(Default)]
pub(crate) struct Reports(Mutex<BTreeMap<String, String>>);

/// List the titles of all reports.
#[mcp_tool(read_only_hint, scopes("reports:read"))]
pub(crate) async fn list_reports(#[mcp_tool(state)] reports: &Reports) -> Vec<String> {
    reports.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
}

/// Write a report. There can be only one with a title.
#[mcp_tool(scopes("reports:write"), limit = "10/min")]
pub(crate) async fn write_report(
    /// The title, which other tools take.
    #[schemars(length(min = 1, max = 80))]
    title: String,
    #[mcp_tool(state)] reports: &Reports,
    #[mcp_tool(extension)] claims: &Claims,
) -> Result<(), ToolError> {
    let mut reports = reports.0.lock().unwrap_or_else(PoisonError::into_inner);
    if reports.contains_key(&title) {
        return Err(ToolError::new("there is a report with this title").with_code("EXISTS"));
    }
    reports.insert(title, claims.subject().to_owned());
    Ok(())
}

/// Render a report as a document, which takes a while.
#[mcp_tool(read_only_hint, scopes("reports:read"), task, heartbeat = "1s")]
pub(crate) async fn render_report(
    title: String,
    #[mcp_tool(state)] reports: &Reports,
    #[mcp_tool(context)] cx: &CallContext,
) -> Result<String, ToolError> {
    let author = reports.0.lock().unwrap_or_else(PoisonError::into_inner).get(&title).cloned();
    let author = author.ok_or_else(|| ToolError::new("there is no report with this title").with_code("NOT_FOUND"))?;
    cx.progress(1.0, 2.0, "drawing".to_owned());
    tokio::time::sleep(Duration::from_secs(3)).await;
    Ok(format!("{title}, by {author}"))
}
