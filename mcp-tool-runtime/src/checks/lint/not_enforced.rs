//! Finds constraints that are published and not enforced, because the feature `validate` is off.

use serde_json::Value;

use super::nodes::{Node, nodes};
use super::{Effect, Finding, Reader, Severity, names::listed};
use crate::mcp;

const INPUT: &str = "/inputSchema";

/// The constraints that only a validator enforces.
const CONSTRAINTS: [&str; 13] = [
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// Returns one finding for each tool with such constraints.
///
/// A type may enforce a constraint that it publishes, for example a newtype with a checked constructor. A schema does not
/// show that, so these constraints are reported too.
pub(crate) fn not_enforced(tools: &[mcp::Tool]) -> Vec<Finding> {
    tools.iter().filter_map(|tool| in_schema(&tool.name, INPUT, &tool.input_schema)).collect()
}

/// Returns a finding if a schema of a tool has such constraints.
pub(super) fn in_schema(tool: &str, place: &str, schema: &Value) -> Option<Finding> {
    let nodes = nodes(schema, place);
    let is_constrained = |node: &&Node<'_>| {
        let mut constraints = CONSTRAINTS.iter().filter(|keyword| node.schema.get(**keyword).is_some());
        constraints.any(|keyword| !is_enforced_by_type(node.schema, keyword))
    };
    let places: Vec<_> = nodes.iter().filter(is_constrained).map(|node| &node.pointer[place.len()..]).collect();
    (!places.is_empty()).then(|| Finding {
        reader: Reader::Server,
        tool: Some(tool.to_owned()),
        effect: Effect::OfSeverity,
        rule: "not-enforced",
        severity: Severity::Lost,
        place: place.to_owned(),
        problem: format!("the constraints are not enforced at {}", listed(&places)),
        help: "turn on the feature `validate`, or check the values in the tool",
        source: "",
        date: "",
    })
}

/// Returns `true` for constraints that Rust's types enforce: the bounds of an integer type, the length of a tuple.
fn is_enforced_by_type(schema: &Value, keyword: &str) -> bool {
    let bounds = (schema.get("minimum").and_then(Value::as_i64), schema.get("maximum").and_then(Value::as_i64));
    match keyword {
        "minimum" | "maximum" => matches!(
            bounds,
            (Some(-128), Some(127))
                | (Some(-32_768), Some(32_767))
                | (Some(-2_147_483_648), Some(2_147_483_647))
                | (Some(0 | 1), Some(255 | 65_535 | 4_294_967_295) | None)
        ),
        "minItems" | "maxItems" => schema.get("minItems") == schema.get("maxItems"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Dispatcher, mcp_tool, tools};

    #[test]
    fn constraints_are_reported_unless_the_type_enforces_them() {
        /// Constrained by types alone.
        #[mcp_tool]
        async fn typed(a: u8, b: i32, c: Option<u64>, d: (bool, bool)) {
            let _ = (a, b, c, d);
        }

        /// Constrained by attributes.
        #[mcp_tool]
        async fn attributes(#[schemars(length(min = 1))] a: String, #[schemars(range(max = 9))] b: u8, c: Vec<String>) {
            let _ = (a, b, c);
        }

        let dispatcher = Dispatcher::builder().tools(tools![typed, attributes]).build().expect("two tools");
        let findings = dispatcher.lint(&[]);
        let [only] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!((only.client(), only.tool(), only.rule()), (None, Some("attributes"), "not-enforced"));
        assert!(only.problem().ends_with("at `/properties/a`, `/properties/b`"), "{only}");
        assert_eq!(only.place(), "/inputSchema");
        assert!(
            only.to_string().starts_with("this server loses something of `attributes` at /inputSchema: "),
            "{only}"
        );
        assert_eq!(dispatcher.list()[1].input_schema["properties"]["a"], json!({"type": "string", "minLength": 1}));
    }
}
