//! Builds a dispatcher: checks every tool, and compiles what calls need.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use super::checked_tool::{BuildContext, tool_entry};
use super::names::Names;
use super::settings::or_of_tools;
#[cfg(feature = "tasks")]
use super::tasks::once;
use super::tool_entry::ToolEntry;
use super::{Dispatcher, DispatcherBuilder, Inner};
use crate::ask::consent;
use crate::call::claims::Claims;
use crate::call::settings::Settings;
use crate::call::shared_state::States;
use crate::listing::prepared::Definitions;
use crate::listing::rules::{ListedTool, NamedRule};
use crate::mcp::{self, CacheScope};
use crate::operations::Limit;
use crate::output::tool_output::NOTHING;
use crate::paging::cursor::CursorArgument;
use crate::tool::metadata::ToolMetadata;
use crate::{ToolHandler, paging};

/// The error of [`DispatcherBuilder::build`]. It lists the errors of all tools, not only the first.
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
/// let error = Dispatcher::builder().tool(add {}).tool(add {}).build().unwrap_err();
/// assert_eq!(error.errors().len(), 1);
/// assert!(error.to_string().contains("two tools are named `add`"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    errors: Vec<String>,
}

impl BuildError {
    /// Returns the errors, one for each problem.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [error] = self.errors.as_slice() {
            return write!(f, "the dispatcher cannot be built: {error}");
        }
        write!(f, "the dispatcher cannot be built; {} errors:", self.errors.len())?;
        self.errors.iter().try_for_each(|error| write!(f, "\n- {error}"))
    }
}

debug_by_display!(BuildError);

impl std::error::Error for BuildError {}

pub(super) fn build(builder: DispatcherBuilder) -> Result<Dispatcher, BuildError> {
    let DispatcherBuilder {
        handlers,
        identity,
        settings,
        mut states,
        merged_states,
        middlewares,
        rules,
        scopes_are_read,
        consent_for,
        semaphore,
        task_settings,
        observers,
        limit_per_caller,
        set: _,
        mut errors,
    } = builder;
    let mut metadata: Vec<_> = handlers.iter().map(ToolHandler::metadata).collect();
    let identity = or_of_tools(identity, &metadata);
    let needs: Vec<_> = metadata.iter().flat_map(|metadata| metadata.states).collect();
    for merged in merged_states {
        errors.extend(states.merge(merged, &needs));
    }
    for metadata in &mut metadata {
        metadata.middlewares.splice(0..0, middlewares.iter().cloned());
        metadata.rules.splice(0..0, rules.iter().map(NamedRule::new));
        metadata.scopes_are_read |= scopes_are_read;
        metadata.timeout = metadata.timeout.or(settings.timeout);
        metadata.heartbeat = metadata.heartbeat.or(settings.heartbeat);
    }
    let mut definitions: Vec<_> = handlers.iter().map(ToolHandler::definition).collect();
    write_hints(&mut definitions, &metadata, &settings);
    let cursors = publish_cursors(&mut definitions, &metadata, &mut errors);
    #[cfg(feature = "tasks")]
    let has_keys: Vec<_> =
        definitions.iter_mut().zip(&metadata).map(|(tool, metadata)| once::publish(tool, metadata)).collect();
    definitions.iter_mut().for_each(mcp::Tool::mark_nullable);
    let listed: Box<[_]> = definitions.iter().zip(&metadata).map(|(tool, metadata)| listed(tool, metadata)).collect();
    let needs_consent = |tool: &ListedTool| consent_for.iter().any(|needs_consent| needs_consent(&tool.info));
    for (tool, _) in metadata.iter_mut().zip(&listed).filter(|(_, tool)| needs_consent(tool)) {
        ask_for_consent(tool);
    }
    let settings = Arc::new(with_state_key(settings, &metadata, &mut errors));
    let has_rules = listed.iter().any(ListedTool::has_rules);
    if has_rules && settings.list_scope == CacheScope::Public {
        let error = "the lists depend on the caller because of `visible`, so nobody may share them: remove `list_scope(CacheScope::Public)`";
        errors.push(error.to_owned());
    }
    if task_settings.tasks.is_some() && settings.ask.principal.is_none() {
        errors.extend(unbound_task(&listed, &metadata));
    }
    let context = BuildContext {
        settings: Arc::clone(&settings),
        states: Arc::new(states),
        tools: &definitions,
        task_settings: &task_settings,
        has_observers: !observers.0.is_empty(),
    };
    let mut names = Names::default();
    let mut entries = Vec::with_capacity(handlers.len());

    let tools = handlers.into_iter().zip(metadata).zip(&definitions).zip(cursors);
    for (index, (((handler, metadata), tool), cursor)) in tools.enumerate() {
        let name = Arc::clone(&listed[index].info.name);
        errors.extend(names.add(&name, index, (metadata.type_name, metadata.method)));
        errors.extend(missing_states(&metadata, &name, &context.states));
        let argument = cursor.as_ref().map(|cursor| cursor.name.as_str().into());
        #[cfg(feature = "tasks")]
        let handler = if has_keys[index] { Box::new(once::OnceTool(handler)) } else { handler };
        let handler = paging::fitted_tool::fitted(handler, cursor, metadata.budget, &settings.budgets);
        match tool_entry(handler, index, metadata, name, &context) {
            Ok(entry) => entries.push(ToolEntry { cursor: argument, ..entry }),
            Err(found) => errors.extend(found.into_iter().map(|error| format!("tool `{}`: {error}", tool.name))),
        }
    }
    errors.extend(names.add_former(&entries));
    if !errors.is_empty() {
        return Err(BuildError { errors });
    }
    definitions.iter_mut().for_each(mcp::Tool::forget_nullable);
    let inner = Inner {
        entries,
        listed,
        has_rules,
        names,
        definitions: Definitions::new(definitions),
        public: OnceLock::new(),
        #[cfg(feature = "export")]
        translated: OnceLock::new(),
        semaphore,
        observers: (!observers.0.is_empty()).then(|| Arc::new(observers)),
        #[cfg(feature = "tasks")]
        tasks: Arc::new(super::tasks::DispatcherTasks::new(task_settings)),
        limit_per_caller: limit_per_caller.map(|rate| Arc::new(Limit::of_caller(rate))),
        server_info: mcp::identity::server_info(&identity),
        identity,
        settings,
    };
    Ok(inner.into_dispatcher())
}

impl Inner {
    /// Returns the dispatcher, and gives each tool a weak reference to it, through which the tool can call other tools.
    pub(super) fn into_dispatcher(self) -> Dispatcher {
        let inner = Arc::new(self);
        for entry in &inner.entries {
            let dispatcher: Weak<Self> = Arc::downgrade(&inner);
            let _ = entry.shared.dispatcher.set(dispatcher);
        }
        Dispatcher { inner }
    }
}

/// For a builder without `principal`, returns an error for the first tool that has `task` or `once` and tells callers
/// apart, because its tasks would belong to no caller. A tool tells callers apart if one of its rules reads the caller
/// or, with `once`, if it takes an extension. Returns `None` if any tool or rule reads the claims of `http::Bearer`,
/// because they count as a principal.
fn unbound_task(listed: &[ListedTool], metadata: &[ToolMetadata]) -> Option<String> {
    let with_task = listed.iter().zip(metadata).filter(|(_, of)| of.task.is_some() || of.once.is_some());
    let with_task: Vec<_> = with_task.collect();
    if with_task.is_empty() || reads_claims(listed, metadata) {
        return None;
    }
    // A rule may read the caller for only some of the tools that it applies to, such as those with a tag. Assume that
    // it tells callers apart for all of them: collect every rule that reads the caller for at least one tool.
    let reading = listed.iter().flat_map(ListedTool::rules_with_reads).filter(|(_, reads)| !reads.is_empty());
    let reading: Vec<_> = reading.collect();
    let told_apart = |(tool, of): &(&ListedTool, &ToolMetadata)| {
        let rule = reading.iter().find(|(rule, _)| tool.has_rule(rule)).map(|(rule, _)| (*rule).to_string());
        let extension = of.all_extensions().next().filter(|_| of.once.is_some());
        rule.or_else(|| Some(format!("its parameter of the type `{}`", (extension?.type_name)())))
    };
    let (tool, of, what) = with_task.iter().find_map(|(tool, of)| Some((tool, of, told_apart(&(tool, of))?)))?;
    let problem =
        if of.task.is_some() { "nothing binds a task to its caller" } else { "all callers are one to `once`" };
    let (name, help) = (&tool.info.name, "add `.principal(…)` to the builder, with what identifies the caller");
    Some(format!("tool `{name}`: {what} tells callers apart, and {problem}: {help}"))
}

/// Returns `true` if a tool takes [`Claims`] or a rule reads them. Such tools and rules are useful only behind
/// `http::Bearer`.
pub(crate) fn reads_claims<'a>(listed: &[ListedTool], metadata: impl IntoIterator<Item = &'a ToolMetadata>) -> bool {
    let taken = metadata.into_iter().flat_map(ToolMetadata::all_extensions).map(|need| (need.type_name)());
    let of_rules = listed.iter().flat_map(ListedTool::rules_with_reads).flat_map(|(_, reads)| reads);
    taken.chain(of_rules).any(|name| name == std::any::type_name::<Claims>())
}

fn write_hints(definitions: &mut [mcp::Tool], metadata: &[ToolMetadata], settings: &Settings) {
    let Some(hints) = settings.client_hints else { return };
    let budgets = metadata.iter().map(|metadata| metadata.budget.or(settings.budgets.of_results));
    definitions.iter_mut().zip(budgets).for_each(|(tool, budget)| hints.write(tool, budget));
}

/// Adds the cursor argument to the tools with pages. Returns one element for each tool: the added argument, if any.
fn publish_cursors(
    definitions: &mut [mcp::Tool],
    metadata: &[ToolMetadata],
    errors: &mut Vec<String>,
) -> Vec<Option<CursorArgument>> {
    let cursors = definitions.iter_mut().zip(metadata).map(|(tool, metadata)| {
        let cursor = paging::fitted_tool::publish(tool, metadata.results.is_paged, !metadata.has_derived_input);
        cursor.map_err(|error| errors.push(format!("tool `{}`: {error}", tool.name))).unwrap_or_default()
    });
    cursors.collect()
}

/// Returns an error for each state that a tool needs but the builder does not have.
fn missing_states(metadata: &ToolMetadata, name: &str, states: &States) -> impl Iterator<Item = String> {
    let missing = metadata.states.iter().filter(|need| !(need.is_met)(states));
    missing.map(move |need| {
        let (state, registered) = ((need.type_name)(), states.registered());
        format!("tool `{name}`: no state of type `{state}` is registered; add `.state(…)` to the builder{registered}")
    })
}

fn listed(tool: &mcp::Tool, metadata: &ToolMetadata) -> ListedTool {
    // The macro sets no result type in two cases: the tool returns `()`, or it returns a plain type whose schema is
    // published. In the second case, the schema is read instead of the result type, so `()` does no harm. A
    // hand-written tool may return anything.
    let plain = if metadata.type_name.is_empty() { "any" } else { NOTHING };
    let result_type = metadata.results.structured.unwrap_or(plain);
    let labels = [&metadata.tags, &metadata.scopes];
    ListedTool::new(tool, &metadata.former_names, labels, result_type, &metadata.rules)
}

/// Adds a question for consent to a tool, unless the tool already requires the user's consent.
fn ask_for_consent(metadata: &mut ToolMetadata) {
    if !metadata.questions.iter().any(|question| question.is_consent && !question.is_optional) {
        metadata.questions.push(consent::spec());
        metadata.is_consent_first = true;
    }
}

/// Sets a random key that signs the states of questions, if a tool asks questions and the author has set no keys.
fn with_state_key(mut settings: Settings, metadata: &[ToolMetadata], errors: &mut Vec<String>) -> Settings {
    if settings.ask.keys.is_none() && metadata.iter().any(|metadata| !metadata.questions.is_empty()) {
        match crate::ask::state::Keys::random() {
            Ok(keys) => settings.ask.keys = Some(keys),
            Err(error) => errors.push(error),
        }
    }
    settings
}
