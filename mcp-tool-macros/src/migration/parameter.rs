//! Parameters that another library fills: extractors, and attributes. The context of a call without its mark is among them.

use quote::ToTokens;
use syn::{Ident, Pat, PatType, PathSegment, Type};

use super::attribute::has_key;
use super::{is_of_rmcp, is_on_parameter, last_segment};
use crate::errors::Errors;
use crate::role::Role;
use crate::types::{self, type_argument_of, ungrouped, written};

const CONTEXT: &str = "write `#[mcp_tool(context)] cx: &CallContext`";

/// Reports a parameter that another library would fill. Returns `false` if it is not one.
pub(crate) fn report_parameter(typed: &PatType, role: Role, errors: &mut Errors) -> bool {
    if let Some(attr) = typed.attrs.iter().find(|attr| is_on_parameter(attr)) {
        let ty = written(&typed.ty);
        let name = written(&typed.pat);
        let (message, help) = if attr.path().is_ident("description") {
            ("a parameter has its description in a doc comment", format!("write `/// …` above `{name}`"))
        } else if has_key(attr, "aggr") {
            ("`#[tool]` on a parameter is an attribute of rmcp", format!("write `#[mcp_tool(arguments)] {name}: {ty}`"))
        } else {
            let help = format!("remove it: every parameter is an argument, so `{name}: {ty}` is enough");
            ("`#[tool]` on a parameter is an attribute of rmcp", help)
        };
        errors.report(attr, message, help);
        return true;
    }
    let Pat::Ident(pat) = &*typed.pat else { return false };
    let Some(instead) = instead_of(&pat.ident, &typed.ty, role) else { return false };
    let ty = written(&typed.ty);
    let message = if instead.contains("#[mcp_tool(arguments)]") {
        format!("`{ty}` holds all arguments, and here it would be one of them")
    } else {
        format!("`{ty}` is not an argument that a client sends")
    };
    errors.report(&typed.ty, message, instead);
    true
}

/// Returns what to write instead of a parameter of this type.
fn instead_of(name: &Ident, ty: &Type, role: Role) -> Option<String> {
    let in_option = type_argument_of(ty, "Option");
    let ty = match ungrouped(in_option.unwrap_or(ty)) {
        Type::Reference(reference) => &*reference.elem,
        ty => ty,
    };
    let last = last_segment(ty)?;
    let kind = last.ident.to_string();
    let inner = type_argument_of(ty, &kind);
    match (role, kind.as_str(), inner) {
        (Role::Argument, "Parameters", Some(inner)) => {
            let inner = written(inner);
            Some(format!("write `#[mcp_tool(arguments)] {name}: {inner}`, or the fields of `{inner}` as parameters"))
        }
        (Role::Argument, "JsonObject", None) if in_option.is_none() => {
            Some(format!("write `#[mcp_tool(arguments)] {name}: {}`, which is all arguments", written(ty)))
        }
        (Role::Argument | Role::Extension, "Extension", Some(inner)) => {
            let inner = written(inner);
            let extension = if in_option.is_some() { format!("Option<&{inner}>") } else { format!("&{inner}") };
            Some(format!("write `#[mcp_tool(extension)] {name}: {extension}`"))
        }
        (Role::Argument | Role::AllArguments, _, _) => injected(name, ty, last),
        _ => None,
    }
}

/// Returns what to write instead of a value of the request or of the connection.
fn injected(name: &Ident, ty: &Type, last: &PathSegment) -> Option<String> {
    let kind = last.ident.to_string();
    let of_server = type_argument_of(ty, &kind).is_some_and(|role| written(role).ends_with("RoleServer"));
    let is_of_rmcp = matches!(ungrouped(ty), Type::Path(path) if is_of_rmcp(&path.path));
    Some(match kind.as_str() {
        "RequestContext" if of_server => {
            let peer = written(ty).replace("service::RequestContext", "Peer").replace("RequestContext", "Peer");
            format!("{CONTEXT}; for the client's connection `#[mcp_tool(extension)] peer: &{peer}`")
        }
        "ToolCallContext" => CONTEXT.to_owned(),
        // Of this crate, without its mark.
        "CallContext" => format!("write `#[mcp_tool(context)] {name}: &CallContext`"),
        "Peer" if of_server => format!("write `#[mcp_tool(extension)] {name}: &{}`", written(ty)),
        "CancellationToken" => format!("{CONTEXT}, and `cx.cancelled()` for `{name}.cancelled()`"),
        "RequestMetaObject" => format!("{CONTEXT}, and `cx.meta()` for `{name}`"),
        "Meta" if is_of_rmcp => format!("{CONTEXT}, and `cx.meta()` for `{name}`"),
        "ToolName" if is_of_rmcp => format!("{CONTEXT}, and `cx.tool_name()` for `{name}`"),
        "RequestId" if is_of_rmcp => format!("{CONTEXT}, and `cx.call_id()` for an id of the call"),
        "Extensions" if is_of_rmcp => format!("write `#[mcp_tool(extension)] {name}: &{}`", written(ty)),
        _ => return None,
    })
}

/// Returns what to write instead of an extractor with a pattern: `State(db): State<Db>`.
pub(crate) fn extractor_help(pat: &Pat, ty: &Type) -> Option<String> {
    let Pat::TupleStruct(pat) = pat else { return None };
    let first = pat.elems.first().filter(|_| pat.elems.len() == 1)?;
    let extractor = pat.path.segments.last()?.ident.to_string();
    let inner = type_argument_of(ty, &extractor);
    let (name, is_fields) = match first {
        Pat::Ident(pat) => (written(&pat.ident), false),
        // `Parameters(Point { x, y })`
        Pat::Struct(_) => (inner.map(last_name)?, true),
        _ => return None,
    };
    let instead = match (extractor.as_str(), inner) {
        ("State" | "Data", Some(inner)) => format!("write `#[mcp_tool(state)] {name}: &{}`", written(inner)),
        ("Extension", Some(inner)) => format!("write `#[mcp_tool(extension)] {name}: &{}`", written(inner)),
        ("ToolName", None) => format!("{CONTEXT}, and `cx.tool_name()` for `{name}`"),
        ("RequestId", None) => format!("{CONTEXT}, and `cx.call_id()` for an id of the call"),
        ("RequestMetaObject" | "Meta", None) => format!("{CONTEXT}, and `cx.meta()` for `{name}`"),
        (_, Some(inner)) if is_fields => {
            let inner = written(inner);
            format!("write the fields of `{inner}` as parameters, or `#[mcp_tool(arguments)] {name}: {inner}`")
        }
        (_, Some(inner)) => {
            format!("write `#[mcp_tool(arguments)] {name}: {}` for the whole of the arguments", written(inner))
        }
        _ => return None,
    };
    Some(instead)
}

/// Returns a name for a parameter of this type: `point` for `Point`.
fn last_name(ty: &Type) -> String {
    let name = last_segment(ty).map_or_else(|| ty.to_token_stream().to_string(), |last| last.ident.to_string());
    types::snake_case(&name)
}
