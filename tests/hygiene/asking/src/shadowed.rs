//! A module in which the names that generated code uses are shadowed.

#![allow(dead_code, unused_macros)]

use ::mcp_tool_runtime::{Answer as Reply, Ask as Question, Consent as Yes, mcp_tool};

mod core {}
mod mcp_tool_runtime {}
mod schemars {}
mod serde {}
mod std {}

struct Answer;
struct Ask;
struct Consent;
struct Err;
struct None;
struct Ok;
struct Option;
struct Result;
struct Some;
struct String;
trait Default {}
trait Into {}
trait Send {}
trait Sized {}

macro_rules! format {
    ($($tokens:tt)*) => {
        ::std::compile_error!("the author's own macro")
    };
}

fn sure(id: &u32, reason: &::std::string::String) -> Question<Yes> {
    Question::new(::std::format!("Delete {id}, {reason}?"))
}

/// Delete a note.
#[mcp_tool(name = "shadowed")]
pub async fn delete(
    id: u32,
    #[mcp_tool(ask = sure(id, reason))] _sure: Yes,
    #[mcp_tool(ask = "Why is {id} deleted?")] reason: ::std::string::String,
    #[mcp_tool(ask = "How many?")] count: Reply<u8>,
) -> ::std::string::String {
    ::std::format!("{id} {reason} {count:?}")
}
