//! What a client says about itself: its name, its version, and whether it shows forms.

use serde_json::{Map, Value};

use crate::json::violation::truncate_text;

/// The program that sent a request, as it names itself. See
/// [`disable_questions_for`](crate::DispatcherBuilder::disable_questions_for).
///
/// ```
/// use mcp_tool_runtime::ask::ClientInfo;
///
/// let client = ClientInfo::new("example-editor", "1.4.0");
/// assert_eq!((client.name(), client.version()), ("example-editor", "1.4.0"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientInfo {
    name: String,
    version: String,
}

const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const INFO_KEY: &str = "io.modelcontextprotocol/clientInfo";

impl ClientInfo {
    /// Creates the information about a client.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into() }
    }

    /// Returns the name that the client gives itself. Any client can send any name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the version of the client. It is empty if the client sends none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns a copy with a shortened name and version, since a client can send texts of any length.
    pub(crate) fn shortened(&self) -> Self {
        let short = |text| truncate_text(text, 128);
        Self::new(short(&self.name), short(&self.version))
    }

    /// Reads an `Implementation` object of the protocol. Returns `None` if it has no name.
    pub(crate) fn read(info: &Value) -> Option<Self> {
        let text = |key| info.get(key).and_then(Value::as_str);
        Some(Self::new(text("name")?, text("version").unwrap_or_default()))
    }

    /// Reads the information about the client from the `_meta` of a request, if the client has sent any.
    pub(crate) fn of_request(meta: Option<&Map<String, Value>>) -> Option<Self> {
        Self::read(meta?.get(INFO_KEY)?)
    }
}

/// What a request says about whether its client shows forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormCapability {
    Declared,
    /// The client declares its capabilities, and forms are not among them.
    Missing,
    /// The request says nothing about capabilities, or its client must not be asked.
    Undeclared,
}

impl FormCapability {
    pub(super) fn of_request(meta: Option<&Map<String, Value>>) -> Self {
        match meta.and_then(|meta| meta.get(CAPABILITIES_KEY)) {
            None => Self::Undeclared,
            Some(capabilities) if admits_forms(capabilities) => Self::Declared,
            Some(_) => Self::Missing,
        }
    }
}

/// Returns `true` if client capabilities include forms. An `elicitation` with neither `form` nor `url` includes them,
/// because the first protocol version with elicitation had only forms.
pub(crate) fn admits_forms(capabilities: &Value) -> bool {
    let Some(elicitation) = capabilities.get("elicitation").and_then(Value::as_object) else { return false };
    elicitation.get("form").map_or(!elicitation.contains_key("url"), Value::is_object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_empty_elicitation_and_one_with_forms_admit_forms_and_urls_alone_do_not() {
        for (capabilities, expected) in [
            (json!({ "elicitation": {} }), true),
            (json!({ "elicitation": { "form": {} } }), true),
            (json!({ "elicitation": { "form": {}, "url": {} } }), true),
            (json!({ "elicitation": { "url": {} } }), false),
            (json!({ "sampling": {} }), false),
            (json!({ "elicitation": null }), false),
            (json!({ "elicitation": { "form": null } }), false),
            (json!({ "elicitation": { "form": false } }), false),
            (json!({ "elicitation": { "form": true, "url": {} } }), false),
            (json!({}), false),
        ] {
            assert_eq!(admits_forms(&capabilities), expected, "{capabilities}");
        }
    }
}
