//! Converts definitions and results into the SDK's types, and SDK values that tools return into outputs.

use std::borrow::Cow;
use std::sync::Arc;

use ::rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, Icon, InputRequiredResult, JsonObject, MetaObject, Tool,
};
use ::rmcp::{ErrorData, Json};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::output::tool_output::{CONTENT, without_schema};
use crate::{IntoToolError, Output, ProtocolVersion, ToolError, ToolOutput, mcp};

/// Converts the definition of a tool to the SDK's type.
pub(super) fn tool(tool: &mcp::Tool) -> Tool {
    let object = |schema: &Value| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let mut sdk =
        Tool::new_with_raw(tool.name.clone(), tool.description.clone().map(Cow::Owned), object(&tool.input_schema));
    sdk.title.clone_from(&tool.title);
    sdk.output_schema = tool.output_schema.as_ref().map(object);
    sdk.annotations = tool.annotations.as_ref().and_then(|annotations| same_form(annotations).ok());
    sdk.icons = (!tool.icons.is_empty()).then(|| tool.icons.iter().filter_map(icon).collect());
    sdk.meta = meta(tool.meta.clone());
    sdk
}

/// Converts an icon. The SDK knows only the themes of the protocol, so an icon with any other theme loses that theme.
fn icon(ours: &mcp::Icon) -> Option<Icon> {
    let theme = ours.theme.clone().filter(|theme| ["light", "dark"].contains(&theme.as_str()));
    same_form(&mcp::Icon { theme, ..ours.clone() }).ok()
}

/// Converts a response to the SDK's type. If `client_version` is 2026-07-28 or later, questions have the form of that
/// version. In all other cases, the response has the form of `version`.
pub(super) fn response(
    response: &crate::CallToolResponse,
    version: ProtocolVersion,
    client_version: ProtocolVersion,
) -> Result<CallToolResponse, ErrorData> {
    if response.input_required().is_some() && !client_version.is_legacy() {
        let required: InputRequiredResult = same_form(&response.to_mcp(client_version)).map_err(internal)?;
        return Ok(required.into());
    }
    let ours = response.to_mcp(version);
    let value = ours.structured_content.map(|value| serde_json::from_str(value.get()));
    // Start from the default, because it includes `resultType`. The SDK removes that property for clients with older
    // protocol versions.
    let mut sdk = CallToolResult::default();
    sdk.content = ours.content.into_iter().map(block).collect::<Result<_, _>>().map_err(internal)?;
    sdk.structured_content = value.transpose().map_err(internal)?;
    sdk.is_error = ours.is_error;
    sdk.meta = meta(ours.meta);
    Ok(sdk.into())
}

fn block(content: crate::Content) -> Result<ContentBlock, serde_json::Error> {
    match content {
        crate::Content::Text(text) if text.is_plain() => Ok(ContentBlock::text(text.text())),
        other => same_form(&other),
    }
}

/// Converts between two types with the same JSON form.
pub(super) fn same_form<T: DeserializeOwned>(ours: &impl Serialize) -> Result<T, serde_json::Error> {
    serde_json::to_value(ours).and_then(serde_json::from_value)
}

/// Converts a response into the JSON value of a `tools/call` result.
pub(super) fn result_as_value(
    response: &crate::CallToolResponse,
    version: ProtocolVersion,
) -> Result<Value, ErrorData> {
    serde_json::to_value(response.to_mcp(version)).map_err(internal)
}

fn meta(meta: JsonObject) -> Option<MetaObject> {
    (!meta.is_empty()).then(|| meta.into())
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
pub(super) fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

/// An error of the SDK, with its message for the model.
///
/// The SDK sends it as a JSON-RPC error, which most clients do not show to a model. Here it becomes an error result,
/// like every failure of a tool. The message is for the model, and the code and the data are for programs. The operator
/// `?` converts it in the same way into a [`ToolError`].
///
/// ```
/// use mcp_tool_runtime::{json, IntoToolError as _};
/// use rmcp::ErrorData;
///
/// let error = ErrorData::invalid_params("no note has the id 7", Some(json!({"last": 5}))).into_tool_error();
/// assert_eq!(error.message(), "no note has the id 7");
/// assert_eq!((error.code(), error.data()), (Some("-32602"), Some(&json!({"last": 5}))));
/// ```
impl IntoToolError for ErrorData {
    fn into_tool_error(self) -> ToolError {
        let error = ToolError::new(self.message).with_code(self.code.0.to_string());
        match self.data {
            Some(data) => error.with_data(data),
            None => error,
        }
    }
}

/// The value, with the schema of its type. The wrapper changes nothing, because this crate sends every value as
/// structured content.
impl<T: Serialize + JsonSchema> ToolOutput for Json<T> {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    fn into_output(self) -> Result<Output, ToolError> {
        Output::value(self.0)
    }
}

without_schema! {
    /// The block, without an output schema.
    ContentBlock: CONTENT, |block| blocks(&[block]);
    /// The blocks, without an output schema.
    Vec<ContentBlock>: CONTENT, |all: Self| blocks(&all);
}

fn blocks(blocks: &[ContentBlock]) -> Result<Output, ToolError> {
    blocks.iter().map(same_form).collect::<Result<_, _>>().map(Output::content).map_err(|error| {
        ToolError::invalid_result("a content block cannot be converted").with_developer_message(error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Role, Text};
    use ::rmcp::model::IconTheme;

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
            icon(&mcp::Icon { theme: theme.map(str::to_owned), ..mcp::Icon::new("data:,") }).expect("an icon").theme
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
