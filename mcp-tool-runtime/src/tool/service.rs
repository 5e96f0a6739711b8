//! Objects whose methods are tools.

use std::sync::Arc;

use crate::ToolHandler;

/// A type with `#[mcp_tools]` on its impl block. The attribute writes the implementation.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    label = "no impl block of it has `#[mcp_tools]`",
    note = "help: put `#[mcp_tools]` on the impl block and `#[mcp_tool]` on its methods"
)]
pub trait ToolService<Block>: Send + Sync + 'static {
    /// The tools, each with the prefix before its name.
    fn __mcp_tools(self: Arc<Self>, prefix: &str) -> Vec<Box<dyn ToolHandler>>;
}

/// Stands for the block of a type that has all its tools, in what the compiler says of two such blocks.
#[doc(hidden)]
pub enum OneBlockWithItsParts {}

/// A type that all calls can share. As one bound, so that the compiler does not look further into a generic type for what
/// keeps it from other threads.
#[doc(hidden)]
pub trait SharedService: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<S: Send + Sync + 'static> SharedService for S {}

/// What a builder takes as a service: a value with `#[mcp_tools]` on its impl block, or an [`Arc`] of one.
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
/// use mcp_tool_runtime::{mcp_tools, Dispatcher};
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// #[mcp_tools(prefix = "counter_")]
/// impl Counter {
///     /// Count one more.
///     #[mcp_tool]
///     async fn next(&self) -> u64 {
///         self.0.fetch_add(1, Ordering::Relaxed) + 1
///     }
/// }
///
/// let counter = Arc::new(Counter::default());
/// let dispatcher = Dispatcher::builder().service(Arc::clone(&counter)).build()?;
/// assert_eq!(dispatcher.list()[0].name, "counter_next");
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service",
    label = "has no tools that all threads can call",
    note = "help: put `#[mcp_tools]` on its impl block and `#[mcp_tool]` on the methods that are tools",
    note = "help: of several blocks one has no `part` and names the others: `#[mcp_tools(parts(…))]`",
    note = "help: a service is `Send + Sync + 'static`, given by value or in an `Arc`; what changes is behind a lock inside it"
)]
pub trait IntoService {
    #[doc(hidden)]
    fn __mcp_into_tools(self, prefix: &str) -> Vec<Box<dyn ToolHandler>>;
}

// Recommended, so that of a generic service the compiler names the bound that is not met.
impl<S: ToolService<OneBlockWithItsParts>> IntoService for S {
    fn __mcp_into_tools(self, prefix: &str) -> Vec<Box<dyn ToolHandler>> {
        Arc::new(self).__mcp_tools(prefix)
    }
}

#[diagnostic::do_not_recommend]
impl<S: ToolService<OneBlockWithItsParts>> IntoService for Arc<S> {
    fn __mcp_into_tools(self, prefix: &str) -> Vec<Box<dyn ToolHandler>> {
        self.__mcp_tools(prefix)
    }
}
