//! Mistakes that are typical of people who have used another library, above all rmcp, the official SDK.
//!
//! Each row of the tables gives an error that says what to write instead. Most of these mistakes would fail to compile
//! anyway, with a less useful error; the others would compile and change what clients see. Apart from these errors, the
//! names in the tables have no special meaning.

use syn::{Attribute, Ident, Meta, Pat, PatType, PathSegment, Type};

use crate::errors::Errors;
use crate::types::{self, type_argument_of, ungrouped, written};

/// Keys that an attribute does not have, and what to write instead.
const KEYS: [(&str, &str, &str); 10] = [
    (
        "`#[mcp_tool]`",
        "annotations",
        "write its keys directly: `title = \"…\"`, `read_only_hint`, `destructive_hint = false`",
    ),
    ("`#[mcp_tool]`", "deprecated", "write `#[deprecated(note = \"…\")]` on the function"),
    ("`#[mcp_tool]`", "consent", "write a parameter with the question: `#[mcp_tool(ask = \"…\")] consent: Consent`"),
    ("`#[mcp_tool]`", "rate_limit", "write `limit = \"20/min\"`"),
    ("`#[mcp_tool]` on a parameter", "consent", "write the question that the user is asked: `ask = \"…\"`"),
    ("`#[mcp_tool]` on a parameter", "description", "write a doc comment above it: `/// …`"),
    ("`#[mcp_tool]` on a parameter", "name", "write `#[serde(rename = \"…\")]`"),
    ("`#[mcp_tool]` on a parameter", "rename", "write `#[serde(rename = \"…\")]`"),
    ("`#[tool_error]`", "retry", "write `can_retry`"),
    ("`#[tool_error]`", "retryable", "write `can_retry`"),
];

/// What distinguishes a type of another library from the author's own type with the same name.
enum Mark {
    /// The name of the type is enough.
    Name,
    /// The type has a generic argument.
    Generic,
    /// The generic argument is rmcp's `RoleServer`.
    OfServer,
    /// The parameter is written as a pattern, as in `State(db): State<Db>`, or the generic argument is an `Arc`.
    Extractor,
}

/// The types of parameters to report, each with its mark and its help. In the help, `{name}` is the parameter, `{type}`
/// its type, and `{inner}` the type's argument.
const PARAMETERS: [(&str, Mark, &str); 7] = [
    (
        "Parameters",
        Mark::Generic,
        "write `#[mcp_tool(arguments)] {name}: {inner}`, or the fields of `{inner}` as parameters",
    ),
    ("State", Mark::Extractor, "write `#[mcp_tool(state)] {name}: &{inner}`"),
    ("Extension", Mark::Generic, "write `#[mcp_tool(extension)] {name}: &{inner}`"),
    ("Peer", Mark::OfServer, "write `#[mcp_tool(extension)] {name}: &{type}`"),
    (
        "RequestContext",
        Mark::OfServer,
        "write `#[mcp_tool(context)] cx: &CallContext`; for the client's connection `#[mcp_tool(extension)] peer: \
         &rmcp::Peer<rmcp::RoleServer>`",
    ),
    (
        "CancellationToken",
        Mark::Name,
        "write `#[mcp_tool(context)] cx: &CallContext`, and `cx.cancelled()` for `{name}.cancelled()`",
    ),
    // Unlike the others, `CallContext` is a type of this library. It is listed because a parameter of this type needs
    // the key `context`.
    ("CallContext", Mark::Name, "write `#[mcp_tool(context)] {name}: &CallContext`"),
];

/// Returns what to write instead of a key that `attribute` does not have, if the key is one of [`KEYS`].
pub(crate) fn help_for_key(key: &Ident, attribute: &str) -> Option<&'static str> {
    KEYS.iter().find(|(of, known, _)| *of == attribute && key == known).map(|(.., help)| *help)
}

/// Reports a parameter whose type is one of [`PARAMETERS`]. Returns `true` if it reports the parameter. `is_whole` is
/// set if the parameter already holds all arguments.
pub(crate) fn report_parameter(typed: &PatType, is_whole: bool, errors: &mut Errors) -> bool {
    let ty = match ungrouped(type_argument_of(&typed.ty, "Option").unwrap_or(&typed.ty)) {
        Type::Reference(reference) => &*reference.elem,
        ty => ty,
    };
    let Some(last) = last_segment(ty) else { return false };
    let inner = type_argument_of(ty, &last.ident.to_string());
    let in_arc = |ty| type_argument_of(ty, "Arc");
    let is_pattern = !matches!(&*typed.pat, Pat::Ident(_));
    let is_marked = |mark: &Mark| match mark {
        Mark::Name => true,
        Mark::Generic => inner.is_some(),
        Mark::OfServer => inner.is_some_and(|inner| written(inner).ends_with("RoleServer")),
        Mark::Extractor => inner.is_some_and(|inner| is_pattern || in_arc(inner).is_some()),
    };
    let Some((_, _, help)) = PARAMETERS.iter().find(|(name, mark, _)| last.ident == name && is_marked(mark)) else {
        return false;
    };
    let Some(name) = name(&typed.pat, inner.unwrap_or(ty)) else { return false };
    let holds_all = help.contains("#[mcp_tool(arguments)]");
    if holds_all && is_whole {
        return false;
    }
    let is = if holds_all {
        "holds all arguments, and here it would be one of them"
    } else {
        "is not an argument that a client sends"
    };
    let message = format!("`{}` {is}", written(&typed.ty));
    // For `State<Arc<T>>`, suggest `&T`: a tool can borrow the `T` from a state that is stored as an `Arc<T>`.
    let inner = inner.map(|ty| if last.ident == "State" { in_arc(ty).unwrap_or(ty) } else { ty });
    let inner = inner.map(written).unwrap_or_default();
    let help = help.replace("{name}", &name).replace("{type}", &written(ty)).replace("{inner}", &inner);
    errors.report(&typed.ty, message, help);
    true
}

/// Returns the name of a parameter, even if the parameter is a pattern: `db` for `State(db)`, and `point` for
/// `Parameters(Point { x, y })`.
fn name(pat: &Pat, inner: &Type) -> Option<String> {
    match pat {
        Pat::Ident(pat) => Some(pat.ident.to_string()),
        Pat::TupleStruct(pat) if pat.elems.len() == 1 => name(&pat.elems[0], inner),
        Pat::Struct(_) => last_segment(inner).map(|last| types::snake_case(&last.ident.to_string())),
        _ => None,
    }
}

/// Reports a return type that is, or contains, `CallToolResult`: in this library, the server builds that result.
pub(crate) fn report_result(returns: &Type, errors: &mut Errors) {
    let found =
        types::find(returns, |ty| last_segment(ty).filter(|last| last.ident == "CallToolResult").map(|_| ty.clone()));
    if let Some(ty) = found {
        let message = "`CallToolResult` cannot be returned: the server builds it from the returned value";
        let help = "return the value itself, or `Vec<Content>`; `Result<…, ToolError>` where it can fail";
        errors.report(&ty, message, help);
    }
}

/// Returns `true` for rmcp's attribute with this name, and `false` for one such as `#[other::tool]`, which belongs to a
/// third library.
pub(crate) fn is_foreign(attr: &Attribute, name: &str) -> bool {
    let mut segments = attr.path().segments.iter().map(|segment| segment.ident.to_string());
    let first = segments.next().unwrap_or_default();
    match segments.next() {
        None => first == name,
        Some(second) => first.starts_with("rmcp") && second == name,
    }
}

/// Returns what to write instead of a `#[tool]` or a `#[tool(…)]`.
pub(crate) fn instead_of_tool(attr: &Attribute) -> &'static str {
    match &attr.meta {
        Meta::List(_) => "`#[mcp_tool(…)]` with the same keys, and those of `annotations(…)` directly among them",
        _ => "`#[mcp_tool]`",
    }
}

/// Reports and removes a `#[tool_router]` on an impl block with `#[mcp_tools]`. The attribute stays if the block has
/// methods with `#[tool]` but without `#[mcp_tool]`.
pub(crate) fn report_on_block(attrs: &mut Vec<Attribute>, has_foreign_tools: bool, errors: &mut Errors) {
    attrs.retain(|attr| {
        let is_left = !has_foreign_tools && is_foreign(attr, "tool_router");
        if is_left {
            let message = format!("`#[{}]` finds no tools in this impl block", written(attr.path()));
            let help = "remove it: `.service(object)` of the builder takes the place of the router";
            errors.report(attr.path(), message, help);
        }
        !is_left
    });
}

/// Returns the last segment of a type, unless its path shows that the type is the author's own.
fn last_segment(ty: &Type) -> Option<&PathSegment> {
    let Type::Path(path) = ungrouped(ty) else { return None };
    let is_own = |first: &PathSegment| ["crate", "self", "super", "Self"].iter().any(|word| first.ident == word);
    if path.path.segments.first().is_some_and(is_own) {
        return None;
    }
    path.path.segments.last()
}
