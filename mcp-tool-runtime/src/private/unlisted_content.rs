//! The compile error for content blocks in a container other than `Vec<Content>`, such as `Option<Image>`.
//!
//! Blocks are not structured values and have no schema. Without this module rustc would ask for `JsonSchema`.

use super::{Output, PhantomData, Success, SuccessCodec, ToolError};
use crate::{Audio, Content, EmbeddedResource, Image, ResourceLink, Text};

/// A content block.
pub trait ContentBlock {}

macro_rules! blocks {
    ($($block:ident)+) => {$(impl ContentBlock for $block {})+};
}

blocks!(Text Image Audio ResourceLink EmbeddedResource Content);

/// A result of type `V`: a container of blocks other than the list `Vec<Content>`.
pub struct UnlistedContent<V>(PhantomData<fn() -> V>);

/// No type implements it: each use of the bound is a compile error with this message.
#[diagnostic::on_unimplemented(
    message = "content in `{Self}` cannot be the result of a tool",
    label = "content is returned alone or in a `Vec<Content>`",
    note = "help: return `Vec<Content>`: `vec![text.into(), image.into()]`, and an empty one where there is nothing"
)]
pub trait ListOfContent {}

impl<V> Clone for UnlistedContent<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for UnlistedContent<V> {}

impl<V> UnlistedContent<V> {
    pub fn check(self) -> Self
    where
        V: ListOfContent,
    {
        self
    }

    pub fn described(self) -> Self
    where
        V: ListOfContent,
    {
        self
    }
}

// Never used: `check` and `described` do not compile. It has no bound, so that there is only one error.
impl<V> SuccessCodec for UnlistedContent<V> {
    type Value = V;

    fn output(self, _: V) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

/// Implemented for as many references as [`ProbeStructured`](super::ProbeStructured), so the two have the same rank. They never
/// compete, because a block has no schema.
pub trait ProbeUnlistedContent<V> {
    fn __mcp_tool_output(&self) -> UnlistedContent<V> {
        UnlistedContent(PhantomData)
    }
}

macro_rules! unlisted {
    ($([$($parameter:ident)*] $value:ty)+) => {$(
        impl<$($parameter: ContentBlock),*> ProbeUnlistedContent<$value> for &&&&Success<$value> {}
    )+};
}

unlisted! {
    [T] Vec<T>
    [T] Option<T>
    [] Option<Vec<Content>>
    [T U] (T, U)
    [T U V] (T, U, V)
}
