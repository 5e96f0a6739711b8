//! What `tools!`, `#[mcp_tools]` and the builder need: the package that a list of tools comes from, the parts of a
//! service, and compile errors for methods that the builder does not have.

use std::future::Ready;

use super::ToolHandler;
use crate::tool::adapter::ShapedTool;
use crate::tool::metadata::Package;
use crate::{CallToolResponse, DispatchError, DispatcherBuilder};

type_markers! {
    /// Stands in for the tools of a part `N` that has no impl block.
    MissingPart<N>
}

/// The tools of a part. A [`MissingPart`] does not implement this trait, and so causes the compile error.
#[diagnostic::on_unimplemented(
    message = "no impl block of this type is a part of this name",
    label = "there is no such part",
    note = "help: write `#[mcp_tools(part = …)]` on the impl block that is meant, or remove the name here"
)]
pub trait ToolsOfPart {
    fn tools(self) -> Vec<Box<dyn ToolHandler>>;
}

impl ToolsOfPart for Vec<Box<dyn ToolHandler>> {
    fn tools(self) -> Vec<Box<dyn ToolHandler>> {
        self
    }
}

/// A request that a builder can answer. No type implements this trait, so a call to a builder is a compile error.
#[diagnostic::on_unimplemented(
    message = "a builder answers no calls",
    label = "only the dispatcher that `build` returns can be called",
    note = "help: write `.build()?` before `.call(…)`"
)]
pub trait CallOfBuilder {
    fn answer(self) -> Ready<Result<CallToolResponse, DispatchError>>;
}

impl DispatcherBuilder {
    #[doc(hidden)]
    pub fn call<R: CallOfBuilder>(&self, request: R) -> Ready<Result<CallToolResponse, DispatchError>> {
        request.answer()
    }
}

/// The argument of a builder method that needs the feature `tokio`, in a build without this feature. No type implements
/// this trait, so each call of such a method is a compile error.
#[cfg(not(feature = "tokio"))]
#[diagnostic::on_unimplemented(
    message = "`timeout`, `heartbeat` and `max_concurrency` need the feature `tokio` of `mcp-tool-runtime`",
    label = "there is no timer and no semaphore without it",
    note = "help: add it to the dependency: `features = [\"tokio\"]`"
)]
pub trait WithoutTokio {
    fn set(self, builder: DispatcherBuilder) -> DispatcherBuilder;
}

#[cfg(not(feature = "tokio"))]
#[doc(hidden)]
impl DispatcherBuilder {
    pub fn timeout<D: WithoutTokio>(self, limit: D) -> Self {
        limit.set(self)
    }

    pub fn heartbeat<D: WithoutTokio>(self, every: D) -> Self {
        every.set(self)
    }

    pub fn max_concurrency<C: WithoutTokio>(self, calls: C) -> Self {
        calls.set(self)
    }
}

/// Records in the metadata of the first tool which package the list of tools comes from, unless the metadata already
/// names this package.
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
        assert_eq!(name(builder().merge_with_prefix("a_", builder().tools(list("library")))), "library");
        assert_eq!(
            name(builder().merge_with_prefix("a_", builder().tools(list("library"))).tools(list("server"))),
            "server"
        );
    }
}
