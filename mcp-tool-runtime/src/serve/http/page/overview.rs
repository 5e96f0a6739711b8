//! What the page shows before a call: the tools, with findings and sizes.

use serde::Serialize;
use serde_json::Value;

use super::{Info, Inner};
use crate::{Client, Cost, Dispatcher, Extensions, Finding, ProtocolVersion, Severity, mcp};

/// What clients would refuse or drop, and what the definitions cost. It is the same for every caller.
pub(super) struct Report {
    findings: Vec<Finding>,
    costs: Vec<Cost>,
}

impl Report {
    fn new(dispatcher: &Dispatcher) -> Self {
        // The strict mode of OpenAI refuses every optional argument. Who uses it lets an `Export` rewrite the schemas.
        let clients: Vec<_> = Client::ALL.iter().copied().filter(|client| *client != Client::OpenAiStrict).collect();
        // The API of a model gets name, description and input schema: what a model reads before every answer.
        Self { findings: dispatcher.lint(&clients), costs: dispatcher.costs(&[Client::ClaudeApi]) }
    }
}

#[derive(Serialize)]
struct Overview<'a> {
    server: &'a Info,
    tools: Vec<Tool<'a>>,
    findings: Vec<FindingText<'a>>,
    #[serde(rename = "protocolVersion")]
    version: &'static str,
}

#[derive(Serialize)]
struct Tool<'a> {
    definition: &'a mcp::Tool,
    tags: &'a [String],
    scopes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostText>,
    /// The questions of the tool to its user: what each asks for.
    questions: Vec<Value>,
}

#[derive(Serialize)]
struct CostText {
    bytes: usize,
    description: usize,
    input_schema: usize,
}

#[derive(Serialize)]
struct FindingText<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    severity: &'static str,
    rule: &'static str,
    place: &'a str,
    problem: &'a str,
    help: &'static str,
}

/// Writes the overview for one caller.
pub(super) fn overview(inner: &Inner, extensions: &Extensions) -> Vec<u8> {
    let dispatcher = &inner.dispatcher;
    let report = inner.report.get_or_init(|| Report::new(dispatcher));
    let seen = dispatcher.seen_by(extensions).list_for(ProtocolVersion::LATEST);
    let is_seen = |name: &str| seen.iter().any(|tool| tool.name == name);
    // A finding without a tool is about the whole list, and has the number of all tools.
    let sees_all = seen.len() == dispatcher.list().len();
    let findings = report.findings.iter().filter(|finding| finding.tool().map_or(sees_all, is_seen));
    let findings = findings.map(text).collect();
    let tools = seen
        .iter()
        .map(|tool| {
            let info = dispatcher.info(&tool.name);
            let cost = report.costs.iter().find(|cost| cost.tool() == tool.name);
            Tool {
                definition: tool,
                tags: info.map_or(&[], |info| &**info.tags()),
                scopes: info.map_or(&[], |info| &**info.scopes()),
                cost: cost.map(|cost| CostText {
                    bytes: cost.bytes(),
                    description: cost.description(),
                    input_schema: cost.input_schema(),
                }),
                questions: dispatcher.questions_of(&tool.name),
            }
        })
        .collect();
    let overview = Overview { server: &inner.info, tools, findings, version: ProtocolVersion::LATEST.as_str() };
    // Serializing maps of strings and values cannot fail.
    serde_json::to_vec(&overview).unwrap_or_default()
}

fn text(finding: &Finding) -> FindingText<'_> {
    FindingText {
        client: finding.client().map(|client| client.to_string()),
        tool: finding.tool(),
        severity: match finding.severity() {
            Severity::Advice => "advice",
            Severity::Lost => "lost",
            Severity::Refused => "refused",
            Severity::AllRefused => "all refused",
        },
        rule: finding.rule(),
        place: finding.place(),
        problem: finding.problem(),
        help: finding.help(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Page;
    use super::*;
    use crate::{Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata};

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
            Box::pin(async move { Output::value(arguments.as_value()?) })
        }
    }

    #[test]
    fn each_tool_has_its_own_size() {
        let builder = Dispatcher::builder().tool(Described("Short.")).tool(Described("A little longer."));
        let page = Page::new(builder.build().expect("two tools"));
        let overview: Value = serde_json::from_slice(&overview(&page.inner, &Extensions::new())).expect("JSON");
        let size =
            |at: usize| (&overview["tools"][at]["definition"]["name"], &overview["tools"][at]["cost"]["description"]);
        let longer = "A little longer.".len() - "Short.".len();
        let [(first, short), (second, long)] = [size(0), size(1)];
        assert_eq!((first, second), (&json!("tool_6"), &json!("tool_16")));
        assert_eq!(long.as_u64(), short.as_u64().map(|short| short + longer as u64));
    }
}
