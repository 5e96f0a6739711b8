//! Everything that is emitted, against the released schemas of each version. They are read from `MCP_SPEC_DIR`.

use std::io::Write as _;
use std::path::PathBuf;

use jsonschema::Validator;
use mcp_tool_runtime::ProtocolVersion;
use serde_json::{Value, json};

use crate::run::{self, call};
use crate::zoo;

/// A file of the specification; `None` where there is none to read.
pub(crate) fn spec(path: &str) -> Option<Value> {
    Some(serde_json::from_str(&text(path)?).unwrap_or_else(|error| panic!("{path}: {error}")))
}

pub(crate) fn text(path: &str) -> Option<String> {
    let root = PathBuf::from(std::env::var_os("MCP_SPEC_DIR")?);
    // The tests run in their package's folder; a relative path is meant from the workspace's.
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = workspace.join(root).join(path);
    Some(std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// Says what a test read, for people: past the test harness, which keeps back what `println!` writes.
pub(crate) fn report(test: &str, read: usize, what: &str) {
    if read == 0 {
        println!("{test}: MCP_SPEC_DIR is not set, nothing was read");
    } else {
        let _ = writeln!(std::io::stdout(), "{test}: read {read} {what}");
    }
}

/// The schema of one of the protocol's types in one version.
pub(crate) fn schema_of(version: ProtocolVersion, name: &str) -> Option<Validator> {
    let mut schema = spec(&format!("mcp/{version}/schema.json"))?;
    let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[definitions][name].is_object(), "{version} defines {name}");
    schema["$ref"] = json!(format!("#/{definitions}/{name}"));
    Some(jsonschema::options().should_validate_formats(true).build(&schema).unwrap_or_else(|error| panic!("{error}")))
}

pub(crate) fn assert_valid(schema: &Validator, document: &Value, what: &str) {
    let faults: Vec<_> =
        schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{what}: {document}\n{faults:#?}");
}

/// A schema that accepts everything would make the tests below worthless.
fn assert_refuses(schema: &Validator, document: &Value) {
    assert!(!schema.is_valid(document), "{document}");
}

#[test]
fn every_definition_is_valid_in_every_version() {
    let mut read = 0;
    for version in ProtocolVersion::ALL {
        let (Some(tool), Some(list)) = (schema_of(version, "Tool"), schema_of(version, "ListToolsResult")) else {
            break;
        };
        read += 2;
        let dispatcher = zoo::dispatcher();
        for definition in dispatcher.list_for(version) {
            assert_valid(&tool, &run::json(definition), &format!("{version} {}", definition.name));
        }
        let document: Value = serde_json::from_slice(dispatcher.list_json(version)).expect("a list");
        assert!(document["tools"].as_array().is_some_and(|tools| tools.len() >= 20));
        assert_valid(&list, &document, &format!("{version} tools/list"));
        assert_refuses(&tool, &json!({"name": "a", "inputSchema": {"type": "string"}}));
        assert_refuses(&list, &json!({"tools": [{"name": "a", "title": null, "inputSchema": {"type": "object"}}]}));
    }
    report("every definition is valid in every version", read, "definitions from schema.json files");
}

#[test]
fn every_result_is_valid_in_every_version() {
    let mut read = 0;
    for version in ProtocolVersion::ALL {
        let Some(result) = schema_of(version, "CallToolResult") else { break };
        read += 1;
        let dispatcher = zoo::dispatcher();
        for (name, arguments, _) in zoo::calls() {
            let document = run::mcp(&call(&dispatcher, name, arguments.clone()), version);
            assert_valid(&result, &document, &format!("{version} {name} {arguments}"));
        }
        assert_refuses(&result, &json!({"resultType": "complete"}));
        assert_refuses(&result, &json!({"resultType": "complete", "content": [{"type": "text"}]}));
    }
    report("every result is valid in every version", read, "definitions from schema.json files");
}

#[test]
fn every_open_tool_calling_response_is_valid() {
    let Some(schema) = spec("otc/CallToolResponse.fixed.schema.json") else {
        return report("every open tool calling response is valid", 0, "");
    };
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let dispatcher = zoo::dispatcher();
    for (name, arguments, _) in zoo::calls() {
        let document = run::json(&call(&dispatcher, name, arguments.clone()));
        assert_valid(&schema, &document, &format!("{name} {arguments}"));
    }
    assert_refuses(&schema, &json!({"call_id": "a", "success": true, "error": {"message": "a"}}));
    report("every open tool calling response is valid", 1, "schema");
}

#[test]
fn every_listed_schema_is_valid_2020_12() {
    for version in ProtocolVersion::ALL {
        for tool in zoo::dispatcher().list_for(version) {
            for schema in [Some(&tool.input_schema), tool.output_schema.as_ref()].into_iter().flatten() {
                assert!(jsonschema::draft202012::meta::is_valid(schema), "{version} {}: {schema}", tool.name);
            }
        }
    }
}
