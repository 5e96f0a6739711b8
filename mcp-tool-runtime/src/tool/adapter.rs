//! A tool in another shape: another name, fewer arguments, layers of its own.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::handler::ToolHandler;
use super::metadata::ToolMetadata;
use super::service::IntoService;
use super::title::title_of;
use crate::json::reader;
use crate::json::suggestion::suggest;
use crate::listing::info::Labels;
use crate::listing::rules::{NamedRule, Rule};
use crate::schema::normalise::remove_unused_definitions;
use crate::{Arguments, BoxFuture, CallContext, Layer, Output, ToolError, mcp};

/// A tool in another shape, made by the provided methods of [`ToolHandler`]: [`renamed`](ToolHandler::renamed),
/// [`described`](ToolHandler::described), [`fixing`](ToolHandler::fixing), [`hiding`](ToolHandler::hiding),
/// [`tagged`](ToolHandler::tagged), [`scoped`](ToolHandler::scoped) and [`layered`](ToolHandler::layered).
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
    name: Option<String>,
    prefix: String,
    description: Option<String>,
    removed: Vec<RemovedArgument>,
    tags: Labels,
    scopes: Labels,
    layers: Vec<Arc<dyn Layer>>,
    /// They see the name without the prefix.
    rules: Vec<Arc<Rule>>,
}

/// An argument that clients neither see nor send.
struct RemovedArgument {
    name: String,
    /// The other names under which the argument's type reads it.
    aliases: Vec<&'static str>,
    /// The value that the tool gets; `None` if the argument is absent.
    value: Option<Value>,
    /// Why the value cannot be written as JSON.
    error: Option<String>,
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
    pub(super) fn new(handler: Box<dyn ToolHandler>) -> Self {
        Self {
            handler,
            name: None,
            prefix: String::new(),
            description: None,
            removed: Vec::new(),
            tags: Labels::default(),
            scopes: Labels::default(),
            layers: Vec::new(),
            rules: Vec::new(),
        }
    }

    pub(super) fn rename(mut self, name: String) -> Self {
        self.name = Some(name);
        self.prefix.clear();
        self
    }

    /// Puts a prefix before the name.
    pub(crate) fn prefix(mut self, prefix: &str) -> Self {
        self.prefix.insert_str(0, prefix);
        self
    }

    pub(super) fn describe(mut self, description: String) -> Self {
        self.description = Some(description);
        self
    }

    pub(super) fn fix(self, argument: String, value: &impl Serialize) -> Self {
        match serde_json::to_value(value) {
            // `null` for an optional argument means that it is absent (rule I3).
            Ok(Value::Null) if !self.is_required(&argument) => self.remove(argument, None, None),
            Ok(value) => self.remove(argument, Some(value), None),
            Err(error) => self.remove(argument, None, Some(error.to_string())),
        }
    }

    pub(super) fn hide(self, argument: String) -> Self {
        self.remove(argument, None, None)
    }

    fn remove(mut self, name: String, value: Option<Value>, error: Option<String>) -> Self {
        let metadata = self.handler.__mcp_tool_metadata();
        let aliases = metadata.aliases.iter().filter(|(_, of)| *of == name).map(|(alias, _)| *alias).collect();
        self.removed.push(RemovedArgument { name, aliases, value, error });
        self
    }

    fn is_required(&self, argument: &str) -> bool {
        required(&self.handler.definition().input_schema).any(|name| name == argument)
    }

    pub(super) fn tag(mut self, tag: String) -> Self {
        self.tags.add(tag);
        self
    }

    pub(super) fn scope(mut self, scope: String) -> Self {
        self.scopes.add(scope);
        self
    }

    /// Adds a layer inside the layers that were added before.
    pub(super) fn layer(mut self, layer: Arc<dyn Layer>) -> Self {
        self.layers.push(layer);
        self
    }

    /// Adds layers and rules around the tool and its own layers. The rules see the name without the prefix.
    pub(crate) fn within(mut self, layers: &[Arc<dyn Layer>], rules: &[Arc<Rule>]) -> Self {
        self.layers.splice(0..0, layers.iter().cloned());
        self.rules.splice(0..0, rules.iter().cloned());
        self
    }

    /// Removes the arguments from a schema, and returns why some of them cannot be removed. `hand_written` says that the
    /// author wrote the schema.
    fn remove_arguments(&self, schema: &mut Value, hand_written: bool) -> Vec<String> {
        let errors: Vec<_> =
            self.removed.iter().filter_map(|argument| argument.remove_from(schema, hand_written).err()).collect();
        if !self.removed.is_empty() && !hand_written {
            remove_unused_definitions(schema);
        }
        errors
    }
}

impl RemovedArgument {
    fn remove_from(&self, schema: &mut Value, hand_written: bool) -> Result<(), String> {
        let Self { name, value, error, .. } = self;
        let verb = if value.is_some() || error.is_some() { "fixed" } else { "hidden" };
        if hand_written {
            return Err(format!(
                "the argument `{name}` cannot be {verb}, because the input schema is written by hand; write a schema without it"
            ));
        }
        if schema["properties"].get(name).is_none() {
            let known = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
            let nearest = suggest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(format!("the argument `{name}` cannot be {verb}: there is no such argument{nearest}"));
        }
        if let Some(error) = error {
            return Err(format!("the fixed value of `{name}` cannot be written as JSON: {error}"));
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
        let mut tool = self.handler.definition();
        if self.name.is_some() || !self.prefix.is_empty() {
            let name = format!("{}{}", self.prefix, self.name.as_deref().unwrap_or(&tool.name));
            // A derived title follows the name; a title that the author wrote stays.
            if tool.title.as_deref() == Some(&title_of(&tool.name)) {
                tool.title = Some(title_of(&name));
            }
            tool.name = name;
        }
        if let Some(description) = &self.description {
            tool.description = Some(description.clone());
        }
        let hand_written = self.handler.__mcp_tool_metadata().hand_written_input;
        self.remove_arguments(&mut tool.input_schema, hand_written);
        tool
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        if self.removed.is_empty() {
            return self.handler.call(cx, arguments);
        }
        Box::pin(async move {
            // A client can send an argument under a removed name if unknown arguments are allowed. The tool must not see it.
            let names = |argument: &'a RemovedArgument| {
                std::iter::once(argument.name.as_str()).chain(argument.aliases.iter().copied())
            };
            let mut document = arguments.without(&self.removed.iter().flat_map(names).collect::<Vec<_>>());
            for argument in &self.removed {
                if let Some(value) = &argument.value {
                    let value =
                        reader::read_value(value).map_err(|violation| ToolError::internal(violation.message))?;
                    document.push_property(&argument.name, value);
                }
            }
            self.handler.call(cx, arguments.with_document(&document)).await
        })
    }

    fn __mcp_tool_metadata(&self) -> ToolMetadata {
        let mut metadata = self.handler.__mcp_tool_metadata();
        self.tags.iter().for_each(|tag| metadata.tags.add(tag));
        self.scopes.iter().for_each(|scope| metadata.scopes.add(scope));
        metadata.layers.splice(0..0, self.layers.iter().cloned());
        metadata.rules.splice(0..0, self.rules.iter().map(NamedRule::new));
        metadata.rules.iter_mut().for_each(|rule| rule.prefix_length += self.prefix.len());
        if self.removed.is_empty() {
            return metadata;
        }
        let schema = self.handler.definition().input_schema;
        let fixed = self.removed.iter().filter_map(|argument| {
            let (name, value) = (argument.name.clone(), argument.value.clone()?);
            Some(FixedArgument { name, value, schema: schema.clone() })
        });
        metadata.fixed.extend(fixed);
        metadata.shape_errors.extend(self.remove_arguments(&mut schema.clone(), metadata.hand_written_input));
        let is_sent = |name: &str| self.removed.iter().all(|argument| argument.name != name);
        metadata.aliases = metadata.aliases.iter().filter(|(_, name)| is_sent(name)).copied().collect();
        metadata.constraints = metadata.constraints.iter().filter(|(name, _)| is_sent(name)).copied().collect();
        metadata
    }

    fn __mcp_shaped(self) -> ShapedTool {
        self
    }
}

impl fmt::Debug for ShapedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapedTool").field("name", &self.definition().name).finish_non_exhaustive()
    }
}

/// A service whose tools have another shape, made by [`IntoService::layered`], [`IntoService::tagged`] and
/// [`IntoService::scoped`].
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

    /// Adds a layer around the tools, inside the layers that were added before.
    pub fn layered(mut self, layer: impl Layer) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// Adds a tag to every tool.
    pub fn tagged(mut self, tag: impl Into<String>) -> Self {
        self.tags.add(tag);
        self
    }

    /// Adds a scope that a caller of any of the tools needs.
    pub fn scoped(mut self, scope: impl Into<String>) -> Self {
        self.scopes.add(scope);
        self
    }
}

impl<S: IntoService> IntoService for ShapedService<S> {
    fn __mcp_into_tools(self, prefix: &str) -> Vec<Box<dyn ToolHandler>> {
        let Self { service, tags, scopes, layers } = self;
        let shaped = |tool: Box<dyn ToolHandler>| -> Box<dyn ToolHandler> {
            let mut shaped = tool.__mcp_shaped().within(&layers, &[]);
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
