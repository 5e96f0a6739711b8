//! One tool of a dispatcher: what was made ready for its calls, and the two gates that each call passes.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::arguments::forgive;
use crate::arguments::lenient::{Alias, Optionals};
use crate::arguments::names::{Names, Reader};
use crate::call::Common;
use crate::document::tape::{Tape, View};
use crate::document::violation::Violation;
use crate::document::writer::ByteCounter;
#[cfg(feature = "validate")]
use crate::schema::validate::CompiledSchema;
use crate::tool::output::{Body, TextBlock};
use crate::tool::state::Need;
use crate::{Extensions, Output, ToolError, ToolHandler, mcp};

pub(super) struct Entry {
    pub(super) handler: Box<dyn ToolHandler>,
    pub(super) common: Arc<Common>,
    /// Whether arguments are repeated in headers. Those say the same as the body as it was sent, so nothing is read into it.
    pub(super) has_headers: bool,
    /// The names of arguments beside the published ones, as far as they are known, and what reads arguments by all of them.
    pub(super) aliases: &'static [Alias],
    pub(super) reader: Option<Reader>,
    /// These two are made when a call first needs them: many a tool waits long for its first.
    pub(super) names: OnceLock<Option<Names>>,
    pub(super) optionals: OnceLock<Option<Optionals>>,
    pub(super) extensions: &'static [Need<Extensions>],
    pub(super) timeout: Option<Duration>,
    /// Whether the same call again changes nothing more, so that one that ran out of time can be tried again.
    #[cfg_attr(not(feature = "tokio"), expect(dead_code, reason = "nothing runs out of time"))]
    pub(super) repeatable: bool,
    /// The names of the arguments, when others are refused.
    #[cfg(not(feature = "validate"))]
    pub(super) known: Option<Box<[String]>>,
    #[cfg(feature = "validate")]
    pub(super) input: Arc<CompiledSchema>,
    #[cfg(feature = "validate")]
    pub(super) output: Option<Arc<CompiledSchema>>,
}

impl Entry {
    pub(super) fn name(&self) -> &str {
        &self.common.sender.tool_name
    }

    fn names(&self, tool: &mcp::Tool) -> Option<&Names> {
        self.names.get_or_init(|| Names::of(&tool.input_schema, self.aliases, self.reader?)).as_ref()
    }

    fn optionals(&self, tool: &mcp::Tool) -> Option<&Optionals> {
        self.optionals.get_or_init(|| Optionals::of(&tool.input_schema)).as_ref()
    }

    /// Takes from the arguments what is forgiven, and checks the rest.
    pub(super) fn accept(&self, tool: &mcp::Tool, document: &mut Tape<'_>, lax: bool) -> Result<(), Vec<Violation>> {
        if !document.root().is_object() {
            return Err(vec![Violation::root(format!("expected an object, got {}", document.root().describe_type()))]);
        }
        let mut names = self.names(tool);
        if let Some(names) = names.take_if(|names| names.eager) {
            self.settle(tool, document, names)?;
        }
        #[cfg(feature = "validate")]
        if self.input.accepts(document.root()) {
            return Ok(());
        }
        if let Some(names) = names {
            self.settle(tool, document, names)?;
        }
        // The exact reading has failed; from here on what came is read with goodwill.
        let has_null = document.has_null();
        if has_null && let Some(optionals) = self.optionals(tool) {
            optionals.drop_nulls(document);
        }
        let faults = self.faults(tool, document.root());
        if faults.is_empty() {
            return Ok(());
        }
        let forgiven = if has_null || lax { self.forgive(tool, document, &faults, lax) } else { None };
        *document = forgiven.ok_or(faults)?;
        Ok(())
    }

    /// Writes the published names in place of others.
    fn settle(&self, tool: &mcp::Tool, document: &mut Tape<'_>, names: &Names) -> Result<(), Vec<Violation>> {
        let optionals = if document.has_null() { self.optionals(tool) } else { None };
        let faults = names.settle(document, optionals);
        if faults.is_empty() {
            return Ok(());
        }
        Err(faults.into_iter().chain(self.faults(tool, document.root())).collect())
    }

    /// Forgives at the faults, which may uncover others.
    fn forgive<'d>(&self, tool: &mcp::Tool, document: &Tape<'d>, faults: &[Violation], lax: bool) -> Option<Tape<'d>> {
        let mut document = document.clone();
        let mut faults = faults.to_vec();
        for _ in 0..forgive::ROUNDS {
            if !forgive::forgive(&mut document, &faults, lax, Some(&tool.input_schema)) {
                return None;
            }
            faults = self.faults(tool, document.root());
            if faults.is_empty() {
                return Some(document);
            }
        }
        None
    }

    #[cfg(feature = "validate")]
    fn faults(&self, tool: &mcp::Tool, root: View<'_>) -> Vec<Violation> {
        self.input.faults(root, &tool.input_schema)
    }

    /// Without a validator the types decide; that an argument is unknown, no type says.
    #[cfg(not(feature = "validate"))]
    fn faults(&self, _: &mcp::Tool, root: View<'_>) -> Vec<Violation> {
        let (Some(known), Some(members)) = (&self.known, root.properties()) else { return Vec::new() };
        let unknown = members.filter(|(name, _)| !known.iter().any(|known| known == name));
        let fault = |name: &str| {
            Violation::unknown_property(&crate::document::path::Path::default(), name, known.iter().map(String::as_str))
        };
        unknown.map(|(name, _)| fault(name)).collect()
    }

    /// SchemaCompiler an output before it leaves (rule R2).
    pub(super) fn release(&self, tool: &mcp::Tool, output: Output, max_bytes: usize) -> Result<Output, ToolError> {
        let value = match &output.body {
            Body::Value(value) => value.as_str().len(),
            Body::Unit | Body::Blocks => 0,
        };
        let mut length = ByteCounter(value);
        if let TextBlock::Words(words) = output.text() {
            let _ = serde_json::to_writer(&mut length, words);
        }
        if !output.blocks().is_empty() {
            let _ = serde_json::to_writer(&mut length, output.blocks());
        }
        if length.0 > max_bytes {
            let text = format!("it has {} bytes, more than the {max_bytes} that are sent", length.0);
            return Err(ToolError::invalid_result(text));
        }
        if let Some(fault) = output.meta().and_then(|meta| meta.keys().find_map(|key| super::build::key_fault(key))) {
            return Err(ToolError::invalid_result(fault));
        }
        if let Some(fault) = output.blocks().iter().find_map(crate::Content::fault) {
            return Err(ToolError::invalid_result(fault));
        }
        self.promised(tool, &output)?;
        Ok(output)
    }

    #[cfg(feature = "validate")]
    fn promised(&self, tool: &mcp::Tool, output: &Output) -> Result<(), ToolError> {
        let (Some(check), Some(schema)) = (&self.output, &tool.output_schema) else { return Ok(()) };
        let Body::Value(value) = &output.body else { return Err(no_value()) };
        let faults = value.with_document(|document| check.faults(document, schema)).unwrap_or_else(|fault| vec![fault]);
        if faults.is_empty() { Ok(()) } else { Err(invalid_result(&faults)) }
    }

    #[cfg(not(feature = "validate"))]
    fn promised(&self, _: &mcp::Tool, output: &Output) -> Result<(), ToolError> {
        match &output.body {
            Body::Unit | Body::Blocks if self.common.sender.structured => Err(no_value()),
            Body::Value(_) | Body::Unit | Body::Blocks => Ok(()),
        }
    }
}

fn no_value() -> ToolError {
    ToolError::invalid_result("it has no value, though an output schema is published")
}

/// The first fault goes to the model, all of them to the logs.
#[cfg(feature = "validate")]
fn invalid_result(faults: &[Violation]) -> ToolError {
    let describe = |fault: &Violation| {
        let place = if fault.path.is_root() { "the value".to_owned() } else { format!("`{}`", fault.path) };
        format!("{place}: {}", fault.message)
    };
    let all: Vec<_> = faults.iter().map(describe).collect();
    ToolError::invalid_result(all.first().cloned().unwrap_or_default()).with_developer_message(all.join("; "))
}
