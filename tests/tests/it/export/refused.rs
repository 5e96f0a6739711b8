//! What a vendor refuses is never exported without a finding, in hand-written schemas as well.

use mcp_tool_runtime::export::{Strict, Vendor};
use mcp_tool_runtime::lint::Severity;
use serde_json::{Value, json};

use super::{Echo, definitions, echoing, parts, serve};

/// Returns the exported schema and `strict`, or `None` if the tool is left out.
fn exported(schema: &Value, vendor: Vendor, strict: Strict) -> Option<(Value, bool)> {
    let export = echoing("echo", schema.clone()).export(vendor).strict(strict);
    let found = definitions(export.tools(), vendor);
    found.first().map(|definition| parts(definition, vendor)).map(|(_, schema, strict)| (schema, strict))
}

/// Returns the rules and places of the findings.
fn findings(schema: &Value, vendor: Vendor) -> Vec<(&'static str, String)> {
    let export = echoing("echo", schema.clone()).export(vendor).strict(Strict::WhereLossless);
    export.findings().iter().map(|finding| (finding.rule, finding.place.clone())).collect()
}

/// The vendors that enforce schemas.
const STRICT: [Vendor; 4] = [Vendor::OpenAiResponses, Vendor::OpenAiChat, Vendor::Anthropic, Vendor::Bedrock];

#[test]
fn a_tool_without_arguments_has_properties() {
    for vendor in Vendor::ALL {
        let (schema, _) = exported(&json!({ "type": "object" }), *vendor, Strict::WhereLossless).expect("a tool");
        assert_eq!(schema, json!({ "type": "object", "properties": {} }), "{vendor}");
    }
    let nested = json!({ "type": "object", "properties": { "any": { "type": "object" } } });
    let (schema, _) = exported(&nested, Vendor::OpenAiChat, Strict::Off).expect("a tool");
    assert_eq!(schema["properties"]["any"], json!({ "type": "object", "properties": {} }));
}

#[test]
fn a_boolean_schema_is_never_strict_and_never_sent() {
    let schema = json!({
        "type": "object", "properties": { "any": true }, "required": ["any"], "additionalProperties": false
    });
    for vendor in Vendor::ALL {
        let (sent, strict) = exported(&schema, *vendor, Strict::WhereLossless).expect("a tool");
        assert_eq!((&sent["properties"]["any"], strict), (&json!({}), false), "{vendor}");
    }
    for vendor in STRICT {
        assert_eq!(findings(&schema, vendor), [("strict-untyped", "/inputSchema/properties/any".to_owned())]);
    }
    let never = json!({
        "type": "object",
        "properties": { "no": false, "yes": { "type": "string" } },
        "required": ["yes"],
        "additionalProperties": false
    });
    for vendor in Vendor::ALL {
        let (sent, _) = exported(&never, *vendor, Strict::Off).expect("a tool");
        assert_eq!(sent["properties"], json!({ "yes": { "type": "string" } }), "{vendor}");
    }
}

#[test]
fn a_required_name_without_a_property_becomes_one() {
    let schema = json!({
        "type": "object", "properties": {}, "required": ["a"], "additionalProperties": { "type": "string" }
    });
    for vendor in Vendor::ALL {
        let (sent, strict) = exported(&schema, *vendor, Strict::WhereLossless).expect("a tool");
        assert_eq!((&sent["properties"], strict), (&json!({ "a": { "type": "string" } }), false), "{vendor}");
    }
    let closed = json!({ "type": "object", "properties": {}, "required": ["a"], "additionalProperties": false });
    for vendor in Vendor::ALL {
        assert_eq!(exported(&closed, *vendor, Strict::Off), None, "{vendor}");
        assert_eq!(findings(&closed, *vendor), [("required-property", "/inputSchema".to_owned())], "{vendor}");
    }
}

#[test]
fn an_empty_property_name_is_not_sent_to_anthropic() {
    let schema = json!({ "type": "object", "properties": { "": { "type": "string" } } });
    assert_eq!(exported(&schema, Vendor::Anthropic, Strict::Off), None);
    let dispatcher = echoing("echo", schema);
    let export = dispatcher.export(Vendor::Anthropic);
    let [finding] = export.findings() else { panic!("{:?}", export.findings()) };
    assert_eq!((finding.rule, finding.place.as_str()), ("argument-name", "/inputSchema/properties/"));
    assert_eq!((finding.problem.as_str(), finding.severity), ("the name is empty", Severity::Refused));
}

#[test]
fn an_object_that_the_author_left_open_is_not_strict() {
    let text = json!({ "type": "string" });
    let root = json!({ "type": "object", "properties": { "a": text }, "required": ["a"] });
    let inner = json!({
        "type": "object", "properties": { "o": root }, "required": ["o"], "additionalProperties": false
    });
    for vendor in STRICT {
        for (schema, place) in [(&root, "/inputSchema"), (&inner, "/inputSchema/properties/o")] {
            let (sent, strict) = exported(schema, vendor, Strict::WhereLossless).expect("a tool");
            assert_eq!((&sent, strict), (schema, false), "{vendor}");
            assert_eq!(findings(schema, vendor), [("strict-closed", place.to_owned())], "{vendor}");
        }
    }
}

#[test]
fn a_fixed_value_that_is_no_scalar_is_not_strict() {
    for fixed in [json!({ "const": [1, 2] }), json!({ "enum": [[1, 2]] })] {
        let mut pair = json!({ "type": "array", "items": { "type": "integer" } });
        pair.as_object_mut().expect("an object").extend(fixed.as_object().expect("an object").clone());
        let schema = json!({
            "type": "object", "properties": { "pair": pair }, "required": ["pair"], "additionalProperties": false
        });
        let place = "/inputSchema/properties/pair".to_owned();
        assert_eq!(findings(&schema, Vendor::Anthropic), [("strict-enum", place)], "{schema}");
    }
}

#[test]
fn discriminators_and_unchecked_examples_are_not_sent() {
    let branch = |kind: &str| {
        json!({
            "type": "object",
            "properties": { "kind": { "type": "string", "enum": [kind] } },
            "required": ["kind"],
            "additionalProperties": false
        })
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "discriminator": { "type": "string", "examples": [7] },
            "shape": { "discriminator": { "propertyName": "kind" }, "anyOf": [branch("a"), branch("b")] }
        },
        "required": ["discriminator", "shape"],
        "additionalProperties": false,
        "examples": [{ "wrong": 1 }]
    });
    for vendor in Vendor::ALL {
        let export = echoing("echo", schema.clone()).export(*vendor);
        let text = Value::from(export.tools().to_vec()).to_string();
        assert!(!text.contains("example") && !text.contains("propertyName"), "{vendor}: {text}");
        assert!(text.contains(r#""discriminator":{"#), "a property may have this name: {text}");
        let found: Vec<_> = export.findings().iter().map(|one| (one.rule, one.place.as_str())).collect();
        assert_eq!(found, [("unchecked-examples", "/inputSchema")], "{vendor}");
    }
}

#[test]
fn a_long_description_is_sent_whole() {
    let text = "word ".repeat(1_000);
    let tool = mcp_tool_runtime::mcp::Tool::new("long", text.trim(), json!({ "type": "object" }));
    let dispatcher = serve([Box::new(Echo(tool)) as Box<dyn mcp_tool_runtime::ToolHandler>]);
    for vendor in Vendor::ALL {
        let export = dispatcher.export(*vendor).strict(Strict::Off);
        let [definition] = definitions(export.tools(), *vendor).try_into().expect("one");
        assert!(definition.to_string().contains(text.trim()) && export.findings().is_empty(), "{vendor}");
    }
}

/// Schemas that exports rewrite, or do not mark strict.
fn awkward() -> Vec<Value> {
    let open = json!({ "type": "object", "properties": { "x": { "type": "string" } } });
    [
        json!({ "value": { "oneOf": [{ "type": "string" }, { "type": "object", "additionalProperties": true }] } }),
        json!({ "value": { "oneOf": [{ "type": "string" }, open] } }),
        json!({ "value": { "type": ["string", "null"], "minLength": 3 } }),
        json!({ "value": { "$ref": "#/$defs/Page<User>" } }),
        json!({ "value": { "$ref": "#/$defs/Page<User>", "description": "The page." } }),
        json!({ "value": { "prefixItems": [open, open], "type": "array", "maxItems": 2 } }),
        json!({ "value": { "type": "array" } }),
        json!({ "value": { "not": { "type": "string" } }, "a/b": { "type": "string", "format": "uuid" } }),
    ]
    .into_iter()
    .map(|properties| {
        let names: Vec<_> = properties.as_object().expect("properties").keys().cloned().collect();
        json!({
            "type": "object", "properties": properties, "required": names, "additionalProperties": false,
            "$defs": { "Page<User>": open }
        })
    })
    .collect()
}

#[test]
fn a_finding_points_into_the_authors_schema_and_cites_the_vendor() {
    let mut count = 0;
    for schema in awkward() {
        for vendor in Vendor::ALL {
            let export = echoing("echo", schema.clone()).export(*vendor).strict(Strict::WhereLossless);
            for finding in export.findings() {
                let place = finding.place.strip_prefix("/inputSchema").expect("a place in the schema");
                assert!(schema.pointer(place).is_some(), "{finding}");
                let hosts: &[&str] = match vendor {
                    Vendor::OpenAiResponses | Vendor::OpenAiChat => &["developers.openai.com", "github.com/openai"],
                    Vendor::Anthropic => &["platform.claude.com", "github.com/anthropics"],
                    Vendor::Gemini => &["ai.google.dev", "github.com/googleapis"],
                    _ => &["docs.aws.amazon.com"],
                };
                let source = finding.source.strip_prefix("https://").expect("an address");
                assert!(hosts.iter().any(|host| source.starts_with(host)), "{finding}");
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_definition_is_found_under_its_own_name() {
    let schema = awkward().remove(3);
    assert_eq!(findings(&schema, Vendor::OpenAiChat), [("strict-closed", "/inputSchema/$defs/Page<User>".to_owned())]);
}

#[test]
fn gemini_gets_only_keywords_of_its_subset() {
    let schema = json!({
        "type": "object",
        "properties": {
            "set": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
            "word": { "type": "string", "not": { "enum": ["no"] }, "examples": ["yes"] },
            "map": { "type": "object", "patternProperties": { "^x-": { "type": "string" } }, "additionalProperties": false },
            "choice": { "type": "object", "if": { "required": ["a"] }, "then": { "required": ["b"] } }
        }
    });
    let dispatcher = echoing("echo", schema);
    let export = dispatcher.export(Vendor::Gemini);
    let [definition] = definitions(export.tools(), Vendor::Gemini).try_into().expect("one");
    assert_eq!(
        parts(&definition, Vendor::Gemini).1["properties"],
        json!({
            "set": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
            "word": { "type": "string", "description": r#"(not: {"enum":["no"]})"# },
            "map": { "type": "object", "description": r#"(patternProperties: {"^x-":{"type":"string"}}, additionalProperties: false)"# },
            "choice": { "type": "object", "description": r#"(if: {"required":["a"]}, then: {"required":["b"]})"# }
        })
    );
    let changed = export.findings().iter().find(|finding| finding.rule == "gemini-keyword").expect("a finding");
    assert_eq!((changed.place.as_str(), changed.severity), ("/inputSchema/properties/word", Severity::Lost));
}
