//! Converts definitions and results into the SDK's types.

use std::borrow::Cow;
use std::sync::Arc;

use ::rmcp::ErrorData;
use ::rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, Icon, IconTheme, JsonObject, MetaObject, Tool, ToolAnnotations,
};
use serde_json::{Value, json};

use crate::{ProtocolVersion, mcp};

/// Converts a definition.
pub(super) fn tool(tool: &mcp::Tool) -> Tool {
    let object = |schema: &Value| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let mut sdk =
        Tool::new_with_raw(tool.name.clone(), tool.description.clone().map(Cow::Owned), object(&tool.input_schema));
    sdk.title.clone_from(&tool.title);
    sdk.output_schema = tool.output_schema.as_ref().map(object);
    sdk.annotations = tool.annotations.as_ref().map(annotations);
    sdk.icons = (!tool.icons.is_empty()).then(|| tool.icons.iter().map(icon).collect());
    sdk.meta = meta(tool.meta.clone());
    sdk
}

/// Converts a response. The result has the form of `version`, and the client speaks `client_version`.
pub(super) fn response(
    response: &crate::CallToolResponse,
    version: ProtocolVersion,
    client_version: ProtocolVersion,
) -> Result<CallToolResponse, ErrorData> {
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
    if let Some(required) = response.input_required() {
        return result(&response.without_questions(required), version);
    }
    let format = &response.format;
    let content = mcp::result::content(&response.result, format.is_structured, version);
    let value = mcp::result::structured(response).map(serde_json::from_str).transpose().map_err(internal)?;
    let is_wrapped = format.is_wrapped && version.is_legacy();
    // The SDK removes `resultType`, which the default has, for a client of an older version.
    let mut sdk = CallToolResult::default();
    sdk.content = content.into_iter().map(block).collect::<Result<_, _>>().map_err(internal)?;
    sdk.structured_content = value.map(|value: Value| if is_wrapped { json!({ "result": value }) } else { value });
    sdk.is_error = Some(!response.is_success());
    sdk.meta = meta(crate::call::meta(response));
    Ok(sdk)
}

fn block(content: crate::Content) -> Result<ContentBlock, serde_json::Error> {
    match content {
        crate::Content::Text(text) if text.is_plain() => Ok(ContentBlock::text(text.text())),
        other => serde_json::to_value(other).and_then(serde_json::from_value),
    }
}

/// Converts a response into a JSON value.
pub(super) fn result_as_value(
    response: &crate::CallToolResponse,
    version: ProtocolVersion,
) -> Result<Value, ErrorData> {
    let mut bytes = Vec::new();
    mcp::result::write(&mut bytes, response, version, "");
    serde_json::from_slice(&bytes).map_err(internal)
}

fn annotations(ours: &mcp::ToolAnnotations) -> ToolAnnotations {
    let mcp::ToolAnnotations { title, read_only_hint, destructive_hint, idempotent_hint, open_world_hint } = ours;
    let mut sdk = ToolAnnotations::default();
    sdk.title.clone_from(title);
    sdk.read_only_hint = *read_only_hint;
    sdk.destructive_hint = *destructive_hint;
    sdk.idempotent_hint = *idempotent_hint;
    sdk.open_world_hint = *open_world_hint;
    sdk
}

/// Converts an icon. The SDK has no theme but those of the protocol, so an icon of another one becomes one of any theme.
fn icon(ours: &mcp::Icon) -> Icon {
    let mcp::Icon { src, mime_type, sizes, theme } = ours;
    let mut sdk = Icon::new(src.clone());
    sdk.mime_type.clone_from(mime_type);
    sdk.sizes = (!sizes.is_empty()).then(|| sizes.clone());
    sdk.theme = match theme.as_deref() {
        Some("light") => Some(IconTheme::Light),
        Some("dark") => Some(IconTheme::Dark),
        _ => None,
    };
    sdk
}

fn meta(meta: JsonObject) -> Option<MetaObject> {
    (!meta.is_empty()).then(|| meta.into())
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
pub(super) fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Role, Text};

    #[test]
    fn a_text_keeps_its_annotations() {
        let plain = block(Text::new("a").into()).expect("a text");
        assert_eq!(plain, ContentBlock::text("a"));
        let annotated = Text::new("a").with_audience([Role::User]).with_meta("com.example/key", 1);
        let written = serde_json::to_value(block(annotated.clone().into()).expect("a text")).expect("JSON");
        assert_eq!(written, serde_json::to_value(crate::Content::from(annotated)).expect("JSON"));
        assert_eq!(written["annotations"]["audience"][0], "user");
    }

    #[test]
    fn an_icon_keeps_a_theme_of_the_protocol() {
        let theme = |theme: Option<&str>| {
            icon(&mcp::Icon { theme: theme.map(str::to_owned), ..mcp::Icon::new("data:,") }).theme
        };
        assert_eq!(theme(Some("light")), Some(IconTheme::Light));
        assert_eq!(theme(Some("dark")), Some(IconTheme::Dark));
        assert_eq!((theme(Some("sepia")), theme(None)), (None, None));
    }

    #[test]
    fn a_block_that_the_sdk_cannot_hold_is_an_internal_error() {
        let error = serde_json::from_str::<ContentBlock>("{}").map_err(internal).expect_err("no type");
        assert_eq!(error.code, ::rmcp::model::ErrorCode::INTERNAL_ERROR);
        assert!(error.message.contains("type"), "{error:?}");
    }
}
