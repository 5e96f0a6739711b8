//! The future of a call.

use std::pin::Pin;

/// A boxed future that is `Send`.
///
/// ```
/// use mcp_tool_runtime::BoxFuture;
///
/// let future: BoxFuture<'_, u8> = Box::pin(async { 7 });
/// ```
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
