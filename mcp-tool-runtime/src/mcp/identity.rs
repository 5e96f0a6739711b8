//! How a server introduces itself: the same in every transport, document and command.

use serde::Serialize;

/// The name and version of a server, its title and its instructions.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Identity {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<String>,
}

impl Identity {
    /// Returns the title, or else the name.
    pub(crate) fn display_name(&self) -> &str {
        self.title.as_ref().unwrap_or(&self.name)
    }
}
