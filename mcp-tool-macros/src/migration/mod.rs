//! What is left of another library when a server moves, above all of rmcp, the official SDK.
//!
//! Each left-over is one error at its token, with the line to write here. Most of them would not compile anyway, and rustc would say
//! something less useful. The rest would compile and change what clients see. The spelling of a type decides nothing else: it never gives a
//! parameter a meaning. A type that starts with `crate`, `self` or `super` is the author's own.

mod attribute;
mod parameter;
mod result;

pub(crate) use attribute::{is_foreign, is_on_parameter, report_on_block, schema_of_type, tool_line, written_keys};
pub(crate) use parameter::{extractor_help, report_parameter};
pub(crate) use result::report_result;

use syn::{Path, PathSegment, Type};

use crate::types::ungrouped;

/// Returns the last segment of a type that is not the author's own by its path.
fn last_segment(ty: &Type) -> Option<&PathSegment> {
    let Type::Path(path) = ungrouped(ty) else { return None };
    let is_own = |first: &PathSegment| ["crate", "self", "super", "Self"].iter().any(|word| first.ident == word);
    if path.path.segments.first().is_some_and(is_own) {
        return None;
    }
    path.path.segments.last()
}

/// Returns `true` if a path starts with the name of the official SDK.
fn is_of_rmcp(path: &Path) -> bool {
    path.segments.first().is_some_and(|first| first.ident == "rmcp" || first.ident == "rmcp_macros")
}
