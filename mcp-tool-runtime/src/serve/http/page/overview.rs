//! What the page shows before a call: the tools, with findings and sizes (feature `lint`).

use serde_json::{Value, json};

use super::Page;
use crate::call::add_property;
use crate::{Dispatcher, Extensions, ProtocolVersion};

/// The findings about the tools and the costs of their definitions, for the page's script. The report is the same for
/// every caller, and empty without the feature `lint`.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The findings. The `tool` of a finding about the whole list is `null`.
    pub(super) findings: Vec<Value>,
    /// The name of each tool, with its cost.
    pub(super) costs: Vec<(String, Value)>,
}

/// Returns the JSON document with the tools that the caller sees, and the findings about them.
pub(super) fn overview(page: &Page, extensions: &Extensions) -> Vec<u8> {
    let dispatcher = &page.dispatcher;
    let report = page.report.get_or_init(|| report(dispatcher));
    let seen = dispatcher.seen_by(extensions).list_for(ProtocolVersion::LATEST);
    let is_seen = |name: &str| seen.iter().any(|tool| tool.name == name);
    // A finding without a tool is about the whole list and gives away the number of tools, so only a caller who sees
    // all tools gets it.
    let sees_all = seen.len() == dispatcher.list_all().len();
    let findings = report.findings.iter().filter(|finding| finding["tool"].as_str().map_or(sees_all, is_seen));
    let findings: Vec<_> = findings.collect();
    let tools = seen.iter().map(|tool| {
        let info = dispatcher.tool_info(&tool.name);
        let mut shown = json!({
            "definition": tool,
            "tags": info.map_or(&[][..], |info| info.tags()),
            "scopes": info.map_or(&[][..], |info| info.scopes()),
            "questions": dispatcher.questions_of(&tool.name),
            "cost": report.costs.iter().find(|(name, _)| *name == tool.name).map(|(_, cost)| cost),
        });
        add_property(&mut shown, "cursor", dispatcher.cursor_of(&tool.name));
        shown
    });
    let (server, version) = (dispatcher.identity(), ProtocolVersion::LATEST.as_str());
    json!({ "server": server, "tools": tools.collect::<Vec<_>>(), "findings": findings, "protocolVersion": version })
        .to_string()
        .into_bytes()
}

#[cfg(not(feature = "lint"))]
fn report(_: &Dispatcher) -> Report {
    Report::default()
}

#[cfg(feature = "lint")]
fn report(dispatcher: &Dispatcher) -> Report {
    use crate::lint::{Client, Cost};

    // Leave out OpenAI's strict mode: it refuses every optional argument, and its users let an `Export` rewrite the
    // schemas.
    let clients: Vec<_> = Client::ALL.iter().copied().filter(|client| *client != Client::OpenAiStrict).collect();
    let findings = dispatcher.lint(&clients);
    // For an API such as Claude's, a cost counts the name, the description and the input schema, which a model reads
    // before every answer.
    let costs = dispatcher.costs(&[Client::ClaudeApi]);
    let cost =
        |cost: &Cost| json!({"bytes": cost.bytes, "description": cost.description, "input_schema": cost.input_schema});
    Report {
        findings: findings.iter().map(text).collect(),
        costs: costs.iter().map(|one| (one.tool.clone(), cost(one))).collect(),
    }
}

#[cfg(feature = "lint")]
fn text(finding: &crate::lint::Finding) -> Value {
    json!({
        "severity": finding.severity.to_string().replace('-', " "),
        "rule": finding.rule,
        "place": finding.place,
        "problem": finding.problem,
        "help": finding.help,
        "client": finding.client().map(|client| client.to_string()),
        "tool": finding.tool,
    })
}

#[cfg(all(test, feature = "lint"))]
mod tests {
    use super::*;
    use crate::{Arguments, BoxFuture, CallContext, Extensions, Output, ToolError, ToolHandler, ToolMetadata, mcp};

    /// A tool with this description. It is never called.
    struct Described(&'static str);

    impl ToolHandler for Described {
        fn definition(&self) -> mcp::Tool {
            mcp::Tool::new(format!("tool_{}", self.0.len()), self.0, json!({ "type": "object" }))
        }

        fn metadata(&self) -> ToolMetadata {
            ToolMetadata::new()
        }

        fn call<'a>(
            &'a self,
            _: &'a CallContext,
            arguments: Arguments<'a>,
        ) -> BoxFuture<'a, Result<Output, ToolError>> {
            Box::pin(async move { Output::value(arguments.to_value()) })
        }
    }

    #[test]
    fn each_tool_has_its_own_size() {
        let builder = Dispatcher::builder().tool(Described("Short.")).tool(Described("A little longer."));
        let page = Page::new(builder.build().expect("two tools"));
        let overview: Value = serde_json::from_slice(&overview(&page, &Extensions::new())).expect("JSON");
        let size =
            |at: usize| (&overview["tools"][at]["definition"]["name"], &overview["tools"][at]["cost"]["description"]);
        let longer = "A little longer.".len() - "Short.".len();
        let [(first, short), (second, long)] = [size(0), size(1)];
        assert_eq!((first, second), (&json!("tool_6"), &json!("tool_16")));
        assert_eq!(long.as_u64(), short.as_u64().map(|short| short + longer as u64));
    }
}
