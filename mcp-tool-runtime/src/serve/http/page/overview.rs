//! What the page shows before a call: the tools, with findings and sizes.

use serde::Serialize;
use serde_json::Value;

use super::Page;
use crate::mcp::identity::Identity;
use crate::{Extensions, ProtocolVersion, mcp};

/// What clients would refuse or drop, and what the definitions cost, for the page's script. It is the same for every caller. It is
/// empty without the feature `lint`.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Each with the name of its tool, or `None` for a finding about the list.
    pub(super) findings: Vec<(Option<String>, Value)>,
    /// Each with the name of its tool.
    pub(super) costs: Vec<(String, Value)>,
}

#[derive(Serialize)]
struct Overview<'a> {
    server: &'a Identity,
    tools: Vec<Tool<'a>>,
    findings: Vec<&'a Value>,
    #[serde(rename = "protocolVersion")]
    version: &'static str,
}

#[derive(Serialize)]
struct Tool<'a> {
    definition: &'a mcp::Tool,
    tags: &'a [String],
    scopes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<&'a Value>,
    /// The questions of the tool to its user: what each asks for.
    questions: Vec<Value>,
    /// The name of the argument for the cursor, if the tool has pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<&'a str>,
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
    let findings = report.findings.iter().filter(|(tool, _)| tool.as_deref().map_or(sees_all, is_seen));
    let findings = findings.map(|(_, finding)| finding).collect();
    let tools = seen
        .iter()
        .map(|tool| {
            let info = dispatcher.tool_info(&tool.name);
            let cost = report.costs.iter().find(|(name, _)| *name == tool.name);
            Tool {
                definition: tool,
                tags: info.map_or(&[], |info| &**info.tags()),
                scopes: info.map_or(&[], |info| &**info.scopes()),
                cost: cost.map(|(_, cost)| cost),
                questions: dispatcher.questions_of(&tool.name),
                cursor: dispatcher.cursor_of(&tool.name),
            }
        })
        .collect();
    let overview =
        Overview { server: dispatcher.identity(), tools, findings, version: ProtocolVersion::LATEST.as_str() };
    // Serializing maps of strings and values cannot fail.
    serde_json::to_vec(&overview).unwrap_or_default()
}
