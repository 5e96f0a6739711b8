//! Finds results whose length has no limit, for clients that refuse long results.

use serde_json::Value;

use crate::call::budget::LIMITS;
use crate::json::json_pointer::escape_token;
use crate::lint::{Client, Effect, Finding, Reader, Severity};
use crate::mcp;

/// Returns the findings of one tool. Nothing is found if the size of its results is limited.
pub(super) fn unbounded(tool: &mcp::Tool, is_limited: bool, clients: &[Client]) -> Vec<Finding> {
    let place = tool.output_schema.as_ref().filter(|_| !is_limited).and_then(place);
    let Some(place) = place else { return Vec::new() };
    let limits = clients.iter().filter_map(|client| {
        let name = match client {
            Client::ClaudeCode => "claude-code",
            _ => return None,
        };
        Some((*client, LIMITS.iter().find(|limit| limit.client == name)?))
    });
    let finding = |(client, limit): (Client, &'static crate::call::budget::ResultLimit)| Finding {
        reader: Reader::Client(client),
        tool: Some(tool.name.clone()),
        effect: Effect::OfSeverity,
        rule: "unbounded-result",
        severity: Severity::Advice,
        place: format!("/outputSchema{place}"),
        problem: format!(
            "the list may have any length, and the client refuses a result of more than {} tokens",
            limit.tokens
        ),
        help: "return a `Paged<…>`, limit the list with `#[schemars(length(max = …))]`, or set a `budget`",
        source: limit.source,
        date: limit.date,
    };
    limits.map(finding).collect()
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
    let target = |items: &'_ Value| {
        let name = items["$ref"].as_str().and_then(|target| target.strip_prefix("#/$defs/"));
        name.map_or_else(|| items.clone(), |name| schema["$defs"][name].clone())
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut lists =
        properties.filter(|(_, property)| is_list(property) && target(&property["items"])["type"] == "object");
    lists.next().map(|(name, _)| format!("/properties/{}", escape_token(name)))
}
