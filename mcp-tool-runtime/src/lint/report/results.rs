//! Finds results that some clients do not show or refuse: without a text, or without a limit of their length.

use serde_json::Value;

use super::is_api;
use crate::call::budget::LIMITS;
use crate::json::path::escape_token;
use crate::lint::{Client, Finding, Reader, Severity};
use crate::mcp;
use crate::schema::reference;

/// Returns a finding for each client of the protocol, for a tool with `text = off`.
///
/// The specification asks for the text beside a structured value ("SHOULD"), because versions before 2025-06-18 know no
/// structured values. What Claude Code, VS Code and Cursor show to their model was not checked, so these get advice.
pub(super) fn no_text(tool: &str, clients: &[Client]) -> impl Iterator<Item = Finding> {
    clients.iter().filter(|client| !is_api(**client)).map(move |client| {
        let severity = if *client == Client::McpLegacy { Severity::Lost } else { Severity::Advice };
        let problem = "`text = off` leaves the result without text, and a client that reads only text shows nothing";
        let help = "remove `text = off`, unless you know that your clients read structured values";
        Finding::new(Reader::Client(*client), tool, ("no-text", severity), String::new(), problem, help).with_source(
            "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#structured-content",
            "2025-06-18",
        )
    })
}

/// Returns the findings of one tool. Nothing is found if the size of its results is limited.
pub(super) fn unbounded(tool: &mcp::Tool, is_limited: bool, clients: &[Client]) -> Option<Finding> {
    let place = place(tool.output_schema.as_ref().filter(|_| !is_limited)?)?;
    let limit = LIMITS.iter().find(|limit| limit.client == "claude-code")?;
    let client = clients.iter().find(|client| **client == Client::ClaudeCode)?;
    let problem =
        format!("the list may have any length, and the client refuses a result of more than {} tokens", limit.tokens);
    let help = "return a `Paged<…>`, limit the list with `#[schemars(length(max = …))]`, or set a `budget`";
    let rule = ("unbounded-result", Severity::Advice);
    let finding =
        Finding::new(Reader::Client(*client), &tool.name, rule, format!("/outputSchema{place}"), problem, help);
    Some(finding.with_source(limit.source, limit.date))
}

/// Returns the place of a list of any length: the result itself, or a property of it that is a list of objects. A list of numbers or texts
/// inside of an object is most often a short one.
fn place(schema: &Value) -> Option<String> {
    let is_list = |schema: &Value| {
        schema["type"] == "array" && schema.get("maxItems").is_none() && schema.get("prefixItems").is_none()
    };
    if is_list(schema) {
        return Some(String::new());
    }
    let mut properties = schema["properties"].as_object().into_iter().flatten();
    let has_objects = |list: &Value| reference::follow(&list["items"], schema)["type"] == "object";
    let found = properties.find(|(_, property)| is_list(property) && has_objects(property));
    found.map(|(name, _)| format!("/properties/{}", escape_token(name)))
}
