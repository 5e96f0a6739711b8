//! Services: objects whose methods are tools.

use std::sync::Arc;

use super::adapter::ShapedTool;
use crate::json::violation::hint;
use crate::{Middleware, ToolHandler};

/// A type with `#[mcp_tools]` on its impl block. The attribute implements this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    label = "no impl block of it has `#[mcp_tools]`",
    note = "help: put `#[mcp_tools]` on the impl block and `#[mcp_tool]` on its methods"
)]
pub trait ToolService<Block>: Send + Sync + 'static {
    /// Returns the tools, with the prefix before each name.
    fn __mcp_tools(self: Arc<Self>, prefix: &str) -> Vec<Box<dyn ToolHandler>>;
}

/// Stands for the impl block without the key `part`. The name of this enum appears in rustc's message about two such
/// blocks.
#[doc(hidden)]
#[allow(clippy::exhaustive_enums, reason = "it is only a name: it has no values")]
pub enum OnlyOneBlockWithoutPart {}

/// A type whose values can be shared by calls on several threads.
///
/// This is one trait instead of three bounds, so that rustc reports a generic type that is not `Send` only once,
/// without listing the types inside it.
#[doc(hidden)]
pub trait SharedService: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<S: Send + Sync + 'static> SharedService for S {}

/// A service: an object whose type has an `#[mcp_tools]` impl block, or an [`Arc`] of such an object.
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
pub trait IntoService: Sized {
    #[doc(hidden)]
    fn __mcp_into_tools(self, prefix: &str, errors: &mut Vec<String>) -> Vec<Box<dyn ToolHandler>>;

    /// Adds a [`Middleware`] around the tools of this service only. It runs inside the middlewares of the builder.
    ///
    /// ```
    /// # use mcp_tool_runtime::{middleware, mcp_tools, Dispatcher, IntoService as _};
    /// # struct Notes;
    /// # #[mcp_tools]
    /// # impl Notes {
    /// #     /// Count the notes.
    /// #     #[mcp_tool]
    /// #     async fn count(&self) -> usize { 0 }
    /// # }
    /// let log = middleware::from_fn(|request, cx, next| {
    ///     println!("{} is called", cx.tool_name());
    ///     Box::pin(next.run(request, cx))
    /// });
    /// let dispatcher = Dispatcher::builder().service(Notes.with_middleware(log)).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    fn with_middleware(self, middleware: impl Middleware) -> ShapedService {
        let middleware: Arc<dyn Middleware> = Arc::new(middleware);
        ShapedService::new(self).map(|mut tool| {
            tool.metadata.middlewares.push(Arc::clone(&middleware));
            tool
        })
    }

    /// Adds tags to every tool of this service. See [`ShapedService`] for an example.
    fn with_tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> ShapedService {
        let tags: Vec<String> = tags.into_iter().map(Into::into).collect();
        ShapedService::new(self).map(|tool| tool.with_tags(&tags))
    }

    /// Adds scopes to every tool of this service.
    fn with_scopes<T: Into<String>>(self, scopes: impl IntoIterator<Item = T>) -> ShapedService {
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        ShapedService::new(self).map(|tool| tool.with_scopes(&scopes))
    }

    /// Changes the tool of one method. `method` is the method's name in the source code.
    ///
    /// A new name replaces the whole name of the tool, including the prefix in `#[mcp_tools]`. The prefix of
    /// [`service_with_prefix`](crate::DispatcherBuilder::service_with_prefix) is still put before it.
    /// [`build`](crate::DispatcherBuilder::build) fails if no method of this name is a tool.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tools, Dispatcher, IntoService as _};
    ///
    /// struct Notes;
    ///
    /// #[mcp_tools(prefix = "notes_")]
    /// impl Notes {
    ///     /// Create a note.
    ///     #[mcp_tool]
    ///     async fn create(&self, body: String) {}
    ///
    ///     /// Count the notes.
    ///     #[mcp_tool]
    ///     async fn count(&self) -> usize { 0 }
    /// }
    ///
    /// let notes = Notes.method("create", |tool| tool.with_name("new_note").with_tags(["write"]).with_scopes(["notes:write"]));
    /// let dispatcher = Dispatcher::builder().service(notes).visible(|_, _| true).scopes_are_read().build()?;
    /// assert_eq!(dispatcher.list()[0].name, "new_note");
    /// assert_eq!(dispatcher.list()[1].name, "notes_count");
    ///
    /// let error = Dispatcher::builder().service(Notes.method("creat", |tool| tool.with_tags(["write"]))).build().unwrap_err();
    /// assert!(error.to_string().ends_with("a service has no tool whose method is `creat`; did you mean `create`?"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    fn method<T: ToolHandler>(self, method: &str, shape: impl FnOnce(ShapedTool) -> T) -> ShapedService {
        let mut service = ShapedService::new(self);
        let tools = &mut service.tools;
        if let Some(index) = tools.iter().position(|tool| tool.metadata.method == Some(method)) {
            let tool = tools.remove(index);
            tools.insert(index, ShapedTool::new(shape(tool)));
        } else {
            let named = tools.iter().find(|tool| tool.definition.name == method).and_then(|tool| tool.metadata.method);
            let hint = named.map_or_else(
                || hint(method, tools.iter().filter_map(|tool| tool.metadata.method)),
                |method| format!("; the method of the tool with this name is `{method}`"),
            );
            service.errors.push(format!("a service has no tool whose method is `{method}`{hint}"));
        }
        service
    }
}

// This implementation has no `do_not_recommend`, so that rustc names the bound that a generic service fails to meet.
impl<S: ToolService<OnlyOneBlockWithoutPart>> IntoService for S {
    fn __mcp_into_tools(self, prefix: &str, _: &mut Vec<String>) -> Vec<Box<dyn ToolHandler>> {
        Arc::new(self).__mcp_tools(prefix)
    }
}

#[diagnostic::do_not_recommend]
impl<S: ToolService<OnlyOneBlockWithoutPart>> IntoService for Arc<S> {
    fn __mcp_into_tools(self, prefix: &str, _: &mut Vec<String>) -> Vec<Box<dyn ToolHandler>> {
        self.__mcp_tools(prefix)
    }
}

/// A service whose tools have additional middlewares, tags or scopes, or another shape.
/// [`IntoService::with_middleware`], [`IntoService::with_tags`], [`IntoService::with_scopes`] and
/// [`IntoService::method`] create it. Calls of these methods can be chained.
///
/// ```
/// use mcp_tool_runtime::{mcp_tools, Dispatcher, Extensions, IntoService as _};
///
/// struct Notes;
///
/// #[mcp_tools]
/// impl Notes {
///     /// Count the notes.
///     #[mcp_tool]
///     async fn count(&self) -> usize {
///         0
///     }
/// }
///
/// let dispatcher = Dispatcher::builder()
///     .service(Notes.with_tags(["beta"]))
///     .visible(|tool, _| !tool.tags().contains("beta"))
///     .build()?;
/// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[must_use = "a shape is a service: register it with `.service(…)`"]
pub struct ShapedService {
    tools: Vec<ShapedTool>,
    errors: Vec<String>,
}

impl ShapedService {
    fn new(service: impl IntoService) -> Self {
        let mut errors = Vec::new();
        let tools = service.__mcp_into_tools("", &mut errors).into_iter().map(ShapedTool::new).collect();
        Self { tools, errors }
    }

    fn map(self, shape: impl FnMut(ShapedTool) -> ShapedTool) -> Self {
        Self { tools: self.tools.into_iter().map(shape).collect(), errors: self.errors }
    }
}

#[diagnostic::do_not_recommend]
impl IntoService for ShapedService {
    fn __mcp_into_tools(self, prefix: &str, errors: &mut Vec<String>) -> Vec<Box<dyn ToolHandler>> {
        errors.extend(self.errors);
        let prefixed = |tool: ShapedTool| -> Box<dyn ToolHandler> { Box::new(tool.with_prefix(prefix)) };
        self.tools.into_iter().map(prefixed).collect()
    }
}

debug_struct!(ShapedService, service => tools: service.tools);
