//! Questions to the user: parameters with `#[mcp_tool(ask = …)]`.
//!
//! [`parse`] parses the value of the key. [`mod@check`] reports what is wrong with the questions of a tool, and orders them: a
//! question that shows the answer to another one comes later. [`expand`] emits the code that asks.

mod check;
mod expand;
mod parse;

pub(crate) use check::check;
pub(crate) use expand::{ask, forms, specs};
pub(crate) use parse::Question;

use crate::model::Tool;
use crate::param::{Param, Role};

/// Returns the asked parameters, each with its index among all parameters.
pub(crate) fn asked(tool: &Tool) -> impl Iterator<Item = (usize, &Param)> {
    tool.params.iter().enumerate().filter(|(_, param)| param.keys.role() == Role::Asked)
}

/// Returns the key of a question on the wire: the published name of the parameter.
pub(crate) fn key(param: &Param) -> &str {
    &param.wire_name
}
