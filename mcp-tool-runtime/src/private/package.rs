//! Tells the builder which package wrote `tools![…]`: by default, the server has its name and version.

use crate::ToolHandler;
use crate::tool::adapter::ShapedTool;
use crate::tool::metadata::Package;

/// Records the package with the first tool of a list, unless the same package wrote that tool.
pub fn of_package(
    mut tools: Vec<Box<dyn ToolHandler>>,
    name: Option<&'static str>,
    version: Option<&'static str>,
) -> Vec<Box<dyn ToolHandler>> {
    let package = Package::new(name, version);
    if let (Some(first), Some(package)) = (tools.first(), package)
        && first.metadata().package != Some(package)
    {
        let first = tools.remove(0);
        tools.insert(0, Box::new(ShapedTool::new(first).of_package(package)));
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dispatcher, DispatcherBuilder, mcp_tool, tools};

    /// Do nothing.
    #[mcp_tool]
    async fn nothing() {}

    #[test]
    fn the_package_of_the_list_precedes_that_of_its_tools_and_own_tools_precede_merged_ones() {
        let list = |package: &'static str| of_package(tools![nothing], Some(package), Some("1"));
        let name = |builder: DispatcherBuilder| builder.build().expect("tools").identity().name.clone();
        let builder = Dispatcher::builder;
        assert_eq!(name(builder().tools(list("server"))), "server");
        assert_eq!(name(builder().tools(of_package(tools![nothing], None, None))), env!("CARGO_PKG_NAME"));
        assert_eq!(name(builder().merge_as("a_", builder().tools(list("library")))), "library");
        assert_eq!(name(builder().merge_as("a_", builder().tools(list("library"))).tools(list("server"))), "server");
    }
}
