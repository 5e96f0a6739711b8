//! Finds serde aliases inside the types of a tool's arguments, which the schema does not have.

use super::super::{Finding, Reader, Severity};
use crate::arguments::aliases;
use crate::json::violation::quote_name;
use crate::lint::nodes::nodes;
use crate::mcp;
use crate::tool::metadata::ToolMetadata;

/// Returns a finding for each alias that the tool does not accept.
pub(super) fn aliases(tool: &mcp::Tool, metadata: &ToolMetadata) -> Vec<Finding> {
    let (Some(check), None) = (metadata.decode_check, metadata.accepted_aliases) else { return Vec::new() };
    let (_, found) = aliases::find(check.aliases, &tool.input_schema, &metadata.renamed_arguments);
    let is_declared = |alias: &str| metadata.aliases.iter().any(|(declared, _)| *declared == alias);
    let found = found.into_iter().filter(|found| !(found.is_argument && is_declared(found.alias)));
    let finding = |found: aliases::FoundAlias<'_>| {
        let [alias, name] = [found.alias, found.name].map(quote_name);
        let kind = if found.is_variant { "variant" } else { "property" };
        let problem = format!(
            "the type reads the {kind} {name} under the alias {alias} too, and the schema does not have the alias"
        );
        let mut nodes = nodes(&tool.input_schema, "/inputSchema").into_iter();
        let place = nodes.find(|node| std::ptr::eq(node.schema, found.schema)).map(|node| node.pointer);
        let help = "write `#[mcp_tool(accept_aliases)]` to accept it";
        let rule = ("alias", Severity::Advice);
        Finding::new(Reader::Server, &tool.name, rule, place.unwrap_or_default(), problem, help)
    };
    found.map(finding).collect()
}
