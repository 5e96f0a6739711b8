//! Finds results without a text, for clients that may read nothing else.

use super::super::{Client, Finding, Reader, Severity};
use super::is_api;

/// Returns a finding for each client of the protocol, for a tool with `text = off`.
///
/// The specification asks for the text beside a structured value ("SHOULD"), because versions before 2025-06-18 know no
/// structured values. What Claude Code, VS Code and Cursor show to their model was not checked, so these get advice.
pub(crate) fn no_text(tool: &str, clients: &[Client]) -> impl Iterator<Item = Finding> {
    clients.iter().filter(|client| !is_api(**client)).map(move |client| {
        let severity = if *client == Client::McpLegacy { Severity::Lost } else { Severity::Advice };
        let problem = "`text = off` leaves the result without text, and a client that reads only text shows nothing";
        let help = "remove `text = off`, unless you know that your clients read structured values";
        Finding::new(Reader::Client(*client), tool, ("no-text", severity), String::new(), problem, help).with_source(
            "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#structured-content",
            "2025-06-18",
        )
    })
}
