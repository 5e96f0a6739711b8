//! Every definition and every result, validated against the released schemas of each version.

use mcp_tool_runtime::ProtocolVersion;
use serde_json::{Value, json};

use crate::run::{self, call};
use crate::sample_tools;
use crate::specification::{assert_invalid, assert_valid, document, schema_of};

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn every_definition_is_valid_in_every_version() {
    for version in ProtocolVersion::ALL {
        let (tool, list) = (schema_of(version, "Tool"), schema_of(version, "ListToolsResult"));
        let dispatcher = sample_tools::dispatcher();
        for definition in dispatcher.list_for(version) {
            assert_valid(&tool, &run::json(definition), &format!("{version} {}", definition.name));
        }
        let document: Value = serde_json::from_slice(dispatcher.list_json(version)).expect("a list");
        assert!(document["tools"].as_array().is_some_and(|tools| tools.len() >= 20));
        assert_valid(&list, &document, &format!("{version} tools/list"));
        assert_invalid(&tool, &json!({"name": "a", "inputSchema": {"type": "string"}}));
        assert_invalid(&list, &json!({"tools": [{"name": "a", "title": null, "inputSchema": {"type": "object"}}]}));
    }
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn every_result_is_valid_in_every_version() {
    for version in ProtocolVersion::ALL {
        let result = schema_of(version, "CallToolResult");
        let dispatcher = sample_tools::dispatcher();
        for (name, arguments, _) in sample_tools::calls() {
            let document = run::mcp(&call(&dispatcher, name, arguments.clone()), version);
            assert_valid(&result, &document, &format!("{version} {name} {arguments}"));
        }
        assert_invalid(&result, &json!({"resultType": "complete"}));
        assert_invalid(&result, &json!({"resultType": "complete", "content": [{"type": "text"}]}));
    }
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn every_open_tool_calling_response_is_valid() {
    let schema = document("otc/CallToolResponse.fixed.schema.json");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let dispatcher = sample_tools::dispatcher();
    for (name, arguments, _) in sample_tools::calls() {
        let document = run::otc(&call(&dispatcher, name, arguments.clone()));
        assert_valid(&schema, &document, &format!("{name} {arguments}"));
    }
    assert_invalid(&schema, &json!({"call_id": "a", "success": true, "error": {"message": "a"}}));
}

#[test]
fn every_listed_schema_is_valid_2020_12() {
    for version in ProtocolVersion::ALL {
        for tool in sample_tools::dispatcher().list_for(version) {
            for schema in [Some(&tool.input_schema), tool.output_schema.as_ref()].into_iter().flatten() {
                assert!(jsonschema::draft202012::meta::is_valid(schema), "{version} {}: {schema}", tool.name);
            }
        }
    }
}
