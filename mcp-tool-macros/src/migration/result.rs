//! Result types of the official SDK that a tool cannot return, because in this library the server builds the result.

use syn::Type;

use super::last_segment;
use crate::errors::Errors;
use crate::types;

/// Reports a return type that is, or contains, a result of the protocol.
pub(crate) fn report_result(returns: &Type, errors: &mut Errors) {
    let is_result = |ty: &Type| instead_of(ty).is_some();
    let Some(ty) = types::find(returns, is_result) else { return };
    let Some((name, help)) = instead_of(&ty) else { return };
    let message = format!("`{name}` cannot be returned: the server builds it from the returned value");
    errors.report(&ty, message, help);
}

fn instead_of(ty: &Type) -> Option<(String, &'static str)> {
    let name = last_segment(ty)?.ident.to_string();
    let help = match name.as_str() {
        "CallToolResult" => "return the value itself, or `Vec<Content>`; `Result<…, ToolError>` where it can fail",
        "CreateTaskResult" => "return the value itself: the call ends with it, and `cx.progress(…)` reports on the way",
        "InputRequiredResult" => "ask the user with a parameter: `#[mcp_tool(ask = \"…\")] answer: …`",
        _ => return None,
    };
    Some((name, help))
}
