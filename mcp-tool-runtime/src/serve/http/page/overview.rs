//! What the page shows before a call: the tools, with findings and sizes.

use serde_json::{Value, json};

use super::Page;
use crate::{Extensions, ProtocolVersion};

/// What clients would refuse or drop, and what the definitions cost, for the page's script. It is the same for every caller. It is
/// empty without the feature `lint`.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// A finding about the list has no `tool`.
    pub(super) findings: Vec<Value>,
    /// Each with the name of its tool.
    pub(super) costs: Vec<(String, Value)>,
}

/// Writes the overview for one caller.
pub(super) fn overview(page: &Page, extensions: &Extensions) -> Vec<u8> {
    let dispatcher = &page.dispatcher;
    #[cfg(feature = "lint")]
    let report = page.report.get_or_init(|| super::report::report(dispatcher));
    #[cfg(not(feature = "lint"))]
    let report = page.report.get_or_init(Report::default);
    let seen = dispatcher.seen_by(extensions).list_for(ProtocolVersion::LATEST);
    let is_seen = |name: &str| seen.iter().any(|tool| tool.name == name);
    // A finding without a tool is about the whole list, and has the number of all tools.
    let sees_all = seen.len() == dispatcher.list().len();
    let findings = report.findings.iter().filter(|finding| finding["tool"].as_str().map_or(sees_all, is_seen));
    let findings: Vec<_> = findings.collect();
    let tools: Vec<_> = seen
        .iter()
        .map(|tool| {
            let info = dispatcher.tool_info(&tool.name);
            let mut shown = json!({
                "definition": tool,
                "tags": info.map_or(&[][..], |info| info.tags()),
                "scopes": info.map_or(&[][..], |info| info.scopes()),
                // The questions of the tool to its user: what each asks for.
                "questions": dispatcher.questions_of(&tool.name),
            });
            if let Some((_, cost)) = report.costs.iter().find(|(name, _)| *name == tool.name) {
                shown["cost"] = cost.clone();
            }
            // The name of the argument for the cursor, if the tool has pages.
            if let Some(cursor) = dispatcher.cursor_of(&tool.name) {
                shown["cursor"] = cursor.into();
            }
            shown
        })
        .collect();
    let (server, version) = (dispatcher.identity(), ProtocolVersion::LATEST.as_str());
    json!({ "server": server, "tools": tools, "findings": findings, "protocolVersion": version })
        .to_string()
        .into_bytes()
}
