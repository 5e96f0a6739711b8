//! What the page shows about the tools with the feature `lint`: findings and sizes.

use serde_json::{Value, json};

use super::overview::Report;
use crate::Dispatcher;
use crate::lint::{Client, Finding, Severity};

pub(super) fn report(dispatcher: &Dispatcher) -> Report {
    // The strict mode of OpenAI refuses every optional argument. Who uses it lets an `Export` rewrite the schemas.
    let clients: Vec<_> = Client::ALL.iter().copied().filter(|client| *client != Client::OpenAiStrict).collect();
    let findings = dispatcher.lint(&clients);
    // The API of a model gets name, description and input schema: what a model reads before every answer.
    let costs = dispatcher.costs(&[Client::ClaudeApi]);
    let cost = |cost: &crate::lint::Cost| json!({"bytes": cost.bytes(), "description": cost.description(), "input_schema": cost.input_schema()});
    Report {
        findings: findings.iter().map(text).collect(),
        costs: costs.iter().map(|one| (one.tool().to_owned(), cost(one))).collect(),
    }
}

fn text(finding: &Finding) -> Value {
    let mut text = json!({
        "severity": match finding.severity() {
            Severity::Advice => "advice",
            Severity::Lost => "lost",
            Severity::Refused => "refused",
            Severity::AllRefused => "all refused",
        },
        "rule": finding.rule(),
        "place": finding.place(),
        "problem": finding.problem(),
        "help": finding.help(),
    });
    if let Some(client) = finding.client() {
        text["client"] = client.to_string().into();
    }
    if let Some(tool) = finding.tool() {
        text["tool"] = tool.into();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::super::overview::overview;
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
