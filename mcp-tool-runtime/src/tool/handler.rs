//! `ToolHandler`, the trait of every tool.

use std::pin::Pin;

use crate::tool::metadata::ToolMetadata;
use crate::{Arguments, CallContext, Output, ToolError, mcp};

/// A boxed future that is `Send`.
///
/// ```
/// use mcp_tool_runtime::BoxFuture;
///
/// let future: BoxFuture<'_, u8> = Box::pin(async { 7 });
/// ```
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool: its definition and its call.
///
/// `#[mcp_tool]` implements it. Implement it by hand for a tool whose schema is known only at run time. The schema is then
/// published as it is, and enforced like any other:
///
/// ```
/// use mcp_tool_runtime::{json, mcp, Arguments, BoxFuture, CallContext, Dispatcher, Output, ToolError, ToolHandler};
///
/// struct Echo {
///     schema: mcp_tool_runtime::serde_json::Value,
/// }
///
/// impl ToolHandler for Echo {
///     fn definition(&self) -> mcp::Tool {
///         mcp::Tool::new("echo", "Return the arguments.", self.schema.clone())
///             .with_title("Echo")
///             .with_output_schema(self.schema.clone())
///     }
///
///     fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         Box::pin(async move { Output::value(arguments.as_value()?) })
///     }
/// }
///
/// let dispatcher = Dispatcher::builder().tool(Echo { schema: json!({"type": "object"}) }).build()?;
/// assert_eq!(dispatcher.list()[0].input_schema, json!({"type": "object"}));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "help: put `#[mcp_tool]` on an async function, and write `tools![name]`, or `name {{}}` for one tool alone",
    note = "help: an object with `#[mcp_tools]` goes to `.service(object)`, a list to `.tools(list)`"
)]
pub trait ToolHandler: Send + Sync + 'static {
    /// Returns the definition. It is called once, by [`build`](crate::DispatcherBuilder::build).
    fn definition(&self) -> mcp::Tool;

    /// Runs one call. The arguments are valid against the input schema.
    ///
    /// # Errors
    ///
    /// A [`ToolError`], which becomes an error result.
    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>>;

    /// Returns what the attribute knows about the tool, apart from its definition.
    #[doc(hidden)]
    fn __mcp_tool_metadata(&self) -> ToolMetadata {
        ToolMetadata::hand_written(std::any::type_name::<Self>())
    }
}

/// A list of tools: any iterator of boxed handlers, such as [`tools!`](crate::tools).
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, IntoTools, ToolHandler};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// fn dispatcher(tools: impl IntoTools) -> Dispatcher {
///     Dispatcher::builder().tools(tools).build().expect("valid definitions")
/// }
///
/// let boxed: [Box<dyn ToolHandler>; 1] = [Box::new(add {})];
/// assert_eq!(dispatcher(boxed).list(), dispatcher(tools![add]).list());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tools",
    label = "not a list of tools",
    note = "help: write `tools![name, other]`; one tool alone goes to `.tool(name {{}})`, an object with `#[mcp_tools]` to `.service(object)`"
)]
pub trait IntoTools {
    #[doc(hidden)]
    fn __mcp_into_tools(self) -> impl IntoIterator<Item = Box<dyn ToolHandler>>;
}

#[diagnostic::do_not_recommend]
impl<L: IntoIterator<Item = Box<dyn ToolHandler>>> IntoTools for L {
    fn __mcp_into_tools(self) -> impl IntoIterator<Item = Box<dyn ToolHandler>> {
        self
    }
}

impl ToolHandler for Box<dyn ToolHandler> {
    fn definition(&self) -> mcp::Tool {
        (**self).definition()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        (**self).call(cx, arguments)
    }

    fn __mcp_tool_metadata(&self) -> ToolMetadata {
        (**self).__mcp_tool_metadata()
    }
}
