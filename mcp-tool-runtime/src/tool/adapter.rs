//! A tool in another shape: another name, fewer arguments, more layers.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::Value;

use super::argument_shape::{self, ArgumentChange, ArgumentChanges, ArgumentCheck, ArgumentShape, FromCall, Supplied};
use super::handler::ToolHandler;
use super::metadata::{Package, ToolMetadata};
use super::service::IntoService;
use super::title::title_of;
use crate::arguments::coerce::ToolCoercions;
use crate::listing::rules::{NamedRule, Rule};
use crate::schema::normalise::remove_unused_definitions;
use crate::{Arguments, BoxFuture, CallContext, Extensions, Labels, Layer, Output, ToolError, mcp};

/// A tool with a changed name, description, arguments, tags, scopes or layers. These methods of [`ToolHandler`] create it:
/// [`renamed`](ToolHandler::renamed), [`described`](ToolHandler::described), [`fixing`](ToolHandler::fixing),
/// [`fixing_from`](ToolHandler::fixing_from), [`hiding`](ToolHandler::hiding), [`with_argument`](ToolHandler::with_argument), [`tagged`](ToolHandler::tagged), [`scoped`](ToolHandler::scoped) and
/// [`layered`](ToolHandler::layered).
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
///     .tool(get_weather {}.renamed("weather_in_paris").fixing("location", "Paris"))
///     .build()?;
/// assert_eq!(dispatcher.list()[1].name, "weather_in_paris");
/// assert!(dispatcher.list()[1].input_schema["properties"].get("location").is_none());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[must_use = "a shape is a tool: register it with `.tool(…)`"]
pub struct ShapedTool {
    handler: Box<dyn ToolHandler>,
    definition: mcp::Tool,
    metadata: ToolMetadata,
    /// What it does to the arguments.
    changes: Arc<ArgumentChanges>,
    /// What the inner tool publishes, if arguments have other names here.
    inner: Option<InnerArguments>,
}

/// The arguments under the names of the inner tool.
struct InnerArguments {
    schema: Value,
    coercions: OnceLock<ToolCoercions>,
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

    pub(crate) fn merged(mut self) -> Self {
        self.metadata.is_merged = true;
        self
    }

    pub(super) fn rename(mut self, name: String) -> Self {
        // A derived title follows the name; a title that the author wrote stays.
        if self.definition.title.as_deref() == Some(&title_of(&self.definition.name)) {
            self.definition.title = Some(title_of(&name));
        }
        self.definition.name = name;
        self
    }

    /// Puts a prefix before the name. The rules that the tool has so far see the name without it.
    pub(crate) fn prefix(mut self, prefix: &str) -> Self {
        self.metadata.rules.iter_mut().for_each(|rule| rule.prefix_length += prefix.len());
        let name = format!("{prefix}{}", self.definition.name);
        self.rename(name)
    }

    pub(super) fn describe(mut self, description: String) -> Self {
        self.definition.description = Some(description);
        self
    }

    pub(super) fn fix(mut self, argument: &str, value: &impl Serialize) -> Self {
        let value = match serde_json::to_value(value) {
            // `null` for an optional argument means that it is absent (rule I3).
            Ok(Value::Null) if !argument_shape::is_required(&self.definition.input_schema, argument) => {
                return self.hide(argument);
            }
            Ok(value) => value,
            Err(error) => {
                let error = format!("the fixed value of `{argument}` cannot be written as JSON: {error}");
                self.metadata.shape_errors.push(error);
                return self;
            }
        };
        // An error of the schema is found at the tool itself.
        let check = ArgumentCheck::new(argument, &self.definition.input_schema);
        let refused = check.map(|check| check.violations(&value)).unwrap_or_default();
        let problem = |(path, text)| format!("the fixed value of `{path}`, {value}: {text}");
        let problems: Vec<_> = refused.into_iter().map(problem).collect();
        self.remove(argument, "fixed", |_| Ok(Supplied::Fixed(value)));
        self.metadata.shape_errors.extend(problems);
        self
    }

    pub(super) fn fix_from<V: Serialize>(
        mut self,
        argument: &str,
        read: impl Fn(&Extensions) -> V + Send + Sync + 'static,
    ) -> Self {
        self.metadata.reads_caller = true;
        let read = Box::new(move |extensions: &Extensions| serde_json::to_value(read(extensions)));
        self.remove(argument, "fixed", |schema| {
            let check = ArgumentCheck::new(argument, schema)
                .map_err(|error| format!("the schema of the argument `{argument}` is not valid: {error}"))?;
            Ok(Supplied::FromCall(FromCall { read, check }))
        });
        self
    }

    pub(super) fn hide(mut self, argument: &str) -> Self {
        self.remove(argument, argument_shape::HIDDEN, |_| Ok(Supplied::Absent));
        self
    }

    /// Removes an argument. `supplied` returns its value, and gets the schema with it.
    fn remove(&mut self, name: &str, verb: &str, supplied: impl FnOnce(&Value) -> Result<Supplied, String>) {
        let Self { definition, metadata, .. } = self;
        let whole = definition.input_schema.clone();
        let removed = argument_shape::remove(name, &mut definition.input_schema, metadata.hand_written_input, verb);
        match removed.and_then(|()| supplied(&whole)) {
            Ok(value) => {
                remove_unused_definitions(&mut definition.input_schema);
                metadata.aliases.to_mut().retain(|(_, of)| *of != name);
                metadata.constraints.to_mut().retain(|(of, _)| *of != name);
                self.add(vec![ArgumentChange::Removed { name: name.to_owned(), value }]);
            }
            Err(error) => metadata.shape_errors.push(error),
        }
    }

    pub(super) fn argument(mut self, name: &str, shape: ArgumentShape) -> Self {
        let Self { definition, metadata, .. } = &mut self;
        let inner = definition.input_schema.clone();
        match shape.apply(name, &mut definition.input_schema, metadata.hand_written_input) {
            Ok(changes) => {
                if let Some(ArgumentChange::Renamed { published, .. }) = changes.first() {
                    metadata.rename_argument(name, argument_shape::interned(published));
                    self.inner = Some(InnerArguments { schema: inner, coercions: OnceLock::new() });
                }
                self.add(changes);
            }
            Err(error) => metadata.shape_errors.push(error),
        }
        self
    }

    /// Adds changes of the arguments. A shape changes one argument, so that the changes of several shapes apply one after the other.
    fn add(&mut self, changes: Vec<ArgumentChange>) {
        self.changes = Arc::new(ArgumentChanges::new(changes));
        self.metadata.argument_changes.push(Arc::clone(&self.changes));
    }

    pub(super) fn tag(mut self, tag: String) -> Self {
        self.metadata.tags.add(tag);
        self
    }

    pub(super) fn scope(mut self, scope: String) -> Self {
        self.metadata.scopes.add(scope);
        self
    }

    pub(super) fn layer(mut self, layer: impl Layer) -> Self {
        self.metadata = self.metadata.with_layer(layer);
        self
    }

    /// Adds layers and rules around the tool and its own layers. `scopes_are_read` says that one of the rules reads scopes.
    pub(crate) fn within(mut self, layers: &[Arc<dyn Layer>], rules: &[Arc<Rule>], scopes_are_read: bool) -> Self {
        self.metadata.scopes_are_read |= scopes_are_read;
        self.metadata.layers.splice(0..0, layers.iter().cloned());
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
        if self.changes.is_empty() {
            return self.handler.call(cx, arguments);
        }
        Box::pin(async move {
            let from_call = self.changes.read(cx.extensions())?;
            // Where unknown arguments are allowed, a client can send a removed one under its name, or under an alias of its field.
            let mut document = arguments.published_in(&self.definition.input_schema);
            self.changes.apply(&mut document, &from_call)?;
            let arguments = match &self.inner {
                Some(InnerArguments { schema, coercions }) => {
                    let coercions = coercions.get_or_init(|| ToolCoercions::new(arguments.is_lax()));
                    arguments.with_names(&document, schema, coercions)
                }
                None => arguments.with_document(&document),
            };
            self.handler.call(cx, arguments).await.map_err(|error| self.changes.error_for_client(error))
        })
    }
}

impl fmt::Debug for ShapedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapedTool").field("name", &self.definition.name).finish_non_exhaustive()
    }
}

/// A service whose tools have additional layers, tags or scopes. [`IntoService::layered`], [`IntoService::tagged`] and
/// [`IntoService::scoped`] create it.
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
///     .service(Notes.tagged("beta"))
///     .visible(|tool, _| !tool.tags().contains("beta"))
///     .build()?;
/// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[must_use = "a shape is a service: register it with `.service(…)`"]
pub struct ShapedService<S> {
    service: S,
    tags: Labels,
    scopes: Labels,
    layers: Vec<Arc<dyn Layer>>,
}

impl<S> ShapedService<S> {
    pub(super) fn new(service: S) -> Self {
        Self { service, tags: Labels::default(), scopes: Labels::default(), layers: Vec::new() }
    }

    /// Adds a layer around every tool. It runs inside the layers that were added earlier.
    pub fn layered(mut self, layer: impl Layer) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// Adds a tag to every tool.
    pub fn tagged(mut self, tag: impl Into<String>) -> Self {
        self.tags.add(tag);
        self
    }

    /// Adds a scope to every tool.
    pub fn scoped(mut self, scope: impl Into<String>) -> Self {
        self.scopes.add(scope);
        self
    }
}

impl<S: IntoService> IntoService for ShapedService<S> {
    fn __mcp_into_tools(self, prefix: &str) -> Vec<Box<dyn ToolHandler>> {
        let Self { service, tags, scopes, layers } = self;
        let shaped = |tool: Box<dyn ToolHandler>| -> Box<dyn ToolHandler> {
            let mut shaped = ShapedTool::new(tool).within(&layers, &[], false);
            shaped = tags.iter().fold(shaped, |tool, tag| tool.tag(tag.clone()));
            Box::new(scopes.iter().fold(shaped, |tool, scope| tool.scope(scope.clone())))
        };
        service.__mcp_into_tools(prefix).into_iter().map(shaped).collect()
    }
}

impl<S> fmt::Debug for ShapedService<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapedService").field("tags", &self.tags).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}
