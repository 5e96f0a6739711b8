//! Further impl blocks of a service: `#[mcp_tools(part = …)]` and the block that lists them with `parts(…)`.

use super::{PhantomData, ToolHandler};

/// Returned by the fallback method for a part that has no impl block. `N` is the name of the part.
pub struct MissingPart<N>(PhantomData<N>);

impl<N> MissingPart<N> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The tools of a part. [`MissingPart`] does not implement it, which gives the compile error.
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
