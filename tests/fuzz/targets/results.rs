//! Arbitrary results of tools with output schemas. A result that is sent must match the schema that is listed for the
//! version.
#![no_main]

use std::sync::{LazyLock, Mutex};

use arbitrary::{Arbitrary, Unstructured};
use fuzz::{FixedTool, Tree};
use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{Dispatcher, ProtocolVersion, mcp};
use mcp_tool_tests::oracle::{Validator, validator};
use serde_json::json;

static ANSWER: Mutex<Tree> = Mutex::new(Tree::Unit);

static TOOLS: LazyLock<Dispatcher> = LazyLock::new(|| {
    let schemas = [
        json!({}),
        json!({"type": "object"}),
        json!({"type": "integer", "minimum": -5}),
        json!({"type": "number", "maximum": 1e30}),
        json!({"type": ["string", "null"], "maxLength": 3}),
        json!({"type": "array", "items": {"type": "boolean"}, "uniqueItems": true}),
        json!({"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": false}),
        json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            {"type": "object", "properties": {"items": {"type": "array"}}, "required": ["items"]}
        ]}),
        json!({"$ref": "#/$defs/tree", "$defs": {"tree": {
            "type": "object", "properties": {"value": {}, "items": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}
        }}}),
        json!({"type": "object", "additionalProperties": {"type": "number"}}),
    ];
    let tools = schemas.into_iter().enumerate().map(|(index, schema)| {
        let definition = mcp::Tool::new(format!("tool{index}"), "Written by hand.", json!({"type": "object"}));
        Box::new(FixedTool { definition: definition.with_output_schema(schema), answer: &ANSWER }) as _
    });
    Dispatcher::builder().tools(tools).build().expect("hand-written tools")
});

/// The validators of the listed output schemas, for each version.
static LISTED: LazyLock<Vec<Vec<Validator>>> = LazyLock::new(|| {
    let schema = |tool: &mcp::Tool| validator(tool.output_schema.as_ref().expect("an output schema"));
    ProtocolVersion::ALL.map(|version| TOOLS.list_for(version).iter().map(schema).collect()).into()
});

fuzz_target!(|data: &[u8]| {
    let mut source = Unstructured::new(data);
    let Ok(answer) = Tree::arbitrary(&mut source) else { return };
    *ANSWER.lock().expect("no panic") = answer;
    for (version, listed) in ProtocolVersion::ALL.into_iter().zip(&*LISTED) {
        for (tool, listed) in TOOLS.list_for(version).iter().zip(listed) {
            let params = json!({"name": tool.name});
            let result = fuzz::call(&TOOLS, params.to_string().as_bytes(), version).expect("a result");
            if result["isError"] != true {
                assert!(listed.is_valid(&result["structuredContent"]), "{version} {}: {result}", tool.name);
            }
        }
    }
});
