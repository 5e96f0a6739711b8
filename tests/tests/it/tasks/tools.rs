//! No tests: tools whose calls may become tasks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_tool_runtime::{CallContext, Dispatcher, DispatcherBuilder, Extensions, ToolError, mcp_tool, tools};

use super::client::User;

/// What the tools have done.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(super) fn add(&self, text: impl Into<String>) {
        self.0.lock().expect("no panic").push(text.into());
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().expect("no panic").clone()
    }
}

/// Writes a line when it is dropped.
struct OnDrop<'l>(&'l Log, &'static str);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.add(self.1);
    }
}

/// Wait, and return the time.
#[mcp_tool(task, read_only_hint, idempotent_hint = false)]
pub(super) async fn wait(seconds: u64, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] log: &Log) -> u64 {
    let _dropped = OnDrop(log, "wait is over");
    cx.progress(1.0, 2.0, "half".to_owned());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    cx.progress(2.0, 2.0, None);
    seconds
}

/// Wait without `task`.
#[mcp_tool]
pub(super) async fn wait_here(seconds: u64) -> u64 {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    seconds
}

/// Wait for 2 seconds, of 3 that it may take, and return the milliseconds that are left.
#[mcp_tool(task, timeout = "3s")]
pub(super) async fn nap(#[mcp_tool(context)] cx: &CallContext) -> u128 {
    tokio::time::sleep(Duration::from_secs(2)).await;
    let now = tokio::time::Instant::now().into_std();
    cx.deadline().expect("a deadline").duration_since(now).as_millis()
}

/// Wait, and fail.
#[mcp_tool(task)]
pub(super) async fn fail(#[mcp_tool(context)] cx: &CallContext) -> Result<u64, ToolError> {
    cx.progress(3.0, None, None);
    tokio::time::sleep(Duration::from_secs(5)).await;
    Err(ToolError::new("the oven is cold"))
}

/// Wait, and panic.
#[mcp_tool(task)]
pub(super) async fn explode() -> u64 {
    tokio::time::sleep(Duration::from_secs(5)).await;
    panic!("10.0.0.7 refused")
}

/// Render for clients that support tasks.
#[mcp_tool(task = "required", idempotent_hint)]
pub(super) async fn render(#[mcp_tool(state)] log: &Log) -> &'static str {
    log.add("render starts");
    tokio::time::sleep(Duration::from_secs(5)).await;
    "rendered"
}

/// Get the name of the user, slowly.
#[mcp_tool(task)]
pub(super) async fn who_am_i(#[mcp_tool(extension)] user: &User) -> String {
    tokio::time::sleep(Duration::from_secs(5)).await;
    user.0.clone()
}

/// Block a thread until the call is cancelled.
#[mcp_tool(task, blocking)]
pub(super) fn block(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] log: &Log) -> u64 {
    while !cx.is_cancelled() {
        std::thread::sleep(Duration::from_millis(5));
    }
    log.add("cancelled");
    0
}

pub(super) fn builder(log: &Log) -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![wait, wait_here, nap, fail, explode, render, who_am_i, block])
        .state(log.clone())
        .principal(|extensions: &Extensions| extensions.get::<User>().map(|user| user.0.clone()))
}
