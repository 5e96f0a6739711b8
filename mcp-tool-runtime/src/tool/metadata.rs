//! What a dispatcher knows about a tool, apart from its definition.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::argument_changes::ArgumentChanges;
use crate::arguments::aliases::Alias;
use crate::arguments::parameters::DecodeCheck;
use crate::ask::question::QuestionSpec;
use crate::call::Labels;
use crate::call::shared_state::{Need, States};
use crate::listing::rules::NamedRule;
use crate::operations::Rate;
use crate::schema::check::Constraint;
use crate::{Extensions, Middleware};

/// The name and the version of a Cargo package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Package {
    /// Returns the package, or `None` if the code was not compiled by Cargo.
    pub(crate) fn new(name: Option<&'static str>, version: Option<&'static str>) -> Option<Self> {
        name.zip(version).map(|(name, version)| Self { name, version })
    }
}

/// The name of a parameter, and the function that returns the name of its type.
type ArgumentType = (&'static str, fn() -> &'static str);

/// What a tool declares in addition to its definition, such as tags, scopes, a timeout and middlewares.
///
/// `#[mcp_tool]` creates it from the keys of the attribute. A handler that is written by hand returns new metadata. A
/// handler that wraps another tool returns the metadata of that tool, so that its scopes, tags, middlewares, timeout
/// and questions still apply:
///
/// ```
/// use mcp_tool_runtime::{mcp, mcp_tool, Arguments, BoxFuture, CallContext, Dispatcher, Extensions, Output, ToolError, ToolHandler, ToolMetadata, listing::HasScopes};
///
/// struct Logged<H>(H);
///
/// impl<H: ToolHandler> ToolHandler for Logged<H> {
///     fn definition(&self) -> mcp::Tool {
///         self.0.definition()
///     }
///
///     fn metadata(&self) -> ToolMetadata {
///         self.0.metadata()
///     }
///
///     fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         println!("{} is called", cx.tool_name());
///         self.0.call(cx, arguments)
///     }
/// }
///
/// /// Place an order.
/// #[mcp_tool(scopes("orders:write"))]
/// async fn place_order(share: String) -> String {
///     share
/// }
/// # struct Claims;
/// # impl HasScopes for Claims {
/// #     fn has_scope(&self, scope: &str) -> bool { false }
/// # }
///
/// let dispatcher = Dispatcher::builder().tool(Logged(place_order {})).visible_by_scopes::<Claims>().build()?;
/// assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "a tool returns its metadata from `ToolHandler::metadata`"]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the attribute")]
pub struct ToolMetadata {
    /// The name of the handler's type, or of the service's type for a method. An empty string for a handler that is
    /// written by hand.
    pub(crate) type_name: &'static str,
    /// The names that the tool had before. Clients can still call the tool by these names.
    pub(crate) former_names: Vec<String>,
    /// The name of the method in the source code, if the tool is a method of a service.
    pub(crate) method: Option<&'static str>,
    /// The package that registers the tool, or else the package that defines it.
    pub(crate) package: Option<Package>,
    /// Whether the tool came from a merged builder.
    pub(crate) is_merged: bool,
    /// Whether the input schema is derived, and not written by hand.
    pub(crate) has_derived_input: bool,
    pub(crate) has_derived_output: bool,
    /// Whether a derived input schema is allowed to be a union at the root.
    pub(crate) root_union: bool,
    pub(crate) aliases: Vec<Alias>,
    /// Whether the serde aliases of fields inside the argument types are accepted.
    pub(crate) accepts_aliases: bool,
    pub(crate) states: &'static [Need<States>],
    pub(crate) extensions: &'static [Need<Extensions>],
    /// The extensions that the tool takes in an `Option`.
    pub(crate) optional_extensions: &'static [Need<Extensions>],
    /// Whether a shape of the tool reads extensions.
    pub(crate) shapes_read_caller: bool,
    /// The constraints on parameters: for each, the published name of the parameter, and the name of the constraint in
    /// schemars.
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) limit: Option<Rate>,
    pub(crate) tags: Labels,
    pub(crate) scopes: Labels,
    /// The middlewares around this tool, the outermost first. `build` puts the builder's middlewares before them.
    pub(crate) middlewares: Vec<Arc<dyn Middleware>>,
    /// The visibility rules that came with the tool from a merged builder. `build` puts the builder's rules before
    /// them.
    pub(crate) rules: Vec<NamedRule>,
    /// Whether a visibility rule of the tool's builder reads scopes.
    pub(crate) scopes_are_read: bool,
    /// What shapes do to the arguments, the innermost shape first.
    pub(crate) argument_changes: Vec<Arc<ArgumentChanges>>,
    /// The errors that `build` reports: errors in the shape of the tool and in other metadata.
    pub(crate) shape_errors: Vec<String>,
    /// Whether the structured value is sent without text.
    pub(crate) text_off: bool,
    pub(crate) questions: Vec<QuestionSpec>,
    /// Whether the last question asks for the consent that `consent_for` requires before the tool runs.
    pub(crate) is_consent_first: bool,
    /// The check that finds out whether the types of the parameters can read arguments.
    pub(crate) decode_check: Option<DecodeCheck>,
    /// The parameters whose types may come from another library, with the names of these types.
    pub(crate) argument_types: &'static [ArgumentType],
    pub(crate) results: ResultTypes,
    /// The maximum number of tokens in one result.
    pub(crate) budget: Option<u32>,
    /// How the tool uses tasks. `None` if no call of the tool may become a task.
    pub(crate) task: Option<TaskUse>,
    /// The time within which an identical call counts as a repetition of the first call.
    pub(crate) once: Option<Duration>,
}

/// How a tool uses tasks. The contract file contains this value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TaskUse {
    /// A client that does not support tasks waits for the result.
    Optional,
    /// A client that does not support tasks gets an error.
    Required,
}

/// What generated code declares about the return type of a tool.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::exhaustive_structs, reason = "constructed by generated code alone")]
pub struct ResultTypes {
    /// The name of the result's type, or `()`, `any` or `content` for a type that is not sent as a plain structured
    /// value.
    pub structured: Option<&'static str>,
    /// The name of the tool's error type, if that type implements `std::error::Error` and the text of the error is
    /// masked. No model reads a masked text.
    pub masked_error: Option<&'static str>,
    /// Whether the result is sent in pages.
    pub is_paged: bool,
    /// Whether the result may contain text or blocks in addition to what its value contains.
    pub adds_content: bool,
}

impl ToolMetadata {
    /// Creates metadata without tags, scopes, timeout or middlewares. Anybody may call a tool with this metadata.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds tags, like the key `tags` of `#[mcp_tool]`. [Visibility rules](crate::DispatcherBuilder::visible) can check
    /// them.
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        tags.into_iter().for_each(|tag| self.tags.add(tag));
        self
    }

    /// Adds scopes, like the key `scopes` of `#[mcp_tool]`. A caller needs all of them.
    pub fn with_scopes<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        scopes.into_iter().for_each(|scope| self.scopes.add(scope));
        self
    }

    /// Adds names that the tool had before, like the key `formerly` of `#[mcp_tool]`. Clients can still call the tool
    /// by these names, and the result then tells the model the current name. [`build`](crate::DispatcherBuilder::build)
    /// fails if another tool has or had such a name.
    pub fn with_former_names<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.former_names.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets the timeout of a call, like the key `timeout` of `#[mcp_tool]`. This timeout replaces the builder's.
    /// Without the feature `tokio`, [`build`](crate::DispatcherBuilder::build) fails.
    pub fn with_timeout(self, limit: Duration) -> Self {
        Self { timeout: Some(limit), ..self }
    }

    /// Sets the heartbeat, like the key `heartbeat` of `#[mcp_tool]`. Whenever the tool has reported nothing for the
    /// time `every`, a client that asked for progress is told that its call is still running. `every` replaces the
    /// interval that is set on the builder. Without the feature `tokio`, [`build`](crate::DispatcherBuilder::build)
    /// fails.
    pub fn with_heartbeat(mut self, every: Duration) -> Self {
        if every.is_zero() {
            self.shape_errors.push("a heartbeat of zero would never pause; write a longer time".to_owned());
        }
        self.heartbeat = Some(every);
        self
    }

    /// Limits how often one caller may call the tool, for example to `20/min`, like the key `limit` of `#[mcp_tool]`.
    /// If the text is not a rate, [`build`](crate::DispatcherBuilder::build) fails.
    pub fn with_limit(mut self, rate: &str) -> Self {
        match Rate::parse(rate) {
            Ok(rate) => self.limit = Some(rate),
            Err(error) => self.shape_errors.push(error),
        }
        self
    }

    /// Sets the budget of one result, in tokens, like the key `budget` of `#[mcp_tool]`.
    pub fn with_budget(self, tokens: u32) -> Self {
        Self { budget: Some(tokens), ..self }
    }

    /// Lets calls of the tool outlast their request, like the key `task` of `#[mcp_tool]`. This has an effect only with
    /// the builder's `tasks` (feature `tasks`).
    pub fn with_task(self) -> Self {
        Self { task: Some(TaskUse::Optional), ..self }
    }

    /// Treats an identical call by the same caller within this time as a repetition of the first call, like the key
    /// `once` of `#[mcp_tool]`. This needs the builder's `tasks` (feature `tasks`).
    pub fn with_once(self, within: Duration) -> Self {
        Self { once: Some(within), ..self }
    }

    /// Requires clients to support tasks, like the key `task = "required"` of `#[mcp_tool]`. This has an effect only
    /// with the builder's `tasks` (feature `tasks`).
    pub fn with_required_task(self) -> Self {
        Self { task: Some(TaskUse::Required), ..self }
    }

    /// Adds a [`Middleware`] around this tool only. It runs inside the middlewares that were added earlier.
    pub fn with_middleware(mut self, middleware: impl Middleware) -> Self {
        self.middlewares.push(Arc::new(middleware));
        self
    }

    /// Returns `true` if the tool or one of its shapes reads what is attached to a request, or if the tool needs
    /// scopes.
    pub(crate) fn depends_on_caller(&self) -> bool {
        self.shapes_read_caller || self.all_extensions().next().is_some() || !self.scopes.is_empty()
    }

    /// Returns the extensions that the tool takes, required or in an `Option`.
    pub(crate) fn all_extensions(&self) -> impl Iterator<Item = &'static Need<Extensions>> {
        self.extensions.iter().chain(self.optional_extensions)
    }

    /// Renames an argument in the aliases and in the constraints, after a shape has renamed it.
    pub(super) fn rename_argument(&mut self, from: &str, to: &str) {
        let names =
            self.aliases.iter_mut().map(|(_, name)| name).chain(self.constraints.iter_mut().map(|(name, _)| name));
        names.filter(|name| *name == from).for_each(|name| *name = to.to_owned().into());
    }

    /// Returns the tags, which [visibility rules](crate::DispatcherBuilder::visible) can check.
    pub fn tags(&self) -> &Labels {
        &self.tags
    }

    /// Returns the scopes that a caller needs.
    pub fn scopes(&self) -> &Labels {
        &self.scopes
    }

    /// Returns the names that the tool had before.
    pub fn former_names(&self) -> &[String] {
        &self.former_names
    }

    /// Returns the tool's own budget for one result, in tokens.
    pub fn budget(&self) -> Option<u32> {
        self.budget
    }

    /// Returns `true` if a call may become a task.
    pub fn has_task(&self) -> bool {
        self.task.is_some()
    }

    /// Returns `true` if clients must support tasks.
    pub fn requires_task(&self) -> bool {
        self.task == Some(TaskUse::Required)
    }

    /// Returns the tool's own timeout.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }
}

/// The methods that only generated code calls.
#[doc(hidden)]
#[allow(missing_docs, reason = "called by generated code alone")]
impl ToolMetadata {
    pub fn derived(type_name: &'static str, root_union: bool, aliases: &[(&'static str, &'static str)]) -> Self {
        let aliases = aliases.iter().map(|(alias, name)| (*alias, Cow::Borrowed(*name))).collect();
        Self { type_name, has_derived_input: true, has_derived_output: true, root_union, aliases, ..Self::new() }
    }

    pub fn with_package(self, name: Option<&'static str>, version: Option<&'static str>) -> Self {
        Self { package: Package::new(name, version), ..self }
    }

    /// Puts `prefix` before each former name, because the current name has it too.
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.former_names.iter_mut().for_each(|name| name.insert_str(0, prefix));
        self
    }

    pub const fn with_method(mut self, name: &'static str) -> Self {
        self.method = Some(name);
        self
    }

    pub fn with_needs(
        mut self,
        states: &'static [Need<States>],
        extensions: &'static [Need<Extensions>],
        optional_extensions: &'static [Need<Extensions>],
    ) -> Self {
        self.states = states;
        self.extensions = extensions;
        self.optional_extensions = optional_extensions;
        self
    }

    pub fn with_constraints(self, constraints: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            constraints: constraints.iter().map(|(name, constraint)| (Cow::Borrowed(*name), *constraint)).collect(),
            ..self
        }
    }

    pub fn with_argument_types(self, types: &'static [ArgumentType]) -> Self {
        Self { argument_types: types, ..self }
    }

    pub fn with_result_types(mut self, types: ResultTypes) -> Self {
        let adds_content = self.results.adds_content || types.adds_content;
        self.results = ResultTypes { adds_content, ..types };
        self
    }

    pub fn with_decode_check(self, decode_check: DecodeCheck) -> Self {
        Self { decode_check: Some(decode_check), ..self }
    }

    pub const fn with_accepted_aliases(mut self) -> Self {
        self.accepts_aliases = true;
        self
    }

    pub const fn with_own_text(mut self) -> Self {
        self.results.adds_content = true;
        self
    }

    pub const fn with_text_off(mut self) -> Self {
        self.text_off = true;
        self
    }

    pub fn with_questions<const N: usize>(self, questions: [QuestionSpec; N]) -> Self {
        Self { questions: Vec::from(questions), ..self }
    }

    pub fn with_hand_written(mut self, input: bool, output: bool) -> Self {
        self.has_derived_input = !input;
        self.has_derived_output = !output;
        self
    }
}
