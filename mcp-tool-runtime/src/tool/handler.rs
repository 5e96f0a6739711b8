//! `ToolHandler`, the trait of every tool.

use serde::Serialize;

use crate::tool::adapter::ShapedTool;
use crate::tool::argument_shape::ArgumentShape;
use crate::tool::metadata::ToolMetadata;
use crate::{Arguments, BoxFuture, CallContext, Extensions, Middleware, Output, ToolError, mcp};

/// A tool: its definition, and the code that runs its calls.
///
/// `#[mcp_tool]` implements this trait. Implement it by hand for a tool whose schema is known only at run time. The
/// schema is published without changes, and enforced like a generated one:
///
/// ```
/// use mcp_tool_runtime::{
///     json, mcp, Arguments, BoxFuture, CallContext, Dispatcher, Output, ToolError, ToolHandler, ToolMetadata,
/// };
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
///     fn metadata(&self) -> ToolMetadata {
///         ToolMetadata::new()
///     }
///
///     fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         Box::pin(async move { Output::value(arguments.to_value()) })
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
    /// Returns the definition. [`build`](crate::DispatcherBuilder::build) calls this method once, unless a method that
    /// changes the tool, such as [`with_name`](Self::with_name), has already called it.
    fn definition(&self) -> mcp::Tool;

    /// Returns what the tool declares in addition to its definition, such as the scopes that a caller needs. This
    /// method can be called several times, and must return the same metadata each time.
    ///
    /// A handler that wraps another tool must return `inner.metadata()`. Otherwise the inner tool loses its scopes,
    /// tags, middlewares, timeout and questions. See [`ToolMetadata`] for an example.
    fn metadata(&self) -> ToolMetadata;

    /// Runs a call. The arguments have already been checked against the input schema.
    ///
    /// # Errors
    ///
    /// Returns a [`ToolError`], which becomes an error result.
    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>>;

    /// Renames the tool. If the title was derived from the old name, it changes with the name.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, ToolHandler as _};
    /// # /// Get the current weather for a place.
    /// # #[mcp_tool]
    /// # async fn get_weather(location: String) -> String { location }
    /// let tool = get_weather {}.with_name("weather").definition();
    /// assert_eq!((tool.name.as_str(), tool.title.as_deref()), ("weather", Some("Weather")));
    /// ```
    ///
    /// The renamed tool has no former names, not even those of the key `formerly`. Add the former names that still
    /// apply with [`with_former_names`](Self::with_former_names).
    fn with_name(self, name: impl Into<String>) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_name(name)
    }

    /// Adds names that the tool had before, like the key `formerly` of `#[mcp_tool]`.
    ///
    /// Clients keep a list of tools for a while, and prompts keep names for longer. So a call by an old name still
    /// works. Its result contains the current name: for the model in an additional line of text, and for programs in
    /// `_meta`, as `rs.mcp-tool/renamed_to`. Lists, exports and the `OpenAPI` document do
    /// not contain the old names.
    ///
    /// [`build`](crate::DispatcherBuilder::build) fails if another tool has or had such a name.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use mcp_tool_runtime::{json, mcp_tool, CallToolRequest, Dispatcher, ToolHandler as _};
    /// # /// Get the current weather for a place.
    /// # #[mcp_tool]
    /// # async fn get_weather(location: String) -> String { location }
    /// let tool = get_weather {}.with_name("weather").with_former_names(["get_weather"]);
    /// let dispatcher = Dispatcher::builder().tool(tool).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("get_weather", json!({"location": "Paris"}))).await?;
    /// assert_eq!(response.deserialize::<String>()?, "Paris");
    /// # Ok(())
    /// # }
    /// ```
    fn with_former_names<T: Into<String>>(self, names: impl IntoIterator<Item = T>) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_former_names(names)
    }

    /// Replaces the description of the tool.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, ToolHandler as _};
    /// # /// Get the current weather for a place.
    /// # #[mcp_tool]
    /// # async fn get_weather(location: String) -> String { location }
    /// let tool = get_weather {}.with_description("Get the weather. Ask for the place first.").definition();
    /// assert_eq!(tool.description.as_deref(), Some("Get the weather. Ask for the place first."));
    /// ```
    fn with_description(self, description: impl Into<String>) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_description(description)
    }

    /// Removes an argument from the input schema, and passes `value` to the tool in every call.
    ///
    /// [`build`](crate::DispatcherBuilder::build) fails if there is no such argument, if the argument's schema does not
    /// accept the value, if the input schema is written by hand, or if the tool takes arguments of any name. The value
    /// `null` for an optional argument has the same effect as [`without`](Self::without).
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, CallToolRequest, Dispatcher, ToolHandler as _};
    ///
    /// /// Round a number.
    /// #[mcp_tool]
    /// async fn round(number: f64, #[schemars(range(max = 9))] digits: i32) -> f64 {
    ///     let scale = 10_f64.powi(digits);
    ///     (number * scale).round() / scale
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tool(round {}.with_name("round_to_cents").with_fixed("digits", 2)).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("round_to_cents", json!({"number": 1.005_9}))).await?;
    /// assert_eq!(response.deserialize::<f64>()?, 1.01);
    ///
    /// # {
    /// let error = Dispatcher::builder().tool(round {}.with_fixed("digits", 12)).build().unwrap_err();
    /// assert!(error.to_string().contains("the fixed value of `digits`, 12: expected 9 or less"));
    /// # }
    /// # Ok(())
    /// # }
    /// ```
    fn with_fixed(self, argument: impl Into<String>, value: impl Serialize) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_fixed(argument, value)
    }

    /// Removes an optional argument from the input schema. The tool runs as if no client ever sent the argument.
    ///
    /// [`build`](crate::DispatcherBuilder::build) fails if there is no such argument, if it is required, if the input
    /// schema is written by hand, or if the tool takes arguments of any name.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, ToolHandler as _};
    /// /// Get the current weather for a place.
    /// #[mcp_tool]
    /// async fn get_weather(location: String, #[serde(default)] debug: bool) -> String {
    ///     format!("It is sunny in {location}; debug: {debug}.")
    /// }
    ///
    /// let tool = get_weather {}.without("debug").definition();
    /// assert_eq!(tool.input_schema["properties"].as_object().unwrap().len(), 1);
    /// ```
    fn without(self, argument: impl Into<String>) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).without(argument)
    }

    /// Removes an argument from the input schema. The tool gets a value that the function `value` reads from what the
    /// server attached to the call, such as the tenant in the claims of a token. No client can set this value.
    ///
    /// A call fails with an internal error if the function returns `None` or panics, or if the argument's schema does
    /// not accept the value. The caller does not learn why. [`build`](crate::DispatcherBuilder::build) fails if there
    /// is no such argument, if the input schema is written by hand, or if the tool takes arguments of any name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, CallToolRequest, Dispatcher, ToolHandler as _};
    ///
    /// struct Claims { tenant: String }
    ///
    /// /// List orders.
    /// #[mcp_tool]
    /// async fn list_orders(tenant: String) -> String {
    ///     format!("the orders of {tenant}")
    /// }
    ///
    /// let tool = list_orders {}.with_fixed_from("tenant", |extensions| Some(extensions.get::<Claims>()?.tenant.clone()));
    /// let dispatcher = Dispatcher::builder().tool(tool).build()?;
    /// let request = CallToolRequest::new("list_orders", json!({}));
    /// let response = dispatcher.call(request.clone().with_extension(Claims { tenant: "acme".to_owned() })).await?;
    /// assert_eq!(response.deserialize::<String>()?, "the orders of acme");
    /// assert!(dispatcher.call(request).await?.error().unwrap().message().starts_with("internal error"));
    /// # Ok(())
    /// # }
    /// ```
    fn with_fixed_from<V: Serialize>(
        self,
        argument: impl Into<String>,
        value: impl Fn(&Extensions) -> V + Send + Sync + 'static,
    ) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_fixed_from(argument, value)
    }

    /// Changes the name, the description or the default of an argument for clients.
    ///
    /// Errors and examples use the new name, and the argument keeps its header and its serde aliases.
    /// [`build`](crate::DispatcherBuilder::build) fails if there is no such argument, if the new name is taken, or if
    /// the input schema is written by hand. It also fails for a new name if the tool takes arguments of any name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, CallToolRequest, Dispatcher, ToolHandler as _};
    ///
    /// /// Get the current weather for a place.
    /// #[mcp_tool]
    /// async fn get_weather(loc: String, days: u8) -> String {
    ///     format!("{loc}, {days} days")
    /// }
    ///
    /// let tool = get_weather {}
    ///     .with_argument("loc", |argument| argument.with_name("location").with_description("A city."))
    ///     .with_argument("days", |argument| argument.with_default(3));
    /// let dispatcher = Dispatcher::builder().tool(tool).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("get_weather", json!({"location": "Paris"}))).await?;
    /// assert_eq!(response.deserialize::<String>()?, "Paris, 3 days");
    /// # Ok(())
    /// # }
    /// ```
    fn with_argument(
        self,
        argument: impl Into<String>,
        shape: impl FnOnce(ArgumentShape) -> ArgumentShape,
    ) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_argument(argument, shape)
    }

    /// Adds tags, which [visibility rules](crate::DispatcherBuilder::visible) can check.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, Dispatcher, Extensions, ToolHandler as _};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let dispatcher = Dispatcher::builder()
    ///     .tool(add {})
    ///     .tool(add {}.with_name("sum").with_tags(["public"]))
    ///     .visible(|tool, _| tool.tags().contains("public"))
    ///     .build()?;
    /// assert_eq!(dispatcher.seen_by(&Extensions::new()).list()[0].name, "sum");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    fn with_tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_tags(tags)
    }

    /// Adds scopes that a caller needs, like the key `scopes` of `#[mcp_tool]`.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, Dispatcher, Extensions, ToolHandler as _, listing::HasScopes};
    /// # struct Claims;
    /// # impl HasScopes for Claims {
    /// #     fn has_scope(&self, scope: &str) -> bool { scope == "numbers:add" }
    /// # }
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let dispatcher =
    ///     Dispatcher::builder().tool(add {}.with_scopes(["numbers:add"])).visible_by_scopes::<Claims>().build()?;
    /// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    fn with_scopes<T: Into<String>>(self, scopes: impl IntoIterator<Item = T>) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_scopes(scopes)
    }

    /// Adds a [`Middleware`] around this tool only. It runs inside the builder's middlewares, and inside the
    /// middlewares that were added to this tool earlier.
    ///
    /// ```
    /// # use mcp_tool_runtime::{middleware, mcp_tool, Dispatcher, ToolHandler as _};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let log = middleware::from_fn(|request, cx, next| {
    ///     println!("{} is called", cx.tool_name());
    ///     Box::pin(next.run(request, cx))
    /// });
    /// let dispatcher = Dispatcher::builder().tool(add {}.with_middleware(log)).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    fn with_middleware(self, middleware: impl Middleware) -> ShapedTool
    where
        Self: Sized,
    {
        ShapedTool::new(self).with_middleware(middleware)
    }
}

/// A list of tools: any collection or iterator of boxed handlers, such as [`tools!`](crate::tools).
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tool::IntoTools, tools, Dispatcher, ToolHandler};
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
    note = "help: write `tools![name, other]`; one tool alone goes to `.tool(name {{}})`, an object with `#[mcp_tools]` to `.service(object)`",
    note = "help: handlers of your own are a `Vec<Box<dyn ToolHandler>>`",
    note = "help: a `ToolRouter` of the SDK `rmcp` keeps its tools: add the tools of the dispatcher to it, with `dispatcher.rmcp_routes()`"
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

    fn metadata(&self) -> ToolMetadata {
        (**self).metadata()
    }
}
