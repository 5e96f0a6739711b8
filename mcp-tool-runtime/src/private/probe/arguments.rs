//! Reads and describes the arguments of a tool, unless the type of one of them makes this impossible.

use super::{PhantomData, ToolError, type_markers};
use crate::private::{Arguments, DeserializeOwned, JsonSchema, Schema, SchemaGenerator};

type_markers! {
    /// The type of all arguments of a tool.
    ArgumentsType<A>
}

impl<A> ArgumentsType<A> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

pub trait ProbeArguments<A> {
    fn __mcp_tool_decode(&self, arguments: &Arguments<'_>) -> Result<A, ToolError>;
    fn __mcp_tool_schema(&self, generator: &mut SchemaGenerator) -> Schema;
}

impl<A: DeserializeOwned + JsonSchema> ProbeArguments<A> for &ArgumentsType<A> {
    fn __mcp_tool_decode(&self, arguments: &Arguments<'_>) -> Result<A, ToolError> {
        arguments.deserialize()
    }

    fn __mcp_tool_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        A::json_schema(generator)
    }
}

/// Compiles for every type, so that the only compile error is the one at the parameter (see
/// [`ToolArgument`](super::super::ToolArgument)). If there were no such error, the constant would stop the build.
pub trait ProbeUnsupportedArguments<A> {
    /// Evaluated only if one of the methods below is used: constants of a generic trait are evaluated on use.
    const __MCP_TOOL_UNSUPPORTED: () = panic!("the arguments of this tool can be neither read nor described");

    fn __mcp_tool_decode(&self, _: &Arguments<'_>) -> Result<A, ToolError> {
        let () = Self::__MCP_TOOL_UNSUPPORTED;
        unreachable!()
    }

    fn __mcp_tool_schema(&self, _: &mut SchemaGenerator) -> Schema {
        let () = Self::__MCP_TOOL_UNSUPPORTED;
        unreachable!()
    }
}

impl<A> ProbeUnsupportedArguments<A> for ArgumentsType<A> {}
