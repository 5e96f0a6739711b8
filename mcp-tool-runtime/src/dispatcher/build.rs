//! From a builder to a dispatcher: every check, and everything that is made once.

use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::Value;

use super::entry::Entry;
use super::{Dispatcher, DispatcherBuilder, Inner};
use crate::call::settings::Settings;
use crate::call::turnstile::Turnstile;
use crate::call::{Common, Sender};
#[cfg(feature = "validate")]
use crate::document::path::Step;
use crate::document::quick_hash::QuickMap;
#[cfg(feature = "validate")]
use crate::document::reader;
use crate::mcp::CacheScope;
#[cfg(feature = "validate")]
use crate::schema::validate::{CompiledSchema, SchemaCompiler};
use crate::schema::{check, project, walk};
use crate::tool::metadata::ToolMetadata;
use crate::tool::state::States;
use crate::{ProtocolVersion, ToolHandler, mcp};

/// Why a dispatcher could not be built: every fault of every tool.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let error = Dispatcher::builder().tool(add {}).tool(add {}).meta_prefix("mcp").build().unwrap_err();
/// assert_eq!(error.faults().len(), 1);
/// assert!(error.to_string().contains("two tools are named `add`"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    faults: Vec<String>,
}

impl BuildError {
    /// The faults, in the order of registration.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [fault] = self.faults.as_slice() {
            return write!(f, "the dispatcher cannot be built: {fault}");
        }
        write!(f, "the dispatcher cannot be built; {} faults:", self.faults.len())?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n- {fault}"))
    }
}

/// As it is displayed: `main` and `unwrap` show it so.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}

pub(super) fn build(builder: DispatcherBuilder) -> Result<Dispatcher, BuildError> {
    let DispatcherBuilder { handlers, settings, states, layers, max_concurrency, mut faults } = builder;
    let settings = Arc::new(settings);
    let natural: Vec<_> = handlers.iter().map(ToolHandler::definition).collect();
    let mut shared = Shared {
        settings: Arc::clone(&settings),
        states: Arc::new(states),
        tools: &natural,
        #[cfg(feature = "validate")]
        compiler: SchemaCompiler::for_tools(natural.len()),
    };
    let mut by_name = QuickMap::with_capacity_and_hasher(handlers.len(), BuildHasherDefault::default());
    let mut entries = Vec::with_capacity(handlers.len());
    let mut places: Vec<&'static str> = Vec::with_capacity(handlers.len());

    for (index, (handler, tool)) in handlers.into_iter().zip(&natural).enumerate() {
        let metadata = handler.__mcp_tool_metadata();
        let name: Arc<str> = tool.name.as_str().into();
        if let Some(first) = by_name.insert(Arc::clone(&name), index) {
            let (first, second) = (places[first], metadata.type_name);
            faults.push(format!("two tools are named `{name}`: `{first}` and `{second}`"));
        }
        places.push(metadata.type_name);
        let missing = metadata.states.iter().filter(|need| !(need.is_met)(&shared.states));
        faults.extend(missing.map(|need| {
            let state = (need.type_name)();
            format!("tool `{name}`: no state of type `{state}` is registered; add `.state(…)` to the builder")
        }));
        match entry(handler, index, &metadata, name, &mut shared) {
            Ok(entry) => entries.push(entry),
            Err(found) => faults.extend(found.into_iter().map(|fault| format!("tool `{}`: {fault}", tool.name))),
        }
    }
    if !faults.is_empty() {
        return Err(BuildError { faults });
    }
    let (projected, lists) = Default::default();
    let turnstile = max_concurrency.map(|places| Arc::new(Turnstile::new(places)));
    let inner = Inner { entries, by_name, natural, projected, lists, layers, turnstile, settings };
    Ok(Dispatcher { inner: Arc::new(inner) })
}

/// What the tools have in common.
struct Shared<'t> {
    settings: Arc<Settings>,
    states: Arc<States>,
    tools: &'t [mcp::Tool],
    #[cfg(feature = "validate")]
    compiler: SchemaCompiler<'t>,
}

/// SchemaCompiler one tool and makes ready what its calls need.
fn entry(
    handler: Box<dyn ToolHandler>,
    index: usize,
    metadata: &ToolMetadata,
    tool_name: Arc<str>,
    shared: &mut Shared<'_>,
) -> Result<Entry, Vec<String>> {
    let tool = &shared.tools[index];
    let mut faults = Vec::new();
    faults.extend(name_fault(&tool.name));
    if tool.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
        faults.push("it has no description, so no model knows what it is for".to_owned());
    }
    faults.extend(tool.meta.keys().filter_map(|key| key_fault(key)));
    faults.extend(metadata.aliases.iter().filter(|(_, name)| tool.input_schema["properties"][name].get(HEADER).is_some()).map(
        |(alias, name)| {
            format!(
                "`{name}` is repeated in a header, and its alias `{alias}` in the body would pass by that header: remove one \
                 of them"
            )
        },
    ));
    let found = check::input(&tool.input_schema, metadata.root_union, metadata.hand_written_input);
    faults.extend(found.into_iter().map(|fault| format!("input schema: {fault}")));
    if !metadata.hand_written_input {
        faults.extend(check::missing_constraints(&tool.input_schema, metadata.constraints));
    }
    let output = tool.output_schema.as_ref();
    let found = output.map_or_else(Vec::new, |schema| check::output(schema, metadata.hand_written_output));
    faults.extend(found.into_iter().map(|fault| format!("output schema: {fault}")));
    if !faults.is_empty() {
        return Err(faults);
    }
    #[cfg(feature = "validate")]
    let (input, compiled) = {
        let input = shared.compiler.compile(&tool.input_schema).map_err(|fault| format!("input schema: {fault}"));
        let output = output
            .map(|schema| shared.compiler.compile(schema))
            .transpose()
            .map_err(|fault| format!("output schema: {fault}"));
        match (input, output) {
            (Ok(input), Ok(output)) => (input, output),
            (input, output) => return Err(input.err().into_iter().chain(output.err()).collect()),
        }
    };
    #[cfg(feature = "validate")]
    if !metadata.hand_written_input {
        let mut refused = refused_defaults(&input, &tool.input_schema);
        refused.extend(refused_examples(&input, &tool.input_schema));
        if !refused.is_empty() {
            return Err(refused);
        }
    }
    let wrapped = output.is_some_and(|schema| project::shape(schema) == project::Shape::NotObject);
    let settings = Arc::clone(&shared.settings);
    Ok(Entry {
        handler,
        common: Arc::new(Common {
            states: Arc::clone(&shared.states),
            sender: Arc::new(Sender { tool_name, structured: output.is_some(), wrapped, settings }),
        }),
        has_headers: has_headers(&tool.input_schema),
        aliases: metadata.aliases,
        reader: metadata.reader,
        names: OnceLock::new(),
        optionals: OnceLock::new(),
        extensions: metadata.extensions,
        timeout: metadata.timeout,
        repeatable: is_repeatable(tool),
        #[cfg(not(feature = "validate"))]
        known: known_names(&tool.input_schema),
        #[cfg(feature = "validate")]
        input,
        #[cfg(feature = "validate")]
        output: compiled,
    })
}

/// The keyword of an argument that clients also send as a header.
const HEADER: &str = "x-mcp-header";

fn has_headers(schema: &Value) -> bool {
    let mut found = false;
    walk::visit(schema, &mut |schema| found |= walk::keyword(schema, HEADER).is_some());
    found
}

/// The published defaults that a client could not send.
#[cfg(feature = "validate")]
fn refused_defaults(compiled: &CompiledSchema, schema: &Value) -> Vec<String> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let defaults = properties.filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone())));
    let defaults = Value::Object(defaults.collect());
    let faults = faults_of_given(compiled, schema, &defaults).into_iter();
    faults.map(|(path, text)| format!("the default of `{path}`: {text}")).collect()
}

/// The published examples that a client could not send.
#[cfg(feature = "validate")]
fn refused_examples(compiled: &CompiledSchema, schema: &Value) -> Vec<String> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let examples = properties.filter_map(|(name, property)| Some((name, property.get("examples")?.as_array()?)));
    let single = examples.flat_map(|(name, examples)| examples.iter().map(move |example| (name, example)));
    let of_one = |(name, example): (&String, &Value)| {
        let given = Value::Object([(name.clone(), example.clone())].into_iter().collect());
        let faults = faults_of_given(compiled, schema, &given).into_iter();
        faults.map(|(path, text)| format!("the example of `{path}`, {example}: {text}")).collect::<Vec<_>>()
    };
    single.flat_map(of_one).collect()
}

/// What is wrong with the arguments that are given; what is missing beside them is no fault of theirs.
#[cfg(feature = "validate")]
fn faults_of_given(compiled: &CompiledSchema, schema: &Value, given: &Value) -> Vec<(String, String)> {
    if given.as_object().is_none_or(serde_json::Map::is_empty) {
        return Vec::new();
    }
    let Ok(document) = reader::read_value(given) else { return Vec::new() };
    let faults = compiled.faults(document.root(), schema).into_iter();
    let of_a_given = faults.filter(|fault| {
        let first = fault.path.steps().first();
        matches!(first, Some(Step::Key(name)) if given.get(name).is_some())
    });
    of_a_given.map(|fault| (fault.path.to_string(), fault.message)).collect()
}

/// Whether the same call again changes nothing more, by the author's hints.
fn is_repeatable(tool: &mcp::Tool) -> bool {
    let hints = tool.annotations.as_ref();
    hints.is_some_and(|hints| hints.read_only_hint == Some(true) || hints.idempotent_hint == Some(true))
}

/// The names that a closed object takes: its own and those of its branches.
#[cfg(not(feature = "validate"))]
fn known_names(schema: &Value) -> Option<Box<[String]>> {
    let branches = ["oneOf", "anyOf"].into_iter().filter_map(|keyword| schema[keyword].as_array()).flatten();
    let objects: Vec<_> = std::iter::once(schema).chain(branches).collect();
    let closed = |object: &Value| object["additionalProperties"] == false || object["unevaluatedProperties"] == false;
    let closed = closed(schema) || objects.len() > 1 && objects.iter().skip(1).all(|object| closed(object));
    let names = objects.iter().filter_map(|object| object["properties"].as_object()).flatten();
    closed.then(|| names.map(|(name, _)| name.clone()).collect())
}

/// Rule T11.
fn name_fault(name: &str) -> Option<String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let fits = (1..=128).contains(&name.len()) && name.bytes().all(allowed);
    (!fits).then(|| "a name has 1 to 128 of the characters A-Z a-z 0-9 _ . -".to_owned())
}

/// What keeps a prefix of `_meta` keys from being used.
pub(super) fn prefix_fault(prefix: &str) -> Option<String> {
    let labels: Vec<_> = prefix.split('.').collect();
    let well_formed = |label: &&str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !labels.iter().all(well_formed) {
        return Some(format!(
            "the prefix `{prefix}` is not made of labels between dots, each a letter, then letters, digits or hyphens"
        ));
    }
    let reserved = labels.get(1).is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(label));
    reserved.then(|| format!("the prefix `{prefix}` is reserved by the protocol"))
}

/// What keeps a key of `_meta` from being used.
pub(super) fn key_fault(key: &str) -> Option<String> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let ends = |c: char| c.is_ascii_alphanumeric();
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let well_formed = name.starts_with(ends) && name.ends_with(ends) && name.bytes().all(inner);
    if !(name.is_empty() || well_formed) {
        return Some(format!("the `_meta` key `{key}` is not a name of letters, digits and `-_.` inside"));
    }
    prefix.and_then(prefix_fault)
}

/// The definitions in the shape of one version.
pub(super) fn projected(natural: &[mcp::Tool], version: ProtocolVersion) -> Vec<mcp::Tool> {
    natural.iter().map(|tool| tool_for(tool, version)).collect()
}

fn tool_for(tool: &mcp::Tool, version: ProtocolVersion) -> mcp::Tool {
    let mut tool = tool.clone();
    let project = if version.is_legacy() { project::legacy } else { project::latest };
    tool.output_schema = tool.output_schema.as_ref().map(project);
    if version < ProtocolVersion::V2025_11_25 {
        tool.icons.clear();
    }
    tool
}

/// The result of `tools/list`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListToolsResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    tools: &'a [mcp::Tool],
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<CacheScope>,
}

pub(super) fn list(tools: &[mcp::Tool], version: ProtocolVersion, settings: &Settings) -> Box<[u8]> {
    let modern = !version.is_legacy();
    let result = ListToolsResult {
        result_type: modern.then_some("complete"),
        tools,
        ttl_ms: modern.then(|| u64::try_from(settings.list_ttl.as_millis()).unwrap_or(u64::MAX)),
        cache_scope: modern.then_some(settings.list_scope),
    };
    // Maps of strings and values always serialise.
    serde_json::to_vec(&result).unwrap_or_default().into_boxed_slice()
}
