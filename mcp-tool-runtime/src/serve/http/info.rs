//! What [`Rest`](super::Rest) and `Page` say about the server.

use serde::Serialize;

/// The name and version of a server, its title and its instructions.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Info {
    pub(super) name: String,
    pub(super) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions: Option<String>,
}

impl Default for Info {
    fn default() -> Self {
        Self { name: "tools".to_owned(), version: "1.0.0".to_owned(), title: None, instructions: None }
    }
}
