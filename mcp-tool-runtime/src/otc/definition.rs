//! The definition of a tool in Open Tool Calling.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::mcp;
use crate::schema::project::Expansion;
use crate::schema::walk;

/// The definition of a tool in Open Tool Calling. [`Dispatcher::list_otc`](crate::Dispatcher::list_otc) creates it.
///
/// The fields are those of the specification. You can change them. For example, set `requirements` for a tool that
/// reads a secret from the [context](crate::otc::Context).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name that calls use, with the version: `Calculator.Add@1.0.0`.
    pub id: String,
    /// The name that people see: `Calculator_Add`.
    pub name: String,
    /// The description, for people and models.
    pub description: String,
    /// The version, made of three integers: `1.0.0`.
    pub version: String,
    /// The input of the tool.
    pub input_schema: InputSchema,
    /// The JSON Schema of the result's `value`, without `$ref`. A tool without an output schema has `{}`, which accepts
    /// any value. `None` means that the tool returns no value.
    pub output_schema: Option<Value>,
    /// The parts of a request's context that the tool needs: `authorization`, `secrets`, `user_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Value>,
}

/// The input of a tool, which is part of a [`ToolDefinition`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputSchema {
    /// The JSON Schema of the input, with `properties` and `required`, but without `$ref`.
    pub parameters: Value,
}

/// The error of [`Dispatcher::list_otc`](crate::Dispatcher::list_otc). It lists everything that is wrong with the
/// version and the tools.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
///
/// /// Get the current time.
/// #[mcp_tool]
/// async fn now() -> u64 {
///     0
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![now]).build()?;
/// let error = dispatcher.list_otc("1.0.0").unwrap_err();
/// assert!(error.to_string().contains("`Toolkit.Tool`"));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DefinitionError {
    errors: Vec<String>,
}

impl DefinitionError {
    /// Returns the errors: first the error about the version, then those about the tools, in the order of registration.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }
}

display!(
    DefinitionError, it => &format!("the tools cannot be listed for Open Tool Calling:\n- {}", it.errors.join("\n- "))
);

debug_by_display!(DefinitionError);

impl std::error::Error for DefinitionError {}

pub(crate) fn definitions<'t>(
    tools: impl IntoIterator<Item = &'t mcp::Tool>,
    version: &str,
) -> Result<Vec<ToolDefinition>, DefinitionError> {
    let mut errors = Vec::new();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if version.split('.').count() != 3 || !version.split('.').all(is_number) {
        errors.push(format!("the version `{version}` is not three integers: write, for example, `1.0.0`"));
    }
    let mut definitions = Vec::new();
    for tool in tools {
        let definition = definition(tool, version);
        let found = errors_of(tool, &definition);
        errors.extend(found.into_iter().map(|error| format!("tool `{}`: {error}", tool.name)));
        definitions.push(definition);
    }
    if errors.is_empty() { Ok(definitions) } else { Err(DefinitionError { errors }) }
}

fn definition(tool: &mcp::Tool, version: &str) -> ToolDefinition {
    ToolDefinition {
        id: format!("{}@{version}", tool.name),
        name: tool.name.replace('.', "_"),
        description: tool.description.clone().unwrap_or_default(),
        version: version.to_owned(),
        input_schema: InputSchema { parameters: without_references(&tool.input_schema) },
        output_schema: Some(tool.output_schema.as_ref().map_or_else(|| json!({}), without_references)),
        requirements: None,
    }
}

fn errors_of(tool: &mcp::Tool, definition: &ToolDefinition) -> Vec<String> {
    let mut errors = Vec::new();
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !tool.name.split_once('.').is_some_and(|(toolkit, name)| is_word(toolkit) && is_word(name)) {
        let name: String = tool.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        errors.push(format!(
            "a name must have the form `Toolkit.Tool`, with letters, digits and `_`: write `name = \"Toolkit.{name}\"`, \
             or `prefix = \"Toolkit.\"` for methods"
        ));
    } else if tool.name.len() > 64 {
        errors.push(format!("the name has {} characters, and at most 64 are allowed", tool.name.len()));
    }
    let parameters = definition.input_schema.parameters["properties"].as_object().into_iter().flatten();
    let described = |schema: &Value| schema["description"].as_str().is_some_and(|text| !text.trim().is_empty());
    for (name, _) in parameters.filter(|(_, schema)| !described(schema)) {
        errors.push(format!("the parameter `{name}` has no description: write a doc comment `/// …` above it, or a `description` in its schema"));
    }
    errors
}

/// Replaces each reference with the schema that it refers to, because Open Tool Calling has no `$ref`. Where a type
/// contains itself, or beyond the limits of the [`Expansion`], a reference is replaced with only the `type`, `title`
/// and `description` of that schema.
fn without_references(root: &Value) -> Value {
    let mut schema = root.clone();
    Expansion { most: 2_000, only_described: false, summary: Some(summary) }.apply(&mut schema);
    walk::visit_keywords_mut(&mut schema, &mut |keywords| {
        for keyword in ["$defs", "definitions", "$schema"] {
            keywords.shift_remove(keyword);
        }
    });
    schema
}

/// Returns the `type`, `title` and `description` of a schema.
fn summary(schema: &Value) -> Value {
    let keywords = schema.as_object().into_iter().flatten();
    let kept = keywords.filter(|(key, _)| ["type", "title", "description"].contains(&key.as_str()));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}
