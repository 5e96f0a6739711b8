//! No tests: reads the documents of the specifications from the folder `MCP_SPEC_DIR`.
//!
//! A test that needs documents is ignored, with a reason, unless the variable is set (see `build.rs`). With the variable set, a missing
//! document is a failure.

use std::path::PathBuf;

use jsonschema::Validator;
use mcp_tool_runtime::ProtocolVersion;
use serde_json::{Value, json};

/// Returns `true` if there is a folder with documents.
pub(crate) fn is_available() -> bool {
    std::env::var_os("MCP_SPEC_DIR").is_some()
}

/// Returns the text of a document.
pub(crate) fn text(path: &str) -> String {
    let folder = std::env::var_os("MCP_SPEC_DIR").expect("MCP_SPEC_DIR is set");
    // Tests run in the folder of their package. A relative path is relative to the workspace.
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = workspace.join(folder).join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns a JSON document.
pub(crate) fn document(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the schema of one type in one version of the Model Context Protocol.
pub(crate) fn schema_of(version: ProtocolVersion, name: &str) -> Validator {
    let mut schema = document(&format!("mcp/{version}/schema.json"));
    let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[definitions][name].is_object(), "{version} does not define {name}");
    schema["$ref"] = json!(format!("#/{definitions}/{name}"));
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn assert_valid(schema: &Validator, document: &Value, what: &str) {
    let errors: Vec<_> =
        schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {document}\n{errors:#?}");
}

/// Shows that a schema does not accept everything, which would make [`assert_valid`] worthless.
pub(crate) fn assert_invalid(schema: &Validator, document: &Value) {
    assert!(!schema.is_valid(document), "{document}");
}
