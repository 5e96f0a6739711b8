//! Sets how a server introduces itself.

use super::{Dispatcher, DispatcherBuilder};
use crate::mcp::identity::Identity;
use crate::tool::metadata::{Package, ToolMetadata};

/// Returns the identity that the builder sets, or else that of the package with the first tool. A merged builder's tools count
/// only if there are no others. Hand-written tools name no package: the name is then that of the executable.
pub(super) fn or_of_tools(identity: Identity, tools: &[ToolMetadata]) -> Identity {
    if !identity.name.is_empty() {
        return identity;
    }
    let packages = tools.iter().filter_map(|tool| Some((tool.is_merged, tool.package?)));
    let (name, version) = match packages.min_by_key(|(is_merged, _)| *is_merged) {
        Some((_, Package { name, version })) => (name.to_owned(), version.to_owned()),
        None => (executable().unwrap_or_else(|| "server".to_owned()), "0.0.0".to_owned()),
    };
    Identity { name, version, ..identity }
}

fn executable() -> Option<String> {
    Some(std::env::current_exe().ok()?.file_stem()?.to_str()?.to_owned())
}

impl DispatcherBuilder {
    /// Sets the name and version of the server, which clients, generated documents and the command line show.
    ///
    /// By default, they come from the package that contains the [`tools!`](crate::tools) list or the service. If all tools are written
    /// by hand, the name is that of the executable, and the version is `0.0.0`.
    ///
    /// ```
    /// # use mcp_tool_runtime::Dispatcher;
    /// let dispatcher = Dispatcher::builder()
    ///     .info("calculator", "1.0.0")
    ///     .title("Calculator")
    ///     .instructions("All numbers are integers.")
    ///     .build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        (self.identity.name, self.identity.version) = (name.into(), version.into());
        self
    }

    /// Sets the display name of the server.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// Sets instructions that tell the model how to use the tools.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.identity.instructions = Some(instructions.into());
        self
    }
}

impl Dispatcher {
    pub(crate) fn identity(&self) -> &Identity {
        &self.inner.identity
    }
}
