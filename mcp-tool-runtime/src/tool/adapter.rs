//! A tool in another shape: another name, fewer arguments, more layers.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::handler::ToolHandler;
use super::metadata::{Package, ToolMetadata};
use super::service::IntoService;
use super::title::title_of;
use crate::json::json_pointer::escape_token;
use crate::json::reader;
use crate::json::suggestion::suggest;
use crate::listing::rules::{NamedRule, Rule};
use crate::schema::normalise::remove_unused_definitions;
use crate::{Arguments, BoxFuture, CallContext, Labels, Layer, Output, ToolError, mcp};

/// A tool with a changed name, description, arguments, tags, scopes or layers. These methods of [`ToolHandler`] create it:
/// [`renamed`](ToolHandler::renamed), [`described`](ToolHandler::described), [`fixing`](ToolHandler::fixing),
/// [`hiding`](ToolHandler::hiding), [`tagged`](ToolHandler::tagged), [`scoped`](ToolHandler::scoped) and
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
    /// The arguments that clients neither see nor send.
    removed: Vec<RemovedArgument>,
}

struct RemovedArgument {
    name: String,
    /// The value that the tool gets; `None` if the argument is absent.
    value: Option<Value>,
}

/// A value that `build` checks against the schema of the argument that it is for.
#[derive(Debug, Clone)]
pub(crate) struct FixedArgument {
    pub(crate) name: String,
    pub(crate) value: Value,
    /// The input schema with this argument.
    pub(crate) schema: Value,
}

impl ShapedTool {
    pub(crate) fn new(handler: impl ToolHandler) -> Self {
        let (definition, metadata) = (handler.definition(), handler.metadata());
        Self { handler: Box::new(handler), definition, metadata, removed: Vec::new() }
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

    pub(super) fn fix(mut self, argument: String, value: &impl Serialize) -> Self {
        match serde_json::to_value(value) {
            // `null` for an optional argument means that it is absent (rule I3).
            Ok(Value::Null) if !required(&self.definition.input_schema).any(|name| name == argument) => {
                self.hide(argument)
            }
            Ok(value) => {
                let schema = self.definition.input_schema.clone();
                self.metadata.fixed.push(FixedArgument { name: argument.clone(), value: value.clone(), schema });
                self.remove(argument, Some(value))
            }
            Err(error) => {
                let error = format!("the fixed value of `{argument}` cannot be written as JSON: {error}");
                self.metadata.shape_errors.push(error);
                self
            }
        }
    }

    pub(super) fn hide(self, argument: String) -> Self {
        self.remove(argument, None)
    }

    fn remove(mut self, name: String, value: Option<Value>) -> Self {
        let argument = RemovedArgument { name, value };
        let Self { definition, metadata, .. } = &mut self;
        match argument.remove_from(&mut definition.input_schema, metadata.hand_written_input) {
            Ok(()) => {
                remove_unused_definitions(&mut definition.input_schema);
                metadata.aliases.to_mut().retain(|(_, name)| *name != argument.name);
                metadata.constraints.to_mut().retain(|(name, _)| *name != argument.name);
            }
            Err(error) => metadata.shape_errors.push(error),
        }
        self.removed.push(argument);
        self
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

impl ShapedTool {
    /// Masks an error about a removed argument: the model can neither read nor mend it.
    fn without_removed(&self, error: ToolError) -> ToolError {
        let is_removed = |pointer: &str| {
            let first = pointer.trim_start_matches('/').split('/').next().unwrap_or_default();
            self.removed.iter().any(|argument| escape_token(&argument.name) == first)
        };
        if !error.errors().iter().any(|wrong| is_removed(wrong.pointer())) {
            return error;
        }
        ToolError::masked(error.message().to_owned())
    }
}

impl RemovedArgument {
    /// Removes the argument from a schema. `hand_written` says that the author wrote the schema.
    fn remove_from(&self, schema: &mut Value, hand_written: bool) -> Result<(), String> {
        let Self { name, value } = self;
        let verb = if value.is_some() { "fixed" } else { "hidden" };
        if hand_written {
            return Err(format!(
                "the argument `{name}` cannot be {verb}, because the input schema is written by hand; write a schema without it"
            ));
        }
        let others =
            ["additionalProperties", "unevaluatedProperties"].into_iter().find_map(|keyword| schema.get(keyword));
        if others.is_some_and(|others| *others != false) {
            return Err(format!(
                "the argument `{name}` cannot be {verb}, because the tool takes arguments of any name, and its type may read \
                 `{name}` from one of them"
            ));
        }
        if schema["properties"].get(name).is_none() {
            let known = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
            let nearest = suggest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(format!("the argument `{name}` cannot be {verb}: there is no such argument{nearest}"));
        }
        if value.is_none() && required(schema).any(|required| required == name) {
            return Err(format!(
                "the argument `{name}` cannot be hidden, because it is required; give it a value: `.fixing(\"{name}\", …)`"
            ));
        }
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.shift_remove(name);
        }
        let mut is_empty = false;
        let examples = schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten();
        for example in examples.filter_map(Value::as_object_mut) {
            example.shift_remove(name);
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|required| required != name);
            is_empty = required.is_empty();
        }
        if let Some(schema) = schema.as_object_mut().filter(|_| is_empty) {
            schema.shift_remove("required");
        }
        Ok(())
    }
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

impl ToolHandler for ShapedTool {
    fn definition(&self) -> mcp::Tool {
        self.definition.clone()
    }

    fn metadata(&self) -> ToolMetadata {
        self.metadata.clone()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        if self.removed.is_empty() {
            return self.handler.call(cx, arguments);
        }
        Box::pin(async move {
            // Where unknown arguments are allowed, a client can send a removed one under its name, or under an alias of its field.
            let mut document = arguments.published_in(&self.definition.input_schema);
            for argument in &self.removed {
                if let Some(value) = &argument.value {
                    let value =
                        reader::read_value(value).map_err(|violation| ToolError::internal(violation.message))?;
                    document.push_property(&argument.name, value);
                }
            }
            self.handler.call(cx, arguments.with_document(&document)).await.map_err(|error| self.without_removed(error))
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
