//! The parts of a definition in the form of a vendor.

use mcp_tool_runtime::export::Vendor;
use serde_json::Value;

/// Returns the definitions, for Gemini those inside the only element.
///
/// # Panics
///
/// If the list does not have the form of the vendor.
#[must_use]
pub fn definitions(tools: &[Value], vendor: Vendor) -> Vec<Value> {
    match (vendor, tools) {
        (_, []) => Vec::new(),
        (Vendor::Gemini, [only]) => only["functionDeclarations"].as_array().expect("a list").clone(),
        (Vendor::Gemini, _) => panic!("{tools:?}"),
        _ => tools.to_vec(),
    }
}

/// Returns the name, the input schema and `strict` of an exported definition.
///
/// # Panics
///
/// If the definition has no name.
#[must_use]
pub fn parts(definition: &Value, vendor: Vendor) -> (String, Value, bool) {
    let (inner, schema) = match vendor {
        Vendor::OpenAiResponses => (definition, &definition["parameters"]),
        Vendor::OpenAiChat => (&definition["function"], &definition["function"]["parameters"]),
        Vendor::Anthropic => (definition, &definition["input_schema"]),
        Vendor::Gemini => (definition, &definition["parametersJsonSchema"]),
        _ => (&definition["toolSpec"], &definition["toolSpec"]["inputSchema"]["json"]),
    };
    (inner["name"].as_str().expect("a name").to_owned(), schema.clone(), inner["strict"] == true)
}
