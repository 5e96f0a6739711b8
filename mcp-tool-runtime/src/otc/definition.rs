//! The definition of a tool, as Open Tool Calling's `GET /tools` lists it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::flat::flat;
use crate::{Dispatcher, mcp};

/// The definition of a tool in Open Tool Calling's form: see [`Dispatcher::list_otc`].
///
/// The fields are the specification's and can be changed: a tool that reads a secret of the
/// [context](crate::otc::Context) says so in `requirements`, for example.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name by which the tool is called, and its version: `Calculator.Add@1.0.0`.
    pub id: String,
    /// The name for people: `Calculator_Add`.
    pub name: String,
    /// What the tool does, for people and models.
    pub description: String,
    /// The version, three integers: `1.0.0`.
    pub version: String,
    /// What the tool takes.
    pub input_schema: InputSchema,
    /// The JSON Schema of the result's `value`, without `$ref`. `{}` is any value: that of a tool without an output
    /// schema, which answers with content blocks or `null`. `None` says that there is no value.
    pub output_schema: Option<Value>,
    /// What the tool needs of the context of a request: `authorization`, `secrets`, `user_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Value>,
}

/// What a tool takes: a member of [`ToolDefinition`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputSchema {
    /// The JSON Schema of the input, with `properties` and `required`, without `$ref`.
    pub parameters: Value,
}

/// Why tools cannot be listed as Open Tool Calling wants them: every fault of every tool.
#[derive(Clone, PartialEq, Eq)]
pub struct DefinitionError {
    faults: Vec<String>,
}

impl DefinitionError {
    /// The faults, in the order of registration.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tools cannot be listed for Open Tool Calling:")?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n- {fault}"))
    }
}

/// As it is displayed: `main` and `unwrap` show it so.
impl fmt::Debug for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for DefinitionError {}

impl Dispatcher {
    /// The definitions in Open Tool Calling's form: the `tools` of the answer to `GET /tools`.
    ///
    /// All tools have the one version that is given, and a call of `Calculator.Add@1.0.0` is one of the tool
    /// `Calculator.Add`; whether a request asks for that version tells
    /// [`otc::Context::asks_for`](crate::otc::Context::asks_for). There is no `$ref` in that form: what a schema refers
    /// to is written out, and where a type contains itself again, only its kind is said.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, serde_json, tools, Dispatcher};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool(name = "Calculator.Add")]
    /// async fn add(
    ///     /// The first summand.
    ///     a: f64,
    ///     /// The second summand.
    ///     b: f64,
    /// ) -> f64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let body = json!({"$schema": "urn:oxp:1.0", "tools": dispatcher.list_otc("1.0.0")?});
    /// assert_eq!(body["tools"][0]["id"], "Calculator.Add@1.0.0");
    /// assert_eq!(body["tools"][0]["input_schema"]["parameters"]["required"], json!(["a", "b"]));
    /// assert_eq!(body["tools"][0]["output_schema"], json!({"type": "number"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the specification demands and a tool does not keep: a name of two words of letters, digits and `_` with a
    /// dot between them, no longer than 64 characters, a description of every parameter, a version of three integers.
    pub fn list_otc(&self, version: &str) -> Result<Vec<ToolDefinition>, DefinitionError> {
        let mut faults = Vec::new();
        if !is_version(version) {
            faults.push(format!("the version `{version}` is not three integers: write `1.0.0`, say"));
        }
        let mut definitions = Vec::with_capacity(self.list().len());
        for tool in self.list() {
            let definition = definition(tool, version);
            let found = faults_of(tool, &definition);
            faults.extend(found.into_iter().map(|fault| format!("tool `{}`: {fault}", tool.name)));
            definitions.push(definition);
        }
        if faults.is_empty() { Ok(definitions) } else { Err(DefinitionError { faults }) }
    }
}

fn definition(tool: &mcp::Tool, version: &str) -> ToolDefinition {
    ToolDefinition {
        id: format!("{}@{version}", tool.name),
        name: tool.name.replace('.', "_"),
        description: tool.description.clone().unwrap_or_default(),
        version: version.to_owned(),
        input_schema: InputSchema { parameters: flat(&tool.input_schema) },
        output_schema: Some(tool.output_schema.as_ref().map_or_else(|| json!({}), flat)),
        requirements: None,
    }
}

fn faults_of(tool: &mcp::Tool, definition: &ToolDefinition) -> Vec<String> {
    let mut faults = Vec::new();
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !tool.name.split_once('.').is_some_and(|(toolkit, name)| is_word(toolkit) && is_word(name)) {
        let name: String = tool.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        faults.push(format!(
            "a name is of the form `Toolkit.Tool`, each of letters, digits and `_`: write `name = \"Toolkit.{name}\"`, \
             or `prefix = \"Toolkit.\"` for methods"
        ));
    } else if tool.name.len() > 64 {
        faults.push(format!("the name has {} characters, and 64 is the most", tool.name.len()));
    }
    let parameters = definition.input_schema.parameters["properties"].as_object().into_iter().flatten();
    let described = |schema: &Value| schema["description"].as_str().is_some_and(|text| !text.trim().is_empty());
    let silent = parameters.filter(|(_, schema)| !described(schema));
    faults.extend(
        silent.map(|(name, _)| {
            format!("the parameter `{name}` has no description: write a doc comment `/// …` above it")
        }),
    );
    faults
}

/// Whether it is of the form `x.y.z`.
fn is_version(version: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    version.split('.').count() == 3 && version.split('.').all(is_number)
}

/// The members of a schema that say nothing of which values it admits.
pub(super) fn notes(schema: &Map<String, Value>) -> bool {
    const NOTES: [&str; 6] = ["$ref", "title", "description", "default", "examples", "deprecated"];
    schema.keys().all(|key| NOTES.contains(&key.as_str()))
}
