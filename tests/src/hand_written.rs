//! Hand-written schemas, with the keywords that a vendor may refuse.

use mcp_tool_runtime::{Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata, mcp};
use serde_json::{Value, json};

/// A hand-written tool that returns its arguments.
pub struct Echo(pub mcp::Tool);

impl Echo {
    /// Returns a tool with this schema.
    #[must_use]
    pub fn new(name: &str, schema: Value) -> Self {
        Self(mcp::Tool::new(name, "Return the arguments.", schema))
    }
}

impl ToolHandler for Echo {
    fn definition(&self) -> mcp::Tool {
        self.0.clone()
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { Output::value(arguments.to_value()) })
    }
}

/// Returns schemas with their names.
#[expect(clippy::too_many_lines, reason = "a list of schemas")]
#[must_use]
pub fn schemas() -> Vec<(&'static str, Value)> {
    let text = json!({ "type": "string" });
    let tagged = |kind: &str, field: &str| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": kind }, field: { "type": "number" } },
            "required": ["kind", field],
            "additionalProperties": false
        })
    };
    let closed = |properties: Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    vec![
        ("nothing", json!({ "type": "object" })),
        ("closed_nothing", closed(json!({}), &[])),
        ("open", json!({ "type": "object", "properties": { "a": text }, "required": ["a"] })),
        ("nested_open", closed(json!({ "o": { "type": "object", "properties": { "a": text } } }), &["o"])),
        ("ghost", json!({ "type": "object", "required": ["a"], "additionalProperties": { "type": "integer" } })),
        (
            "either_required",
            json!({
                "type": "object",
                "properties": { "o": {
                    "type": "object",
                    "properties": { "a": text, "b": text },
                    "anyOf": [{ "required": ["a"] }, { "required": ["b"] }]
                } },
                "required": ["o"]
            }),
        ),
        ("boolean", closed(json!({ "any": true, "none": false, "a": text }), &["any"])),
        ("strict_text", closed(json!({ "a": text, "b": { "type": "integer" } }), &["a", "b"])),
        (
            "optional",
            closed(json!({ "a": text, "b": { "type": ["integer", "null"] }, "c": { "enum": ["x", "y"] } }), &["a"]),
        ),
        (
            "tagged",
            closed(
                json!({ "shape": {
                    "discriminator": { "propertyName": "kind" },
                    "oneOf": [tagged("circle", "radius"), tagged("square", "side")]
                } }),
                &["shape"],
            ),
        ),
        ("overlap", closed(json!({ "v": { "oneOf": [text, { "type": "string", "minLength": 3 }] } }), &["v"])),
        ("set", closed(json!({ "v": { "type": "array", "items": text, "uniqueItems": true } }), &["v"])),
        ("not", closed(json!({ "v": { "type": "string", "not": { "enum": ["a", ""] } } }), &["v"])),
        (
            "condition",
            closed(
                json!({ "v": {
                    "type": "object",
                    "properties": { "a": { "type": "integer" }, "b": text },
                    "if": { "required": ["a"] },
                    "then": { "required": ["b"] }
                } }),
                &["v"],
            ),
        ),
        (
            "patterns",
            closed(
                json!({ "v": {
                    "type": "object",
                    "properties": { "id": { "type": "integer" } },
                    "patternProperties": { "^(a|kind|value)$": text },
                    "additionalProperties": false
                } }),
                &["v"],
            ),
        ),
        ("map", closed(json!({ "v": { "type": "object", "additionalProperties": { "type": "integer" } } }), &["v"])),
        (
            "bounds",
            closed(
                json!({
                    "n": { "type": "integer", "exclusiveMinimum": 0, "maximum": 9 },
                    "x": { "type": "number", "exclusiveMaximum": 1.5, "multipleOf": 0.5 },
                    "s": { "type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-c]*$" }
                }),
                &["n"],
            ),
        ),
        (
            "all_of",
            closed(json!({ "v": { "allOf": [{ "type": "integer" }, { "minimum": 0 }], "maximum": 300 } }), &["v"]),
        ),
        (
            "tuple",
            closed(
                json!({ "v": { "type": "array", "prefixItems": [text, { "type": "integer" }], "items": false } }),
                &["v"],
            ),
        ),
        (
            "draft_7",
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": {
                    "v": { "type": "array", "items": [text, { "$ref": "#/definitions/Count" }], "additionalItems": false },
                    "a": text,
                    "b": text
                },
                "dependencies": { "a": ["b"] },
                "definitions": { "Count": { "type": "integer", "minimum": 0 } }
            }),
        ),
        (
            "references",
            json!({
                "type": "object",
                "properties": { "page": { "$ref": "#/$defs/Page%3CUser%3E", "description": "The page." }, "id": { "$ref": "#/$defs/Id" } },
                "required": ["page"],
                "additionalProperties": false,
                "$defs": {
                    "Page<User>": closed(json!({ "users": { "type": "array", "items": { "$ref": "#/$defs/Id" } } }), &["users"]),
                    "Id": { "type": "integer" }
                }
            }),
        ),
        (
            "recursive",
            json!({
                "type": "object",
                "properties": { "node": { "$ref": "#/$defs/Node" } },
                "required": ["node"],
                "additionalProperties": false,
                "$defs": { "Node": closed(
                    json!({ "value": text, "next": { "$ref": "#/$defs/Node", "description": "The next one." } }), &["value"]
                ) }
            }),
        ),
        (
            "bare_root",
            json!({
                "type": "object",
                "description": "At most two.",
                "properties": { "a": text, "b": text, "c": { "type": "string", "title": "C", "examples": ["x"] } },
                "maxProperties": 2
            }),
        ),
    ]
}
