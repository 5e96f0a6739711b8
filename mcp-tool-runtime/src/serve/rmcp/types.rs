//! Converts definitions and results into the SDK's types.

use std::borrow::Cow;
use std::sync::Arc;

use ::rmcp::ErrorData;
use ::rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, JsonObject, MetaObject, Tool};
use serde_json::Value;

use crate::{ProtocolVersion, mcp};

/// Converts a definition.
pub(super) fn tool(tool: &mcp::Tool) -> Tool {
    let object = |schema: &Value| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let mut sdk =
        Tool::new_with_raw(tool.name.clone(), tool.description.clone().map(Cow::Owned), object(&tool.input_schema));
    sdk.title.clone_from(&tool.title);
    sdk.output_schema = tool.output_schema.as_ref().map(object);
    sdk.annotations = tool.annotations.as_ref().and_then(same_form);
    sdk.icons = same_form(&tool.icons).filter(|icons: &Vec<_>| !icons.is_empty());
    sdk.meta = meta(tool.meta.clone());
    sdk
}

/// Converts a response. The result has the form of `version`, and the client speaks `client_version`.
#[cfg_attr(not(feature = "ask"), expect(unused_variables, reason = "only questions need the version of the client"))]
pub(super) fn response(
    response: &crate::CallToolResponse,
    version: ProtocolVersion,
    client_version: ProtocolVersion,
) -> Result<CallToolResponse, ErrorData> {
    #[cfg(feature = "ask")]
    if let Some(required) = response.input_required().filter(|_| !client_version.is_legacy()) {
        let meta = response.to_mcp(client_version).meta;
        return Ok(super::questions::input_required(required, &meta.into())?.into());
    }
    Ok(result(response, version)?.into())
}

/// Converts a complete response.
pub(super) fn result(
    response: &crate::CallToolResponse,
    version: ProtocolVersion,
) -> Result<CallToolResult, ErrorData> {
    let crate::CallToolResponse { outcome, format, .. } = response;
    let content = mcp::result::content(&outcome.result, format.is_structured, version);
    let mut sdk = CallToolResult::default();
    sdk.content = content.into_iter().map(block).collect::<Result<_, _>>().map_err(internal)?;
    sdk.structured_content = mcp::result::structured_value(response, version);
    sdk.is_error = Some(!response.is_success());
    sdk.meta = meta(crate::call::meta(outcome, &format.settings));
    Ok(sdk)
}

/// Converts a result into a JSON value.
pub(super) fn result_as_value(result: &mcp::CallToolResult) -> Result<Value, ErrorData> {
    // Through text, because a `RawValue` cannot be converted into a `Value` directly.
    serde_json::to_vec(result).and_then(|text| serde_json::from_slice(&text)).map_err(internal)
}

fn block(content: crate::Content) -> Result<ContentBlock, serde_json::Error> {
    match content {
        crate::Content::Text(text) if text.is_plain() => Ok(ContentBlock::text(text.into_text())),
        other => serde_json::to_value(other).and_then(serde_json::from_value),
    }
}

/// Converts between two types with the same JSON form.
fn same_form<T: serde::de::DeserializeOwned>(ours: &impl serde::Serialize) -> Option<T> {
    serde_json::to_value(ours).and_then(serde_json::from_value).ok()
}

fn meta(meta: JsonObject) -> Option<MetaObject> {
    (!meta.is_empty()).then(|| meta.into())
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
