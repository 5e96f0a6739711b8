//! `ShapedTool`: a tool in another shape, for example with another name or fewer arguments.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::argument_changes::{ArgumentChange, ArgumentChanges, ArgumentCheck, FromCall, Supplied};
use super::argument_shape::{self, ArgumentShape};
use super::handler::ToolHandler;
use super::metadata::{Package, ToolMetadata};
use super::title_of;
use crate::listing::rules::{NamedRule, Rule};
use crate::schema::{is_required, normalise::remove_unused_definitions};
use crate::{Arguments, BoxFuture, CallContext, Extensions, Middleware, Output, ToolError, mcp};

/// A tool with a changed name, description, arguments, tags, scopes or middlewares. These methods of [`ToolHandler`]
/// create it: [`with_name`](ToolHandler::with_name), [`with_former_names`](ToolHandler::with_former_names),
/// [`with_description`](ToolHandler::with_description), [`with_fixed`](ToolHandler::with_fixed),
/// [`with_fixed_from`](ToolHandler::with_fixed_from), [`without`](ToolHandler::without),
/// [`with_argument`](ToolHandler::with_argument), [`with_tags`](ToolHandler::with_tags),
/// [`with_scopes`](ToolHandler::with_scopes) and [`with_middleware`](ToolHandler::with_middleware).
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, Dispatcher, ToolHandler as _};
///
/// /// Get the current weather for a place.
/// #[mcp_tool]
/// async fn get_weather(location: String, #[serde(default)] detailed: bool) -> String {
///     format!("It is sunny in {location}; detailed: {detailed}.")
/// }
///
/// let dispatcher = Dispatcher::builder()
///     .tool(get_weather {})
///     .tool(get_weather {}.with_name("weather_in_paris").with_fixed("location", "Paris"))
///     .build()?;
/// assert_eq!(dispatcher.list()[1].name, "weather_in_paris");
/// assert!(dispatcher.list()[1].input_schema["properties"].get("location").is_none());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[must_use = "a shape is a tool: register it with `.tool(…)`"]
pub struct ShapedTool {
    handler: Box<dyn ToolHandler>,
    pub(super) definition: mcp::Tool,
    pub(super) metadata: ToolMetadata,
    /// What this shape does to the arguments.
    changes: Arc<ArgumentChanges>,
    /// The input schema of the inner tool, if this shape renames an argument.
    inner: Option<Value>,
}

impl ShapedTool {
    pub(crate) fn new(handler: impl ToolHandler) -> Self {
        let (definition, metadata) = (handler.definition(), handler.metadata());
        Self { handler: Box::new(handler), definition, metadata, changes: Arc::default(), inner: None }
    }

    /// Sets the package that registers the tool.
    pub(crate) fn of_package(mut self, package: Package) -> Self {
        self.metadata.package = Some(package);
        self
    }

    /// Renames the tool. See [`ToolHandler::with_name`].
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.metadata.former_names.clear();
        self.named(name.into())
    }

    /// Adds former names of the tool. See [`ToolHandler::with_former_names`].
    pub fn with_former_names<T: Into<String>>(self, names: impl IntoIterator<Item = T>) -> Self {
        Self { metadata: self.metadata.with_former_names(names), ..self }
    }

    /// Puts a prefix before all names of the tool.
    pub(super) fn with_prefix(mut self, prefix: &str) -> Self {
        self.metadata = self.metadata.with_prefix(prefix);
        let name = format!("{prefix}{}", self.definition.name);
        self.named(name)
    }

    fn named(mut self, name: String) -> Self {
        // A title that was derived from the name changes with it, but a title that the author wrote stays.
        if self.definition.title.as_deref() == Some(&title_of(&self.definition.name)) {
            self.definition.title = Some(title_of(&name));
        }
        self.definition.name = name;
        self
    }

    /// Puts a prefix before all names of a tool that is merged into another builder. The rules that came with the tool
    /// still see the name without this prefix.
    pub(crate) fn prefixed_by_builder(mut self, prefix: &str) -> Self {
        let present: Arc<str> = self.definition.name.as_str().into();
        for rule in &mut self.metadata.rules {
            rule.name.get_or_insert_with(|| Arc::clone(&present));
        }
        self.with_prefix(prefix)
    }

    /// Replaces the description of the tool. See [`ToolHandler::with_description`].
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.definition.description = Some(description.into());
        self
    }

    /// Adds tags. See [`ToolHandler::with_tags`].
    pub fn with_tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        Self { metadata: self.metadata.with_tags(tags), ..self }
    }

    /// Adds scopes that a caller needs. See [`ToolHandler::with_scopes`].
    pub fn with_scopes<T: Into<String>>(self, scopes: impl IntoIterator<Item = T>) -> Self {
        Self { metadata: self.metadata.with_scopes(scopes), ..self }
    }

    /// Adds a middleware around the tool. See [`ToolHandler::with_middleware`].
    pub fn with_middleware(self, middleware: impl Middleware) -> Self {
        Self { metadata: self.metadata.with_middleware(middleware), ..self }
    }

    /// Removes an argument, and passes this value to the tool in every call. See [`ToolHandler::with_fixed`].
    pub fn with_fixed(mut self, argument: impl Into<String>, value: impl Serialize) -> Self {
        let argument = &argument.into();
        let value = match serde_json::to_value(value) {
            // For an optional argument, `null` means that the argument is absent (rule I3), so only remove the
            // argument.
            Ok(Value::Null) if !is_required(&self.definition.input_schema, argument) => {
                return self.without(argument);
            }
            Ok(value) => value,
            Err(error) => {
                let error = format!("the fixed value of `{argument}` cannot be written as JSON: {error}");
                self.metadata.shape_errors.push(error);
                return self;
            }
        };
        // An error in the schema itself is reported when the tool is checked, so ignore it here.
        let check = ArgumentCheck::new(argument, &self.definition.input_schema);
        let refused = check.map(|check| check.violations(&value)).unwrap_or_default();
        let problem = |(path, text)| format!("the fixed value of `{path}`, {value}: {text}");
        self.metadata.shape_errors.extend(refused.into_iter().map(problem));
        self.remove(argument, "fixed", |_| Ok(Supplied::Fixed(value)))
    }

    /// Removes an argument, and passes a value that is read from the extensions of the call. See
    /// [`ToolHandler::with_fixed_from`].
    pub fn with_fixed_from<V: Serialize>(
        mut self,
        argument: impl Into<String>,
        value: impl Fn(&Extensions) -> V + Send + Sync + 'static,
    ) -> Self {
        let argument = &argument.into();
        self.metadata.shapes_read_caller = true;
        let read = Box::new(move |extensions: &Extensions| serde_json::to_value(value(extensions)));
        self.remove(argument, "fixed", |schema| {
            let check = ArgumentCheck::new(argument, schema)
                .map_err(|error| format!("the schema of the argument `{argument}` is not valid: {error}"))?;
            Ok(Supplied::FromCall(FromCall { read, check }))
        })
    }

    /// Removes an optional argument. See [`ToolHandler::without`].
    pub fn without(self, argument: impl Into<String>) -> Self {
        self.remove(&argument.into(), argument_shape::HIDDEN, |_| Ok(Supplied::Absent))
    }

    /// Removes an argument. `supplied` reads the input schema as it was before the removal, and returns what the tool
    /// gets for the argument.
    fn remove(self, name: &str, verb: &str, supplied: impl FnOnce(&Value) -> Result<Supplied, String>) -> Self {
        let mut tool = self.for_change();
        let Self { definition, metadata, .. } = &mut tool;
        let whole = definition.input_schema.clone();
        definition.mark_nullable();
        let removed = argument_shape::remove(name, &mut definition.input_schema, metadata, verb);
        definition.unmark_nullable();
        match removed.and_then(|()| supplied(&whole)) {
            Ok(value) => {
                remove_unused_definitions(&mut definition.input_schema);
                metadata.aliases.retain(|(_, of)| *of != name);
                metadata.constraints.retain(|(of, _)| *of != name);
                tool.add(vec![ArgumentChange::Removed { name: name.to_owned(), value }]);
            }
            Err(error) => metadata.shape_errors.push(error),
        }
        tool
    }

    /// Changes an argument for clients. See [`ToolHandler::with_argument`].
    pub fn with_argument(
        self,
        argument: impl Into<String>,
        shape: impl FnOnce(ArgumentShape) -> ArgumentShape,
    ) -> Self {
        let mut tool = self.for_change();
        let (name, shape) = (&*argument.into(), shape(ArgumentShape::default()));
        let Self { definition, metadata, .. } = &mut tool;
        let inner = definition.input_schema.clone();
        definition.mark_nullable();
        let changes = shape.apply(name, &mut definition.input_schema, metadata);
        definition.unmark_nullable();
        match changes {
            Ok(changes) => {
                if let Some(ArgumentChange::Renamed { published, .. }) = changes.first() {
                    metadata.rename_argument(name, published);
                    tool.inner = Some(inner);
                }
                tool.add(changes);
            }
            Err(error) => metadata.shape_errors.push(error),
        }
        tool
    }

    /// Returns this shape if it changes no argument yet, or else a new shape around it. One shape changes only one
    /// argument.
    fn for_change(self) -> Self {
        if self.changes.0.is_empty() { self } else { Self::new(self) }
    }

    fn add(&mut self, changes: Vec<ArgumentChange>) {
        self.changes = Arc::new(ArgumentChanges(changes));
        self.metadata.argument_changes.push(Arc::clone(&self.changes));
    }

    /// Adds the middlewares and the rules of the tool's builder, which is being merged into another builder. These
    /// middlewares run outside the middlewares of the tool. `scopes_are_read` says whether one of the rules reads
    /// scopes.
    pub(crate) fn merged(
        mut self,
        middlewares: &[Arc<dyn Middleware>],
        rules: &[Arc<Rule>],
        scopes_are_read: bool,
    ) -> Self {
        self.metadata.is_merged = true;
        self.metadata.scopes_are_read |= scopes_are_read;
        self.metadata.middlewares.splice(0..0, middlewares.iter().cloned());
        self.metadata.rules.splice(0..0, rules.iter().map(NamedRule::new));
        self
    }
}

impl ToolHandler for ShapedTool {
    fn definition(&self) -> mcp::Tool {
        self.definition.clone()
    }

    fn metadata(&self) -> ToolMetadata {
        self.metadata.clone()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        if self.changes.0.is_empty() {
            return self.handler.call(cx, arguments);
        }
        Box::pin(async move {
            let from_call = self.changes.read(cx.extensions())?;
            // Drop every argument that is not published. Where unknown arguments are allowed, a client can still send a
            // removed argument, under its name or under an alias of its field.
            let mut document = arguments.published_in(&self.definition.input_schema);
            self.changes.apply(&mut document, &from_call)?;
            let schema = self.inner.as_ref().unwrap_or(arguments.schema);
            let arguments = Arguments::new(&document, schema);
            self.handler.call(cx, arguments).await.map_err(|error| self.changes.error_for_client(error))
        })
    }
}

debug_struct!(ShapedTool, tool => name: tool.definition.name);
