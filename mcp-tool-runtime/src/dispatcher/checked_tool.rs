//! Checks one tool, and compiles what its calls need.

use std::sync::{Arc, OnceLock};

use mcp_tool_schema::Validator;
use serde_json::Value;

use super::declared::{key_error, refused_values, rmcp_types};
use super::names::name_error;
use super::tasks::TaskSettings;
use super::tool_entry::ToolEntry;
use crate::arguments::aliases;
use crate::arguments::nesting::NestingLimit;
use crate::ask::CompiledQuestion;
use crate::call::settings::Settings;
use crate::call::shared_state::States;
use crate::call::{ResultFormat, ToolShared};
use crate::listing::rules::scope_errors;
use crate::operations::{Limit, RecordedTool};
use crate::schema::{HEADER, check, project, walk};
use crate::tool::argument_changes::TypeCheck;
use crate::tool::metadata::ToolMetadata;
use crate::{ToolHandler, mcp};

/// What [`tool_entry`] needs to know about the dispatcher.
pub(super) struct BuildContext<'t> {
    pub(super) settings: Arc<Settings>,
    pub(super) states: Arc<States>,
    /// The definitions of all tools, with the nullable properties marked.
    pub(super) tools: &'t [mcp::Tool],
    pub(super) task_settings: &'t TaskSettings,
    pub(super) has_observers: bool,
}

/// For each argument that clients also send in a header, returns an error for each of its aliases.
fn aliases_of_headers(metadata: &ToolMetadata, tool: &mcp::Tool) -> Vec<String> {
    let with_header =
        metadata.aliases.iter().filter(|(_, name)| has_headers(&tool.input_schema["properties"][&**name]));
    let errors = with_header.map(|(alias, name)| {
        format!(
            "`{name}` is sent in a header too, and a client could bypass that header with the other name `{alias}`: remove \
             the header or that name"
        )
    });
    errors.collect()
}

/// Checks one tool, and compiles what its calls need.
pub(super) fn tool_entry(
    handler: Box<dyn ToolHandler>,
    index: usize,
    metadata: ToolMetadata,
    tool_name: Arc<str>,
    context: &BuildContext<'_>,
) -> Result<ToolEntry, Vec<String>> {
    let tool = &context.tools[index];
    let mut errors = Vec::new();
    errors.extend(metadata.shape_errors.iter().cloned());
    errors.extend(name_error(&tool.name));
    #[cfg(not(feature = "tokio"))]
    errors.extend(metadata.timeout.map(|_| "its timeout needs the feature `tokio` of `mcp-tool-runtime`".to_owned()));
    #[cfg(not(feature = "tokio"))]
    errors
        .extend(metadata.heartbeat.map(|_| "its heartbeat needs the feature `tokio` of `mcp-tool-runtime`".to_owned()));
    errors.extend(once_error(&metadata, context));
    errors.extend(stored_call_error(&metadata, context));
    errors.extend(scope_errors(&metadata.scopes, &metadata.rules, metadata.scopes_are_read));
    if tool.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
        errors.push("it has no description; write one, so that a model knows what it is for".to_owned());
    }
    errors.extend(tool.meta.keys().filter_map(|key| key_error(key)));
    errors.extend(aliases_of_headers(&metadata, tool));
    let found = check::input(&tool.input_schema, metadata.root_union, !metadata.has_derived_input);
    errors.extend(found.into_iter().map(|error| format!("input schema: {error}")));
    errors.extend(rmcp_types(&metadata));
    if metadata.has_derived_input {
        errors.extend(check::missing_constraints(&tool.input_schema, &metadata.constraints));
    }
    let output = tool.output_schema.as_ref();
    let found = output.map_or_else(Vec::new, |schema| check::output(schema, !metadata.has_derived_output));
    errors.extend(found.into_iter().map(|error| format!("output schema: {error}")));
    if metadata.text_off && output.is_none() {
        errors.push(
            "`text = off` needs a structured value, and the result has no output schema; remove `text`".to_owned(),
        );
    }
    let max_bytes = context.settings.max_result_bytes;
    if metadata.results.is_paged && output.is_none() && max_bytes < MIN_EXCERPT_BYTES {
        errors.push(format!(
            "it returns an `Excerpt`, whose parts need up to {MIN_EXCERPT_BYTES} bytes for the note about the next one; set a \
             `max_result_bytes` above that, instead of {max_bytes}"
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (input, compiled) = {
        let compile = |side: &str, schema, is_derived| {
            let compiled = if is_derived { Validator::compile_linear(schema) } else { Validator::compile(schema) };
            compiled.map_err(|error| format!("{side} schema: {error}"))
        };
        let input = compile("input", &tool.input_schema, metadata.has_derived_input);
        let output = output.map(|schema| compile("output", schema, metadata.has_derived_output)).transpose();
        match (input, output) {
            (Ok(input), Ok(output)) => (input, output),
            (input, output) => return Err(input.err().into_iter().chain(output.err()).collect()),
        }
    };
    if metadata.has_derived_input {
        let refused = refused_values(&input, &tool.input_schema);
        if !refused.is_empty() {
            return Err(refused);
        }
    }
    let questions = questions(&metadata, context.settings.lax)?;
    let is_wrapped = output.is_some_and(|schema| project::shape(schema) == project::Shape::NotObject);
    // The check of an HTTP header looks for an argument with the published name. It would miss an alias that only the
    // argument's type knows, so a tool whose arguments are also sent as headers does not accept those aliases.
    let accepts_aliases = metadata.accepts_aliases && !has_headers(&tool.input_schema);
    let accepted_aliases = TypeCheck::of(&metadata).filter(|_| accepts_aliases);
    let settings = Arc::clone(&context.settings);
    let recorded = context.has_observers.then(|| RecordedTool::new(&tool_name, &tool.input_schema));
    Ok(ToolEntry {
        recorded,
        limit: metadata.limit.map(|rate| Arc::new(Limit::of_tool(rate))),
        shared: Arc::new(ToolShared {
            states: Arc::clone(&context.states),
            format: Arc::new(ResultFormat {
                tool_name,
                former_name: None,
                is_structured: output.is_some(),
                is_wrapped,
                settings,
            }),
            tags: metadata.tags.clone(),
            scopes: metadata.scopes.clone(),
            dispatcher: OnceLock::new(),
        }),
        aliases: aliases::of_published(&metadata.aliases, &tool.input_schema),
        accepted_aliases,
        // HTTP headers that repeat arguments are compared with the arguments as they were sent. Lax reading could
        // change an argument afterwards, and the tool would get a value that differs from the header. So a tool with
        // such headers is never lax.
        lax: context.settings.lax && !has_headers(&tool.input_schema),
        nesting: if metadata.has_derived_input { NestingLimit::of(&tool.input_schema) } else { None },
        cursor: None,
        metadata: ToolMetadata { task: metadata.task.filter(|_| context.task_settings.tasks.is_some()), ..metadata },
        handler: handler.into(),
        questions,
        index,
        #[cfg(feature = "tokio")]
        blocked: Arc::new(std::sync::Once::new()),
        input: Arc::new(input),
        nullable: tool.nullable.as_slice().into(),
        output: compiled.map(Arc::new),
    })
}

/// The smallest `max_result_bytes` for a tool that returns an `Excerpt`. It must leave room for the note about the next
/// part. This note contains the names of the tool and the argument, the cursor, and three numbers.
const MIN_EXCERPT_BYTES: usize = 400;

/// Returns an error if a tool has `once` but cannot use it: the builder has no tasks, or the tool also has `task`.
fn once_error(metadata: &ToolMetadata, context: &BuildContext<'_>) -> Option<String> {
    metadata.once?;
    let error = match context.task_settings.tasks {
        None => "it has `once`, so the builder needs `.tasks(…)`, which keeps the results (feature `tasks`)",
        Some(_) if metadata.task.is_some() => {
            "it has `once` and `task`, and a call with `once` is answered in place: remove one"
        }
        Some(_) => return None,
    };
    Some(error.to_owned())
}

/// For a tool whose calls an engine stores, returns an error if the tool asks its user. `removal` tells the author how
/// to do without `task` or `once`.
fn engine_cannot_ask(metadata: &ToolMetadata, removal: &str) -> Option<String> {
    metadata.questions.first()?;
    let (asks, remedy) = if metadata.is_consent_first {
        ("`consent_for` makes it ask its user", "exclude it from `consent_for`")
    } else {
        ("it asks its user", "remove its questions")
    };
    Some(format!(
        "{asks}, and its calls are stored in an engine, which cannot ask: {remedy}, or {removal}, or keep the calls \
         in the process with `Tasks::in_memory()`"
    ))
}

/// Returns an error if an engine stores the calls of a tool, and a worker could not run them as the server would: the
/// tool asks its user, or it reads extensions that nothing restores.
fn stored_call_error(metadata: &ToolMetadata, context: &BuildContext<'_>) -> Option<String> {
    const WITHOUT: &str = ", or `.task_context(|_| None::<()>, |(), _| ())` to run it without that in the workers";

    context.task_settings.tasks.as_ref()?.engine.as_ref()?;
    let removal = match (metadata.task, metadata.once) {
        (Some(_), _) => "remove `task`",
        (_, Some(_)) => "remove `once` and refuse a second act by a key of your own, such as the number of an invoice",
        (None, None) => return None,
    };
    let error = engine_cannot_ask(metadata, removal);
    if error.is_some() || context.task_settings.context.is_some() {
        return error;
    }
    // A tool with middlewares is allowed to need an extension: a middleware runs in the worker and can attach it. If no
    // middleware does, the call fails. An optional extension is an error even with middlewares: if none of them
    // attached it, the tool would run as if for an anonymous caller.
    let needed = metadata.extensions.first().filter(|_| metadata.middlewares.is_empty());
    let (reads, without) = match (needed, metadata.optional_extensions.first()) {
        (Some(need), _) => (format!("it needs the extension `{}`", (need.type_name)()), ""),
        (None, Some(need)) => (format!("it takes an `Option` of the extension `{}`", (need.type_name)()), WITHOUT),
        (None, None) if metadata.shapes_read_caller => ("`with_fixed_from` reads extensions".to_owned(), WITHOUT),
        (None, None) => return None,
    };
    Some(format!(
        "{reads}, and its calls are stored in an engine, whose workers have no extensions: add \
         `.task_context(save, restore)` to the builder, which keeps what the tool reads{without}"
    ))
}

/// Compiles the questions of a tool.
fn questions(metadata: &ToolMetadata, lax: bool) -> Result<Option<Arc<[CompiledQuestion]>>, Vec<String>> {
    if metadata.questions.is_empty() {
        return Ok(None);
    }
    let (mut compiled, mut errors) = (Vec::new(), Vec::new());
    for (index, spec) in metadata.questions.iter().enumerate() {
        if metadata.questions[..index].iter().any(|other| other.key == spec.key) {
            errors.push(format!("two questions have the key `{}`; rename one of them", spec.key));
        }
        // Consent is never lax: the string "true" is not a yes.
        match CompiledQuestion::new(*spec, lax && !spec.is_consent, &metadata.constraints) {
            Ok(question) => compiled.push(question),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(Some(compiled.into())) } else { Err(errors) }
}

fn has_headers(schema: &Value) -> bool {
    let mut found = false;
    walk::visit(schema, &mut |schema| found |= walk::keyword(schema, HEADER).is_some());
    found
}
