//! Rarely used lints, which generated code must not trigger either.

#![deny(
    missing_copy_implementations,
    missing_debug_implementations,
    redundant_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unused_import_braces,
    unused_lifetimes,
    unused_results,
    variant_size_differences,
    let_underscore_drop,
    clippy::absolute_paths,
    clippy::alloc_instead_of_core,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::default_numeric_fallback,
    clippy::else_if_without_else,
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::expect_used,
    clippy::field_scoped_visibility_modifiers,
    clippy::if_then_some_else_none,
    clippy::impl_trait_in_params,
    clippy::implicit_return,
    clippy::indexing_slicing,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::min_ident_chars,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::mod_module_files,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::partial_pub_fields,
    clippy::pattern_type_mismatch,
    clippy::print_stdout,
    clippy::pub_with_shorthand,
    clippy::question_mark_used,
    clippy::ref_patterns,
    clippy::same_name_method,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_call_fn,
    clippy::single_char_lifetime_names,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::str_to_string,
    clippy::string_slice,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unused_trait_names,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "some projects deny each of these lints"
)]
#![allow(clippy::needless_return, reason = "`implicit_return` asks for the opposite")]

extern crate alloc;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use mcp_tool_runtime::{CallContext, ToolHandler, mcp_tool, mcp_tools, tools};

use crate::types::{Failure, Place, Unit};

/// Every key of a function and of its parameters.
///
/// # Errors
///
/// Never.
#[mcp_tool(
    title = "Count",
    read_only_hint,
    open_world_hint = false,
    icon(src = "https://example.com/count.png", sizes = "48x48"),
    meta("com.example/kind" = "count"),
    expose_errors
)]
#[inline]
pub async fn everything(
    /// A text.
    #[schemars(length(min = 1))]
    text: &str,
    #[serde(default)] unit: Unit,
    #[mcp_tool(default = 5_u32, example = 6_u32)] most: u32,
    all: Option<Vec<Place>>,
    #[mcp_tool(context)] context: &CallContext,
    #[mcp_tool(state)] state: &Place,
    #[mcp_tool(extension)] user: Option<&Place>,
) -> Result<Vec<String>, Failure> {
    drop((text, unit, most, all, context, state, user));
    return Ok(Vec::new());
}

/// A private function without arguments.
#[mcp_tool]
async fn nothing() {}

/// A service of two impl blocks.
#[derive(Debug)]
#[non_exhaustive]
pub struct Shelf {
    /// The books on the shelf.
    books: Vec<Place>,
}

impl From<Vec<Place>> for Shelf {
    #[inline]
    fn from(books: Vec<Place>) -> Self {
        return Self { books };
    }
}

#[mcp_tools(prefix = "shelf_", parts(more))]
impl Shelf {
    /// Show the books.
    #[mcp_tool(text = shown)]
    #[inline]
    pub async fn show(&self, first: Option<&str>) -> Vec<Place> {
        return self
            .books
            .iter()
            .filter(|book| return first.is_none_or(|name| return book.name == name))
            .cloned()
            .collect();
    }
}

/// Formats the result as text.
#[expect(clippy::single_call_fn, reason = "the author's own")]
fn shown(places: &[Place]) -> String {
    return places.iter().map(|place| return place.name.as_str()).collect();
}

mod second {
    //! The second impl block.

    use mcp_tool_runtime::mcp_tools;

    #[mcp_tools(part = more, prefix = "")]
    impl super::Shelf {
        /// Count the books.
        #[mcp_tool]
        #[inline]
        pub async fn count(&self) -> usize {
            return self.books.len();
        }
    }
}

/// Returns all tools.
#[must_use]
#[inline]
pub fn handlers() -> Vec<Box<dyn ToolHandler>> {
    return tools![everything, nothing];
}
