//! One tool of a dispatcher: its compiled schemas, and the checks of arguments and output.

use std::sync::Arc;

use crate::arguments::aliases::{self, Alias};
use crate::arguments::coerce;
use crate::arguments::nesting::NestingLimit;
use crate::call::ToolShared;
use crate::json::tape::Tape;
use crate::json::violation::Violation;
use crate::operations::{Limit, RecordedTool};
use crate::output::error_kind::ToolErrorKind;
use crate::output::value::Body;
use crate::schema::normalise::NullablePlace;
use crate::tool::argument_changes::TypeCheck;
use crate::tool::metadata::ToolMetadata;
use crate::{Arguments, Extensions, Output, ToolError, ToolHandler, mcp};
use mcp_tool_schema::Validator;

/// One tool: its declarations, and what `build` has compiled from them.
#[derive(Clone)]
pub(crate) struct ToolEntry {
    pub(crate) handler: Arc<dyn ToolHandler>,
    /// The tool's metadata, with what the builder adds to all its tools, such as middlewares, rules and timeouts.
    /// `task` is `None` if the dispatcher has no tasks.
    pub(crate) metadata: ToolMetadata,
    pub(super) shared: Arc<ToolShared>,
    /// The position of the tool in the dispatcher.
    pub(super) index: usize,
    /// What the records of calls say about the tool. `None` if the builder has no `on_call` function.
    pub(super) recorded: Option<Arc<RecordedTool>>,
    /// The limit of the key `limit`, if the tool has one. The dispatchers that `selected` returns share it, so calls to
    /// all of them count together.
    pub(super) limit: Option<Arc<Limit>>,
    /// The aliases and former names of parameters.
    pub(crate) aliases: Box<[Alias]>,
    /// The check that tries to read the arguments into the tool's types. It runs only if aliases may be the reason why
    /// the arguments violate the schema. `None` if aliases inside the types are not accepted.
    pub(super) accepted_aliases: Option<TypeCheck>,
    /// Whether strings are coerced too, and not only `null`.
    pub(super) lax: bool,
    /// The nesting limit of the arguments. `None` unless one of the tool's argument types reads nested values several
    /// times.
    pub(super) nesting: Option<NestingLimit>,
    /// The name of the argument for the cursor, if the tool has pages.
    pub(crate) cursor: Option<Box<str>>,
    /// The questions for the user, if the tool asks any.
    pub(crate) questions: Option<Arc<[crate::ask::CompiledQuestion]>>,
    /// Limits the log to the first call that blocks its thread beyond the timeout.
    #[cfg(feature = "tokio")]
    pub(super) blocked: Arc<std::sync::Once>,
    pub(super) input: Arc<Validator>,
    /// The nullable properties in the input schema.
    pub(crate) nullable: Arc<[NullablePlace]>,
    pub(super) output: Option<Arc<Validator>>,
}

impl ToolEntry {
    pub(crate) fn name(&self) -> &str {
        &self.shared.format.tool_name
    }

    /// Returns the index of the consent question that `consent_for` has added, if it has added one.
    pub(super) fn consent(&self) -> Option<usize> {
        self.metadata.is_consent_first.then(|| self.questions().len() - 1)
    }

    pub(crate) fn questions(&self) -> &[crate::ask::CompiledQuestion] {
        self.questions.as_deref().unwrap_or_default()
    }

    /// Checks the arguments against the input schema, and brings them into the form that the tool reads: resolves
    /// aliases, and coerces values where rule I3 allows it.
    pub(super) fn check_arguments(
        &self,
        tool: &mcp::Tool,
        document: &mut Tape<'_>,
        extensions: &Extensions,
    ) -> Result<(), Vec<Violation>> {
        if self.lax {
            coerce::parse_arguments(document);
        }
        if let Some(violation) = self.nesting.and_then(|limit| limit.violation(document)) {
            return Err(vec![violation]);
        }
        if !document.root().is_object() {
            return Err(vec![Violation::root(format!("expected an object, got {}", document.root().describe_type()))]);
        }
        let mut violations =
            if self.aliases.is_empty() { Vec::new() } else { aliases::resolve(&self.aliases, document) };
        if violations.is_empty() && self.input.accepts_without_nulls(document) {
            return Ok(());
        }
        let check = |document: &Tape<'_>| self.violations(tool, document, extensions);
        let (schema, nullable) = (&tool.input_schema, &*self.nullable);
        if !nullable.is_empty() {
            // Inside a union, `check` accepts the `null` of a nullable property, but `accepts_without_nulls` does not.
            // So `check` may accept the document as it is, and a `null` that only stands for absence could decide
            // which branch matches. Remove these `null`s before the check.
            coerce::apply(schema, nullable, document, coerce::Coercions::Nulls, None);
        }
        if let Err(found) = coerce::coerce_refused(schema, nullable, document, self.lax, check) {
            violations.extend(found);
        }
        if violations.is_empty() { Ok(()) } else { Err(violations) }
    }

    /// Returns the violations of the schema, or none if accepted aliases explain all of them.
    fn violations(&self, tool: &mcp::Tool, document: &Tape<'_>, extensions: &Extensions) -> Vec<Violation> {
        let violations = self.input.violations(document.root(), &tool.input_schema);
        match &self.accepted_aliases {
            Some(check)
                if aliases::may_explain(&violations, check.names())
                    && check.accepts(&Arguments::new(document, &tool.input_schema), extensions) =>
            {
                Vec::new()
            }
            _ => violations,
        }
    }

    /// Checks an output before it is sent: its `_meta`, its blocks, its size, and its value against the schema (rule
    /// R2).
    pub(super) fn check_output(
        &self,
        tool: &mcp::Tool,
        output: &mut Output,
        max_bytes: usize,
    ) -> Result<(), ToolError> {
        // Run `check_more` first: it leaks any `_meta` that is nested too deeply to drop. If another check failed
        // first, dropping the output with such a `_meta` could overflow the stack.
        if !output.is_plain() {
            check_more(output)?;
        }
        match &output.body {
            // This happens if a hand-written handler wraps a tool with pages, but does not return the metadata of that
            // tool.
            Body::Unfinished(_) => {
                return Err(ToolError::masked("the tool returns pages, and its metadata does not say so".to_owned()));
            }
            // A call that still needs answers has no result yet.
            Body::InputRequired(_) => return Ok(()),
            Body::Value(_) | Body::Unit | Body::Blocks => {}
        }
        let bytes = output.json_bytes();
        if bytes > max_bytes {
            let text = format!("it has {bytes} bytes, and at most {max_bytes} are sent");
            return Err(ToolError::invalid_result(text).with_kind(ToolErrorKind::TooLarge(bytes)));
        }
        self.check_value(tool, output)
    }

    fn check_value(&self, tool: &mcp::Tool, output: &mut Output) -> Result<(), ToolError> {
        let (Some(check), Some(schema)) = (&self.output, &tool.output_schema) else { return Ok(()) };
        let Body::Value(value) = &mut output.body else {
            return Err(ToolError::invalid_result("it has no value, though an output schema is published"));
        };
        let checked = value.with_document(|document| check.violations(document, schema));
        let violations = checked.unwrap_or_else(|violation| vec![violation]);
        if violations.is_empty() { Ok(()) } else { Err(invalid_result(&violations)) }
    }
}

/// Checks the `_meta` and the content blocks of an output.
fn check_more(output: &mut Output) -> Result<(), ToolError> {
    output.check_meta_depth()?;
    let of_meta = output.meta().and_then(|meta| meta.keys().find_map(|key| super::declared::key_error(key)));
    let of_blocks = || output.blocks().iter().find_map(crate::Content::error).map(str::to_owned);
    of_meta.or_else(of_blocks).map_or(Ok(()), |violation| Err(ToolError::invalid_result(violation)))
}

/// Returns the error for an invalid result. The message contains the first violation, and the developer message
/// contains all of them.
fn invalid_result(violations: &[Violation]) -> ToolError {
    let describe = |violation: &Violation| {
        let place = if violation.path.is_root() { "the value".to_owned() } else { format!("`{}`", violation.path) };
        format!("{place}: {}", violation.message)
    };
    let all: Vec<_> = violations.iter().map(describe).collect();
    ToolError::invalid_result(all.first().cloned().unwrap_or_default()).with_developer_message(all.join("; "))
}
