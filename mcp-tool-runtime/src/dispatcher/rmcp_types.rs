//! Refuses types of rmcp that compile as arguments and results here, and mean something else there.
//!
//! The macros report such a type only if the signature spells its name. `build` also finds it behind an alias, and in every version of
//! rmcp, because the name of a type does not contain the version.

use crate::tool::metadata::ToolMetadata;

/// Returns an error for each such type in a tool's signature.
pub(super) fn rmcp_types(metadata: &ToolMetadata) -> Vec<String> {
    let mut errors = Vec::new();
    for (parameter, type_name) in metadata.argument_types {
        let name = type_name();
        let advice = match of_rmcp(name) {
            Some("Parameters") => "mark it with `#[mcp_tool(arguments)]`, and write the type inside",
            Some("Meta" | "MetaObject" | "RequestMetaObject") => {
                "take `#[mcp_tool(context)] cx: &CallContext`, and read `cx.meta()`"
            }
            _ => continue,
        };
        errors.push(format!("`{parameter}` is of type `{name}`, and here it would be one argument: {advice}"));
    }
    if let Some(name) = metadata.result_type
        && let Some("CallToolResult" | "CallToolResponse" | "Content" | "ContentBlock" | "Annotated") = of_rmcp(name)
    {
        errors.push(format!(
            "its result is of type `{name}`, and here it would be a structured value: return the value itself, or `Vec<Content>` \
             with the `Content` of this library"
        ));
    }
    if let Some(name) = metadata.masked_error_type
        && of_rmcp(name) == Some("ErrorData")
    {
        errors.push(format!(
            "its error is of type `{name}`, and a model would not read its message: return a `ToolError`, or an error with \
             `#[derive(IntoToolError)]`"
        ));
    }
    errors
}

/// Returns the last segment of the first type of rmcp in the name of a type: `Content` for `alloc::vec::Vec<rmcp::model::Content>`.
fn of_rmcp(name: &str) -> Option<&str> {
    let start = name
        .find("rmcp::")
        .filter(|start| !name[..*start].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))?;
    let path = name[start..].split(['<', '>', ',', ' ', ')', ']', ';']).next()?;
    path.rsplit("::").next()
}

#[cfg(test)]
mod tests {
    use super::of_rmcp;

    #[test]
    fn only_types_of_rmcp_are_found() {
        assert_eq!(of_rmcp("rmcp::model::ErrorData"), Some("ErrorData"));
        assert_eq!(of_rmcp("alloc::vec::Vec<rmcp::model::content::ContentBlock>"), Some("ContentBlock"));
        assert_eq!(of_rmcp("rmcp::handler::server::wrapper::Parameters<app::Query>"), Some("Parameters"));
        assert_eq!(of_rmcp("app::rmcp::Json<app::Query>"), None);
        assert_eq!(of_rmcp("my_rmcp::model::ErrorData"), None);
        assert_eq!(of_rmcp("app::ErrorData"), None);
    }
}
