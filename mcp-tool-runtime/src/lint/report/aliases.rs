//! Finds serde aliases inside the types of a tool's arguments, which the schema does not have.

use serde_json::Value;

use super::super::{Effect, Finding, Reader, Severity};
use crate::arguments::type_aliases;
use crate::json::safe_text::quote_name;
use crate::mcp;
use crate::schema::walk;
use crate::tool::metadata::ToolMetadata;

/// Returns a finding for each alias that the tool does not accept.
pub(super) fn aliases(tool: &mcp::Tool, metadata: &ToolMetadata) -> Vec<Finding> {
    let (Some(check), None) = (metadata.decode_check, metadata.accepted_aliases) else { return Vec::new() };
    let (_, found) = type_aliases::find(check.aliases, &tool.input_schema, &metadata.renamed_arguments);
    let is_declared = |alias: &str| metadata.aliases.iter().any(|(declared, _)| *declared == alias);
    let found = found.into_iter().filter(|found| !(found.is_argument && is_declared(found.alias)));
    let finding = |found: type_aliases::FoundAlias<'_>| {
        let [alias, name] = [found.alias, found.name].map(quote_name);
        let kind = if found.is_variant { "variant" } else { "property" };
        Finding {
            reader: Reader::Server,
            tool: Some(tool.name.clone()),
            effect: Effect::OfSeverity,
            rule: "alias",
            severity: Severity::Advice,
            place: pointer(&tool.input_schema, found.schema).unwrap_or_default(),
            problem: format!(
                "the type reads the {kind} {name} under the alias {alias} too, and the schema does not have the alias"
            ),
            help: "write `#[mcp_tool(accept_aliases)]` to accept it",
            source: "",
            date: "",
        }
    };
    found.map(finding).collect()
}

/// Returns the position of a subschema in the definition.
fn pointer(root: &Value, schema: &Value) -> Option<String> {
    let mut pending = vec![("/inputSchema".to_owned(), root)];
    while let Some((pointer, found)) = pending.pop() {
        if std::ptr::eq(found, schema) {
            return Some(pointer);
        }
        walk::visit_children(found, |location, child| {
            pending.push((format!("{pointer}/{}", location.pointer()), child));
        });
    }
    None
}
